import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseProtectedStorage

/// Backups of pages of another form, which another program may have made (DR18).
@Suite struct BackupPagesTests {
    private let passphrase = Array("correct horse".utf8)

    @Test(arguments: [(20, UInt8(0)), (20, 12), (16, 0x20)])
    func `DR18: a backup whose pages have no room for the seal is refused, and nothing is changed`(
        _ place: Int, _ value: UInt8
    ) throws {
        let fixture = try DatabaseFixture()
        let database = try StorageDatabase.open("one", in: fixture.container, .none)
        _ = try database.answer("CREATE TABLE note(text TEXT)", [])
        _ = try database.answer("INSERT INTO note VALUES ('kept')", [])
        var image = try database.image()
        image[place] = value
        let sealed = try SealedBackup.seal(image.span, passphrase: passphrase.span, .pbkdf2(rounds: 100_000))
        let file = fixture.folder.path + "/other.backup"
        try DurableFile.write(sealed, to: file)
        #expect(throws: ProtectedDatabaseError.backupOfOtherPages) {
            try database.restore(from: file, passphrase: SecretBytes(copying: passphrase.span))
        }
        #expect(try database.answer("SELECT text FROM note", []).rows == [[.text("kept")]])
        database.close()
    }
}
