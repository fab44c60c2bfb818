import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseProtectedStorage

/// Backups of both formats: what Apple's systems write is read here (DR18).
@Suite struct BackupTests {
    // Made by another program: PBKDF2 of Python's standard library, AES-GCM of its package `cryptography`.
    private static let vector =
        "UGF2aXNlIGRhdGFiYXNlIGJhY2t1cCAyCgABhqAAAAAAAAAAAAABAgMEBQYHCAkKCwwNDg8j9VyoS97oayvwxRLNXhda0ILWcsN3hWFlGugf"
        + "EqQACekpcFaldDctZ2NiYsXnRUDKvxCIYXi35fQZvgdiOOuLqkTRyKcfREi1yuMHXIYl11ZkmBOLLWm9/AWcvq3aM8PN3J3AO0QePQlXzdc7"
        + "PbvkCS0UNw=="
    private let passphrase = Array("correct horse".utf8)

    private func vector() throws -> [UInt8] { [UInt8](try #require(Data(base64Encoded: Self.vector))) }

    private func open(_ sealed: [UInt8], _ passphrase: [UInt8]? = nil) throws -> [UInt8] {
        let words = passphrase ?? self.passphrase
        return try SealedBackup.open(sealed, passphrase: words.span)
    }

    @Test(.long) func `DR18: a backup of format 2 that another program made opens with its passphrase only`() throws {
        let sealed = try vector()
        #expect(try open(sealed) == (0..<100).map { UInt8(truncatingIfNeeded: $0 * 7) })
        #expect(throws: ProtectedDatabaseError.backup) { try open(sealed, Array("correct horsf".utf8)) }
        for place in [24, 28, 40, 53, sealed.count - 1] {
            var changed = sealed
            changed[place] ^= 1
            #expect(throws: (any Error).self) { try open(changed) }
        }
        for count in stride(from: 0, to: sealed.count, by: 7) {
            #expect(throws: ProtectedDatabaseError.backup) { try open(Array(sealed[..<count])) }
        }
        #expect(throws: ProtectedDatabaseError.backup) { try open(sealed + [0]) }
    }

    @Test(
        arguments: [
            [99_999, 0, 0], [20_000_001, 0, 0], [.max, 0, 0], [0, 0, 0], [100_000, 1, 0], [100_000, 0, 1],
        ] as [[UInt32]])
    func `DR18: a price beyond the bounds is refused before anything is computed`(_ numbers: [UInt32]) throws {
        #expect(BackupStretching(format: 2, numbers) == nil)
        var sealed = try vector()
        for (index, number) in numbers.enumerated() {
            for byte in 0..<4 { sealed[25 + index * 4 + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte)) }
        }
        let start = ContinuousClock.now
        #expect(throws: ProtectedDatabaseError.backup) { try open(sealed) }
        // Four thousand million rounds take an hour.
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test(arguments: [(UInt8(0x33), ProtectedDatabaseError.newer(version: 3)), (0x30, .backup), (0x2F, .backup)])
    func `DR3: a backup of a later format is newer, and no format is none`(
        _ digit: UInt8, _ expected: ProtectedDatabaseError
    ) throws {
        var sealed = try vector()
        sealed[23] = digit
        #expect(throws: expected) { try open(sealed) }
    }

    @Test func `DR18: the pages of a backup have room for the seal of Linux, whatever system wrote it`() throws {
        let fixture = try StorageFixture()
        let source = try StorageDatabase.open("one", in: try fixture.open(), .none)
        _ = try source.answer("CREATE TABLE note(text TEXT)", [])
        let image = try source.image()
        source.close()
        #expect(Array(image[16..<18]) == [0x10, 0x00])
        #expect(image[20] == 32)
    }

    @Test func `DR18: a database comes back of a backup as Apple's systems write it`() throws {
        let fixture = try StorageFixture()
        let container = try fixture.open()
        let source = try StorageDatabase.open("one", in: container, .none)
        _ = try source.answer("CREATE TABLE note(text TEXT)", [])
        _ = try source.answer("INSERT INTO note VALUES ('kept')", [])
        let image = try source.image()
        let sealed = try SealedBackup.seal(image.span, passphrase: passphrase.span, .pbkdf2(rounds: 100_000))
        #expect(sealed[23] == 0x32)
        let file = fixture.folder.path + "/apple.backup"
        try DurableFile.write(sealed, to: file)
        let target = try StorageDatabase.open("two", in: container, .none)
        #expect(throws: ProtectedDatabaseError.backup) {
            try target.restore(from: file, passphrase: SecretBytes(utf8: "wrong"))
        }
        try target.restore(from: file, passphrase: SecretBytes(copying: passphrase.span))
        #expect(try target.answer("SELECT text FROM note", []).rows == [[.text("kept")]])
        source.close()
        target.close()
    }
}
