internal import PaviseCrypto
internal import PaviseDevice
internal import PavisePrimitives

/// The ciphers of one protection class: one for secrets, one for its metadata key, and one for attributes of version 1.
final class ClassCiphers: Sendable {
    let attributes: AESGCM
    let secret: AESGCM
    let metadata: AESGCM
    let key: ClassKey

    init(_ key: ClassKey) throws {
        self.key = key
        let forAttributes = try key.derived("keychain attributes")
        let forSecret = try key.derived("keychain secret")
        let forMetadata = try key.derived("keychain metadata key")
        attributes = try forAttributes.withBytes { try AESGCM(key: $0) }
        metadata = try forMetadata.withBytes { try AESGCM(key: $0) }
        secret = try forSecret.withBytes { try AESGCM(key: $0) }
    }
}

/// The encrypted form of an item.
///
/// Attributes and secret are two halves. Each has a random AES-256-GCM key of its own. The class's metadata key wraps
/// the first one, the class key the second, so that to show attributes never takes what opens secrets. A random tamper
/// check stands in clear in front of each half and inside it: all four must agree. Associated data are the item's
/// header and primary key, so that neither half fits another item, place or generation.
///
/// The bytes of a half: version 1, tamper check (16), wrapped key (12 + 32 + 16), nonce (12), ciphertext and tag.
enum ItemSeal {
    struct Halves {
        var attributes: [UInt8]
        var secret: [UInt8]
    }

    /// The bytes are not what was stored. Nothing of them was used.
    struct Damaged: Error, Hashable {}

    private static let version: UInt8 = 1
    // SQLite keeps at most 1,000,000,000 bytes in a row of its own default.
    private static let mostBytes = 480 << 20
    private static let overhead = 1 + 16 + 60 + 12 + 16

    /// Seals both halves.
    ///
    /// - Parameter metadata: The class's metadata key; `nil` for version 1, where the class key wraps both.
    static func seal(
        attributes: [UInt8], secret: [UInt8], binding: [UInt8], with ciphers: ClassCiphers,
        metadata: MetadataKeys.Cipher?
    ) throws -> Halves {
        let random = try Entropy.kernel.bytes(16 + 2 * 24)
        let check = Array(random[..<16])
        var blurred = padded(secret)
        defer { Wipe.bytes(&blurred) }
        let sealedSecret = try seal(blurred, 2, check, random[40...], binding, ciphers.secret)
        guard let metadata else {
            let sealed = try seal(attributes, 1, check, random[16..<40], binding, ciphers.attributes)
            return Halves(attributes: sealed, secret: sealedSecret)
        }
        return Halves(
            attributes: try seal(attributes, 1, check, random[16..<40], binding, metadata.cipher), secret: sealedSecret)
    }

    static func openAttributes(
        _ half: [UInt8], binding: [UInt8], with ciphers: ClassCiphers, metadata: MetadataKeys.Cipher?
    ) throws -> [UInt8] {
        guard let metadata else { return try open(half, 1, binding, ciphers.attributes) }
        return try open(half, 1, binding, metadata.cipher)
    }

    static func openSecret(
        _ half: [UInt8], beside attributes: [UInt8], binding: [UInt8], with ciphers: ClassCiphers
    ) throws -> [UInt8] {
        try checkPair(half, beside: attributes)
        var blurred = try open(half, 2, binding, ciphers.secret)
        defer { Wipe.bytes(&blurred) }
        return try unpadded(blurred)
    }

    /// Refuses halves that were not written together, as far as that shows in clear.
    static func checkPair(_ secret: [UInt8], beside attributes: [UInt8]) throws(Damaged) {
        guard secret.count > overhead, attributes.count > overhead, secret[1..<17] == attributes[1..<17] else {
            throw Damaged()
        }
    }

    private static func seal(
        _ plain: [UInt8], _ number: UInt8, _ check: [UInt8], _ nonces: ArraySlice<UInt8>, _ binding: [UInt8],
        _ wrapping: borrowing AESGCM
    ) throws -> [UInt8] {
        guard plain.count <= mostBytes else { throw StatusFailure(errSecDataTooLarge) }
        let bound = bound(number, check[...], binding)
        let key = try SecretBytes.random(count: 32)
        let wrapNonce = Array(nonces.prefix(12))
        let nonce = Array(nonces.suffix(12))
        let wrapped = try key.withBytes { try wrapping.seal($0, nonce: wrapNonce, associatedData: bound) }
        var body = check + plain
        defer { Wipe.bytes(&body) }
        let sealed = try AESGCM.sealOnce(body.span, key: key, nonce: nonce, associatedData: bound)
        return [version] + check + wrapNonce + wrapped + nonce + sealed
    }

    private static func open(
        _ half: [UInt8], _ number: UInt8, _ binding: [UInt8], _ wrapping: borrowing AESGCM
    ) throws -> [UInt8] {
        guard half.count > overhead, half[0] == version else { throw Damaged() }
        let bytes = half.span
        let bound = bound(number, half[1..<17], binding)
        do throws(CryptoFailure) {
            let key = try wrapping.open(bytes.extracting(29..<77), nonce: Array(half[17..<29]), associatedData: bound)
            let body = try AESGCM.openOnce(
                bytes.extracting(89...), key: key, nonce: Array(half[77..<89]), associatedData: bound)
            return try body.withBytes { body throws(CryptoFailure) in
                guard body.count >= 16 else { throw .authentication }
                for index in 0..<16 where body[index] != half[1 + index] { throw .authentication }
                return unsafe body.withUnsafeBytes { body in
                    unsafe [UInt8](UnsafeRawBufferPointer(rebasing: body[16...]))
                }
            }
        } catch {
            throw Damaged()
        }
    }

    // What each of the two layers of a half is bound to.
    private static func bound(_ number: UInt8, _ check: ArraySlice<UInt8>, _ binding: [UInt8]) -> [UInt8] {
        var bound: [UInt8] = []
        bound.reserveCapacity(2 + check.count + binding.count)
        bound.append(version)
        bound.append(number)
        bound.append(contentsOf: check)
        bound.append(contentsOf: binding)
        return bound
    }

    // 1 to 20 bytes that each say how many they are: the length of the secret is blurred.
    private static func padded(_ secret: [UInt8]) -> [UInt8] {
        let count = 20 - secret.count % 20
        return secret + [UInt8](repeating: UInt8(count), count: count)
    }

    private static func unpadded(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let count = bytes.last.map(Int.init), (1...20).contains(count), count <= bytes.count else {
            throw Damaged()
        }
        return Array(bytes.dropLast(count))
    }
}
