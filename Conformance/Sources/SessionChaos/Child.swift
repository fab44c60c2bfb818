internal import Foundation
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#endif

/// A process of this program, and the lines it writes.
final class Child {
    // One start at a time, so that no child inherits the pipe of another and keeps it open.
    private static let starting = Mutex(())

    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var rest: [UInt8] = []

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardOutput = output
        process.standardInput = input
        try Self.starting.withLock { _ in
            try process.run()
            try? output.fileHandleForWriting.close()
            try? input.fileHandleForReading.close()
        }
    }

    /// The next line, or `nil` when the process has closed its output.
    func line() -> String? {
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeFirst(end + 1)
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            rest += more
        }
    }

    /// Lets a process that waits for a line go on.
    func go() { try? input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8)) }

    /// Ends the process without any warning, as a power cut or the kernel's memory killer does.
    func kill() { _ = Glibc.kill(process.processIdentifier, SIGKILL) }

    /// Waits for the end.
    ///
    /// - Returns: Whether it was killed.
    @discardableResult
    func finish() -> Bool {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    }
}
