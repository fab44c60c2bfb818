/// What a TLS client offers: the words are OpenSSL's.
package struct TLSClientProfile: Hashable, Sendable {
    /// The lowest version.
    package enum Version: Int32, Hashable, Comparable, Sendable {
        case tls10 = 0x0301
        case tls11 = 0x0302
        case tls12 = 0x0303
        case tls13 = 0x0304

        /// Whether the one came before the other.
        package static func < (one: Version, other: Version) -> Bool { one.rawValue < other.rawValue }
    }

    /// The lowest version that is offered.
    package let minimumVersion: Version
    /// Suites of TLS 1.3.
    package let modernSuites: String
    /// Suites of TLS 1.2.
    package let suites: String
    /// Groups for the key exchange.
    package let groups: String
    /// Signature schemes of the handshake.
    package let signatures: String

    /// A profile from its parts.
    package init(minimumVersion: Version, modernSuites: String, suites: String, groups: String, signatures: String) {
        self.minimumVersion = minimumVersion
        self.modernSuites = modernSuites
        self.suites = suites
        self.groups = groups
        self.signatures = signatures
    }

    /// BSI TR-02102-2: what its tables and those of App Transport Security both have. AES in Galois/Counter Mode with
    /// forward secrecy, NIST's curves, ECDSA and RSA-PSS; no ChaCha20, no Curve25519, no CBC, no PKCS#1 v1.5.
    package static let tr02102 = TLSClientProfile(
        minimumVersion: .tls12, modernSuites: "TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256",
        suites: [
            "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-AES128-GCM-SHA256",
            "ECDHE-RSA-AES128-GCM-SHA256",
        ].joined(separator: ":"),
        groups: "P-384:P-256:P-521",
        signatures: [
            "ECDSA+SHA256", "ECDSA+SHA384", "ECDSA+SHA512", "RSA-PSS+SHA256", "RSA-PSS+SHA384", "RSA-PSS+SHA512",
            "rsa_pss_pss_sha256", "rsa_pss_pss_sha384", "rsa_pss_pss_sha512",
        ].joined(separator: ":"))

    /// App Transport Security without exceptions: TLS 1.2, forward secrecy, SHA-256 or better.
    package static let ats = TLSClientProfile(
        minimumVersion: .tls12,
        modernSuites: "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256",
        suites: [
            "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305",
            "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-CHACHA20-POLY1305",
            "ECDHE-ECDSA-AES256-SHA", "ECDHE-ECDSA-AES128-SHA", "ECDHE-RSA-AES256-SHA", "ECDHE-RSA-AES128-SHA",
        ].joined(separator: ":"),
        groups: "X25519:P-256:P-384:P-521",
        signatures: [
            "ECDSA+SHA256", "ECDSA+SHA384", "ECDSA+SHA512", "RSA-PSS+SHA256", "RSA-PSS+SHA384", "RSA-PSS+SHA512",
            "rsa_pss_pss_sha256", "rsa_pss_pss_sha384", "rsa_pss_pss_sha512", "RSA+SHA256", "RSA+SHA384", "RSA+SHA512",
        ].joined(separator: ":"))
}
