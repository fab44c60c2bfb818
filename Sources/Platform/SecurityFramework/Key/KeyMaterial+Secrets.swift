internal import PaviseCrypto
internal import PaviseDevice
internal import PavisePrimitives

extension KeyMaterial {
    /// The secret shared with `peer`, a public key of the same kind and curve: the x coordinate, or 32 bytes of X25519.
    ///
    /// - Throws: -50 for another kind or curve, and for an X25519 key of small order.
    func sharedSecret(with peer: KeyMaterial) throws(KeyFailure) -> SecretBytes {
        switch (self, peer) {
        case (_, .ecPublic(let peer)): return try sharedSecret(with: peer)
        case (.curve25519Private(let key), .curve25519Public(let peer)):
            return try KeyFailure.reporting { try key.sharedSecret(with: peer) }
        default: throw .parameter("key exchange needs a private and a public key of one kind")
        }
    }

    private func sharedSecret(with peer: ECPublicKey) throws(KeyFailure) -> SecretBytes {
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
            case (.ecies(let hash, let derivesNonce), .curve25519Public(let key)):
                try ECIES.seal(plain.span, to: key, .init(hash: hash, derivesNonce: derivesNonce))
            case (.rsaEncryption(.plain(let padding)), .rsaPublic(let key)): try key.encrypt(plain.span, padding)
            case (.rsaEncryption(.hybrid(let hash)), .rsaPublic(let key)):
                try RSAHybrid.seal(plain.span, to: key, hash: hash)
            default: throw KeyFailure.parameter("unsupported algorithm")
            }
        }
    }

    /// Decrypts with this private key. Every defect of the packet is the same failure.
    func decrypt(_ packet: [UInt8], _ scheme: KeyScheme) throws(KeyFailure) -> SecretBytes {
        switch (scheme, self) {
        case (.ecies(let hash, let derivesNonce), _):
            return try open(packet, .init(hash: hash, derivesNonce: derivesNonce))
        case (.rsaEncryption(.plain(let padding)), .rsaPrivate(let key)):
            return try KeyFailure.reporting { try key.decrypt(packet.span, padding) }
        case (.rsaEncryption(.hybrid(let hash)), .rsaPrivate(let key)):
            return try KeyFailure.reporting { try RSAHybrid.open(packet, with: key, hash: hash) }
        default: throw .parameter("unsupported algorithm")
        }
    }

    private func open(_ packet: [UInt8], _ options: ECIES.Options) throws(KeyFailure) -> SecretBytes {
        if case .curve25519Private(let key) = self { return try Self.open(packet, key, options) }
        guard let curve = ecPublicKey?.curve else { throw .parameter("unsupported algorithm") }
        let parts = try KeyFailure.reporting { try ECIES.Packet(packet, curve: curve) }
        let secret = try sharedSecret(with: parts.ephemeral)
        return try KeyFailure.reporting { try ECIES.open(parts, secret: secret, options) }
    }

    private static func open(
        _ packet: [UInt8], _ key: Curve25519PrivateKey, _ options: ECIES.Options
    ) throws(KeyFailure) -> SecretBytes {
        try KeyFailure.reporting {
            let parts = try ECIES.Packet(x25519: packet)
            guard let secret = try? key.sharedSecret(with: parts.ephemeral) else { throw CryptoFailure.authentication }
            return try ECIES.open(parts, secret: secret, options)
        }
    }
}
