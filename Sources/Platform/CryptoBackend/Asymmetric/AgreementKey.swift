/// A public key that somebody can agree on a secret with: on a NIST curve, or X25519.
package protocol AgreementKey: Sendable {
    /// The key as it stands in a packet: 04‖X‖Y, or the 32 bytes of X25519.
    var encoded: [UInt8] { get }
    /// The size of the field in bits.
    var fieldBits: Int { get }
}

extension ECPublicKey: AgreementKey {
    package var encoded: [UInt8] { x963 }
    package var fieldBits: Int { curve.bits }
}

extension Curve25519PublicKey: AgreementKey {
    package var encoded: [UInt8] { raw }
    package var fieldBits: Int { 255 }
}
