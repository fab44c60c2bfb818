import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseProtectedStorage

/// Files whose removal makes every copy of them unreadable (DR28).
@Suite struct ErasableFileTests {
    let fixture: StorageFixture
    let container: StorageContainer

    init() throws {
        fixture = try StorageFixture()
        container = try fixture.open()
    }

    @discardableResult
    private func put(
        _ bytes: [UInt8], _ protection: ProtectionClass = .complete, over file: StoredFileID? = nil,
        erasable: Bool = true
    ) throws -> StoredFileID {
        try container.writeFile(
            name: "a", type: "", modified: 7, protection: protection, replacing: file, chunkExponent: 12,
            erasable: erasable
        ) { write throws(StorageFailure) in try write(bytes) }.get()
    }

    private func bytes(_ file: StoredFileID) throws -> [UInt8] {
        try DurableFile.read(container.path(of: file), limit: 1 << 20)
    }

    private func isThere(_ file: StoredFileID) -> Bool { DurableFile.exists(container.path(of: file)) }

    // Puts an older copy of a file in place and reads it.
    private func read(_ copy: [UInt8], as file: StoredFileID) throws -> [UInt8] {
        try DurableFile.write(copy, to: container.path(of: file))
        return try fixture.open().get(file)
    }

    @Test(arguments: ProtectionClass.allCases)
    func `an erasable file is written, read, replaced and removed`(_ protection: ProtectionClass) throws {
        let file = try put(pattern(9000), protection)
        let reader = try container.readFile(file)
        #expect(reader.isErasable && reader.protection == protection)
        #expect(try reader.readAll(limit: 9000) == pattern(9000))
        try put(pattern(70, 3), protection, over: file)
        #expect(try container.get(file) == pattern(70, 3))
        #expect(try container.readFile(file).attributes.generation == 2)
        // Who has the old one open reads it to its end.
        #expect(try reader.readAll(limit: 9000) == pattern(9000))
        try container.removeFile(file)
        #expect(throws: StorageFailure.absent) { try container.get(file) }
        #expect(!isThere(file))
        try container.removeFile(file)
    }

    @Test(.long) func `DR28: a half that a reader holds in the log is not told as destroyed`() throws {
        let file = try put([1])
        let reader = try StorageDatabase.open(ErasableHalves.name, in: container, .complete)
        _ = try reader.transaction(.read) {
            _ = try reader.answer("SELECT count(*) FROM half", [])
            #expect(throws: StorageFailure.busy) { try container.removeFile(file) }
        }
        reader.close()
        try container.removeFile(file)
        #expect(!isThere(file))
        let path = try container.databasePath(of: ErasableHalves.name, .complete)
        #expect(try (DurableFile.readIfPresent("\(path)-wal", limit: 1 << 20) ?? []).count <= 1024)
    }

    @Test func `DR28: an older copy of an erasable file opens nowhere, and one of another file does`() throws {
        let file = try put(pattern(9000))
        let first = try bytes(file)
        try put(pattern(70, 3), over: file)
        let second = try bytes(file)
        #expect(throws: StorageFailure.absent) { try read(first, as: file) }
        // A name without a half is no file: it is taken away.
        #expect(!isThere(file))
        #expect(try read(second, as: file) == pattern(70, 3))
        try container.removeFile(file)
        for copy in [first, second] {
            #expect(throws: StorageFailure.absent) { try read(copy, as: file) }
        }
        let plain = try put(pattern(9000), erasable: false)
        let copy = try bytes(plain)
        try container.removeFile(plain)
        #expect(try read(copy, as: plain) == pattern(9000))
    }

    @Test func `DR28: a replacement by another kind or class leaves no half of the old one`() throws {
        let file = try put(pattern(9000))
        let first = try bytes(file)
        try put(pattern(70), .none, over: file)
        let second = try bytes(file)
        #expect(throws: StorageFailure.absent) { try read(first, as: file) }
        #expect(try read(second, as: file) == pattern(70))
        try put(pattern(80), .none, over: file, erasable: false)
        let third = try bytes(file)
        #expect(throws: StorageFailure.absent) { try read(second, as: file) }
        #expect(try read(third, as: file) == pattern(80))
    }

    private func stopping<Value>(at step: ErasableHalves.Step, _ body: () throws -> Value) throws {
        #expect(throws: StorageFailure.busy) {
            try ErasableHalves.Step.$observer.withValue({ $0 != step }) { _ = try body() }
        }
    }

    @Test func `DR28: a kill at any step of a writing leaves the old or the new content, and is finished`() throws {
        for step in [ErasableHalves.Step.halfStored, .placed, .olderErased] {
            let file = try put(pattern(9000))
            let first = try bytes(file)
            try stopping(at: step) { try put(pattern(70, 3), over: file) }
            let isNew = step != .halfStored
            #expect(try fixture.open().get(file) == (isNew ? pattern(70, 3) : pattern(9000)))
            let now = try bytes(file)
            if isNew {
                #expect(throws: StorageFailure.absent) { try read(first, as: file) }
            }
            #expect(try read(now, as: file) == (isNew ? pattern(70, 3) : pattern(9000)))
            try put(pattern(80, 5), over: file)
            #expect(throws: StorageFailure.absent) { try read(now, as: file) }
            let fresh = try fixture.open().fileIDs().files
            #expect(!fresh.contains(file))
        }
        let before = try container.fileIDs().files
        try stopping(at: .halfStored) { try put(pattern(9000)) }
        #expect(try container.fileIDs().files == before)
    }

    @Test func `DR28: a replacement that fails erases nothing while nobody can look at the old file`() throws {
        let file = try put(pattern(9000), .none)
        let path = container.path(of: file)
        let isRefused = Mutex(false)
        let observer = FileObserver(failure: { step in
            if step.call == .rename, step.target == path {
                isRefused.withLock { $0 = true }
                return 28
            }
            return step.call == .open && step.path == path && isRefused.withLock { $0 } ? 5 : nil
        })
        FileObserver.$current.withValue(observer) {
            #expect(throws: StorageFailure.self) { try put(pattern(70, 3), .none, over: file) }
        }
        #expect(isRefused.withLock { $0 })
        #expect(try fixture.open().get(file) == pattern(9000))
        try put(pattern(70, 3), .none, over: file)
        #expect(try container.get(file) == pattern(70, 3))
    }

    @Test func `DR28: a file that nobody can look at is not removed without its half`() throws {
        let file = try put(pattern(9000))
        let path = container.path(of: file)
        let observer = FileObserver(failure: { $0.call == .open && $0.path == path ? 5 : nil })
        fixture.lock.state = .locked
        FileObserver.$current.withValue(observer) {
            // Its failure, and not that of a lock that has nothing to do with it.
            #expect { try container.removeFile(file) } throws: {
                if case .system? = $0 as? StorageFailure { true } else { false }
            }
        }
        fixture.lock.state = .unlocked
        #expect(try container.get(file) == pattern(9000))
        try container.removeFile(file)
        #expect(!isThere(file))
    }

    @Test func `DR28: while locked a file with a damaged head is not removed without its half`() throws {
        let (file, plain) = (try put(pattern(9000)), try put([1], .none, erasable: false))
        let copy = try bytes(file)
        try DurableFile.write([0] + copy.dropFirst(), to: container.path(of: file))
        fixture.lock.state = .locked
        #expect(throws: StorageFailure.locked) { try container.removeFile(file) }
        #expect(isThere(file))
        try container.removeFile(plain)
        fixture.lock.state = .unlocked
        try container.removeFile(file)
        #expect(!isThere(file))
        #expect(throws: StorageFailure.absent) { try read(copy, as: file) }
    }

    // The class of the head becomes another one whose wrapped key has the same size, or the flag is taken away.
    @Test(arguments: [(8, 3), (8, 4), (11, 0)] as [(Int, UInt8)])
    func `DR28: while locked a file whose head says another class or kind keeps its half`(
        _ place: Int, _ value: UInt8
    ) throws {
        let file = try put(pattern(9000))
        let copy = try bytes(file)
        var altered = copy
        #expect(altered[place] != value)
        altered[place] = value
        // The other classes have their keys, too.
        for other in [ProtectionClass.untilFirstUserAuthentication, .none] { try put([1], other) }
        try DurableFile.write(altered, to: container.path(of: file))
        fixture.lock.state = .locked
        #expect(throws: StorageFailure.locked) { try container.removeFile(file) }
        #expect(isThere(file))
        fixture.lock.state = .unlocked
        try container.removeFile(file)
        #expect(!isThere(file))
        #expect(throws: StorageFailure.absent) { try read(copy, as: file) }
    }

    @Test func `while locked a file that opens is removed beside halves that are locked`() throws {
        try put([1])
        let (file, plain) = (try put([2], .none), try put([3], .none, erasable: false))
        let copy = try bytes(file)
        fixture.lock.state = .locked
        try container.removeFile(plain)
        try container.removeFile(file)
        #expect(!isThere(plain) && !isThere(file))
        fixture.lock.state = .unlocked
        #expect(throws: StorageFailure.absent) { try read(copy, as: file) }
    }

    @Test func `DR28: the half goes before the file, and a kill between is finished`() throws {
        let file = try put(pattern(9000))
        let copy = try bytes(file)
        try stopping(at: .halfDestroyed) { try container.removeFile(file) }
        #expect(isThere(file))
        #expect(try bytes(file) == copy)
        #expect(throws: StorageFailure.absent) { try fixture.open().get(file) }
        #expect(!isThere(file))
        try container.removeFile(file)
    }

    @Test func `a lost database of halves is a loss, and the file stays`() throws {
        let file = try put(pattern(9000), .none)
        let folder = container.folder + "/database"
        for name in try Folder.names(in: folder) { try DurableFile.remove("\(folder)/\(name)") }
        #expect(throws: StorageFailure.damaged(.keyLost)) { try fixture.open().get(file) }
        #expect(isThere(file))
    }

    @Test func `while locked nothing is erased by halves, and class B is not written`() throws {
        let (file, other) = (try put(pattern(9000)), try put([1], .completeUnlessOpen))
        fixture.lock.state = .locked
        #expect(throws: StorageFailure.locked) { try container.removeFile(file) }
        #expect(throws: StorageFailure.locked) { try container.removeFile(other) }
        #expect(throws: StorageFailure.locked) { try put([1], .completeUnlessOpen) }
        #expect(throws: StorageFailure.locked) { try put([1], .none, over: file) }
        #expect(throws: StorageFailure.locked) { try put([1], .none, over: file, erasable: false) }
        #expect(throws: StorageFailure.locked) { try container.get(file) }
        fixture.lock.state = .unlocked
        #expect(try container.get(file) == pattern(9000) && container.get(other) == [1])
    }

    @Test func `DR6: the flag in the head is authenticated`() throws {
        let file = try put(pattern(9000))
        var copy = try bytes(file)
        copy[11] ^= 1
        #expect(throws: StorageFailure.damaged(.head)) { try read(copy, as: file) }
        let plain = try put(pattern(9000), erasable: false)
        copy = try bytes(plain)
        copy[11] ^= 1
        #expect(throws: StorageFailure.self) { try read(copy, as: plain) }
    }

    @Test func `DR25: a removed container takes its halves with it`() throws {
        try put(pattern(9000))
        try fixture.remove()
        #expect(!DurableFile.exists(container.folder))
        #expect(try fixture.open().fileIDs().files == [])
    }
}

/// The same from another process, which is killed or whose disk is full.
@Suite struct ErasableInterruptionTests {
    let folder: TemporaryFolder
    private var home: String { folder.path + "/home" }

    init() throws {
        folder = try TemporaryFolder()
        try DurableFile.makeDirectory(folder.path + "/home")
    }

    private static func with<Value>(_ home: String, _ body: (StorageContainer) throws -> Value) throws -> Value {
        let environment = SecurityEnvironment(home: PaviseHome(path: home))
        return try SecurityEnvironment.$override.withValue(environment) {
            try body(try StorageContainer.open(home + "/protected", name: "home"))
        }
    }

    private static func write(
        _ value: UInt8, over id: StoredFileID?, _ container: StorageContainer
    ) throws -> StoredFileID {
        try container.writeFile(
            name: "a", type: "", modified: 0, protection: .none, replacing: id, erasable: true
        ) { (write: ([UInt8]) throws(StorageFailure) -> Void) throws(StorageFailure) in
            try write([UInt8](repeating: value, count: 100_000))
        }.get()
    }

    @Test(arguments: [3_000, 9_000, 30_000, 80_000] as [UInt32])
    func `DR28: a writer that is killed leaves the old or the new content`(_ microseconds: UInt32) async throws {
        let id = try Self.with(home) { try Self.write(1, over: nil, $0) }
        let first = try Self.with(home) { try DurableFile.read($0.path(of: id), limit: 1 << 20) }
        let (home, name) = (home, "\(id)")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [home = home as String, name = name as String, microseconds = microseconds as UInt32] in
            try Self.with(home) { container in
                let id = try #require(StoredFileID(name))
                Thread {
                    usleep(microseconds)
                    kill(getpid(), SIGKILL)
                }.start()
                for value in UInt8(2)... { _ = try Self.write(value, over: id, container) }
            }
        }
        try Self.with(home) { container in
            let bytes = try container.readFile(id).readAll(limit: 1 << 20)
            #expect(bytes.count == 100_000 && Set(bytes).count == 1)
            let now = try DurableFile.read(container.path(of: id), limit: 1 << 20)
            guard bytes.first != 1 else { return }
            try DurableFile.write(first, to: container.path(of: id))
            #expect(throws: StorageFailure.absent) { try container.readFile(id) }
            try DurableFile.write(now, to: container.path(of: id))
            #expect(try container.readFile(id).readAll(limit: 1 << 20) == bytes)
        }
    }

    @Test(arguments: [0, 5_000, 60_000, 99_000] as [UInt])
    func `DR28: on a full disk the old content stays`(_ size: UInt) async throws {
        let id = try Self.with(home) { try Self.write(1, over: nil, $0) }
        let (home, name) = (home, "\(id)")
        await #expect(processExitsWith: .success) {
            [home = home as String, name = name as String, size = size as UInt] in
            try Self.with(home) { container in
                let id = try #require(StoredFileID(name))
                signal(SIGXFSZ, SIG_IGN)
                ProcessLimit.fileSize(UInt64(size))
                let isWritten = (try? Self.write(2, over: id, container)) != nil
                #expect(!isWritten)
            }
        }
        try Self.with(home) { container in
            let bytes = try container.readFile(id).readAll(limit: 1 << 20)
            #expect(bytes == [UInt8](repeating: 1, count: 100_000))
            let names = try Folder.names(in: container.filesFolder)
            #expect(names == ["\(id)"])
        }
    }
}
