/// Apple's numbers for what ATS refuses, with its names.
public enum ATSFailureCode: Int, Hashable, Sendable, CaseIterable {
    /// errSSLATSViolation: ATS refuses for another reason than those below.
    case violation = -9880
    /// errSSLATSMinimumVersionViolation: the version lies below the floor.
    case minimumVersion = -9881
    /// errSSLATSCiphersuiteViolation: the suite is not in the list.
    case cipherSuite = -9882
    /// errSSLATSMinimumKeySizeViolation: the key is too small.
    case minimumKeySize = -9883
    /// errSSLATSLeafCertificateHashAlgorithmViolation: the leaf is signed with a weak hash.
    case leafHash = -9884
    /// errSSLATSCertificateHashAlgorithmViolation: another certificate is signed with a weak hash.
    case certificateHash = -9885
    /// errSSLATSCertificateTrustViolation: the certificate is not trusted, or a pin does not fit.
    case certificateTrust = -9886
    /// NSURLErrorAppTransportSecurityRequiresSecureConnection: plain http is blocked.
    case requiresSecureConnection = -1022
    /// NSURLErrorSecureConnectionFailed.
    case secureConnectionFailed = -1200
    /// NSURLErrorServerCertificateUntrusted.
    case certificateUntrusted = -1202
    /// errSSLPeerHandshakeFail: the server found no common suite.
    case peerHandshakeFailure = -9824
    /// errSSLPeerProtocolVersion: the server found no common version.
    case peerProtocolVersion = -9836
    /// errSSLFatalAlert: the server ended the handshake.
    case fatalAlert = -9802
    /// errSSLHandshakeFail (Network framework): the handshake was not completed.
    case handshakeFailed = -9858

    /// Apple's name.
    public var name: String {
        switch self {
        case .violation: "errSSLATSViolation"
        case .minimumVersion: "errSSLATSMinimumVersionViolation"
        case .cipherSuite: "errSSLATSCiphersuiteViolation"
        case .minimumKeySize: "errSSLATSMinimumKeySizeViolation"
        case .leafHash: "errSSLATSLeafCertificateHashAlgorithmViolation"
        case .certificateHash: "errSSLATSCertificateHashAlgorithmViolation"
        case .certificateTrust: "errSSLATSCertificateTrustViolation"
        case .requiresSecureConnection: "NSURLErrorAppTransportSecurityRequiresSecureConnection"
        case .secureConnectionFailed: "NSURLErrorSecureConnectionFailed"
        case .certificateUntrusted: "NSURLErrorServerCertificateUntrusted"
        case .peerHandshakeFailure: "errSSLPeerHandshakeFail"
        case .peerProtocolVersion: "errSSLPeerProtocolVersion"
        case .fatalAlert: "errSSLFatalAlert"
        case .handshakeFailed: "errSSLHandshakeFail"
        }
    }
}
