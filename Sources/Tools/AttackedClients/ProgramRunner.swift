internal import Foundation
internal import PaviseLab
internal import PavisePrimitives

/// Runs the program to its end, with a home and roots of its own.
struct ProgramRunner: Sendable {
    /// How one run ended.
    struct Run: Sendable {
        /// The status, or the number of the signal that ended it.
        let status: Int32
        /// Whether a signal ended it: a trap is no refusal.
        let hasCrashed: Bool
        let output: String
        let messages: String
    }

    /// Who the program is for its keychain.
    static let applicationID = "org.pavise.attacks"

    let program: String
    let home: String
    /// The only roots that the machine knows, for the program.
    let roots: String

    func run(_ words: [String], input: String, variables: [String: String] = [:]) async throws -> Run {
        try await WorkerThread.run { Result { try start(words, input, variables) } }.get()
    }

    private func start(_ words: [String], _ input: String, _ variables: [String: String]) throws -> Run {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        process.environment = [
            "PAVISE_HOME": home, "PAVISE_APP_ID": Self.applicationID, "PAVISE_TPM": "none", "SSL_CERT_FILE": roots,
            "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
        ].merging(variables) { _, new in new }
        let pipes = [Pipe(), Pipe(), Pipe()]
        process.standardInput = pipes[0]
        process.standardOutput = pipes[1]
        process.standardError = pipes[2]
        try process.run()
        // A child that has filled a pipe waits until somebody reads: each is read while the others go on.
        let messages = try Self.reading(pipes[2].fileHandleForReading)
        let output = try Self.reading(pipes[1].fileHandleForReading)
        pipes[0].fileHandleForWriting.write(Data(input.utf8))
        try pipes[0].fileHandleForWriting.close()
        let texts = [output, messages].map { text in
            _ = text.wait(within: 1 << 40) { $0 != nil }
            return text.value ?? ""
        }
        process.waitUntilExit()
        return Run(
            status: process.terminationStatus, hasCrashed: process.terminationReason == .uncaughtSignal,
            output: texts[0], messages: texts[1])
    }

    private static func reading(_ end: FileHandle) throws(SystemFailure) -> Monitor<String?> {
        let text = Monitor<String?>(nil)
        try WorkerThread.start {
            let read = String(decoding: end.readDataToEndOfFile(), as: UTF8.self)
            text.change { $0 = read }
        }
        return text
    }
}

extension ProgramRunner.Run {
    /// The end of a fetch, from its status and what it printed as JSON.
    var end: AttackEnd {
        guard !hasCrashed else { return .stopped(.crash, words: "signal \(status): \(messages)") }
        let answer = try? JSONValue.parse(Array(output.utf8), limit: 32 << 20)
        if let redirect = answer?["redirect"], redirect != .null {
            return .stopped(.redirect, words: messages)
        }
        if let status = answer?["status"]?.integer {
            return .answer(status: Int(clamping: status), body: answer?["body"]?.string ?? "")
        }
        return .stopped(reason, words: "status \(status): \(messages)")
    }

    private var reason: AttackExpectation.Ending {
        guard status != 2 else { return .unusable }
        let error = [messages, output].compactMap { try? JSONValue.parse(Array($0.drop { $0 != "{" }.utf8))["error"] }
            .first
        switch error?["rule"]?.string {
        case "ats": return .transportSecurity
        case "certificate", "approved-certificate", "certificate-changed": return .certificate
        case "pin": return .pins
        case "tls": return .handshake
        case "credential-origin": return .credential
        case "redirect": return .redirect
        default: return .noAnswer
        }
    }
}
