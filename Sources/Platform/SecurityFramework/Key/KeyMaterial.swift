internal import PaviseCrypto
internal import PaviseDevice
internal import PavisePrimitives

/// The key itself.
enum KeyMaterial: Sendable {
    case ecPublic(ECPublicKey)
    case ecPrivate(ECPrivateKey)
    case rsaPublic(RSAPublicKey, pkcs1: [UInt8])
    case rsaPrivate(RSAPrivateKey, RSAPublicKey, pkcs1: [UInt8])
    /// A P-256 key inside the device's secure element: its handle and its public half.
    case element(any SecureElement, blob: [UInt8], ECPublicKey)

    var isPrivate: Bool {
        switch self {
        case .ecPublic, .rsaPublic: false
        case .ecPrivate, .rsaPrivate, .element: true
        }
    }

    var isEC: Bool { ecPublicKey != nil }

    var isElement: Bool {
        if case .element = self { return true }
        return false
    }

    /// The public half of an EC key; `nil` for RSA.
    var ecPublicKey: ECPublicKey? {
        switch self {
        case .ecPublic(let key), .element(_, _, let key): key
        case .ecPrivate(let key): key.publicKey
        case .rsaPublic, .rsaPrivate: nil
        }
    }

    /// The public half.
    var publicHalf: KeyMaterial {
        switch self {
        case .ecPublic, .rsaPublic: self
        case .ecPrivate(let key): .ecPublic(key.publicKey)
        case .element(_, _, let key): .ecPublic(key)
        case .rsaPrivate(_, let key, let pkcs1): .rsaPublic(key, pkcs1: pkcs1)
        }
    }

    /// Bits of the field or the modulus.
    var bits: Int {
        switch self {
        case .rsaPublic(let key, _), .rsaPrivate(_, let key, _): key.bits
        case .ecPublic, .ecPrivate, .element: ecPublicKey?.curve.bits ?? 0
        }
    }

    /// Bytes of a block: the modulus, or the field.
    var blockBytes: Int { (bits + 7) / 8 }

    /// The public half as bytes: the point, or PKCS#1.
    var publicBytes: [UInt8] {
        switch self {
        case .ecPublic(let key), .element(_, _, let key): key.x963
        case .ecPrivate(let key): key.publicKey.x963
        case .rsaPublic(_, let pkcs1), .rsaPrivate(_, _, let pkcs1): pkcs1
        }
    }

    /// The whole key as bytes.
    ///
    /// - Throws: -4 for a key of the element, which never leaves it.
    func externalBytes() throws(KeyFailure) -> SecretBytes {
        switch self {
        case .ecPublic, .rsaPublic: return SecretBytes(copying: publicBytes.span)
        case .rsaPrivate(let key, _, _): return try KeyFailure.reporting { try key.pkcs1() }
        case .element: throw .unimplemented("The private key never leaves the secure element.")
        case .ecPrivate(let key):
            let scalar = try KeyFailure.reporting { try key.scalar() }
            let point = key.publicKey.x963
            return scalar.withBytes { scalar in
                SecretBytes(count: point.count + scalar.count) { target in
                    for index in point.indices { target[index] = point[index] }
                    for index in scalar.indices { target[point.count + index] = scalar[index] }
                }
            }
        }
    }
}
