internal import PaviseCrypto
package import PavisePrimitives

// A key is made by the TPM and opens only with a secret that lies in the element's table. Destroying a key drops the
// secret and begins another epoch, so that the older table, and with it every copy of the blob, is useless.
extension TPMElement {
    /// See ``SecureElement/generateKey()``.
    package func generateKey() throws(DeviceFailure) -> ElementKey {
        try changing { link, root in
            let identity = try Entropy.kernel.bytes(16)
            let secret = try SecretBytes.random(count: 32)
            let object = try Self.makeKey(secret, link)
            let blob = try TPMBlob(.key, identity: identity, object: object, secret: secret)
            try self.store(root.with(root.state, table: root.table.adding(identity, secret)))
            return ElementKey(blob: blob.bytes, publicKey: try TPMContext.point(of: object))
        }
    }

    private static func makeKey(_ secret: borrowing SecretBytes, _ link: TPMLink) throws -> TPMObject {
        let nothing: [UInt8] = []
        let value = try TPMBlob.derive("authorisation", secret)
        return try value.withBytes {
            try link.context.create(
                .elementKey, value: $0, secret: nothing.span, policy: [], under: link.primary, session: link.session)
        }
    }

    /// See ``SecureElement/sign(digest:with:)``.
    package func sign(digest: [UInt8], with blob: [UInt8]) throws(DeviceFailure) -> [UInt8] {
        guard digest.count == 32 else { throw .invalidInput }
        let raw = try channel.run { link in
            try link.context.sign(digest, with: try self.key(blob, link), session: link.session)
        }
        guard let signature = ECDSASignature.der(raw: raw, curve: .p256) else { throw .hardware(TPMFailure(.other)) }
        return signature
    }

    /// See ``SecureElement/sharedSecret(with:using:)``.
    package func sharedSecret(with peer: [UInt8], using blob: [UInt8]) throws(DeviceFailure) -> SecretBytes {
        try channel.run { link in
            try link.context.agree(with: peer, using: try self.key(blob, link), session: link.session)
        }
    }

    private func key(_ blob: [UInt8], _ link: TPMLink) throws -> TPMHandle {
        let parts = try parts(blob, try root(link))
        let value = try TPMBlob.derive("authorisation", parts.secret)
        return try value.withBytes { try link.key(parts.blob.identity, parts.blob.object, value: $0) }
    }

    /// See ``SecureElement/publicKey(of:)``.
    package func publicKey(of blob: [UInt8]) throws(DeviceFailure) -> [UInt8] {
        let root = try root()
        return try DeviceFailure.reporting {
            let parts = try parts(blob, root)
            return try TPMContext.point(of: parts.blob.object)
        }
    }

    /// See ``SecureElement/destroy(_:)``.
    package func destroy(_ blob: [UInt8]) throws(DeviceFailure) {
        guard let parts = TPMBlob(.key, blob) else { throw .unknownKey }
        try changing { link, root in
            guard let table = root.table.removing(parts.identity) else { return }
            try self.beginEpoch(root, root.state, table: table, link)
            link.dropKept()
        }
    }

    private struct Parts: ~Copyable {
        let blob: TPMBlob
        let secret: SecretBytes
    }

    private func parts(_ blob: [UInt8], _ root: TPMRoot) throws(DeviceFailure) -> Parts {
        guard let blob = TPMBlob(.key, blob), let secret = root.table.secret(of: blob.identity),
            try blob.isIntact(secret)
        else { throw .unknownKey }
        return Parts(blob: blob, secret: secret)
    }
}
