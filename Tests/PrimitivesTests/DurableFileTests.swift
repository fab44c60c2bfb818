import Foundation
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

@Suite struct DurableFileTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `a file is written whole and for its owner alone`() throws {
        let path = folder.path + "/a"
        try DurableFile.write(Array("one".utf8), to: path)
        try DurableFile.write(Array("two".utf8), to: path)
        #expect(try DurableFile.read(path, limit: 100) == Array("two".utf8))
        #expect(try mode(path) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
    }

    @Test func `a link at the path is replaced, not followed`() throws {
        let target = folder.path + "/target"
        try DurableFile.write([1], to: target)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: target)
        try DurableFile.write([2], to: folder.path + "/link")
        #expect(try DurableFile.read(target, limit: 10) == [1])
    }

    @Test func `PR23: a line that the disk refuses takes no line of another program with it`() throws {
        let path = folder.path + "/trail"
        try AppendOnlyFile(path).append(Array("one ".utf8))
        // The other program's line had room, just before.
        let full = FileObserver(failure: { step in
            guard step.call == .write, step.path == path else { return nil }
            FileObserver.$current.withValue(nil) { try? AppendOnlyFile(path).append(Array("two ".utf8)) }
            return ENOSPC
        })
        FileObserver.$current.withValue(full) {
            #expect(throws: SystemFailure.self) { try AppendOnlyFile(path).append(Array("three".utf8)) }
        }
        #expect(try DurableFile.read(path, limit: 100) == Array("one two ".utf8))
    }

    @Test func `PR23: the half of a line that the disk had room for is taken back`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let folder = try TemporaryFolder()
            let path = folder.path + "/trail"
            try AppendOnlyFile(path).append([UInt8](repeating: 1, count: 10))
            _ = signal(SIGXFSZ, SIG_IGN)
            ProcessLimit.fileSize(16)
            do {
                try AppendOnlyFile(path).append([UInt8](repeating: 2, count: 10))
                exit(3)
            } catch {
                exit(try DurableFile.read(path, limit: 100) == [UInt8](repeating: 1, count: 10) ? 0 : 4)
            }
        }
    }

    @Test func `a missing file is its own answer`() throws {
        #expect(try DurableFile.readIfPresent(folder.path + "/none", limit: 10) == nil)
        #expect(throws: SystemFailure.self) { try DurableFile.read(folder.path + "/none", limit: 10) }
    }

    @Test func `a file beyond the limit is refused`() throws {
        try DurableFile.write([UInt8](repeating: 1, count: 100), to: folder.path + "/big")
        #expect(throws: SystemFailure.self) { try DurableFile.read(folder.path + "/big", limit: 99) }
    }

    @Test func `a write that hits a size limit leaves the old content and no rest`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.path + "/a"
            try DurableFile.write([7], to: path)
            ProcessLimit.fileSize(1000)
            signal(SIGXFSZ, SIG_IGN)
            do {
                try DurableFile.write([UInt8](repeating: 1, count: 5000), to: path)
                exit(1)
            } catch let failure as SystemFailure {
                guard failure.isDiskFull else { exit(2) }
            }
            guard try DurableFile.read(path, limit: 10) == [7] else { exit(3) }
            guard try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"] else { exit(4) }
        }
    }

    @Test func `folders are made with their parents, for the owner alone`() throws {
        try DurableFile.makeDirectory(folder.path + "/x/y/z")
        #expect(try mode(folder.path + "/x/y/z") == 0o700)
        #expect(throws: Never.self) { try DurableFile.makeDirectory(folder.path + "/x/y/z") }
    }

    @Test func `one holder has the lock, and its end frees it`() async throws {
        let path = folder.path + "/lock"
        do {
            let lock = try FileLock.tryAcquire(path)
            let isHeld = lock != nil
            #expect(isHeld)
            let second = try FileLock.tryAcquire(path)
            let isRefused = second == nil
            #expect(isRefused)
            await #expect(throws: FileLock.Failure.self) {
                _ = try await FileLock.acquire(path, wait: .milliseconds(20))
            }
            _ = consume lock
        }
        let again = try FileLock.tryAcquire(path)
        let isFree = again != nil
        #expect(isFree)
    }

    @Test func `RV-H3: a lock file that went away before it was locked is no lock`() throws {
        let path = folder.path + "/lock"
        let opened = Mutex(0)
        // Its last holder takes the name away between this one's opening and its locking.
        let observer = FileObserver(done: { step in
            guard step.call == .create, step.path == path else { return }
            let count = opened.withLock { count in
                count += 1
                return count
            }
            if count == 1 { try? FileManager.default.removeItem(atPath: path) }
        })
        try FileObserver.$current.withValue(observer) {
            let first = try FileLock.tryAcquire(path)
            let second = try FileLock.tryAcquire(path)
            let (isHeld, isHeldTwice) = (first != nil, second != nil)
            #expect(isHeld && !isHeldTwice)
            _ = consume second
            _ = consume first
        }
        #expect(opened.withLock { $0 } == 3)
    }

    @Test func `RV-H3: a lock file that goes away each time is waited for, and not for ever`() throws {
        let path = folder.path + "/lock"
        let observer = FileObserver(done: { step in
            if step.call == .create, step.path == path { try? FileManager.default.removeItem(atPath: path) }
        })
        try FileObserver.$current.withValue(observer) {
            let lock = try FileLock.tryAcquire(path)
            let isHeld = lock != nil
            #expect(!isHeld)
        }
    }

    @Test func `the manual clock moves as told`() {
        let time = ManualTime(wallSeconds: 1000)
        time.advance(seconds: 2.5)
        #expect(time.source.wallMilliseconds == 1_002_500)
        let before = time.source.bootEpoch
        time.reboot()
        #expect(time.source.bootMilliseconds == 0)
        #expect(time.source.bootEpoch != before)
    }

    @Test func `the system's boot clock goes forward and has a name`() {
        let first = TimeSource.system.bootMilliseconds
        #expect(TimeSource.system.bootMilliseconds >= first)
        #expect(TimeSource.system.bootEpoch.count >= 8)
        #expect(TimeSource.system.bootEpoch == TimeSource.system.bootEpoch)
    }

    @Test func `where the system names no boot, each process names its own, by chance and not by its number`() {
        let missing = "/nowhere/boot_id"
        #expect(TimeSource.bootEpoch(at: missing) != TimeSource.bootEpoch(at: missing))
    }
}
