// Apple's systems have no TPM, and iOS starts no process.
#if os(Linux)
internal import Foundation
internal import Glibc
internal import PavisePrimitives
internal import Synchronization

/// A TPM 2.0 in software (swtpm) with a state of its own, on two ports of the loopback interface.
///
/// ```swift
/// @Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed")) struct … {
///     let tpm = try SoftwareTPM()          // its address goes into PAVISE_TPM
/// ```
public final class SoftwareTPM: Sendable {
    /// Whether the machine has swtpm.
    public static let isInstalled = program("swtpm") != nil

    /// The path of a program in one of the usual folders.
    public static func program(_ name: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/"].map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The TPM's port; its control port is the next.
    public let port: UInt16
    private let folder: TemporaryFolder
    private let process = Mutex<Process?>(nil)

    /// Starts a TPM that never existed before; one of a maker's has a certificate.
    public init(by maker: SoftwareTPMMaker? = nil) throws {
        folder = try TemporaryFolder()
        try maker?.make(in: folder.path)
        port = try Self.freePorts()
        try start()
    }

    /// The address, as tpm2-tss writes it.
    public var address: String { "swtpm:host=127.0.0.1,port=\(port)" }

    // Both are free at this moment; swtpm takes them over a moment later.
    private static func freePorts() throws -> UInt16 {
        for _ in 0..<64 {
            let port = try TCPListener.listen().port
            if port < .max, (try? TCPListener.listen(port: port + 1)) != nil { return port }
        }
        throw SystemFailure(operation: "listen", path: "two free ports", code: EADDRINUSE)
    }

    /// Starts it with the state it had.
    public func start() throws {
        let new = Process()
        // It writes its number there once both ports are open.
        let sign = folder.path + "/ready"
        _ = unsafe mkfifo(sign, 0o600)
        let descriptor = unsafe open(sign, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { _ = close(descriptor) }
        new.executableURL = URL(fileURLWithPath: Self.program("swtpm") ?? "")
        new.arguments = [
            "socket", "--tpm2", "--tpmstate", "dir=\(folder.path)", "--server", "type=tcp,port=\(port)", "--ctrl",
            "type=tcp,port=\(port + 1)", "--flags", "not-need-init,startup-clear", "--pid", "file=\(sign)",
        ]
        new.standardInput = FileHandle.nullDevice
        new.standardOutput = FileHandle.nullDevice
        new.standardError = FileHandle.nullDevice
        try new.run()
        process.withLock { $0 = new }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&waiting, 1, 60_000)
        guard count == 1 else { throw SystemFailure(operation: "wait for", path: address, code: ETIMEDOUT) }
    }

    /// Lets it hang: it is there, takes connections and commands, and does not answer until ``resume()``.
    public func hang() { signal(SIGSTOP) }

    /// Lets it go on where it hung.
    public func resume() { signal(SIGCONT) }

    private func signal(_ number: Int32) {
        process.withLock { process in
            if let process { _ = kill(process.processIdentifier, number) }
        }
    }

    /// Takes its power away.
    public func stop() {
        process.withLock { process in
            guard let running = process else { return }
            ChildProcess.killAtOnce(running.processIdentifier)
            running.waitUntilExit()
            process = nil
        }
    }

    /// Takes the power away and gives it back.
    public func restart() throws {
        stop()
        try start()
    }

    /// Puts another TPM, which never existed before, in its place.
    public func replace() throws {
        stop()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        try start()
    }

    /// Whether the programs of tpm2-tools are there, the tools of the attacker in these tests.
    public static let hasTools = program("tpm2_getcap") != nil

    /// Runs one program of tpm2-tools against this TPM.
    ///
    /// - Returns: Its exit status and what it wrote to standard output.
    public func run(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let tool = Process()
        tool.executableURL = URL(fileURLWithPath: Self.program(name) ?? "")
        tool.arguments = arguments + ["-T", address]
        tool.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        let output = Pipe()
        tool.standardInput = FileHandle.nullDevice
        tool.standardOutput = output
        tool.standardError = FileHandle.nullDevice
        try tool.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        tool.waitUntilExit()
        return (tool.terminationStatus, text)
    }

    deinit { stop() }
}
#endif
