import Foundation
import PavisePrimitives
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

#if os(Linux)
/// The confinement holds programs that try what a broken converter would be made to try.
@Suite(.enabled(if: ConfinedProcess.isOffered, "this kernel has no filters, or neither Landlock nor namespaces"))
struct ConfinedProcessTests {
    private static let offered = ConfinedProcess.Layers.offered
    /// The layers that are enough, as far as this machine has them: each way alone, and all together.
    private static let ways: [ConfinedProcess.Layers] = {
        let each: [ConfinedProcess.Layers] = [
            [.filter, .landlock, .noNewRights], [.filter, .namespaces, .noNewRights],
        ]
        return each.filter { $0.isSubset(of: offered) } + [.all]
    }()
    private static let sets = (UInt32(0)...ConfinedProcess.Layers.all.rawValue).map {
        ConfinedProcess.Layers(rawValue: $0)
    }

    @Test func `a program reads its input and writes its output`() throws {
        let text = Array("some bytes".utf8)
        #expect(try ConfinedProcess.run("/usr/bin/cat", [], input: text) == text)
        let names = try ConfinedProcess.run("/usr/bin/env", [], input: [])
        #expect(String(decoding: names, as: UTF8.self) == "PATH=/usr/bin\nLC_ALL=C.UTF-8\n")
    }

    @Test func `a program reads its input where this process has no standard streams`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            for stream in Int32(0)...2 { close(stream) }
            let output = try ConfinedProcess.run("/usr/bin/cat", [], input: [7])
            exit(output == [7] ? 0 : 3)
        }
    }

    // prlimit64(2) and write(2), which Perl knows by their numbers alone.
    #if arch(x86_64)
    private static let limitsCall = 302
    private static let mapCall = 9
    #else
    private static let limitsCall = 261
    private static let mapCall = 222
    #endif

    /// What a program tries, in Perl, which every Debian has: it ends with 7 where it may not. Nothing that it names is
    /// worth anything: a test whose control was taken away must leave the machine as it was.
    private static let acts: [(String, String)] = [
        ("reads a file of a person", #"open(my $f, "<", "/etc/passwd")"#),
        ("reads what the kernel tells of others", #"open(my $f, "<", "/proc/1/status")"#),
        ("lists a home", #"opendir(my $d, "/root") || opendir(my $d, "/home")"#),
        ("makes a file", #"open(my $f, ">", "FOLDER/new")"#),
        ("changes a library", #"open(my $f, ">>", "/usr/bin/perl")"#),
        ("makes a folder", #"mkdir("FOLDER/new")"#), ("removes a file", #"unlink("FOLDER/file")"#),
        ("renames a file", #"rename("FOLDER/file", "FOLDER/new")"#), ("makes a link", #"symlink("/", "FOLDER/new")"#),
        ("changes rights", #"chmod(0600, "FOLDER/file")"#), ("starts a process", "defined(fork)"),
        ("becomes another program", #"exec("/usr/bin/cat")"#),
        // To itself, which nobody is refused who is not confined: to another process only root may.
        ("sends a signal", "kill(0, $$)"), ("appends to a file", #"open(my $f, ">>", "FOLDER/file")"#),
        ("sets a limit", #"syscall(\#(limitsCall), $$ + 0, 4, my $l = pack("Q2", 0, 0), 0) == 0"#),
        ("has signals sent to a process", "fcntl(STDIN, 8, $$ + 0)"),
        // Mapped: a write is over the limit of a file's size as it is.
        ("changes its input", #"syscall(\#(mapCall), 0, 4096, 3, 1, 0, 0) != -1"#),
        ("makes a connection", "use Socket; socket(my $s, PF_INET, SOCK_STREAM, 0)"),
        ("reaches a local service", "use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0)"),
    ]

    @Test(arguments: ways, acts)
    func `a confined program fails when it`(_ layers: ConfinedProcess.Layers, _ tried: (String, String)) throws {
        let (what, act) = tried
        let folder = try TemporaryFolder()
        try DurableFile.write(Array("worthless".utf8), to: folder.path + "/file")
        let there = act.split(separator: "FOLDER", omittingEmptySubsequences: false).joined(separator: folder.path)
        #expect(throws: ConfinedProcess.Failure.ended(7), "\(what)") {
            try ConfinedProcess.run("/usr/bin/perl", ["-e", "\(there) or exit 7; exit 0"], input: [], layers: layers)
        }
        #expect(DurableFile.exists(folder.path + "/file") && !DurableFile.exists(folder.path + "/new"))
    }

    /// The table of ``ConfinedProcess``. Without `noNewRights` the kernel takes the other layers from root alone.
    @Test(arguments: sets)
    func `E4: a program starts in layers that are enough, and what others leave is found before it`(
        _ layers: ConfinedProcess.Layers
    ) throws {
        var left: Set<ConfinedProcess.Gap> = []
        if !layers.contains(.filter) { left.formUnion([.network, .processes]) }
        if layers.intersection(Self.offered).isDisjoint(with: [.landlock, .namespaces]) { left.insert(.files) }
        if !layers.contains(.noNewRights) { left.insert(.rights) }
        guard !left.isEmpty else {
            let output = try ConfinedProcess.run("/usr/bin/cat", [], input: [7], layers: layers)
            return #expect(output == [7])
        }
        let error = #expect(throws: ConfinedProcess.Failure.self) {
            try ConfinedProcess.run("/usr/bin/cat", [], input: [7], layers: layers)
        }
        guard case .notConfined(let found) = error else { return #expect(error == .notConfined(left)) }
        #expect(layers.contains(.noNewRights) ? found == left : found.isSuperset(of: left))
    }

    @Test(.enabled(if: offered.contains(.namespaces), "no namespaces can be made here"))
    func `E4: a root of its own has what a program needs and nothing else, and is gone with it`() async throws {
        let layers: ConfinedProcess.Layers = [.filter, .namespaces, .noNewRights]
        let look = ["-e", #"print join(" ", $$, glob("/*"))"#]
        let output = try ConfinedProcess.run("/usr/bin/perl", look, input: [], layers: layers)
        let found = String(decoding: output, as: UTF8.self).split(separator: " ").map(String.init)
        let needed: Set = ["/dev", "/etc", "/lib", "/lib64", "/usr", "/var"]
        #expect(found.first == "1" && found.contains("/usr") && needed.isSuperset(of: found.dropFirst()))
        let word = "confined-\(UInt64.random(in: 0...UInt64.max))"
        try Self.startWaiting(word)
        let started = Self.process(naming: word)
        let number = try #require(started)
        defer { _ = kill(number, SIGKILL) }
        let mounts = String(decoding: try InputFile.read("/proc/\(number)/mountinfo", limit: 1 << 20), as: UTF8.self)
        let lines = mounts.split(separator: "\n").map { $0.split(separator: " ") }
        // proc_pid_mountinfo(5): the fourth is the root of the mount, the fifth where it is.
        let line = lines.first { $0.count > 5 && $0[4] == "/" }
        let name = try #require(line?[3].split(separator: "/").last)
        let root = "/tmp/\(name)"
        try #require(DurableFile.exists(root))
        #expect(line?[5].split(separator: ",").contains("ro") == true, "nothing can be made in it")
        _ = kill(number, SIGKILL)
        for _ in 0..<1_000 {
            guard DurableFile.exists(root) else { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(!DurableFile.exists(root))
    }

    /// As a service with `SystemCallFilter=@system-service` (systemd.exec(5)): who mounts is ended by a signal.
    private static func forbidMounts() -> Bool {
        #if arch(x86_64)
        let mountCall: UInt64 = 165
        #else
        let mountCall: UInt64 = 40
        #endif
        // seccomp(2): the call's number is loaded and compared; mount(2) ends the process, the rest is allowed.
        let lines: [UInt64] = [
            0x20, 0x15 | 1 << 24 | mountCall << 32, 0x06 | 0x8000_0000 << 32, 0x06 | 0x7FFF_0000 << 32,
        ]
        typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        guard let symbol = unsafe dlsym(nil, "prctl") else { return false }
        let control = unsafe unsafeBitCast(symbol, to: Control.self)
        return unsafe lines.withUnsafeBufferPointer { lines in
            let program = [UInt(lines.count), UInt(bitPattern: lines.baseAddress)]
            return unsafe program.withUnsafeBufferPointer { program in
                // PR_SET_NO_NEW_PRIVS, then PR_SET_SECCOMP with SECCOMP_MODE_FILTER.
                guard control(38, 1, 0, 0, 0) == 0 else { return false }
                return control(22, 2, UInt(bitPattern: program.baseAddress), 0, 0) == 0
            }
        }
    }

    @Test(.enabled(if: offered.isSuperset(of: [.landlock, .namespaces]), "this kernel has no two ways"))
    func `where a service's filter ends whoever mounts, a program is confined without namespaces`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            guard ConfinedProcessTests.forbidMounts() else { exit(3) }
            let output = try ConfinedProcess.run("/usr/bin/cat", [], input: [7])
            exit(output == [7] ? 0 : 4)
        }
    }

    @Test func `nothing that this process has open is given on`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/secret"
        try DurableFile.write(Array("secret".utf8), to: path)
        let open = try FileDescriptor.open(path, 0)
        // Closed at the start of a program is that one anyway; this one is given on by whoever does not close it.
        let given = dup(open.number)
        defer { close(given) }
        let look = #"for my $n (3..64) { open(my $f, "<&=$n") and exit 0 } exit 7"#
        #expect(throws: ConfinedProcess.Failure.ended(7)) {
            try ConfinedProcess.run("/usr/bin/perl", ["-e", look], input: [])
        }
        _ = consume open
    }

    @Test func `time, processor time, memory and output have bounds`() throws {
        var bounds = ConfinedProcess.Bounds()
        bounds.output = 1 << 20
        let zeros = ["/dev/null"]
        #expect(try ConfinedProcess.run("/usr/bin/cat", zeros, input: []) == [])
        #expect(throws: ConfinedProcess.Failure.outOfBounds) {
            try ConfinedProcess.run("/usr/bin/perl", ["-e", #"print "a" x (2 << 20)"#], input: [], bounds: bounds)
        }
        let zeroes = ["-e", #"print "a" x (2 << 20)"#]
        let begun = try ConfinedProcess.begin("/usr/bin/perl", zeroes, input: [], bounds: bounds)
        #expect(begun.isCut && begun.bytes.count == 1 << 20)
        let whole = try ConfinedProcess.begin("/usr/bin/cat", [], input: [7])
        #expect(whole.bytes == [7] && !whole.isCut)
        let spin = ["-e", "1 while 1"]
        bounds.milliseconds = 300
        #expect(throws: ConfinedProcess.Failure.outOfBounds) {
            try ConfinedProcess.run("/usr/bin/perl", spin, input: [], bounds: bounds)
        }
        let asleep = ["-e", "close STDOUT; sleep 20"]
        #expect(throws: ConfinedProcess.Failure.outOfBounds, "it has closed its output and goes on") {
            try ConfinedProcess.run("/usr/bin/perl", asleep, input: [], bounds: bounds)
        }
        bounds.milliseconds = 60_000
        bounds.seconds = 1
        #expect(throws: ConfinedProcess.Failure.outOfWork) {
            try ConfinedProcess.run("/usr/bin/perl", spin, input: [], bounds: bounds)
        }
        bounds.memory = 256 << 20
        let large = ["-e", #"my $x = "a"; $x .= $x while 1"#]
        #expect(throws: ConfinedProcess.Failure.ended(1)) {
            try ConfinedProcess.run("/usr/bin/perl", large, input: [], bounds: bounds)
        }
    }

    /// Core files, the size of files, open files and memory, as the program is told them, and that they hold for good.
    @Test func `a confined program begins with limits that it cannot raise`() throws {
        // Many machines write no core files as it is: for a moment this process may write small ones, where it can.
        let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        var core = rlimit()
        let isKnown = unsafe getrlimit(resource, &core) == 0
        try #require(isKnown)
        var small = rlimit(rlim_cur: min(core.rlim_max, 4_096), rlim_max: core.rlim_max)
        _ = unsafe setrlimit(resource, &small)
        defer { _ = unsafe setrlimit(resource, &core) }
        let look = #"""
            for my $n (0, 1, 4, 7, 9) {
                my $l = pack("Q2", 7, 7);
                syscall(\#(Self.limitsCall), 0, $n, 0, $l) == 0 or exit 7;
                print join(" ", $n, unpack("Q2", $l)), "\n"
            }
            """#
        var bounds = ConfinedProcess.Bounds()
        (bounds.seconds, bounds.memory) = (20, 512 << 20)
        let output = try ConfinedProcess.run("/usr/bin/perl", ["-e", look], input: [], bounds: bounds)
        let limits = String(decoding: output, as: UTF8.self).split(separator: "\n")
        // RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_CORE, RLIMIT_NOFILE and RLIMIT_AS: what holds, and the most.
        #expect(limits == ["0 20 20", "1 0 0", "4 0 0", "7 64 64", "9 536870912 536870912"])
    }

    @Test func `a limit of this process that is narrower stays for a confined program`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            var narrow = rlimit(rlim_cur: 20, rlim_max: 20)
            let code = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &narrow)
            guard code == 0 else { exit(3) }
            let call = "syscall(\(ConfinedProcessTests.limitsCall), 0, 0, 0, my $l = pack('Q2', 7, 7)) == 0 or exit 7;"
            let look = ["-e", call + " print join(' ', unpack('Q2', $l))"]
            let output = try ConfinedProcess.run("/usr/bin/perl", look, input: [])
            exit(String(decoding: output, as: UTF8.self) == "20 20" ? 0 : 4)
        }
    }

    /// The process whose command line has `word`.
    private static func process(naming word: String) -> pid_t? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.first { number in
            guard let line = try? InputFile.read("/proc/\(number)/cmdline", limit: 1 << 20) else { return false }
            return String(decoding: line, as: UTF8.self).contains(word)
        }
    }

    /// A confined program that waits, on a thread of its own, with `word` in its command line.
    private static func startWaiting(_ word: String) throws {
        try WorkerThread.start {
            _ = try? ConfinedProcess.run("/usr/bin/perl", ["-e", "sleep 60 # \(word)"], input: [])
        }
        for _ in 0..<2_000 {
            if process(naming: word) != nil { return }
            usleep(10_000)
        }
    }

    @Test func `a confined program gains no right, whatever it starts`() throws {
        let word = "confined-\(UInt64.random(in: 0...UInt64.max))"
        try Self.startWaiting(word)
        let found = Self.process(naming: word)
        let number = try #require(found)
        defer { _ = kill(number, SIGKILL) }
        let status = String(decoding: try InputFile.read("/proc/\(number)/status", limit: 1 << 16), as: UTF8.self)
        #expect(status.split(separator: "\n").contains("NoNewPrivs:\t1"))
    }

    @Test func `a confined program ends with who started it`() async throws {
        let word = "confined-\(UInt64.random(in: 0...UInt64.max))"
        await #expect(processExitsWith: .exitCode(0)) { [word = word as String] in
            try ConfinedProcessTests.startWaiting(word)
            guard ConfinedProcessTests.process(naming: word) != nil else { exit(3) }
            exit(0)
        }
        var left = Self.process(naming: word)
        for _ in 0..<1_000 {
            guard left != nil else { break }
            try await Task.sleep(for: .milliseconds(10))
            left = Self.process(naming: word)
        }
        if let left { _ = kill(left, SIGKILL) }
        #expect(left == nil)
    }

    @Test func `what is no program of the system is not started`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ConfinedProcess.Failure.missing) {
            try ConfinedProcess.run(folder.path + "/none", [], input: [])
        }
        #expect(throws: ConfinedProcess.Failure.missing) { try ConfinedProcess.run(folder.path, [], input: []) }
    }
}
#endif
