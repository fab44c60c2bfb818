#if os(Linux)
import Synchronization
import TestSupport
import Testing

@testable import Pavise

@Suite struct LifecycleLoginTests {
    @Test(.enabled(if: LoginStage.isPossible, "dbus-daemon or python3-gi is missing"))
    func `LC-5: a lock that is asked for and a sleep close the app lock, and the desktop says what the screen is`()
        async throws
    {
        let stage = try LoginStage()
        let heard = Mutex<[LifecycleEvent]>([])
        let wanted: Set<LifecycleEvent> = [.willSleep, .screenLocked, .screenUnlocked]
        let watch = LifecycleWatch(
            managed: nil, bus: stage.address,
            report: { event in
                // The kernel's own words are no part of this.
                if wanted.contains(event) { heard.withLock { $0.append(event) } }
            }, rulesChanged: {})
        try await stage.waitForListener()
        for word in ["stranger", "other", "lock", "hint 1", "hint 0", "sleep"] { try stage.say(word) }
        for _ in 0..<3_000 where heard.withLock({ $0.count }) < 4 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(heard.withLock { $0 } == [.willSleep, .screenLocked, .screenUnlocked, .willSleep])
        #expect(!watch.problems.contains { $0.hasPrefix("systemd-logind") })
        var machine = LifecycleMachine()
        let actions = machine.handle(.willSleep, at: 0)
        #expect(actions == [.lock])
    }
}
#endif
