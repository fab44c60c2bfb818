import Foundation
import PavisePrimitives
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// What a crash, another process and a child see of this process.
@Suite(.serialized) struct MemoryProtectionTests {
    // The runtime reads the variable when a process starts: the child that crashes is the next one.
    private func withBacktraces<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let before = unsafe getenv("SWIFT_BACKTRACE").map { unsafe String(cString: $0) }
        unsafe setenv("SWIFT_BACKTRACE", "enable=yes,color=no,threads=crashed", 1)
        defer {
            if let before { unsafe setenv("SWIFT_BACKTRACE", before, 1) } else { unsafe unsetenv("SWIFT_BACKTRACE") }
        }
        return try await body()
    }

    // Sanitizers have handlers of their own for a crash, and the runtime's report never comes to an end beside them.
    private static let hasSanitizer = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    @Test(
        "UC-181: a crash prints no memory, where the runtime would print it", .long,
        .disabled(if: Self.hasSanitizer, "a sanitizer reports crashes by itself"))
    func crash() async throws {
        try await withBacktraces {
            let open = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let canary = Array("canary-5d0c7e61".utf8)
                print(canary[CommandLine.arguments.count + 1_000])
            }
            // Without protection the report comes: otherwise what follows proves nothing.
            let report = String(decoding: try #require(open).standardErrorContent, as: UTF8.self)
            try #require(report.contains("Registers:") || report.contains("Crash:") || report.contains("crashed"))
            let closed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try MemoryProtection.start()
                let canary = Array("canary-5d0c7e61".utf8)
                print(canary[CommandLine.arguments.count + 1_000])
            }
            let words = String(decoding: try #require(closed).standardErrorContent, as: UTF8.self)
            #expect(!words.contains("canary-5d0c"))
            #expect(!words.contains("Registers:"))
            #expect(!words.contains("Crash:") && !words.contains("Thread 0"))
        }
    }

    @Test("UC-181: core files and tracing by the user's other processes are forbidden from the start on")
    func dumpable() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard !MemoryProtection.isActive else { exit(1) }
            try MemoryProtection.start()
            guard MemoryProtection.isActive else { exit(2) }
            exit(7)
        }
    }

    @Test("RV-M8: secrets lie in pages that are locked, not dumped and not forked, where the system grants it")
    func pages() throws {
        let secret = SecretBytes(count: 100) { $0[0] = 1 }
        let large = SecretBytes(count: 100_000) { $0[99_999] = 1 }
        let pages = MemoryProtection.pages
        #if os(Linux)
        #expect(pages.areNotDumped && pages.areNotForked)
        for address in [Self.address(secret), Self.address(large)] {
            let flags = try #require(try Self.flags(of: address))
            #expect(flags.contains("dd"), "not dumped")
            #expect(flags.contains("dc"), "not forked")
            #expect(flags.contains("lo") == pages.areLocked)
        }
        #endif
        _ = consume secret
        _ = consume large
    }

    #if os(Linux)
    // A child in which nothing is locked yet gets what this process would get.
    private static let mayLock: Bool = {
        let size = 1 << 16
        guard let pages = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe pages != MAP_FAILED
        else { return false }
        defer { unsafe munmap(pages, size) }
        return unsafe mlock(pages, size) == 0
    }()

    @Test(
        "RV-M8: where the system lets a process lock memory, its secrets are locked",
        .enabled(if: Self.mayLock && !Self.hasSanitizer, "no right to lock memory, or a sanitizer"))
    func locked() async {
        await #expect(processExitsWith: .success) {
            let secret = SecretBytes(utf8: "kept")
            let flags = try #require(try MemoryProtectionTests.flags(of: MemoryProtectionTests.address(secret)))
            guard flags.contains("lo"), MemoryProtection.pages.areLocked else { exit(1) }
            _ = consume secret
        }
    }

    @Test(
        "RV-M8: without the right to lock memory secrets are kept all the same, and the answer says so",
        .disabled(if: Self.hasSanitizer, "sanitizers let mlock(2) do nothing and succeed"))
    func withoutRight() async {
        await #expect(processExitsWith: .success) {
            // RLIMIT_MEMLOCK, which root is above.
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            _ = unsafe setrlimit(__rlimit_resource_t(8), &limit)
            guard geteuid() != 0 || setuid(65_534) == 0 else { exit(2) }
            let secret = SecretBytes(utf8: "kept")
            guard !MemoryProtection.pages.areLocked, secret.matches(SecretBytes(utf8: "kept")) else { exit(1) }
        }
    }
    #endif

    private static func address(_ secret: borrowing SecretBytes) -> UInt {
        secret.withBytes { bytes in unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
    }

    private static func flags(of address: UInt) throws -> Set<Substring>? {
        let text = String(decoding: try InputFile.read("/proc/self/smaps", limit: 1 << 24), as: UTF8.self)
        var isHere = false
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            let range = parts.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
            if range.count == 2 { isHere = (range[0]..<range[1]).contains(address) }
            if isHere, line.hasPrefix("VmFlags:") { return Set(parts.dropFirst()) }
        }
        return nil
    }
}

/// UC-176: a browser, a pinentry or any other child gets none of our files, and no lock.
@Suite struct DescriptorTests {
    @Test("UC-176: what the library opens does not reach a child")
    func children() throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        try DurableFile.write([1], to: path + "/own")
        let file = try FileDescriptor.open(path + "/own", O_RDONLY)
        let own = try FileDescriptor.openOwn(path + "/own", O_RDONLY)
        let lock = try FileLock.tryAcquire(path + "/lock")
        let unfinished = try UnfinishedFile(path + "/unfinished")
        let place = try UnfinishedFolder(beside: path + "/place")
        let partial = try PartialFile.open(path + "/partial")
        let stream = try DurableFile.Stream.open(path + "/stream")
        let watch = FileWatch(path + "/own")
        let leaked = unsafe open(path + "/leak", O_RDWR | O_CREAT, 0o600)
        try #require(leaked >= 0)
        defer { close(leaked) }
        let list = try descriptorsOfAChild(into: path + "/list")
        // A file that is opened without the flag is seen: the list is one of open files.
        #expect(list.contains(path + "/leak"))
        for name in ["own", "lock", "unfinished", "place", "partial", "stream"] {
            #expect(!list.contains(path + "/" + name), "\(name)")
        }
        _ = (file.number, own.number, lock != nil, place.path, partial.count, watch)
        _ = consume unfinished
        _ = consume stream
    }

    #if os(Linux)
    @Test("UC-176: no connection reaches a child, one that was accepted neither")
    func connections() throws {
        let listener = try TCPListener.listen()
        let stream = try TCPStream.connect(port: listener.port)
        guard let peer = try listener.accept(within: 60_000) else {
            Issue.record("nothing came")
            return
        }
        let flags = [fcntl(stream.number, F_GETFD), fcntl(peer.number, F_GETFD)]
        #expect(flags.allSatisfy { $0 >= 0 && $0 & FD_CLOEXEC != 0 })
        _ = consume stream
        _ = consume peer
    }
    #endif

    private func descriptorsOfAChild(into path: String) throws -> String {
        var pid: pid_t = 0
        let words: [String] = ["sh", "-c", "ls -l /proc/self/fd > '\(path)'"]
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        defer { unsafe arguments.forEach { unsafe free($0) } }
        try #require(unsafe posix_spawn(&pid, "/bin/sh", nil, nil, arguments, environ) == 0)
        var status: Int32 = 0
        #expect(unsafe waitpid(pid, &status, 0) == pid && status == 0)
        return try String(contentsOfFile: path, encoding: .utf8)
    }
}
