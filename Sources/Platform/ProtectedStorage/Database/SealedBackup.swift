internal import PaviseCrypto
internal import PavisePrimitives

/// One sealed file with everything of a database, under a passphrase.
///
/// Head of 53 bytes: mark and version (25), memory in KiB, passes, lanes (4 each), salt (16). Then chunks of 65,536 bytes and a
/// shorter last one, each AES-256-GCM with its tag. The key is Argon2id (RFC 9106) of passphrase and salt, fresh for each backup;
/// the nonce is the chunk's number (11 bytes) and whether it is the last (1 byte), as in STREAM (Hoang et al. 2015); the head is
/// the associated data. Content: an ordinary SQLite file.
enum SealedBackup {
    static let mark = Array("Pavise database backup 1\n".utf8)
    private static let headCount = mark.count + 12 + 16
    private static let chunkCount = 65_536
    /// What a file may ask of the machine: 1 GiB and 16 passes.
    private static let mostKibibytes: UInt32 = 1 << 20
    private static let mostPasses: UInt32 = 16
    /// 128 MiB and 3 passes: about a quarter of a second.
    static let cost = Argon2id.Cost(kibibytes: 131_072, passes: 3)

    static func seal(_ image: Span<UInt8>, passphrase: Span<UInt8>) throws -> [UInt8] {
        guard let cost else { throw ProtectedDatabaseError.storage(.crypto) }
        var writer = ByteWriter()
        let salt = try Entropy.kernel.bytes(16)
        writer.raw(mark)
        for number in [cost.kibibytes, cost.passes, cost.lanes] { writer.integer(number) }
        writer.raw(salt)
        let head = writer.bytes
        let key = try Argon2id.derive(passphrase, salt: salt, cost: cost)
        let cipher = try key.withBytes { key throws(CryptoFailure) in try AESGCM(key: key) }
        var sealed = head
        sealed.reserveCapacity(head.count + image.count + image.count / chunkCount * 16 + 32)
        var (start, number) = (0, UInt64(0))
        repeat {
            let end = min(start + chunkCount, image.count)
            let nonce = nonce(number, isLast: end == image.count)
            sealed += try cipher.seal(image.extracting(start..<end), nonce: nonce, associatedData: head)
            (start, number) = (end, number + 1)
        } while start < image.count
        return sealed
    }

    /// The content, or ``ProtectedDatabaseError/backup`` for anything that is not whole and sealed with this passphrase.
    static func open(_ sealed: [UInt8], passphrase: Span<UInt8>) throws(ProtectedDatabaseError) -> [UInt8] {
        guard sealed.count >= headCount + 16, sealed.starts(with: mark.dropLast(2)) else { throw .backup }
        guard sealed.starts(with: mark) else { throw .newer(version: Int(sealed[mark.count - 2]) - 0x30) }
        let head = Array(sealed.prefix(headCount))
        var reader = ByteReader(Array(head.dropFirst(mark.count)))
        do {
            let (kibibytes, passes, lanes) = try (
                reader.integer(UInt32.self), reader.integer(UInt32.self), reader.integer(UInt32.self)
            )
            let salt = try reader.read(16)
            guard kibibytes <= mostKibibytes, passes <= mostPasses, lanes <= 16,
                let cost = Argon2id.Cost(kibibytes: kibibytes, passes: passes, lanes: lanes)
            else { throw ProtectedDatabaseError.backup }
            let key = try Argon2id.derive(passphrase, salt: salt, cost: cost)
            let cipher = try key.withBytes { key throws(CryptoFailure) in try AESGCM(key: key) }
            return try chunks(sealed, head, cipher)
        } catch {
            throw .backup
        }
    }

    private static func chunks(
        _ sealed: [UInt8], _ head: [UInt8], _ cipher: borrowing AESGCM
    ) throws(CryptoFailure) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(sealed.count)
        var (start, number) = (headCount, UInt64(0))
        repeat {
            let end = min(start + chunkCount + 16, sealed.count)
            let nonce = nonce(number, isLast: end == sealed.count)
            guard end - start >= 16 else { throw .authentication }
            let plain = try cipher.open(sealed.span.extracting(start..<end), nonce: nonce, associatedData: head)
            plain.withBytes { plain in for index in plain.indices { content.append(plain[index]) } }
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
