internal import PaviseCrypto
internal import PavisePrimitives

/// The head of a sealed home, which is authenticated with each chunk: 49 bytes.
///
/// | part | bytes |
/// |---|---|
/// | mark and format `Pavise home backup 1`, line feed | 21 |
/// | Argon2id (RFC 9106): KiB, passes, lanes, each big-endian | 12 |
/// | salt, fresh for each backup | 16 |
struct BackupHead: Hashable, Sendable {
    static let count = 49
    private static let mark = Array("Pavise home backup ".utf8)
    private static let format = UInt8(ascii: "1")

    let cost: Argon2Cost
    let salt: [UInt8]

    /// A head with a fresh salt.
    init(_ cost: Argon2Cost) throws {
        self.cost = cost
        salt = try Entropy.kernel.bytes(16)
    }

    /// Reads a head. A price beyond what a machine is asked to pay is refused before anything is computed.
    init(_ bytes: [UInt8], path: String) throws(HomeBackupFailure) {
        guard bytes.count == Self.count, bytes.starts(with: Self.mark), bytes[Self.mark.count + 1] == 0x0A else {
            throw .notABackup(path: path)
        }
        let digit = bytes[Self.mark.count]
        guard digit == Self.format else {
            guard (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(digit) else { throw .notABackup(path: path) }
            throw .newer(path: path)
        }
        var reader = ByteReader(Array(bytes.dropFirst(Self.mark.count + 2)))
        guard let kibibytes = try? reader.integer(UInt32.self), let passes = try? reader.integer(UInt32.self),
            let lanes = try? reader.integer(UInt32.self), lanes == 1, (8...1 << 20).contains(kibibytes),
            (1...16).contains(passes), let salt = try? reader.read(16)
        else { throw .notABackup(path: path) }
        cost = Argon2Cost(kibibytes: kibibytes, passes: passes)
        self.salt = salt
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.raw(Self.mark + [Self.format, 0x0A])
        for number in [cost.kibibytes, cost.passes, 1] { writer.integer(number) }
        writer.raw(salt)
        return writer.bytes
    }

    /// The cipher of this file.
    func cipher(_ passphrase: borrowing SecretBytes) throws -> AESGCM {
        let key = try passphrase.withBytes { bytes throws(DeviceFailure) in try cost.stretch(bytes, salt: salt) }
        return try key.withBytes { key throws(CryptoFailure) in try AESGCM(key: key) }
    }
}

/// A chunk's place in the file.
enum BackupChunk {
    /// How many bytes of content a whole chunk has.
    static let count = 65_536
    /// The same with its tag.
    static let sealedCount = count + AESGCM.tagCount

    /// The chunk's number (11 bytes) and whether it is the last (1 byte), as in STREAM (Hoang et al. 2015).
    static func nonce(_ number: UInt64, isLast: Bool) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw([0, 0, 0])
        writer.integer(number)
        writer.raw([isLast ? 1 : 0])
        return writer.bytes
    }
}
