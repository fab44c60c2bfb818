/// A protocol version that `NSExceptionMinimumTLSVersion` can name. The raw value is the text, compared byte for byte.
public enum ATSVersion: String, Hashable, Sendable, CaseIterable {
    /// TLS 1.0 (RFC 2246).
    case tls10 = "TLSv1.0"
    /// TLS 1.1 (RFC 4346).
    case tls11 = "TLSv1.1"
    /// TLS 1.2 (RFC 5246).
    case tls12 = "TLSv1.2"
    /// TLS 1.3 (RFC 8446).
    case tls13 = "TLSv1.3"
    /// A datagram version: Apple's parser knows it, and no TLS connection meets it.
    case dtls10 = "DTLSv1.0"
    /// A datagram version: Apple's parser knows it, and no TLS connection meets it.
    case dtls12 = "DTLSv1.2"

    /// Whether it is a version of DTLS, which no URL load uses.
    public var isDatagram: Bool { self == .dtls10 || self == .dtls12 }

    /// The number on the wire (RFC 8446 §4.1.2, RFC 9147 §5.3).
    public var wireNumber: UInt16 {
        switch self {
        case .tls10: 0x0301
        case .tls11: 0x0302
        case .tls12: 0x0303
        case .tls13: 0x0304
        case .dtls10: 0xFEFF
        case .dtls12: 0xFEFD
        }
    }
}
