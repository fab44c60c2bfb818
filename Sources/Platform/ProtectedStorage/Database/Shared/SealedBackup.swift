internal import PavisePrimitives

/// One sealed file with everything of a database, under a passphrase.
///
/// Head of 53 bytes: mark and format (25), three numbers of the stretching (4 each), salt (16). Then chunks of 65,536
/// bytes and a shorter last one, each AES-256-GCM with its tag. The key is stretched from passphrase and salt, fresh
/// for each backup: format 1 by Argon2id (RFC 9106; KiB, passes, lanes), format 2 by PBKDF2 with HMAC-SHA-512 (RFC
/// 8018; rounds, 0, 0), which is what Apple's systems bring. The nonce is the chunk's number (11 bytes) and whether it
/// is the last (1 byte), as in STREAM (Hoang et al. 2015); the head is the associated data. Content: an ordinary SQLite
/// file.
enum SealedBackup {
    private static let start = Array("Pavise database backup ".utf8)
    private static let headCount = start.count + 2 + 12 + 16
    private static let chunkCount = 65_536

    static func seal(
        _ image: Span<UInt8>, passphrase: Span<UInt8>, _ stretching: BackupStretching
    ) throws(ProtectedDatabaseError) -> [UInt8] {
        var writer = ByteWriter()
        guard let salt = try? Entropy.kernel.bytes(16) else { throw .storage(.crypto) }
        writer.raw(start + [0x30 + stretching.format, 0x0a])
        for number in stretching.numbers { writer.integer(number) }
        writer.raw(salt)
        let head = writer.bytes
        let cipher = try BackupCipher(passphrase, salt: salt, stretching)
        var sealed = head
        sealed.reserveCapacity(head.count + image.count + image.count / chunkCount * 16 + 32)
        var (start, number) = (0, UInt64(0))
        repeat {
            let end = min(start + chunkCount, image.count)
            let nonce = nonce(number, isLast: end == image.count)
            sealed += try cipher.seal(image.extracting(start..<end), nonce: nonce, bound: head)
            (start, number) = (end, number + 1)
        } while start < image.count
        return sealed
    }

    /// The content, or ``ProtectedDatabaseError/backup`` for anything that is not whole and sealed with this
    /// passphrase.
    static func open(_ sealed: [UInt8], passphrase: Span<UInt8>) throws(ProtectedDatabaseError) -> [UInt8] {
        let head = Array(sealed.prefix(headCount))
        guard sealed.count >= headCount + 16, head.starts(with: start), head[start.count + 1] == 0x0a else {
            throw .backup
        }
        let format = head[start.count] &- 0x30
        guard format <= 2 else { throw format <= 9 ? .newer(version: Int(format)) : .backup }
        var reader = ByteReader(Array(head.dropFirst(start.count + 2)))
        guard let numbers = try? (0..<3).map({ _ in try reader.integer(UInt32.self) }), let salt = try? reader.read(16),
            let stretching = BackupStretching(format: format, numbers)
        else { throw .backup }
        return try chunks(sealed, head, BackupCipher(passphrase, salt: salt, stretching))
    }

    private static func chunks(
        _ sealed: [UInt8], _ head: [UInt8], _ cipher: borrowing BackupCipher
    ) throws(ProtectedDatabaseError) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(sealed.count)
        var (start, number) = (headCount, UInt64(0))
        repeat {
            let end = min(start + chunkCount + 16, sealed.count)
            let nonce = nonce(number, isLast: end == sealed.count)
            guard end - start >= 16, var plain = cipher.open(Array(sealed[start..<end]), nonce: nonce, bound: head)
            else {
                Wipe.bytes(&content)
                throw .backup
            }
            content += plain
            Wipe.bytes(&plain)
            (start, number) = (end, number + 1)
        } while start < sealed.count
        return content
    }

    private static func nonce(_ number: UInt64, isLast: Bool) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw([0, 0, 0])
        writer.integer(number)
        writer.raw([isLast ? 1 : 0])
        return writer.bytes
    }
}
