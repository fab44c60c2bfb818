internal import PaviseCrypto
internal import PavisePrimitives

/// A server's certificate chain and its private key, as a server loads them.
public struct ServerIdentity: Sendable {
    /// Certificates in DER, the server's own first, without the root.
    public let chain: [[UInt8]]
    let key: IssuingKey
    /// A status answer that goes along with the certificate (RFC 6066 §8), DER; empty for none.
    public var staple: [UInt8] = []
    /// A list of certificate timestamps that goes along with the certificate (RFC 6962 §3.3); empty for none.
    public var timestamps: [UInt8] = []

    /// The server's own certificate, DER.
    public var leaf: [UInt8] { chain.first ?? [] }

    /// The chain as PEM text, for a server program in a test.
    public var chainPEM: String { Self.text(of: chain) }

    /// Certificates as PEM text (RFC 7468).
    public static func text(of chain: [[UInt8]]) -> String { chain.map { PEM.text("CERTIFICATE", $0) }.joined() }

    /// SHA-256 of the key's SubjectPublicKeyInfo in base64: the form of a pin (RFC 7469 §2.4).
    public var pin: String { Base64.encode(Hash.digest(.sha256, key.spki)) }

    /// SHA-256 of the server's own certificate, lower-case hexadecimal.
    public var fingerprint: String { Hex.encode(Hash.digest(.sha256, leaf)) }

    /// The same identity that sends more certificates behind its own chain, needed or not.
    public func sending(more certificates: [[UInt8]]) -> ServerIdentity {
        ServerIdentity(chain: chain + certificates, key: key)
    }

    /// The private key as PKCS #8 PEM without a passphrase. It protects nothing but a test.
    ///
    /// - Throws: ``LabFailure/cryptography(_:)`` when OpenSSL cannot write it.
    public func privateKeyPEM() throws(LabFailure) -> String {
        try LabFailure.translating { () throws(CryptoFailure) in try key.privateKeyPEM() }
    }

    /// Chain and key as a PKCS #12 file, as a person gets a certificate of her own.
    ///
    /// - Throws: ``LabFailure/cryptography(_:)`` when OpenSSL cannot write it.
    public func pkcs12(passphrase: String) throws(LabFailure) -> [UInt8] {
        try LabFailure.translating { () throws(CryptoFailure) in
            try key.pkcs12(certificate: leaf, authorities: Array(chain.dropFirst()), passphrase: passphrase)
        }
    }
}
