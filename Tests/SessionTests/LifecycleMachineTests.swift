import Pavise
import PavisePrimitives
import Testing

/// What an app's life means for its lock, its screen and its sessions.
@Suite struct LifecycleMachineTests {
    typealias Action = LifecycleMachine.Action

    /// Events, one second after the other, and what each of them asks for.
    private func walk(
        under rules: LifecycleRules = LifecycleRules(), _ steps: [(LifecycleEvent, [Action])], pace: Int64 = 10_000,
        _ location: SourceLocation = #_sourceLocation
    ) {
        var machine = LifecycleMachine(rules)
        var now: Int64 = 1_000_000
        for (event, actions) in steps {
            now += pace
            #expect(machine.handle(event, at: now) == actions, "\(event)", sourceLocation: location)
        }
    }

    @Test func `an app that leaves is covered first, and uncovered last: the lock decides in between`() {
        walk([
            (.becameActive(of: "a"), []), (.willResignActive(of: "a"), [.cover]),
            (.enteredBackground(of: "a"), [.leave]), (.willEnterForeground(of: "a"), [.comeBack, .wakeUp]),
            (.becameActive(of: "a"), [.uncover]),
        ])
    }

    @Test func `a question of the system covers, and is no leaving`() {
        walk([
            (.becameActive(of: "a"), []), (.willResignActive(of: "a"), [.cover]),
            (.becameActive(of: "a"), [.uncover]),
        ])
    }

    @Test func `with the stricter rule to be inactive is to leave`() {
        walk(
            under: LifecycleRules(leaving: .inactive),
            [
                (.becameActive(of: "a"), []), (.willResignActive(of: "a"), [.cover, .leave]),
                (.enteredBackground(of: "a"), []), (.willEnterForeground(of: "a"), []),
                (.becameActive(of: "a"), [.comeBack, .uncover, .wakeUp]),
            ])
    }

    @Test func `with two scenes the app leaves with the last one`() {
        walk([
            (.becameActive(of: "a"), []), (.becameActive(of: "b"), []), (.enteredBackground(of: "a"), []),
            (.closed("b"), [.cover, .leave]), (.willEnterForeground(of: "a"), [.comeBack, .wakeUp]),
        ])
    }

    @Test func `an app whose last scene is closed is seen by nobody`() {
        walk([(.becameActive(of: "a"), []), (.closed("a"), [.cover, .leave])])
    }

    @Test func `a locked device locks the app at once, whatever the grace, and covers a program without windows`() {
        walk([
            (.screenLocked, [.cover, .lock]), (.screenLocked, [.lock]), (.screenUnlocked, [.uncover, .wakeUp]),
            (.screenUnlocked, []), (.willSleep, [.lock]), (.woke, [.wakeUp]),
        ])
        walk(
            under: LifecycleRules(locksWithScreen: false),
            [(.screenLocked, [.cover]), (.willSleep, []), (.screenUnlocked, [.uncover, .wakeUp])])
    }

    @Test func `in the background no network wakes anybody, and the way back does`() {
        walk([
            (.becameActive(of: "a"), []), (.enteredBackground(of: "a"), [.cover, .leave]),
            (.networkChanged(isUsable: true), []), (.woke, []), (.screenLocked, [.lock]), (.screenUnlocked, []),
            (.becameActive(of: "a"), [.comeBack, .uncover, .wakeUp]),
        ])
    }

    @Test func `a network that goes wakes nobody`() {
        walk([(.networkChanged(isUsable: false), []), (.networkChanged(isUsable: true), [.wakeUp])])
    }

    @Test func `a network that comes and goes wakes once in two seconds, and the last word counts`() {
        var machine = LifecycleMachine()
        #expect(machine.handle(.networkChanged(isUsable: true), at: 1000) == [.wakeUp])
        #expect(machine.handle(.networkChanged(isUsable: true), at: 1400) == [.wait(1600)])
        for now in stride(from: Int64(1410), to: 2900, by: 10) {
            #expect(machine.handle(.networkChanged(isUsable: now % 20 == 0), at: now) == [])
        }
        #expect(machine.handle(.networkChanged(isUsable: true), at: 2950) == [])
        #expect(machine.waited(at: 3000) == [.wakeUp])
        #expect(machine.waited(at: 3001) == [])
        #expect(machine.handle(.networkChanged(isUsable: true), at: 3100) == [.wait(1900)])
        #expect(machine.handle(.networkChanged(isUsable: false), at: 3200) == [])
        #expect(machine.waited(at: 5000) == [])
        #expect(machine.handle(.networkChanged(isUsable: true), at: 5001) == [.wakeUp])
    }

    @Test func `thousands of scenes are no more memory than some dozen`() {
        var machine = LifecycleMachine()
        for number in 0..<10_000 { _ = machine.handle(.becameActive(of: "scene \(number)"), at: Int64(number)) }
        #expect("\(machine)".count < 20_000)
    }

    @Test func `whatever happens, nothing is uncovered while the screen is locked or no scene is in front`() {
        let events: [LifecycleEvent] = [
            .becameActive(of: "a"), .willResignActive(of: "a"), .enteredBackground(of: "b"), .becameActive(of: "b"),
            .closed("a"), .closed("b"), .screenLocked, .screenUnlocked, .woke, .networkChanged(isUsable: true),
        ]
        var known: Set<LifecycleMachine> = [LifecycleMachine()]
        var rest: [(LifecycleMachine, Set<String>, Bool, Bool)] = [(LifecycleMachine(), [], false, false)]
        while let (machine, active, isLocked, hasScenes) = rest.popLast(), known.count < 20_000 {
            for event in events {
                var next = machine
                let actions = next.handle(event, at: 0)
                var (active, isLocked, hasScenes) = (active, isLocked, hasScenes)
                switch event {
                case .becameActive(let scene): (active, hasScenes) = (active.union([scene]), true)
                case .willResignActive(let scene), .enteredBackground(let scene), .closed(let scene):
                    (active, hasScenes) = (active.subtracting([scene]), true)
                case .screenLocked: isLocked = true
                case .screenUnlocked: isLocked = false
                default: break
                }
                let mayBeSeen = !isLocked && (!active.isEmpty || !hasScenes)
                #expect(next.isCovered != mayBeSeen)
                if actions.contains(.uncover) { #expect(mayBeSeen && actions.firstIndex(of: .leave) == nil) }
                if known.insert(next).inserted { rest.append((next, active, isLocked, hasScenes)) }
            }
        }
        #expect(known.count > 20)
    }
}
