internal import Foundation
internal import PaviseDevice
internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseStorage
internal import SecurityFramework
internal import Synchronization

/// Seconds of processor time that this process has used.
func processorSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func container() throws -> ProtectedContainer { try .open("bench") }

/// SOURCE: seals a file; its identifier and its size on the disk.
func storagePut(_ arguments: [String]) throws -> [(String, String)] {
    guard arguments.count == 1 else { usage() }
    let files = try container().files
    let input = try FileDescriptor.openForReading(arguments[0])
    let id = try files.put(named: "source", protection: .complete) { write throws in
        while true {
            let piece = try input.readChunk(upTo: 1 << 16)
            guard !piece.isEmpty else { return }
            try write(piece)
        }
    }.get()
    return [("id", "\"\(id)\"")]
}

/// ID TARGET: opens a file into another one, which appears with the last checked byte.
func storageGet(_ arguments: [String]) throws -> [(String, String)] {
    guard arguments.count == 2, let id = StoredFileID(arguments[0]) else { usage() }
    var stream = StreamedContent(of: try container().files.open(id))
    var output = try DurableFile.Stream.open(arguments[1])
    var count = 0
    while case .unfinished(let bytes) = try stream.next() {
        try output.write(bytes)
        count += bytes.count
    }
    try output.finish()
    return [("bytes", "\(count)")]
}

/// ID COUNT: microseconds of a read of 4 KiB anywhere, and by how much the memory of the process grew meanwhile.
func storageRandom(_ arguments: [String]) throws -> [(String, String)] {
    guard arguments.count == 2, let id = StoredFileID(arguments[0]), let count = Int(arguments[1]) else { usage() }
    let reader = try container().files.open(id)
    let pages = reader.attributes.length / 4096
    func read() throws {
        let bytes = try reader.read(at: Int.random(in: 0..<pages) * 4096, count: 4096)
        guard bytes.count == 4096 else { throw MeasureFailure(description: "a short read") }
    }
    try read()
    let before = residentKilobytes()
    let start = processorSeconds()
    for _ in 0..<count { try read() }
    let each = (processorSeconds() - start) / Double(count) * 1e6
    return [("microseconds", "\(each)"), ("grownKilobytes", "\(residentKilobytes() - before)")]
}

private func residentKilobytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4
}

/// COUNT FOLDER: microseconds of a durable file of 4 KiB, beside the plain steps: new name, sync, rename, sync of the
/// folder.
func storageDurable(_ arguments: [String]) throws -> [(String, String)] {
    guard arguments.count == 2, let count = Int(arguments[0]) else { usage() }
    let files = try container().files
    let content = [UInt8](repeating: 7, count: 4096)
    var number = 0
    let rounds = try Rounds(count, batch: 1) {
        try files.put(content, named: "a", protection: .complete)
    } peer: {
        number += 1
        try plainDurable(content, "\(arguments[1])/\(number)")
    }
    let figures = rounds.figures
    return [("ours", "\(figures.ours)"), ("peer", "\(figures.peer)"), ("ratio", "\(figures.ratio)")]
}

private func plainDurable(_ content: [UInt8], _ path: String) throws {
    let file = unsafe open(path + ".new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let isWritten = unsafe write(file, content, content.count) == content.count && fsync(file) == 0
    close(file)
    let isNamed = unsafe rename(path + ".new", path) == 0
    let folder = unsafe open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    guard isWritten, isNamed, fsync(folder) == 0 else { throw MeasureFailure(description: "no plain file \(errno)") }
}

/// COUNT: milliseconds from the start of a removal until nothing can be read, and until nothing is left, of a
/// container of so many files.
func storageRemoval(_ arguments: [String]) throws -> [(String, String)] {
    guard let count = arguments.first.flatMap({ Int($0) }) else { usage() }
    let container = try container()
    for number in 0..<count { try container.files.put([1, 2, 3], named: "\(number)", protection: .complete) }
    let reader = try container.files.open(container.files.put([1, 2, 3], named: "open", protection: .complete))
    // What could not be read before is no measure of a removal.
    _ = try reader.read(at: 0, count: 3)
    let clock = ContinuousClock()
    let unreadable = Mutex<ContinuousClock.Instant?>(nil)
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
        begun.signal()
        while (try? reader.read(at: 0, count: 3)) != nil { usleep(200) }
        unreadable.withLock { $0 = clock.now }
        ended.signal()
    }
    begun.wait()
    let start = clock.now
    try container.remove()
    let end = clock.now
    ended.wait()
    guard let moment = unreadable.withLock({ $0 }), moment >= start else {
        throw MeasureFailure(description: "not refused, or refused before the removal")
    }
    return [
        ("unreadable", "\((moment - start) / .milliseconds(1))"), ("gone", "\((end - start) / .milliseconds(1))"),
    ]
}

/// ROUNDS: milliseconds from a lock of the device until a reader of files and a statement of a database that run were
/// refused, with 50 files and 2 databases open.
func storageLock(_ arguments: [String]) throws -> [(String, String)] {
    guard let rounds = arguments.first.flatMap({ Int($0) }) else { usage() }
    let home = PaviseHome.current
    let lock = LockSwitch()
    let container = try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home, lock: lock)) {
        try ProtectedContainer.open("bench", in: home)
    }
    let content = [UInt8](repeating: 7, count: 100_000)
    let readers = try (0..<50).map { number in
        try container.files.open(container.files.put(content, named: "\(number)", protection: .complete))
    }
    let databases = try ["one", "two"].map { name in
        try container.database(
            name, protection: .complete, migrations: [DatabaseMigration(1, "a", "CREATE TABLE a(b TEXT)")])
    }
    var worst: [Double] = []
    for _ in 0..<rounds {
        worst.append(try lockOnce(lock, readers, databases))
        lock.state = .unlocked
    }
    return [("milliseconds", "\(worst.max() ?? .nan)"), ("median", "\(median(worst))")]
}

private func lockOnce(
    _ lock: LockSwitch, _ readers: [SealedFileReader], _ databases: [ProtectedDatabase]
) throws -> Double {
    let clock = ContinuousClock()
    let refused = Mutex<[ContinuousClock.Instant]>([])
    let begun = DispatchSemaphore(value: 0)
    let ended = DispatchGroup()
    func run(_ body: @escaping @Sendable () throws -> Void) {
        ended.enter()
        Thread.detachNewThread {
            begun.signal()
            while (try? body()) != nil {}
            refused.withLock { $0.append(clock.now) }
            ended.leave()
        }
    }
    run { for reader in readers { _ = try reader.read(at: 0, count: 4096) } }
    for database in databases {
        run {
            _ = try database.read { access in
                try access.rows(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
                    SELECT count(*) FROM n
                    """
                )
            }
        }
    }
    for _ in 0..<3 { begun.wait() }
    usleep(20_000)
    let start = clock.now
    lock.state = .locked
    ended.wait()
    let moments = refused.withLock { $0 }
    // Whoever stopped before the lock stopped for another reason.
    guard moments.count == 3, moments.allSatisfy({ $0 >= start }) else {
        throw MeasureFailure(description: "a reader or a statement ended before the lock")
    }
    return moments.map { ($0 - start) / .milliseconds(1) }.max() ?? .nan
}

/// FOLDER: milliseconds of a check of a folder, how many files it has, and how many findings of which rules.
func storageCheck(_ arguments: [String]) throws -> [(String, String)] {
    guard arguments.count == 1 else { usage() }
    var times: [Double] = []
    var report = StorageCheck(folder: arguments[0]).run()
    for _ in 0..<5 { times.append(microseconds(1) { report = StorageCheck(folder: arguments[0]).run() } / 1000) }
    return [
        ("milliseconds", "\(median(times))"), ("files", "\(report.files)"), ("findings", "\(report.findings.count)"),
    ]
}
