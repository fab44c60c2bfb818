import Pavise
import PavisePrimitives
import Testing

/// What the notifications of Apple's systems mean for the lock and the screen. That the systems post them is not seen
/// here.
@Suite struct LifecycleSignTests {
    typealias Action = LifecycleMachine.Action

    private func walk(
        _ signs: [(LifecycleEvent, [Action])], _ location: SourceLocation = #_sourceLocation
    ) {
        var machine = LifecycleMachine()
        var now: Int64 = 1_000_000
        for (event, actions) in signs {
            now += 10_000
            #expect(machine.handle(event, at: now) == actions, "\(event)", sourceLocation: location)
        }
    }

    @Test func `a scene of iOS that leaves is covered and left, and its coming back is decided by the lock`() {
        func sign(_ sign: PhoneSign) -> LifecycleEvent { sign.event(of: "a") }
        walk([
            (sign(.sceneActivated), []), (sign(.sceneWillDeactivate), [.cover]),
            (sign(.sceneEnteredBackground), [.leave]), (sign(.sceneWillEnterForeground), [.comeBack, .wakeUp]),
            (sign(.sceneActivated), [.uncover]), (sign(.sceneDisconnected), [.cover, .leave]),
        ])
    }

    @Test func `protected files that are taken away close the lock, whichever scene is in front`() {
        walk([
            (PhoneSign.sceneActivated.event(of: "a"), []),
            (PhoneSign.protectedDataLeaves.event(of: "b"), [.cover, .lock]),
            (PhoneSign.protectedDataIsBack.event(of: "c"), [.uncover, .wakeUp]),
        ])
    }

    @Test(arguments: PhoneSign.allCases)
    func `each sign of a scene is about that scene, each other one about the device`(_ sign: PhoneSign) {
        let isOfScene = sign.event(of: "a") != sign.event(of: "b")
        #expect(isOfScene == (sign != .protectedDataLeaves && sign != .protectedDataIsBack))
    }

    @Test func `a Mac's app that is hidden has left, one that lost the input is only covered`() {
        walk([
            (MacSign.appActivated.event, []), (MacSign.appResigned.event, [.cover]),
            (MacSign.appHidden.event, [.leave]),
            (MacSign.appWillUnhide.event, [.comeBack, .wakeUp]), (MacSign.appActivated.event, [.uncover]),
        ])
    }

    @Test(arguments: [
        (MacSign.sessionLeaves, MacSign.sessionIsBack), (.screensSleep, .screensWake),
        (.protectedDataLeaves, .protectedDataIsBack),
    ])
    func `another user in front, a screen that is off, or a Mac that is locked closes the lock`(
        _ leaves: MacSign, _ comesBack: MacSign
    ) {
        walk([
            (MacSign.appActivated.event, []), (leaves.event, [.cover, .lock]), (comesBack.event, [.uncover, .wakeUp]),
        ])
    }

    @Test(
        arguments: [
            ([.protectedDataLeaves, .screensSleep, .screensWake, .protectedDataIsBack], [true, true, nil, false]),
            ([.sessionLeaves, .screensSleep, .screensWake, .sessionIsBack], [true, true, nil, false]),
            ([.protectedDataLeaves, .sessionLeaves, .sessionIsBack, .protectedDataIsBack], [true, true, nil, false]),
            ([.screensSleep, .screensWake], [true, false]),
            ([.sessionLeaves, .screensSleep, .sessionIsBack, .screensWake], [true, true, false, false]),
        ] as [([MacSign], [Bool?])])
    func `a screen that wakes is not unlocked while the Mac is locked or another user is in front`(
        _ signs: [MacSign], _ locks: [Bool?]
    ) {
        var screen = MacScreen()
        let events = signs.map { screen.event(of: $0) }
        let wanted: [LifecycleEvent?] = locks.map { isLocked in
            isLocked.map { $0 ? LifecycleEvent.screenLocked : LifecycleEvent.screenUnlocked }
        }
        #expect(events == wanted)
    }

    @Test func `what is not about the screen means what it says, whatever hides the screen`() {
        var screen = MacScreen()
        _ = screen.event(of: .protectedDataLeaves)
        for sign in MacSign.allCases where sign.event != .screenLocked && sign.event != .screenUnlocked {
            let event = screen.event(of: sign)
            #expect(event == sign.event)
        }
    }

    @Test func `a Mac that sleeps closes the lock, and its sessions go on when it wakes`() {
        walk([
            (MacSign.appActivated.event, []), (MacSign.machineWillSleep.event, [.lock]),
            (MacSign.machineWoke.event, [.wakeUp]),
        ])
    }

    @Test func `what is about the app comes by the app's own center, the rest by that of the workspace`() {
        let own = MacSign.allCases.filter { !$0.isOfWorkspace }
        #expect(
            own == [
                .appActivated, .appResigned, .appHidden, .appWillUnhide, .protectedDataLeaves, .protectedDataIsBack,
            ])
    }
}
