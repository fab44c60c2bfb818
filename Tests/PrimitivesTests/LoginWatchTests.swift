import PavisePrimitives
import Synchronization
import TestSupport
import Testing

#if os(Linux)
@Suite struct LoginWatchTests {
    private static let (root, manager) = ("/org/freedesktop/login1", "org.freedesktop.login1.Manager")
    private static let (own, session) = ("/org/freedesktop/login1/session/_32", "org.freedesktop.login1.Session")
    private static let properties = "org.freedesktop.DBus.Properties"

    private static func signal(
        _ sender: String, _ path: String, _ interface: String, _ member: String, _ flag: Bool? = nil
    ) -> LoginSignal {
        LoginSignal(sender: sender, path: path, interface: interface, member: member, flag: flag)
    }

    // sender, path, interface, member, flag; what it means
    private static let signals: [(LoginSignal, LoginEvent?)] = [
        (signal(":1.1", own, session, "Lock"), .lockAsked),
        (signal(":1.1", own, session, "Unlock"), .unlocked),
        (signal(":1.1", own, properties, "PropertiesChanged", true), .locked),
        (signal(":1.1", own, properties, "PropertiesChanged", false), .unlocked),
        (signal(":1.1", own, properties, "PropertiesChanged"), nil),
        (signal(":1.1", root, manager, "PrepareForSleep", true), .willSleep),
        (signal(":1.1", root, manager, "PrepareForSleep", false), nil),
        (signal(":1.1", own, session, "PauseDevice"), nil),
        // A stranger, and the session of somebody else.
        (signal(":1.9", own, session, "Lock"), nil),
        (signal(":1.9", own, session, "Unlock"), nil),
        (signal(":1.9", root, manager, "PrepareForSleep", true), nil),
        (signal(":1.1", own + "3", session, "Unlock"), nil),
        (signal(":1.1", own + "3", session, "Lock"), nil),
        (signal(":1.1", own + "3", properties, "PropertiesChanged", true), nil),
    ]

    @Test func `LC-5: a signal counts from systemd-logind and for the own session alone`() {
        for (signal, wanted) in Self.signals {
            #expect(signal.meaning(from: ":1.1", session: Self.own) == wanted, "\(signal)")
        }
        // A process without a session hears of sleep alone.
        for (signal, wanted) in Self.signals {
            let alone: LoginEvent? = wanted == .willSleep ? .willSleep : nil
            #expect(signal.meaning(from: ":1.1", session: "") == alone, "\(signal)")
        }
    }

    @Test(.enabled(if: LoginStage.isPossible, "dbus-daemon or python3-gi is missing"))
    func `LC-5: what systemd-logind says is heard, what a stranger sends to this program alone is not`() async throws {
        let stage = try LoginStage()
        let heard = Mutex<[LoginEvent]>([])
        let watch = try LoginWatch(address: stage.address, failed: { Issue.record("\($0)") }) { event in
            heard.withLock { $0.append(event) }
        }
        try await stage.waitForListener()
        // Each word is a signal: of the own session, of another one, of a stranger.
        for word in ["lock", "hint 1", "other", "stranger", "hint 0", "wake", "unlock", "sleep"] { try stage.say(word) }
        for _ in 0..<3_000 where heard.withLock({ $0.last }) != .willSleep {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(heard.withLock { $0 } == [.lockAsked, .locked, .unlocked, .unlocked, .willSleep])
        withExtendedLifetime(watch) {}
    }

    @Test(.enabled(if: LoginStage.isPossible, "dbus-daemon or python3-gi is missing"))
    func `LC-5: a screen that was locked before the program began counts as locked`() async throws {
        let stage = try LoginStage()
        try stage.sayNow("hint 1")
        let heard = Mutex<[LoginEvent]>([])
        let watch = try LoginWatch(address: stage.address, failed: { Issue.record("\($0)") }) { event in
            heard.withLock { $0.append(event) }
        }
        try await stage.waitForListener()
        for _ in 0..<3_000 where heard.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(10)) }
        #expect(heard.withLock { $0 } == [.locked])
        try stage.say("hint 0")
        for _ in 0..<3_000 where heard.withLock({ $0.last }) != .unlocked {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(heard.withLock { $0 } == [.locked, .unlocked])
        withExtendedLifetime(watch) {}
    }

    @Test func `without a bus the app is told once, and nothing hangs`() async throws {
        let told = Mutex<[SystemFailure]>([])
        let watch = try LoginWatch(
            address: "unix:path=/nonexistent/bus", failed: { error in told.withLock { $0.append(error) } }, { _ in })
        for _ in 0..<3_000 where told.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(10)) }
        #expect(told.withLock { $0.count } == 1)
        withExtendedLifetime(watch) {}
    }
}
#endif
