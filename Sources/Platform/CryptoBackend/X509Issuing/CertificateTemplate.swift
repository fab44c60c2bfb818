/// What a certificate to be issued says (RFC 5280 §4.1).
package struct CertificateTemplate: Sendable {
    /// The hash of the signature.
    package enum SignatureHash: Hashable, Sendable {
        case sha1
        case sha256
        case sha384
        /// SHA-256 with an RSA key, padded as RSASSA-PSS (RFC 4055).
        case sha256PSS
    }

    /// An extension by name and in the text form of OpenSSL's configuration files (x509v3_config).
    package struct Extension: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The subject's common name.
    package var subject: String
    /// The serial number, big-endian, at most 20 bytes.
    package var serial: [UInt8]
    /// Seconds since 1970, inclusive.
    package var notBefore: Int64
    /// Seconds since 1970, inclusive.
    package var notAfter: Int64
    /// The hash that is signed.
    package var hash: SignatureHash
    /// Extensions in their order; the key identifiers need the keys and are written by name: `subjectKeyIdentifier`
    /// with `hash`, `authorityKeyIdentifier` with `keyid`.
    package var extensions: [Extension]

    package init(
        subject: String, serial: [UInt8], notBefore: Int64, notAfter: Int64, hash: SignatureHash,
        extensions: [Extension]
    ) {
        self.subject = subject
        self.serial = serial
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.hash = hash
        self.extensions = extensions
    }
}
