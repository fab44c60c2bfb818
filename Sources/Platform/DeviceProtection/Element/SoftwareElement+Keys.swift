internal import PaviseCrypto
package import PavisePrimitives

// A key's scalar is sealed under the root and under a random salt of the key's own, which lies in a file. Removing
// that file is what destroys the key: the copies of the blob that remain cannot be opened again.
extension SoftwareElement {
    /// See ``SecureElement/generateKey()``.
    package func generateKey() throws(DeviceFailure) -> ElementKey {
        try DeviceFailure.reporting {
            let key = try ECPrivateKey(generating: .p256)
            let salt = try Entropy.kernel.bytes(32)
            let blob = ElementBlob(
                identity: try Entropy.kernel.bytes(16), publicKey: key.publicKey.x963,
                nonce: try Entropy.kernel.bytes(12), sealed: [])
            let scalar = try key.scalar()
            let wrapping = try wrappingKey(salt: salt)
            let sealed = try scalar.withBytes {
                try wrapping.seal($0, nonce: blob.nonce, associatedData: blob.header)
            }
            try DurableFile.makeDirectory(folder + "/keys")
            try DurableFile.write(salt.span, to: saltPath(blob))
            return ElementKey(blob: blob.header + blob.nonce + sealed, publicKey: blob.publicKey)
        }
    }

    /// See ``SecureElement/sign(digest:with:)``.
    package func sign(digest: [UInt8], with blob: [UInt8]) throws(DeviceFailure) -> [UInt8] {
        guard digest.count == 32 else { throw .invalidInput }
        let key = try open(blob)
        return try DeviceFailure.reporting { try key.sign(digest: digest) }
    }

    /// See ``SecureElement/sharedSecret(with:using:)``.
    package func sharedSecret(with peer: [UInt8], using blob: [UInt8]) throws(DeviceFailure) -> SecretBytes {
        let key = try open(blob)
        return try DeviceFailure.reporting {
            try key.sharedSecret(with: ECPublicKey(x963: peer, curve: .p256))
        }
    }

    /// See ``SecureElement/publicKey(of:)``.
    package func publicKey(of blob: [UInt8]) throws(DeviceFailure) -> [UInt8] { try open(blob).publicKey.x963 }

    /// See ``SecureElement/destroy(_:)``.
    package func destroy(_ blob: [UInt8]) throws(DeviceFailure) {
        guard let parts = ElementBlob(blob) else { throw .unknownKey }
        opened.forget(blob)
        try DeviceFailure.reporting { try DurableFile.remove(saltPath(parts)) }
    }

    private func open(_ blob: [UInt8]) throws(DeviceFailure) -> ECPrivateKey {
        guard let parts = ElementBlob(blob) else { throw .unknownKey }
        let path = saltPath(parts)
        return try DeviceFailure.reporting {
            try opened.key(blob, salt: path) {
                guard let salt = try DurableFile.readIfPresent(path, limit: 64, isSecret: true) else {
                    throw DeviceFailure.unknownKey
                }
                let wrapping = try wrappingKey(salt: salt)
                let scalar = try wrapping.open(parts.sealed.span, nonce: parts.nonce, associatedData: parts.header)
                return try scalar.withBytes { try ECPrivateKey(scalar: $0, point: parts.publicKey, curve: .p256) }
            }
        }
    }

    private func wrappingKey(salt: [UInt8]) throws -> AESGCM {
        let key = try derive(salt: salt, purpose: "element key")
        return try key.withBytes { try AESGCM(key: $0) }
    }

    private func saltPath(_ blob: ElementBlob) -> String { folder + "/keys/" + Hex.encode(blob.identity) }
}

/// The parts of an element key's handle: version 1, identity (16), public key (65), nonce (12), sealed scalar (48).
struct ElementBlob {
    let identity: [UInt8]
    let publicKey: [UInt8]
    let nonce: [UInt8]
    let sealed: [UInt8]

    init(identity: [UInt8], publicKey: [UInt8], nonce: [UInt8], sealed: [UInt8]) {
        self.identity = identity
        self.publicKey = publicKey
        self.nonce = nonce
        self.sealed = sealed
    }

    /// Reads a handle; `nil` for bytes that are none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 1 + 16 + 65 + 12 + 48, bytes[0] == 1 else { return nil }
        identity = Array(bytes[1..<17])
        publicKey = Array(bytes[17..<82])
        nonce = Array(bytes[82..<94])
        sealed = Array(bytes[94...])
    }

    /// What the seal authenticates beside the scalar.
    var header: [UInt8] { [1] + identity + publicKey }
}
