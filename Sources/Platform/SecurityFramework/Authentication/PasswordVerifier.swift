internal import PaviseCrypto
internal import PavisePrimitives

/// Tells the application's password of an element's key from others. The secret of an item is sealed under its
/// password; a key of the element is only used, so that something has to judge the password before each use.
///
/// Argon2id (RFC 9106), then HMAC-SHA-256 (RFC 2104). The bytes: version 1, salt (16), KiB, passes, code (32).
enum PasswordVerifier {
    private static let cost = (kibibytes: UInt32(19_456), passes: UInt32(2))
    private static let headCount = 1 + 16 + 4 + 4
    private static let label = Array("pavise application password".utf8)

    /// The verifier of a password, under a salt of its own.
    static func make(_ password: SharedSecretBytes) throws -> [UInt8] {
        var writer = ByteWriter()
        writer.raw([1])
        writer.raw(try Entropy.kernel.bytes(16))
        writer.integer(cost.kibibytes)
        writer.integer(cost.passes)
        let head = writer.bytes
        return try head + code(password, head)
    }

    /// Whether the password is the one.
    ///
    /// - Throws: -26275 for bytes that are no verifier.
    static func accepts(_ password: SharedSecretBytes, _ verifier: [UInt8]) throws -> Bool {
        guard verifier.count == headCount + 32 else { throw StatusFailure(errSecDecode) }
        let expected = try code(password, Array(verifier.prefix(headCount)))
        return ConstantTime.equal(expected, Array(verifier.suffix(32)))
    }

    private static func code(_ password: SharedSecretBytes, _ head: [UInt8]) throws -> [UInt8] {
        var reader = ByteReader(head)
        let version = try reader.integer(UInt8.self)
        let salt = try reader.read(16)
        let kibibytes = try reader.integer(UInt32.self)
        let passes = try reader.integer(UInt32.self)
        guard version == 1, kibibytes <= 262_144, passes <= 16,
            let cost = Argon2id.Cost(kibibytes: kibibytes, passes: passes)
        else { throw StatusFailure(errSecDecode) }
        let key = try password.bytes.withBytes { try Argon2id.derive($0, salt: salt, cost: cost) }
        return key.withBytes { HMAC.sha256(key: $0, label) }
    }
}
