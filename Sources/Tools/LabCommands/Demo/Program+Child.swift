internal import Foundation
internal import Pavise
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework

/// Another process of the scene's app, on its home: what a scene can kill.
struct ChildRun: Sendable {
    /// The exit status; the signal's number plus 128 when a signal ended it.
    let status: Int32
    /// What it wrote to standard output.
    let output: String
    /// What it wrote to standard error.
    let messages: String
}

extension Stage {
    /// Starts a process of the app that sends one request by the account `name`.
    func start(requestBy name: String) throws -> RunningChild {
        guard let program else {
            throw SceneFailure("the program “pavise-lab” was not found; “make build” makes it")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["demo", "--app", name]
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

    /// The same to its end.
    func run(requestBy name: String) throws -> ChildRun { try start(requestBy: name).finish() }

    /// What such a process does.
    ///
    /// - Returns: What was seen, for the scene.
    static func request(by name: String, in home: PaviseHome) async throws -> String {
        let anchor = try DurableFile.read(anchorFile(in: home), limit: 65_536)
        return try await SecurityEnvironment.$override.withValue(environment(home)) {
            let app = try app(in: home, trusting: anchor)
            do {
                let account = try app.account(name)
                let status = try await account.send(HTTPRequest("GET", account.connection.url("/api/me"))).status
                return "\(status) \(try app.accountNames().sorted().joined(separator: " "))"
            } catch let error as PaviseError {
                throw error.underlying
            }
        }
    }

    static func anchorFile(in home: PaviseHome) -> String { home.path + "/anchor" }
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
