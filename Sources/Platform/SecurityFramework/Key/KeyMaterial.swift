internal import PaviseCrypto
internal import PaviseDevice
internal import PavisePrimitives

/// The key itself.
enum KeyMaterial: Sendable {
    case ecPublic(ECPublicKey)
    case ecPrivate(ECPrivateKey)
    case rsaPublic(RSAPublicKey)
    case rsaPrivate(RSAPrivateKey)
    case curve25519Public(Curve25519PublicKey)
    case curve25519Private(Curve25519PrivateKey)
    /// A P-256 key inside the device's secure element: its handle and its public half.
    case element(any SecureElement, blob: [UInt8], ECPublicKey)

    var kind: KeyKind {
        switch self {
        case .ecPublic, .ecPrivate, .element: .ec
        case .rsaPublic, .rsaPrivate: .rsa
        case .curve25519Public(let key): key.use == .signing ? .ed25519 : .x25519
        case .curve25519Private(let key): key.publicKey.use == .signing ? .ed25519 : .x25519
        }
    }

    var isPrivate: Bool {
        switch self {
        case .ecPublic, .rsaPublic, .curve25519Public: false
        case .ecPrivate, .rsaPrivate, .curve25519Private, .element: true
        }
    }

    var isElement: Bool {
        if case .element = self { return true }
        return false
    }

    /// The public half of a key on a NIST curve; `nil` for others.
    var ecPublicKey: ECPublicKey? {
        switch self {
        case .ecPublic(let key), .element(_, _, let key): key
        case .ecPrivate(let key): key.publicKey
        case .rsaPublic, .rsaPrivate, .curve25519Public, .curve25519Private: nil
        }
    }

    /// The public half.
    var publicHalf: KeyMaterial {
        switch self {
        case .ecPublic, .rsaPublic, .curve25519Public: self
        case .ecPrivate(let key): .ecPublic(key.publicKey)
        case .element(_, _, let key): .ecPublic(key)
        case .rsaPrivate(let key): .rsaPublic(key.publicKey)
        case .curve25519Private(let key): .curve25519Public(key.publicKey)
        }
    }

    /// Bits of the field or the modulus; 256 for Curve25519, the bits of a key's bytes.
    var bits: Int {
        switch self {
        case .rsaPublic(let key): key.bits
        case .rsaPrivate(let key): key.publicKey.bits
        case .ecPublic, .ecPrivate, .element: ecPublicKey?.curve.bits ?? 0
        case .curve25519Public, .curve25519Private: 256
        }
    }

    /// Bytes of a block: the modulus, or the field.
    var blockBytes: Int { (bits + 7) / 8 }

    /// The public half as bytes: the point, PKCS#1, or 32 bytes.
    var publicBytes: [UInt8] {
        switch self {
        case .ecPublic(let key), .element(_, _, let key): key.x963
        case .ecPrivate(let key): key.publicKey.x963
        case .rsaPublic(let key): key.pkcs1
        case .rsaPrivate(let key): key.publicKey.pkcs1
        case .curve25519Public(let key): key.raw
        case .curve25519Private(let key): key.publicKey.raw
        }
    }

    /// The whole key as bytes.
    ///
    /// - Throws: -4 for a key of the element, which never leaves it.
    func externalBytes() throws(KeyFailure) -> SecretBytes {
        switch self {
        case .ecPublic, .rsaPublic, .curve25519Public: return SecretBytes(copying: publicBytes.span)
        case .rsaPrivate(let key): return try KeyFailure.reporting { try key.pkcs1() }
        case .curve25519Private(let key): return try KeyFailure.reporting { try key.raw() }
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
