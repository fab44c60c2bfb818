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
        case (.rsaSignature(let input, let isPSS), .rsaPrivate(let key, _, _)):
            guard let hash = input.hash else { throw .parameter("unsupported algorithm") }
            let digest = try input.digest(of: data)
            return try KeyFailure.reporting {
                try key.sign(digest: digest, hash: hash, padding: isPSS ? .pss : .pkcs1)
            }
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

    /// Throws unless the signature belongs to the data and this key.
    func verify(_ signature: [UInt8], of data: [UInt8], _ scheme: KeyScheme) throws(KeyFailure) {
        switch (scheme, self) {
        case (.ecdsa(let input, let isRaw), .ecPublic(let key)):
            let digest = try input.digest(of: data)
            let der = isRaw ? ECDSASignature.der(raw: signature, curve: key.curve) : signature
            guard let der, key.verify(signature: der, digest: digest) else { throw .mismatch }
        case (.rsaSignature(let input, let isPSS), .rsaPublic(let key, _)):
            guard let hash = input.hash else { throw .parameter("unsupported algorithm") }
            let digest = try input.digest(of: data)
            guard key.verify(signature: signature, digest: digest, hash: hash, padding: isPSS ? .pss : .pkcs1) else {
                throw .mismatch
            }
        default: throw .parameter("unsupported algorithm")
        }
    }

    /// The x coordinate of ECDH with `peer`.
    func sharedSecret(with peer: ECPublicKey) throws(KeyFailure) -> SecretBytes {
        guard peer.curve == ecPublicKey?.curve else { throw .parameter("the keys are on different curves") }
        switch self {
        case .ecPrivate(let key): return try KeyFailure.reporting { try key.sharedSecret(with: peer) }
        case .element(let element, let blob, _):
            return try KeyFailure.reporting { try element.sharedSecret(with: peer.x963, using: blob) }
        default: throw .parameter("unsupported algorithm")
        }
    }

    /// Encrypts to this public key.
    func encrypt(_ plain: [UInt8], _ scheme: KeyScheme) throws(KeyFailure) -> [UInt8] {
        try KeyFailure.reporting {
            switch (scheme, self) {
            case (.ecies(let hash, let derivesNonce), .ecPublic(let key)):
                try ECIES.seal(plain.span, to: key, .init(hash: hash, derivesNonce: derivesNonce))
            case (.oaep(let hash, let isHybrid), .rsaPublic(let key, _)):
                try isHybrid
                    ? RSAHybrid.seal(plain.span, to: key, hash: hash) : key.encrypt(plain.span, hash: hash)
            default: throw KeyFailure.parameter("unsupported algorithm")
            }
        }
    }

    /// Decrypts with this private key. Every defect of the packet is the same failure.
    func decrypt(_ packet: [UInt8], _ scheme: KeyScheme) throws(KeyFailure) -> SecretBytes {
        switch (scheme, self) {
        case (.ecies(let hash, let derivesNonce), _): return try open(packet, hash, derivesNonce: derivesNonce)
        case (.oaep(let hash, let isHybrid), .rsaPrivate(let key, _, _)):
            return try KeyFailure.reporting {
                guard isHybrid else { return try key.decrypt(packet, hash: hash) }
                return try RSAHybrid.open(packet, with: key, hash: hash)
            }
        default: throw .parameter("unsupported algorithm")
        }
    }

    private func open(
        _ packet: [UInt8], _ hash: HashFunction, derivesNonce: Bool
    ) throws(KeyFailure) -> SecretBytes {
        guard let curve = ecPublicKey?.curve else { throw .parameter("unsupported algorithm") }
        let parts = try KeyFailure.reporting { try ECIES.Packet(packet, curve: curve) }
        let secret = try sharedSecret(with: parts.ephemeral)
        return try KeyFailure.reporting {
            try ECIES.open(parts, secret: secret, .init(hash: hash, derivesNonce: derivesNonce))
        }
    }
}

extension KeyScheme.Input {
    /// The hash that the algorithm names.
    var hash: HashFunction? {
        switch self {
        case .message(let hash), .digest(let hash): hash
        case .anyDigest: nil
        }
    }
}
