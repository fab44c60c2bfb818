import Foundation
import PavisePrimitives
import PavisePrivacy
import Synchronization
import TestSupport
import Testing

#if os(Linux)
/// Notices meet a real daemon, dunst, on a bus and a screen of their own.
@Suite(.enabled(if: Desktop.isPossible, "dbus-daemon, Xvfb or dunst is missing")) struct NoticeCenterTests {
    private enum DiaryNotice: NoticeKind {
        case messages(Int)
        case reminder

        var notice: Notice {
            switch self {
            case .messages(let count): Notice("messages", .count(NoticeCount(count)))
            case .reminder: Notice("reminder", .duration(.seconds(900)))
            }
        }
    }

    private static func texts(_ key: String) -> String {
        [
            "messages.title": "Diary", "messages.body": "%@ new & <b>unread</b>", "reminder.title": "Tonight",
            "reminder.body": "in %@, %@",
        ][key] ?? ""
    }

    @Test func `E3: a daemon shows counts and the app's own words, and a sign-out takes them back`() async throws {
        let desktop = try Desktop()
        let center = NoticeCenter(named: "Diary", on: desktop.address, texts: Self.texts)
        try await center.show(DiaryNotice.messages(3))
        try await center.show(DiaryNotice.reminder)
        #expect(desktop.count("displayed") == 2)
        await center.removeAll()
        #expect(desktop.count("displayed") == 0)
        let history = desktop.control(["history"])
        // Dunst reads markup in bodies, so that the app's own signs come to it as references, once.
        #expect(history.contains("3 new &amp; &lt;b&gt;unread&lt;/b&gt;"), "\(history)")
        #expect(!history.contains("<b>unread") && !history.contains("&amp;amp;"), "\(history)")
        #expect(history.contains("in 15 min, "))
    }

    @Test(.enabled(if: DurableFile.exists("/usr/bin/dbus-monitor"), "dbus-monitor is missing"))
    func `E3: a desktop is asked to keep nothing of a notice once it was shown`() async throws {
        let desktop = try Desktop()
        let calls = try desktop.watch("interface='org.freedesktop.Notifications',member='Notify'")
        let center = NoticeCenter(named: "Diary", on: desktop.address, texts: Self.texts)
        try await center.show(DiaryNotice.messages(3))
        // The time that a notice is shown is a call's last argument.
        let call = calls("int32 -1")
        #expect(call.contains("\"transient\"") && call.contains("boolean true"), "\(call)")
        #expect(desktop.count("displayed") == 1)
        // What the machine of the screen asks for when the app lock closes.
        await center.removeShown()
        #expect(desktop.count("displayed") == 0)
    }

    @Test func `without a daemon or a bus the app is told, and nothing hangs`() async throws {
        let center = NoticeCenter(named: "Diary", on: "unix:path=/nonexistent/bus", texts: Self.texts)
        await #expect(throws: NoticeCenter.Failure.unreachable) { try await center.show(DiaryNotice.reminder) }
        await center.removeAll()
    }
}

/// Notices meet a daemon that a test slows down.
@Suite struct NoticeRemovalTests {
    private enum DiaryNotice: NoticeKind {
        case reminder
        var notice: Notice { Notice("reminder") }
    }

    /// Gives each notice a number. The second is on its way until the first is taken back.
    private final class SlowDaemon: Sendable {
        struct State {
            var asked: UInt32 = 0
            var shown: Set<UInt32> = []
            var isFirstGone = false
        }
        let state = Mutex(State())

        func show() -> UInt32 {
            let number = state.withLock { state in
                state.asked += 1
                return state.asked
            }
            while number == 2, !state.withLock({ $0.isFirstGone }) { usleep(1_000) }
            state.withLock { _ = $0.shown.insert(number) }
            return number
        }

        func close(_ number: UInt32) {
            state.withLock { state in
                state.shown.remove(number)
                if number == 1 { state.isFirstGone = true }
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `PR16: a notice that was on its way when all were taken back does not stay`() async throws {
        let daemon = SlowDaemon()
        let center = NoticeCenter(
            texts: { _ in "" }, show: { (_, _) throws(SystemFailure) in daemon.show() },
            close: { (number) throws(SystemFailure) in daemon.close(number) })
        try await center.show(DiaryNotice.reminder)
        let late = Task { try await center.show(DiaryNotice.reminder) }
        while daemon.state.withLock({ $0.asked }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
        await center.removeAll()
        try await late.value
        let left = daemon.state.withLock { $0.shown }
        #expect(left.isEmpty)
        // What is shown after that stays.
        try await center.show(DiaryNotice.reminder)
        let next = daemon.state.withLock { $0.shown }
        #expect(next == [3])
    }
}

/// A bus, a screen and a notification daemon that exist for one test.
private final class Desktop {
    let address: String
    private let processes: [Process]
    private let environment: [String: String]
    private var monitor: Process?

    static var isPossible: Bool {
        ["/usr/bin/dbus-daemon", "/usr/bin/Xvfb", "/usr/bin/dunst", "/usr/bin/dunstctl"].allSatisfy(
            DurableFile.exists)
    }

    init() throws {
        let screen = Process()
        let number = Pipe()
        screen.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
        screen.arguments = ["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"]
        screen.standardOutput = number
        screen.standardError = FileHandle.nullDevice
        try screen.run()
        let bus = Process()
        let place = Pipe()
        bus.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        bus.arguments = ["--session", "--print-address", "--nofork", "--nopidfile"]
        bus.standardOutput = place
        bus.standardError = FileHandle.nullDevice
        try bus.run()
        address = Self.line(place)
        environment = [
            "DISPLAY": ":" + Self.line(number), "DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin",
            "HOME": "/nonexistent",
        ]
        let daemon = Process()
        daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dunst")
        daemon.environment = environment
        daemon.standardOutput = FileHandle.nullDevice
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        processes = [daemon, bus, screen]
        for _ in 0..<200 where count("displayed") == nil { usleep(50_000) }
    }

    deinit {
        monitor?.terminate()
        for process in processes { process.terminate() }
    }

    /// Reads what goes over the bus from now on and is of this kind, up to some text.
    func watch(_ rule: String) throws -> (_ end: String) -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-monitor")
        process.arguments = ["--address", address, rule]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        monitor = process
        func read(_ end: String) -> String {
            var text = ""
            while !text.contains(end) {
                let data = output.fileHandleForReading.availableData
                guard !data.isEmpty else { break }
                text += String(decoding: data, as: UTF8.self)
            }
            return text
        }
        // The bus takes its name when it begins to watch.
        _ = read("NameLost")
        return read
    }

    func control(_ words: [String]) -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/dunstctl")
        process.arguments = words
        process.environment = environment
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "" }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : ""
    }

    func count(_ what: String) -> Int? {
        Int(control(["count", what]).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private static func line(_ pipe: Pipe) -> String {
        var bytes: [UInt8] = []
        while let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
#endif
