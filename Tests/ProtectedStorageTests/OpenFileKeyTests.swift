import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseProtectedStorage

/// data-at-rest/DR9: what a lock does to files that are read and written at that moment.
@Suite struct OpenFileKeyTests {
    private let fixture: StorageFixture
    private let container: StorageContainer

    init() throws {
        fixture = try StorageFixture()
        container = try fixture.open()
    }

    private func write(
        _ protection: ProtectionClass, erasable: Bool = false, _ pieces: [[UInt8]], lockBehind last: Int
    ) throws -> StoredFileID {
        try container.writeFile(
            name: "night", type: "", modified: 7, protection: protection, chunkExponent: 12, erasable: erasable
        ) { write throws(StorageFailure) in
            for (number, piece) in pieces.enumerated() {
                try write(piece)
                if number == last { fixture.lock.state = .locked }
            }
        }.get()
    }

    /// Waits for the observer of the lock, which nobody calls.
    private func waitForLock() {
        for _ in 0..<2_000 where container.holdsLockedKeys { usleep(1_000) }
    }

    @Test(arguments: [(0, 1), (0, 5_000), (1, 1), (1, 5_000), (2, 20_000)], [true, false])
    func `DR9: a lock in the middle of a write of class A ends it, and nothing of it appears`(
        _ place: (last: Int, size: Int), _ isErasable: Bool
    ) throws {
        let pieces = [[UInt8]](repeating: pattern(place.size), count: 3)
        #expect(throws: StorageFailure.locked) {
            try write(.complete, erasable: isErasable, pieces, lockBehind: place.last)
        }
        #expect(try Folder.names(in: container.filesFolder) == [])
        fixture.lock.state = .unlocked
        let file = try write(.complete, erasable: isErasable, pieces, lockBehind: 9)
        #expect(try container.get(file) == pieces.flatMap(\.self))
    }

    @Test func `DR9: a file of class B that is written through a lock is whole`() throws {
        let pieces = [pattern(5_000), pattern(5_000, 2)]
        let file = try write(.completeUnlessOpen, pieces, lockBehind: 0)
        #expect(throws: StorageFailure.locked) { try container.get(file) }
        fixture.lock.state = .unlocked
        #expect(try container.get(file) == pieces.flatMap(\.self))
    }

    @Test func `DR9: at the lock the keys of open files leave memory without a call, and come back after the unlock`()
        throws
    {
        let content = pattern(9_000)
        let open = try ProtectionClass.allCases.map { try container.readFile(container.put(content, $0)) }
        let growing = try container.growFile(name: "new", type: "", modified: 7, protection: .complete)
        try growing.append(pattern(9_000))
        #expect(container.holdsLockedKeys && open.allSatisfy(\.key.isHeld))
        fixture.lock.state = .locked
        waitForLock()
        #expect(!container.holdsLockedKeys)
        for reader in open { #expect(reader.key.isHeld == (reader.protection != .complete)) }
        #expect(throws: StorageFailure.locked) { try open[0].chunk(0) }
        #expect(throws: StorageFailure.locked) { try growing.append([1]) }
        for reader in open.dropFirst() { #expect(try reader.readAll(limit: 9_000) == content) }
        fixture.lock.state = .unlocked
        for reader in open { #expect(try reader.readAll(limit: 9_000) == content) }
        try growing.append([1])
        #expect(try container.get(growing.finish()) == pattern(9_000) + [1])
    }

    @Test func `DR9: an app that takes its keys out of memory takes those of open files too`() throws {
        let content = pattern(9_000)
        let open = try ProtectionClass.allCases.map { try container.readFile(container.put(content, $0)) }
        container.forgetKeys()
        for reader in open { #expect(reader.key.isHeld == (reader.protection == .completeUnlessOpen)) }
        for reader in open { #expect(try reader.readAll(limit: 9_000) == content) }
    }

    @Test func `DR9: an erasable file that was written anew while its reader had no key is absent for that reader`()
        throws
    {
        let file = try write(.complete, erasable: true, [[1]], lockBehind: 9)
        let reader = try container.readFile(file)
        container.forgetKeys()
        try container.removeFile(file)
        #expect(throws: StorageFailure.absent) { try reader.readAll(limit: 9) }
    }

    @Test func `a file that is closed is no longer known to its container`() throws {
        let file = try container.put([1])
        do {
            let reader = try container.readFile(file)
            #expect(container.openFiles.withLock { $0.all.count } == 1)
            withExtendedLifetime(reader) {}
        }
        #expect(container.openFiles.withLock { $0.all.isEmpty })
    }
}
