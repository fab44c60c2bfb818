internal import Foundation
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#endif

/// A process of this program that works for it, and the lines it writes.
public final class WorkerProcess {
    /// How a process came to its end.
    public enum End: Sendable {
        /// By itself, with status 0.
        case done
        /// By ``WorkerProcess/kill()``.
        case killed
        /// In any other way.
        case failed
    }

    // One start at a time, so that no process inherits the pipe of another and keeps it open.
    private static let starting = Mutex(())

    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var rest: [UInt8] = []

    /// Starts this program again with `arguments`.
    ///
    /// - Parameter home: The `PAVISE_HOME` it gets; `nil` leaves it as it is here.
    public init(_ arguments: [String], home: String? = nil) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] = "enable=no"
        if let home { environment["PAVISE_HOME"] = home }
        process.environment = environment
        process.standardOutput = output
        process.standardInput = input
        try Self.starting.withLock { _ in
            try process.run()
            try? output.fileHandleForWriting.close()
            try? input.fileHandleForReading.close()
        }
    }

    /// The next line, or `nil` when the process has closed its output.
    public func line() -> String? {
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
    public func go() { say("go") }

    /// Writes a line to the process.
    public func say(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

    /// Ends the process without any warning, as a power cut or the kernel's memory killer does.
    public func kill() { _ = Glibc.kill(process.processIdentifier, SIGKILL) }

    /// Closes what the process reads from, and waits for its end.
    @discardableResult
    public func finish() -> End {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return switch (process.terminationReason, process.terminationStatus) {
        case (.exit, 0): .done
        case (.uncaughtSignal, SIGKILL): .killed
        default: .failed
        }
    }
}
