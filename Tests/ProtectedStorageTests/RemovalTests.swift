import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseProtectedStorage

@Suite struct RemovalTests {
    let fixture: StorageFixture
    init() throws { fixture = try StorageFixture() }

    private func fill(_ container: StorageContainer) throws {
        for protection in ProtectionClass.allCases { _ = try container.copyOfDatabaseKey(protection) }
        _ = try container.publicKey()
        try DurableFile.makeDirectory(container.folder + "/files/deep")
        try DurableFile.write([1, 2, 3], to: container.folder + "/files/deep/a")
    }

    private var items: [ContainerKeychain.Item] { ContainerKeychain.Item.all }

    private func areKeysGone(_ name: String) throws -> Bool {
        try fixture.run {
            let keychain = ContainerKeychain(account: name, surroundings: .current)
            for item in items { if try keychain.read(item) != nil { return false } }
            return true
        }
    }

    @Test func `DR25: a removal takes keys and folder, and others stay byte-identical`() throws {
        let (one, other) = (try fixture.open(name: "one"), try fixture.open(name: "two"))
        try fill(one)
        try fill(other)
        let before = try fixture.content(of: other.folder)
        try fixture.remove(name: "one")
        try fixture.remove(name: "one")
        #expect(try areKeysGone("one"))
        #expect(!DurableFile.exists(one.folder) && !DurableFile.exists(one.folder + ".removed"))
        #expect(!DurableFile.exists(one.folder + ".lock"))
        #expect(try fixture.content(of: other.folder) == before)
        #expect(try fixture.open(name: "two", mayCreate: false).copyOfDatabaseKey(.complete).count == 32)
        #expect(throws: StorageFailure.absent) { try one.copyOfDatabaseKey(.none) }
    }

    @Test func `RV-H3: a removal takes its lock's file away while it still has the lock`() throws {
        let lock = try fixture.open(name: "one").folder + ".lock"
        let given = Mutex<[Bool]>([])
        let observer = FileObserver(failure: { step in
            guard step.call == .remove, step.path == lock else { return nil }
            do throws(SystemFailure) {
                let other = try FileLock.tryAcquire(lock)
                let isGiven = other != nil
                given.withLock { $0.append(isGiven) }
            } catch {
                Issue.record(error)
            }
            return nil
        })
        try FileObserver.$current.withValue(observer) { try fixture.remove(name: "one") }
        #expect(given.withLock { $0 } == [false])
        #expect(!DurableFile.exists(lock))
    }

    @Test func `AP-FD6: what only cannot be seen while the screen is locked is not lost, or left by a removal`() throws
    {
        let fixture = try StorageFixture(hidesLocked: true)
        let container = try fixture.open()
        let keys = try ProtectionClass.allCases.map { try container.copyOfDatabaseKey($0) }
        fixture.lock.state = .locked
        let again = try fixture.open(mayCreate: false)
        for protection in ProtectionClass.allCases where protection.needsUnlocked {
            #expect(throws: StorageFailure.locked) { try again.copyOfDatabaseKey(protection) }
        }
        // Nor is the keychain's own word taken for it: this is what whoever makes keys anew asks.
        fixture.run {
            let keychain = ContainerKeychain(account: "home", surroundings: .current)
            for protection in ProtectionClass.allCases where protection.needsUnlocked {
                #expect(throws: StorageFailure.locked) { _ = try keychain.read(.key(protection)) }
            }
        }
        // A removal does not wait for the unlock, and leaves no key.
        try fixture.remove()
        fixture.lock.state = .unlocked
        let left = try fixture.run {
            let keychain = ContainerKeychain(account: "home", surroundings: .current)
            return try items.count { try keychain.read($0) != nil }
        }
        #expect(left == 0)
        #expect(keys.count == ProtectionClass.allCases.count)
    }

    @Test func `DR11: an old folder that is put back does not open`() throws {
        let container = try fixture.open()
        try fill(container)
        let copy = fixture.folder.path + "/copy"
        try FileManager.default.copyItem(atPath: container.folder, toPath: copy)
        try fixture.remove()
        try FileManager.default.moveItem(atPath: copy, toPath: container.folder)
        #expect(throws: StorageFailure.damaged(.keyLost)) { try fixture.open() }
        #expect(throws: StorageFailure.damaged(.keyLost)) { try fixture.open(mayCreate: false) }
    }

    @Test(
        "DR11: a removal that is cut off at any step is finished at the next start", .long,
        arguments: StorageContainer.RemovalStep.allCases, 1...5)
    func interrupted(_ step: StorageContainer.RemovalStep, _ times: Int) throws {
        let (container, other) = (try fixture.open(), try fixture.open(name: "two"))
        try fill(container)
        try fill(other)
        let before = try fixture.content(of: other.folder)
        let identifier = container.identifier
        let left = Monitor(times)
        let mayGoOn: @Sendable (StorageContainer.RemovalStep) -> Bool = { reached in
            reached != step
                || left.change {
                    $0 -= 1; return $0
                } != 0
        }
        let isCut = fixture.run {
            StorageContainer.RemovalStep.$observer.withValue(mayGoOn) {
                (try? StorageContainer.remove(fixture.place, name: "home")) == nil
            }
        }
        #expect(isCut || times > 1)
        if step != .marked, isCut {
            #expect(throws: StorageFailure.self) { try container.copyOfDatabaseKey(.complete) }
        }
        // The next start: the program opens its container, and gets a new one.
        let next = try fixture.open()
        #expect(next.identifier != identifier)
        #expect(!DurableFile.exists(next.folder + ".removed") && !DurableFile.exists(next.folder + "/files/deep"))
        #expect(try fixture.content(of: other.folder) == before)
        try fixture.remove()
        #expect(try areKeysGone("home"))
    }

    @Test func `DR11: who waited while another process finished a removal leaves its new container alone`() throws {
        let fixture = self.fixture
        let container = try fixture.open()
        try fill(container)
        fixture.run {
            _ = StorageContainer.RemovalStep.$observer.withValue({ $0 != .marked }) {
                try? StorageContainer.remove(fixture.place, name: "home")
            }
        }
        let fresh = [UInt8](repeating: 7, count: 16)
        let found = Monitor<[UInt8]?>(nil)
        try FileLock.holding(fixture.place + ".lock", wait: .seconds(10), or: { $0 as any Error }) {
            Thread.detachNewThread {
                let identifier = (try? fixture.open())?.identifier ?? []
                found.change { $0 = identifier }
            }
            // It waits for the lock by then; where it does not, it comes later and sees the new one only.
            usleep(200_000)
            try fixture.run {
                try container.keychain.update(ContainerRecord(identifier: fresh).encoded(), as: .record)
            }
        }
        #expect(found.wait(within: 20_000) { $0 != nil })
        #expect(found.value == fresh)
        #expect(DurableFile.exists(fixture.place + "/files/deep/a"))
        #expect(try !areKeysGone("home"))
    }

    @Test func `DR26: who waited while another process finished a renewal leaves the next one alone`() throws {
        let fixture = self.fixture
        _ = try fixture.open().copyOfDatabaseKey(.none)
        fixture.run {
            _ = StorageContainer.RenewalStep.$observer.withValue({ $0 != .state(4) }) {
                try? StorageContainer.renewKeys(of: fixture.place, name: "home", onCopied: { _ in }) {
                    (_: StorageContainer, _: StorageContainer, decide: () throws(StorageFailure) -> Void)
                        throws(StorageFailure) in
                    try decide()
                }
            }
        }
        let isOver = Monitor(false)
        try FileLock.holding(fixture.place + ".lock", wait: .seconds(10), or: { $0 as any Error }) {
            Thread.detachNewThread {
                _ = try? fixture.open()
                isOver.change { $0 = true }
            }
            // It waits for the lock by then; where it does not, it comes later and sees a renewal that is over.
            usleep(200_000)
            try fixture.run {
                let keychain = ContainerKeychain(account: "home~", surroundings: .current)
                var record = try #require(try StorageContainer.read(keychain))
                #expect(record.state == .replacing)
                record.state = .inUse
                try keychain.update(record.encoded(), as: .record)
            }
        }
        #expect(isOver.wait(within: 20_000) { $0 })
        // What stands for the place that the next renewal fills.
        #expect(try !areKeysGone("home"))
        #expect(DurableFile.exists(fixture.place + "/files"))
    }

    @Test func `a removal while locked destroys the keys of all classes`() throws {
        let container = try fixture.open()
        try fill(container)
        fixture.lock.state = .locked
        try fixture.remove()
        fixture.lock.state = .unlocked
        #expect(try areKeysGone("home"))
    }

    @Test func `DR25: links inside are removed and not followed`() throws {
        let container = try fixture.open()
        let outside = fixture.folder.path + "/outside"
        try DurableFile.makeDirectory(outside)
        try DurableFile.write([7], to: outside + "/kept")
        for (link, target) in [("a", outside), ("files/b", outside + "/kept"), ("files/c", "/nowhere"), ("d", ".")] {
            try FileManager.default.createSymbolicLink(
                atPath: container.folder + "/" + link, withDestinationPath: target)
        }
        try fixture.remove()
        #expect(try DurableFile.read(outside + "/kept", limit: 9) == [7])
        #expect(!DurableFile.exists(container.folder))
    }

    @Test func `DR25: a link in the place of the folder is removed, and what it leads to stays`() throws {
        let container = try fixture.open()
        let outside = fixture.folder.path + "/outside"
        try FileManager.default.moveItem(atPath: container.folder, toPath: outside)
        try FileManager.default.createSymbolicLink(atPath: container.folder, withDestinationPath: outside)
        #expect(throws: StorageFailure.self) { try fixture.open() }
        try fixture.remove()
        #expect(DurableFile.exists(outside + "/files") && !DurableFile.exists(container.folder))
    }

    /// Whether this process may mount: where it may not, nobody else's mount can be played.
    private static let mayMount: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        defer { run("/bin/umount", [folder.path]) }
        return run("/bin/mount", ["--bind", folder.path, folder.path])
    }()

    @discardableResult
    private static func run(_ program: String, _ words: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test(.enabled(if: mayMount))
    func `DR25: a mount point inside stops the removal, and what is mounted there stays`() throws {
        let container = try fixture.open()
        try fill(container)
        let outside = fixture.folder.path + "/outside"
        try DurableFile.makeDirectory(outside)
        try DurableFile.write([7], to: outside + "/kept")
        let place = container.folder + "/files/mounted"
        try DurableFile.makeDirectory(place)
        try #require(Self.run("/bin/mount", ["--bind", outside, place]))
        #expect(throws: StorageFailure.self) { try fixture.remove() }
        #expect(try DurableFile.read(outside + "/kept", limit: 9) == [7])
        let keychain = ContainerKeychain(account: "home", surroundings: .current)
        let keys = try fixture.run {
            try ProtectionClass.allCases.count { try keychain.read(.key($0)) != nil }
        }
        #expect(keys == 0)
        Self.run("/bin/umount", [fixture.place + ".removed/files/mounted"])
        Self.run("/bin/umount", [place])
        try fixture.remove()
        #expect(try areKeysGone("home") && DurableFile.read(outside + "/kept", limit: 9) == [7])
    }
}
