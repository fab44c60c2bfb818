internal import PaviseCrypto

/// Which TLS a server of the lab speaks.
public struct LabTLS: Hashable, Sendable {
    /// A protocol version.
    public enum Version: Hashable, Sendable {
        /// TLS 1.0.
        case tls10
        /// TLS 1.1.
        case tls11
        /// TLS 1.2.
        case tls12
        /// TLS 1.3.
        case tls13
    }

    /// The lowest version it accepts.
    public var minimum: Version
    /// The highest version it accepts.
    public var maximum: Version
    /// Suites up to TLS 1.2 in OpenSSL's list form; `nil` keeps the library's own.
    public var suites: String?
    /// OpenSSL's security level. 0 permits RSA 1024, SHA-1 and TLS 1.1: weak on purpose.
    public var securityLevel: Int
    /// Protocols for ALPN; empty leaves the extension out.
    public var protocols: [String]
    /// The root, DER, that a client's certificate must lead to; `nil` asks for none.
    public var clientAuthority: [UInt8]?
    /// Whether a client without a certificate is turned away, where one is asked for.
    public var demandsClient = true
    /// Whether the question waits for an answer with ``LabResponse/asksWho``.
    public var asksClientLate = false

    /// TLS 1.2 and 1.3 with the library's suites, or what is given.
    public init(
        minimum: Version = .tls12, maximum: Version = .tls13, suites: String? = nil, securityLevel: Int = 1,
        protocols: [String] = ["http/1.1"]
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.suites = suites
        self.securityLevel = securityLevel
        self.protocols = protocols
    }
}

extension LabTLS {
    var parameters: TLSParameters {
        var parameters = TLSParameters()
        parameters.minimum = minimum.number
        parameters.maximum = maximum.number
        parameters.suites = suites
        parameters.securityLevel = Int32(clamping: securityLevel)
        parameters.protocols = protocols
        parameters.clientAuthority = clientAuthority
        parameters.demandsClient = demandsClient
        parameters.asksClientLate = asksClientLate
        return parameters
    }
}

extension LabTLS.Version {
    fileprivate var number: TLSParameters.Version {
        switch self {
        case .tls10: .tls10
        case .tls11: .tls11
        case .tls12: .tls12
        case .tls13: .tls13
        }
    }
}
