internal import Foundation
internal import SecurityFramework

extension EnclaveKey {
    /// The key's public half: 04‖X‖Y, 65 bytes. Make the key with ``prepare()`` first.
    public func publicPoint() throws(VaultFailure) -> [UInt8] {
        let (status, point) = EnclaveBridge.publicPoint(tag: tag)
        try Self.check(status)
        guard let point, point.count == 65 else { throw .system(status: status) }
        return [UInt8](point)
    }

    /// Signs inside the element: ECDSA over the SHA-256 of `message`, as r ‖ s, 64 bytes (RFC 7518 §3.4).
    public func sign(_ message: [UInt8]) throws(VaultFailure) -> [UInt8] {
        let (status, signature) = EnclaveBridge.sign(Data(message), tag: tag)
        try Self.check(status)
        guard let signature, signature.count == 64 else { throw .system(status: status) }
        return [UInt8](signature)
    }
}
