internal import PaviseCrypto
internal import PaviseDevice
internal import PavisePrimitives

extension KeyMaterial {
    /// Signs what the caller gave: a message or a digest, as the scheme says.
    func sign(_ data: [UInt8], _ scheme: KeyScheme) throws(KeyFailure) -> [UInt8] {
        switch (scheme, self) {
        case (.ecdsa(let input, let isRaw), _):
            let der = try signature(of: input.digest(of: data))
            guard isRaw, let curve = ecPublicKey?.curve else { return der }
            guard let raw = ECDSASignature.raw(der: der, curve: curve) else { throw .parameter("no signature") }
            return raw
        case (.rsaSignature(let input, let isPSS), .rsaPrivate(let key)):
            let padding = try RSASignaturePadding(input, isPSS: isPSS)
            let digest = try input.digest(of: data)
            return try KeyFailure.reporting { try key.sign(digest: digest, padding: padding) }
        case (.rsaBareSignature, .rsaPrivate(let key)):
            return try KeyFailure.reporting { try key.sign(digest: data, padding: .pkcs1Bare) }
        case (.rsaRawSignature, .rsaPrivate(let key)):
            guard let block = Self.block(data, key.publicKey) else { throw .parameter("too long for the key") }
            let signature = try KeyFailure.reporting { try key.decrypt(block.span, .none) }
            return signature.withBytes { bytes in Array(bytes) }
        case (.eddsa, .curve25519Private(let key)):
            return try KeyFailure.reporting { try key.sign(message: data) }
        default: throw .parameter("unsupported algorithm")
        }
    }

    private func signature(of digest: [UInt8]) throws(KeyFailure) -> [UInt8] {
        switch self {
        case .ecPrivate(let key): return try KeyFailure.reporting { try key.sign(digest: digest) }
        case .element(let element, let blob, _):
            return try KeyFailure.reporting { try element.sign(digest: Self.elementDigest(digest), with: blob) }
        default: throw .parameter("unsupported algorithm")
        }
    }

    // An element signs 32 bytes. ECDSA on P-256 uses the leftmost 256 bits of a digest as a number: longer ones are
    // cut, shorter ones get zeros in front.
    private static func elementDigest(_ digest: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, 32 - digest.count)) + digest.prefix(32)
    }

    // As many bytes as the modulus has, zeros in front; `nil` when there are more.
    private static func block(_ data: [UInt8], _ key: RSAPublicKey) -> [UInt8]? {
        guard data.count <= key.blockBytes else { return nil }
        return [UInt8](repeating: 0, count: key.blockBytes - data.count) + data
    }

    /// Throws unless the signature belongs to the data and this key.
    func verify(_ signature: [UInt8], of data: [UInt8], _ scheme: KeyScheme) throws(KeyFailure) {
        guard try isSignature(signature, of: data, scheme) else { throw .mismatch }
    }

    private func isSignature(
        _ signature: [UInt8], of data: [UInt8], _ scheme: KeyScheme
    ) throws(KeyFailure) -> Bool {
        switch (scheme, self) {
        case (.ecdsa(let input, let isRaw), .ecPublic(let key)):
            let digest = try input.digest(of: data)
            let der = isRaw ? ECDSASignature.der(raw: signature, curve: key.curve) : signature
            return der.map { key.verify(signature: $0, digest: digest) } ?? false
        case (.rsaSignature(let input, let isPSS), .rsaPublic(let key)):
            let padding = try RSASignaturePadding(input, isPSS: isPSS)
            return key.verify(signature: signature, digest: try input.digest(of: data), padding: padding)
        case (.rsaBareSignature, .rsaPublic(let key)):
            return key.verify(signature: signature, digest: data, padding: .pkcs1Bare)
        case (.rsaRawSignature, .rsaPublic(let key)):
            guard let block = Self.block(data, key) else { throw .parameter("too long for the key") }
            // The public operation on a signature gives what was signed.
            return signature.count == key.blockBytes && (try? key.encrypt(signature.span, .none)) == block
        case (.eddsa, .curve25519Public(let key)): return key.verify(signature: signature, message: data)
        default: throw .parameter("unsupported algorithm")
        }
    }
}

extension RSASignaturePadding {
    fileprivate init(_ input: KeyScheme.Input, isPSS: Bool) throws(KeyFailure) {
        guard let hash = input.hash else { throw .parameter("unsupported algorithm") }
        self = isPSS ? .pss(hash) : .pkcs1(hash)
    }
}
