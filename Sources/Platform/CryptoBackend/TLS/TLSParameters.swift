/// What a TLS endpoint of the lab offers and accepts.
package struct TLSParameters: Hashable, Sendable {
    /// A protocol version; the raw value is the number on the wire.
    package enum Version: Int32, Comparable, Sendable {
        case tls10 = 0x0301
        case tls11 = 0x0302
        case tls12 = 0x0303
        case tls13 = 0x0304

        package static func < (one: Version, other: Version) -> Bool { one.rawValue < other.rawValue }
    }

    /// The lowest version.
    package var minimum: Version = .tls12
    /// The highest version.
    package var maximum: Version = .tls13
    /// Suites up to TLS 1.2 in OpenSSL's form; `nil` keeps the library's list.
    package var suites: String?
    /// OpenSSL's security level; 0 permits RSA 1024, SHA-1 and TLS 1.1. For servers that are weak on purpose.
    package var securityLevel: Int32 = 1
    /// Protocols for ALPN (RFC 7301), most wanted first; empty leaves the extension out.
    package var protocols: [String] = ["http/1.1"]

    /// The root (DER) that clients' certificates must lead to; `nil` asks for none. Servers only.
    package var clientAuthority: [UInt8]?
    /// Whether a client without a certificate is turned away. Servers only.
    package var demandsClient = true
    /// Whether the question waits until the server asks by itself, in the middle of the connection. Servers only.
    package var asksClientLate = false

    package init() {}

    /// The list as it stands in the extension: each name behind its length.
    var wireProtocols: [UInt8] {
        protocols.flatMap { name in [UInt8(truncatingIfNeeded: name.utf8.count)] + Array(name.utf8) }
    }
}
