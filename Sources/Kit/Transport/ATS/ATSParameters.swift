/// What ATS asks of an `https:` connection.
public struct ATSParameters: Hashable, Sendable {
    /// Which cipher suites may be offered.
    public enum Suites: Hashable, Sendable {
        /// ATS leaves the library's list alone.
        case unrestricted
        /// The list with forward secrecy.
        case forwardSecret
        /// The four suites with RSA key transport, then the list with forward secrecy.
        case withKeyTransport
    }

    /// What ATS asks of certificates beyond the system's own rules.
    public struct CertificateRules: Hashable, Sendable {
        /// Bits of an RSA key in the leaf.
        public let minimumRSABits: Int
        /// Bits of an elliptic-curve key in the leaf.
        public let minimumECBits: Int
        /// The weakest hash of a signature.
        public let weakestHash: String

        /// RSA 2048, EC 256, SHA-256.
        public static let ats = CertificateRules(minimumRSABits: 2048, minimumECBits: 256, weakestHash: "SHA-256")
    }

    /// The lowest version; `nil` where ATS sets none.
    public let minimumTLSVersion: ATSVersion?
    /// The suites.
    public let suites: Suites
    /// Demands on the certificates; `nil` where ATS has none.
    public let certificateRules: CertificateRules?
    /// Whether an ATS violation ends the connection.
    public let isRequired: Bool
    /// Whether the app may accept a certificate that the system refuses.
    public let mayLoosenTrust: Bool

    /// ATS is off: everything is left alone.
    public static let none = ATSParameters(
        minimumTLSVersion: nil, suites: .unrestricted, certificateRules: nil, isRequired: false, mayLoosenTrust: true)

    /// ATS without an exception.
    public static let full = ATSParameters(
        minimumTLSVersion: .tls12, suites: .forwardSecret, certificateRules: .ats, isRequired: true,
        mayLoosenTrust: false)

    init(
        minimumTLSVersion: ATSVersion?, suites: Suites, certificateRules: CertificateRules?, isRequired: Bool,
        mayLoosenTrust: Bool
    ) {
        self.minimumTLSVersion = minimumTLSVersion
        self.suites = suites
        self.certificateRules = certificateRules
        self.isRequired = isRequired
        self.mayLoosenTrust = mayLoosenTrust
    }

    /// The parameters under an entry of the configuration.
    init(under exception: ATSException, profile: ATSProfile) {
        minimumTLSVersion = exception.minimumTLSVersion ?? .tls12
        isRequired = !exception.allowsInsecureHTTPLoads
        mayLoosenTrust = exception.allowsInsecureHTTPLoads
        // The documentation says that giving up forward secrecy gives up the key sizes too; the code keeps them.
        certificateRules = profile == .documented && !exception.requiresForwardSecrecy ? nil : .ats
        suites =
            exception.requiresForwardSecrecy
            ? .forwardSecret : exception.allowsInsecureHTTPLoads ? .unrestricted : .withKeyTransport
    }

    /// Whether suites without forward secrecy are ruled out.
    public var requiresForwardSecrecy: Bool { suites == .forwardSecret }

    /// The suites by name; `nil` where ATS leaves the list alone.
    public func cipherSuites(_ profile: ATSProfile = .current) -> [ATSCipherSuite]? {
        switch (suites, profile) {
        case (.unrestricted, _): nil
        case (.forwardSecret, .current): ATSCipherSuite.forwardSecret
        case (.withKeyTransport, .current): ATSCipherSuite.rsaKeyTransport + ATSCipherSuite.forwardSecret
        case (.forwardSecret, .documented): ATSCipherSuite.documented2016
        case (.withKeyTransport, .documented):
            ATSCipherSuite.documentedKeyTransport2016 + ATSCipherSuite.documented2016
        }
    }
}
