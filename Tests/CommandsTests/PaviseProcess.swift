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

    /// The home of its commands.
    var home: PaviseHome { PaviseHome(path: folder.path + "/home") }

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
        try start(words, input: input).end(words)
    }

    /// Runs one command with bytes that need not be text on standard input, and gives what it printed byte by byte.
    func run(_ words: [String], bytes: [UInt8]) throws -> (result: Result, output: [UInt8]) {
        let running = try start(words, bytes: bytes)
        let output = Array(running.output.fileHandleForReading.readDataToEndOfFile())
        return (try running.end(words), output)
    }

    /// Runs one command whose standard input is a socket that gives `text`, as Node.js gives one to its children.
    func run(_ words: [String], throughSocket text: String) throws -> Result {
        var pair: [Int32] = [-1, -1]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let ends = pair.map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) }
        ends[0].write(Data(text.utf8))
        try ends[0].close()
        let process = try process(words, of: Self.program ?? "")
        let pipes = [Pipe(), Pipe()]
        (process.standardInput, process.standardOutput, process.standardError) = (ends[1], pipes[0], pipes[1])
        try process.run()
        return try Running(process: process, output: pipes[0], messages: pipes[1]).end(words)
    }

    /// Starts one command, of `pavise` or of another program beside the tests.
    func start(_ words: [String], of program: String? = program, input: String = "") throws -> Running {
        try start(words, of: program, bytes: Array(input.utf8))
    }

    private func start(_ words: [String], of program: String? = program, bytes: [UInt8]) throws -> Running {
        let process = try process(words, of: program ?? "")
        let pipes = [Pipe(), Pipe(), Pipe()]
        process.standardInput = pipes[0]
        process.standardOutput = pipes[1]
        process.standardError = pipes[2]
        try process.run()
        pipes[0].fileHandleForWriting.write(Data(bytes))
        try pipes[0].fileHandleForWriting.close()
        return Running(process: process, output: pipes[1], messages: pipes[2])
    }

    private func process(_ words: [String], of program: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        process.environment = [
            "PAVISE_HOME": folder.path + "/home", "PAVISE_APP_ID": "org.pavise.test", "PAVISE_TPM": "none",
            "PATH": "\(folder.path)/bin:/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
        ]
        process.environment?.merge(variables) { _, new in new }
        if FileManager.default.fileExists(atPath: managed) { process.environment?["PAVISE_MANAGED"] = managed }
        // `make controls` takes a control away in the program too, and `make mutants` changes it.
        for name in ["PAVISE_REMOVED", "PAVISE_MUTANT", "PAVISE_MUTANT_REACHED"] {
            if let value = ProcessInfo.processInfo.environment[name] { process.environment?[name] = value }
        }
        if asksWithProgram { process.environment?["PAVISE_ASKPASS"] = askpass }
        return process
    }

    /// Runs one command at a terminal of its own, and types `text` when it asks.
    func typed(_ text: String, at words: [String]) throws -> (status: Int32, output: String) {
        var controller: Int32 = 0
        var side: Int32 = 0
        try #require(unsafe openpty(&controller, &side, nil, nil, nil) == 0)
        let terminal = FileHandle(fileDescriptor: side, closeOnDealloc: true)
        let keys = FileHandle(fileDescriptor: controller, closeOnDealloc: true)
        // It gives a process the terminal that is its standard input.
        let process = try process(["-c", "-w", Self.program ?? ""] + words, of: "/usr/bin/setsid")
        (process.standardInput, process.standardOutput, process.standardError) = (terminal, terminal, terminal)
        try process.run()
        var said: [UInt8] = []
        while !said.contains(0x3A), let byte = try keys.read(upToCount: 1)?.first { said.append(byte) }
        keys.write(Data(text.utf8))
        process.waitUntilExit()
        // All that was said lies in the terminal; what comes last here ends it.
        terminal.write(Data([0]))
        while said.last != 0, let byte = try keys.read(upToCount: 1)?.first { said.append(byte) }
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }

    /// Runs a shell with job control at a terminal of its own; `$PAVISE` is the program.
    func shell() throws -> TerminalShell {
        // A signal ignored where the tests were started, as in the background of a script, stays ignored in all below.
        let words = ["--default-signal", "/usr/bin/setsid", "-c", "-w", "/bin/bash", "--norc", "--noprofile", "-i"]
        let process = try process(words, of: "/usr/bin/env")
        let own = ["PAVISE": Self.program ?? "", "TERM": "xterm", "PS1": "shell> ", "LANG": "C.UTF-8", "HISTFILE": ""]
        process.environment?.merge(own) { _, new in new }
        return try TerminalShell(process)
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

        /// Whether it has not ended yet.
        var isRunning: Bool { process.isRunning }

        /// Sends the signal that Ctrl-C sends.
        func interrupt() { process.interrupt() }

        /// Sends any signal.
        func signal(_ number: Int32) { kill(process.processIdentifier, number) }

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

    /// Runs `body` with a session keyring of its own, which the processes that it starts have too: systemd gives one to
    /// each command of a service.
    static func inOwnSession<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let answer = Monitor<[Swift.Result<Value, any Error>]>([])
        let thread = Thread {
            _ = KernelKeyring.joinNewSession()
            let result = Swift.Result { try body() }
            answer.change { $0 = [result] }
        }
        thread.start()
        _ = answer.wait(within: 120_000) { !$0.isEmpty }
        return try #require(answer.value.first).get()
    }

    /// Runs a line of a shell, which finds the program as `pavise`.
    func shellLine(_ line: String) throws -> Result {
        let path = folder.path + "/bin/pavise"
        if !FileManager.default.fileExists(atPath: path) {
            try FileManager.default.createDirectory(atPath: folder.path + "/bin", withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: try #require(Self.program))
        }
        return try start(["-c", line], of: "/bin/sh").end([line])
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
