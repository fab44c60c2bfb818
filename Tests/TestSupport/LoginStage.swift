#if os(Linux)
internal import Foundation
internal import PavisePrimitives

/// A bus of its own, and a program on it that plays systemd-logind.
public final class LoginStage {
    /// Where the bus is.
    public let address: String
    private let bus = Process()
    private let player = Process()
    private let words = Pipe()
    private let answers = Pipe()

    // The diary's walk plays it with the same program.
    private static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Examples/SleepDiary/Scripts/logind.py").standardized.path

    /// Whether this machine has a bus and the library that the player needs.
    public static var isPossible: Bool {
        DurableFile.exists("/usr/bin/dbus-daemon")
            && DurableFile.exists("/usr/lib/python3/dist-packages/gi/__init__.py")
    }

    /// Starts both.
    public init() throws {
        let place = Pipe()
        bus.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        bus.arguments = ["--session", "--print-address", "--nofork", "--nopidfile"]
        bus.standardOutput = place
        bus.standardError = FileHandle.nullDevice
        try bus.run()
        address = Self.line(place)
        player.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        player.arguments = [Self.program, address]
        player.standardInput = words
        player.standardOutput = answers
        try player.run()
        guard Self.line(answers) == "ready" else { throw CocoaError(.executableLoad) }
    }

    deinit { for process in [player, bus] { process.terminate() } }

    /// Until the program has been asked for its session and for its signals.
    public func waitForListener() async throws {
        for _ in 0..<3_000 {
            try say("count")
            guard Self.line(answers) != "3" else { return }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Lets it say something; logind.py has the words.
    public func say(_ word: String) throws { try words.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8)) }

    /// Lets it say something, and waits until it has.
    public func sayNow(_ word: String) throws {
        for line in [word, "count"] { try say(line) }
        _ = Self.line(answers)
    }

    private static func line(_ pipe: Pipe) -> String {
        var bytes: [UInt8] = []
        while let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
#endif
