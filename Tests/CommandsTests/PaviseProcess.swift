import Foundation
import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

/// Runs the built program, each command as a process, on a home of its own that is erased at the end.
final class PaviseProcess: Sendable {
    /// The program: it lies beside the tests.
    static let program = beside("pavise")

    /// A program that lies beside the tests.
    static func beside(_ name: String) -> String? {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard let tests else { return nil }
        let path = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// How one command ended.
    struct Result {
        let status: Int32
        let output: String
        let messages: String
    }

    /// The program that PAVISE_ASKPASS names.
    let askpass: String
    private let folder: TemporaryFolder
    private let asksWithProgram: Bool
    private let variables: [String: String]

    /// - Parameters:
    ///   - asksWithProgram: Whether PAVISE_ASKPASS is set.
    ///   - variables: What else stands in the environment.
    init(asksWithProgram: Bool = true, variables: [String: String] = [:]) throws {
        self.asksWithProgram = asksWithProgram
        self.variables = variables
        folder = try TemporaryFolder()
        askpass = folder.path + "/askpass"
    }

    // The keys that an unlock put into the kernel's keyring go with the device.
    deinit { _ = try? run("device", "erase", "--yes") }

    /// Makes the asking program print `passcode`.
    func asks(_ passcode: String) throws { try program("echo '\(passcode)'") }

    /// Makes the asking program a script of these lines.
    func program(_ lines: String) throws { try script(lines, at: askpass) }

    /// Makes the desktop's browser note the address that it is given. See ``openedAddress()``.
    func receivesAddresses() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/bin", withIntermediateDirectories: true)
        try script("printf '%s' \"$1\" > '\(folder.path)/address'", at: folder.path + "/bin/xdg-open")
    }

    /// The address that the program opened last.
    func openedAddress() throws -> String { try String(contentsOfFile: folder.path + "/address", encoding: .utf8) }

    private func script(_ lines: String, at path: String) throws {
        try Data("#!/bin/sh\n\(lines)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    /// Lays down an administrator's rules.
    func manage(_ rules: String) throws { try Data(rules.utf8).write(to: URL(fileURLWithPath: managed)) }

    private var managed: String { folder.path + "/managed.json" }

    /// Runs one command to its end. What it prints may never hold a passcode of a test.
    func run(_ words: String..., input: String = "") throws -> Result {
        let running = try start(words, input: input)
        return try running.end(words)
    }

    /// Starts one command, of `pavise` or of another program beside the tests.
    func start(_ words: [String], of program: String? = program, input: String = "") throws -> Running {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program ?? "")
        process.arguments = words
        process.environment = [
            "PAVISE_HOME": folder.path + "/home", "PAVISE_APP_ID": "org.pavise.test", "PAVISE_TPM": "none",
            "PATH": "\(folder.path)/bin:/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
        ]
        process.environment?.merge(variables) { _, new in new }
        if FileManager.default.fileExists(atPath: managed) { process.environment?["PAVISE_MANAGED"] = managed }
        if asksWithProgram { process.environment?["PAVISE_ASKPASS"] = askpass }
        let pipes = [Pipe(), Pipe(), Pipe()]
        process.standardInput = pipes[0]
        process.standardOutput = pipes[1]
        process.standardError = pipes[2]
        try process.run()
        pipes[0].fileHandleForWriting.write(Data(input.utf8))
        try pipes[0].fileHandleForWriting.close()
        return Running(process: process, output: pipes[1], messages: pipes[2])
    }

    /// A command that runs.
    struct Running {
        fileprivate let process: Process
        fileprivate let output: Pipe
        fileprivate let messages: Pipe

        /// The next line of the output; empty at its end.
        func line() throws -> String { try Self.line(of: output) }

        /// The next line of the messages; empty at their end.
        func message() throws -> String { try Self.line(of: messages) }

        private static func line(of pipe: Pipe) throws -> String {
            var bytes: [UInt8] = []
            while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Sends the signal that Ctrl-C sends.
        func interrupt() { process.interrupt() }

        /// Waits for the end, and gives what was not read yet.
        func end(_ words: [String] = []) throws -> Result {
            let texts = [output, messages].map {
                String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            }
            process.waitUntilExit()
            for text in texts { #expect(!text.contains("canary"), "\(words) printed a passcode") }
            return Result(status: process.terminationStatus, output: texts[0], messages: texts[1])
        }
    }

    /// The names under which an unlock keeps the class keys.
    func unlockedNames() throws -> [String] {
        let environment = DeviceEnvironment(elements: ElementChoice([.software]))
        let device = try Device.open(PaviseHome(path: folder.path + "/home"), environment)
        return try KeyClass.allCases.filter { $0.availability != .always }.map { try device.unlockedName(of: $0) }
    }

    /// A field of `pavise device status --json`.
    func status(_ name: String) throws -> JSONValue? {
        let result = try run("device", "status", "--json")
        return try JSONValue.parse(Array(result.output.utf8))[name]
    }
}
