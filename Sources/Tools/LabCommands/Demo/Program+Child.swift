internal import Foundation
internal import PavisePrimitives

/// The program `pavise`, run as a process of its own on the scene's home: what a scene can kill.
struct ChildRun: Sendable {
    /// The exit status; the signal's number plus 128 when a signal ended it.
    let status: Int32
    /// What it wrote to standard output.
    let output: String
    /// What it wrote to standard error.
    let messages: String
}

extension Stage {
    /// Starts `pavise` with `arguments` on this home.
    func start(_ arguments: [String]) throws -> RunningChild {
        guard let program else {
            throw SceneFailure("the program “pavise” does not lie beside this one; “make build” puts it there")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = [
            "PAVISE_HOME": home.path, "PAVISE_APP_ID": Stage.applicationID, "PATH": "/usr/bin:/bin",
            "SWIFT_BACKTRACE": "enable=no",
        ]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let messages = Pipe()
        process.standardOutput = output
        process.standardError = messages
        try process.run()
        return RunningChild(process: process, output: output, messages: messages)
    }

    /// Runs `pavise` with `arguments` on this home to its end.
    func run(_ arguments: [String]) throws -> ChildRun { try start(arguments).finish() }
}

/// A started child.
struct RunningChild {
    fileprivate let process: Process
    fileprivate let output: Pipe
    fileprivate let messages: Pipe

    /// Ends it as a crash would.
    func kill() { ChildProcess.killAtOnce(process.processIdentifier) }

    /// Waits for its end.
    func finish() -> ChildRun {
        let written = output.fileHandleForReading.readDataToEndOfFile()
        let said = messages.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let isSignal = process.terminationReason == .uncaughtSignal
        return ChildRun(
            status: process.terminationStatus + (isSignal ? 128 : 0), output: String(decoding: written, as: UTF8.self),
            messages: String(decoding: said, as: UTF8.self))
    }
}
