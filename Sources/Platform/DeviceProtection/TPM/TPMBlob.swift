internal import PaviseCrypto
internal import PavisePrimitives

/// The handle of an element key or of a passcode's guard: what the TPM made, and where its secret is found.
///
/// The bytes: `PVTK` (key) or `PVTG` (guard), version 1, an identity (16), the PIN index (0 for keys), the object's two
/// halves behind a length each, then HMAC-SHA256 over everything before it under the entry's secret.
struct TPMBlob: Hashable {
    /// What the object is.
    enum Kind: String {
        case key = "PVTK"
        case guardian = "PVTG"
    }

    let kind: Kind
    let identity: [UInt8]
    let index: UInt32
    let object: TPMObject
    private let tag: [UInt8]

    /// Ties an object to its entry.
    init(
        _ kind: Kind, identity: [UInt8], index: UInt32 = 0, object: TPMObject, secret: borrowing SecretBytes
    ) throws(DeviceFailure) {
        self.kind = kind
        self.identity = identity
        self.index = index
        self.object = object
        let body = Self.body(kind, identity, index, object)
        tag = try Self.tag(body, secret)
    }

    /// Reads a handle of `kind`, without checking the tag; `nil` for bytes that are none.
    init?(_ kind: Kind, _ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do throws(ByteReader.Truncated) {
            guard try reader.read(5) == Array(kind.rawValue.utf8) + [1] else { return nil }
            self.kind = kind
            identity = try reader.read(16)
            index = try reader.integer()
            object = TPMObject(area: try reader.block(limit: 1024), hidden: try reader.block(limit: 1024))
            tag = try reader.read(32)
        } catch {
            return nil
        }
        guard reader.isAtEnd else { return nil }
    }

    /// The bytes to store.
    var bytes: [UInt8] { Self.body(kind, identity, index, object) + tag }

    /// Whether nothing was changed since the entry was made.
    func isIntact(_ secret: borrowing SecretBytes) throws(DeviceFailure) -> Bool {
        let expected = try Self.tag(Self.body(kind, identity, index, object), secret)
        return ConstantTime.equal(expected.span, tag.span)
    }

    private static func body(_ kind: Kind, _ identity: [UInt8], _ index: UInt32, _ object: TPMObject) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(Array(kind.rawValue.utf8) + [1])
        writer.raw(identity)
        writer.integer(index)
        writer.block(object.area)
        writer.block(object.hidden)
        return writer.bytes
    }

    private static func tag(_ body: [UInt8], _ secret: borrowing SecretBytes) throws(DeviceFailure) -> [UInt8] {
        let key = try Self.derive("blob", secret)
        return key.withBytes { HMAC.sha256(key: $0, body) }
    }

    /// A key of an entry's own for one use.
    static func derive(
        _ purpose: String, salt: borrowing SecretBytes, _ secret: borrowing SecretBytes
    ) throws(DeviceFailure) -> SecretBytes {
        try salt.withCopy { bytes throws(DeviceFailure) in try derive(purpose, salt: bytes, secret) }
    }

    /// A key of an entry's own for one use.
    static func derive(
        _ purpose: String, salt: [UInt8] = [], _ secret: borrowing SecretBytes
    ) throws(DeviceFailure) -> SecretBytes {
        let info = Array("pavise tpm blob: \(purpose)".utf8)
        do throws(CryptoFailure) {
            return try secret.withBytes { secret throws(CryptoFailure) in
                try KDF.hkdf(secret, salt: salt, info: info, count: 32)
            }
        } catch {
            return try DeviceFailure.reporting { throw error }
        }
    }
}
