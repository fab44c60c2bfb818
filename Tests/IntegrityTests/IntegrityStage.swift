import Foundation
import PaviseIntegrity
import PavisePrimitives
import TestSupport
import Testing

/// Surroundings of a process on an untouched system; a test changes what it is about.
struct IntegrityStage {
    static let program = "/usr/bin/diary"
    var files: [String: String] = [
        "/proc/self/status":
            "Name:\tdiary\nTracerPid:\t0\nUid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\n"
            + "CapEff:\t0000000000000000\n",
        "/proc/self/maps": """
        00400000-00500000 r-xp 00001000 08:01 11                         /usr/bin/diary
        7f0000000000-7f0000100000 r-xp 00028000 08:01 12                 /usr/lib/x86_64-linux-gnu/libc.so.6
        7f0000200000-7f0000300000 rw-p 00000000 00:00 0
        7ffd00000000-7ffd00001000 r-xp 00000000 00:00 0                  [vdso]

        """,
        "/proc/self/environ": "PATH=/usr/bin\0HOME=/home/ada\0",
        "/proc/sys/kernel/tainted": "0\n",
    ]
    var modes: [String: FileFacts] = [
        "/": .folder, "/usr": .folder, "/usr/bin": .folder, "/usr/lib": .folder, "/usr/lib/x86_64-linux-gnu": .folder,
        program: .file(0o755), "/usr/lib/x86_64-linux-gnu/libc.so.6": .file(0o644),
    ]
    var writable: Set<String> = []
    var variables: [String: String] = [:]
    var hasRaisedRights = false
    var expected: [String] = []
    var isUnreadable = false
    /// Whether the kernel refuses the variables of the start, as after MemoryProtection.start() of another module.
    var isStartRefused = false
    /// The numbers of threads beside the first; their files are below /proc/self/task.
    var threads: [String]? = []
    var loaded: [LoadedCode.Range]? = [
        .init(start: 0x400000, end: 0x500000), .init(start: 0x7f00_0000_0000, end: 0x7f00_0010_0000),
    ]

    var surroundings: IntegritySurroundings {
        var surroundings = IntegritySurroundings(
            read: { [files, isUnreadable] path in
                if isUnreadable { return .unknown(SystemFailure(operation: "open", path: path, code: EACCES)) }
                return files[path].map { .present($0) } ?? .absent
            },
            facts: { [modes] path in modes[path].map { .present($0) } ?? .absent },
            probe: { [writable] path in writable.contains(path) ? .possible : .refused },
            variable: { [variables] name in variables[name] },
            startVariables: { [files, isUnreadable, isStartRefused] in
                let path = "/proc/self/environ"
                if isUnreadable || isStartRefused {
                    return .unknown(SystemFailure(operation: "open", path: path, code: EACCES))
                }
                return files[path].map { .present(StartVariables.names(in: $0)) } ?? .absent
            }, loaded: { [loaded] in loaded }, program: Self.program,
            hasRaisedRights: hasRaisedRights, expected: expected)
        surroundings.threads = { [threads] in threads }
        return surroundings
    }

    var report: IntegrityReport { DeviceIntegrity.check(surroundings) }

    /// Adds a mapping of code.
    mutating func map(_ name: String, _ rights: String = "r-xp", isLoaded: Bool = true) {
        files["/proc/self/maps"]? += "7f1000000000-7f1000010000 \(rights) 00000000 08:01 13    \(name)\n"
        if isLoaded { loaded?.append(.init(start: 0x7f10_0000_0000, end: 0x7f10_0001_0000)) }
    }
}

extension FileFacts {
    static let folder = FileFacts(kind: .folder, owner: 0, group: 0, mode: 0o755)
    static func file(_ mode: UInt32, owner: UInt32 = 0) -> FileFacts {
        FileFacts(kind: .file, owner: owner, group: 0, mode: mode)
    }
}

/// A process that prints what the checks find in it.
struct ProbeProcess {
    static let program = beside("IntegrityProbe")

    static func beside(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    }

    static func has(_ tool: String) -> Bool {
        ["/usr/bin/", "/usr/local/bin/"].contains {
            FileManager.default.isExecutableFile(atPath: $0 + tool)
        }
    }

    /// Runs `words` with `variables`, and gives what it printed and its status.
    static func run(
        _ words: [String], _ variables: [String: String] = [:], whileWaiting: (pid_t) throws -> Void = { _ in }
    ) throws -> (output: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = variables.map { "\($0)=\($1)" } + words
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        if words.last == "wait" {
            // Its libraries are there once the program's first line can run.
            let mark = variables["LD_PRELOAD"] == nil ? "libswiftCore" : "libforeign"
            try waitFor("/proc/\(process.processIdentifier)/maps") { $0.contains(mark) }
            try whileWaiting(process.processIdentifier)
            input.fileHandleForWriting.write(Data("go\n".utf8))
        }
        try input.fileHandleForWriting.close()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (said, process.terminationStatus)
    }

    /// Waits until a file of the kernel says something.
    static func waitFor(_ path: String, _ says: (String) -> Bool) throws {
        for _ in 0..<6000 {
            // Foundation takes the first page of such a file for all of it.
            if says(String(decoding: try InputFile.read(path, limit: 4 << 20), as: UTF8.self)) { return }
            usleep(10_000)
        }
        Issue.record("\(path) never said what is waited for")
    }

    /// The words of `command` as a process without rights: nobody's, where the tests run as root.
    static func withoutRights(_ command: [String]) -> [String] {
        (geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []) + command
    }

    /// Compiles a library from C.
    static func library(_ source: String, in folder: TemporaryFolder, _ name: String = "libforeign.so") throws -> String
    {
        let file = folder.path + "/foreign.c"
        try source.write(toFile: file, atomically: true, encoding: .utf8)
        let path = folder.path + "/" + name
        let made = try run(["cc", "-shared", "-fPIC", "-D_GNU_SOURCE", file, "-o", path])
        try #require(made.status == 0)
        return path
    }
}
