extension StatusNames {
    /// The names after `errSSL`, each with the sentence for a person.
    static let secureTransport: [OSStatus: (name: String, sentence: String)] = [
        errSSLProtocol: ("Protocol", "A message broke the rules of TLS."),
        errSSLNegotiation: ("Negotiation", "The two sides share no version or cipher suite."),
        errSSLFatalAlert: ("FatalAlert", "The other side sent a fatal alert."),
        errSSLWouldBlock: ("WouldBlock", "Nothing more can be read or written at this moment."),
        errSSLSessionNotFound: ("SessionNotFound", "The session to resume is not known."),
        errSSLClosedGraceful: ("ClosedGraceful", "The connection was closed in order."),
        errSSLClosedAbort: ("ClosedAbort", "The connection was closed because of an error."),
        errSSLXCertChainInvalid: ("XCertChainInvalid", "The certificate chain is not valid."),
        errSSLBadCert: ("BadCert", "The certificate cannot be read."),
        errSSLCrypto: ("Crypto", "A cryptographic operation failed."),
        errSSLInternal: ("Internal", "The TLS library failed inside."),
        errSSLModuleAttach: ("ModuleAttach", "A module of the TLS library cannot be attached."),
        errSSLUnknownRootCert: ("UnknownRootCert", "The chain is complete, and its root is not trusted."),
        errSSLNoRootCert: ("NoRootCert", "The chain does not end in a root."),
        errSSLCertExpired: ("CertExpired", "A certificate of the chain has expired."),
        errSSLCertNotYetValid: ("CertNotYetValid", "A certificate of the chain is not valid yet."),
        errSSLClosedNoNotify: ("ClosedNoNotify", "The other side closed the connection without saying so."),
        errSSLBufferOverflow: ("BufferOverflow", "The buffer is too small."),
        errSSLBadCipherSuite: ("BadCipherSuite", "The cipher suite is not usable."),
        errSSLPeerUnexpectedMsg: ("PeerUnexpectedMsg", "The other side says: the message was not expected."),
        errSSLPeerBadRecordMac: ("PeerBadRecordMac", "The other side says: a record is not authentic."),
        errSSLPeerDecryptionFail: ("PeerDecryptionFail", "The other side says: a record cannot be decrypted."),
        errSSLPeerRecordOverflow: ("PeerRecordOverflow", "The other side says: a record is too long."),
        errSSLPeerDecompressFail: ("PeerDecompressFail", "The other side says: a record cannot be unpacked."),
        errSSLPeerHandshakeFail: ("PeerHandshakeFail", "The other side says: the handshake failed."),
        errSSLPeerBadCert: ("PeerBadCert", "The other side says: the certificate is damaged."),
        errSSLPeerUnsupportedCert: (
            "PeerUnsupportedCert", "The other side says: certificates of this kind are not taken."
        ),
        errSSLPeerCertRevoked: ("PeerCertRevoked", "The other side says: the certificate was revoked."),
        errSSLPeerCertExpired: ("PeerCertExpired", "The other side says: the certificate has expired."),
        errSSLPeerCertUnknown: ("PeerCertUnknown", "The other side says: the certificate is not acceptable."),
        errSSLIllegalParam: ("IllegalParam", "A field of a message has a value that is not allowed."),
        errSSLPeerUnknownCA: ("PeerUnknownCA", "The other side says: the authority is not known."),
        errSSLPeerAccessDenied: ("PeerAccessDenied", "The other side says: access is denied."),
        errSSLPeerDecodeError: ("PeerDecodeError", "The other side says: a message cannot be decoded."),
        errSSLPeerDecryptError: (
            "PeerDecryptError", "The other side says: a signature or check of the handshake is wrong."
        ),
        errSSLPeerExportRestriction: ("PeerExportRestriction", "The other side says: rules of export forbid this."),
        errSSLPeerProtocolVersion: ("PeerProtocolVersion", "The other side says: this version of TLS is not taken."),
        errSSLPeerInsufficientSecurity: (
            "PeerInsufficientSecurity", "The other side says: stronger ciphers are required."
        ),
        errSSLPeerInternalError: ("PeerInternalError", "The other side says: it failed inside."),
        errSSLPeerUserCancelled: ("PeerUserCancelled", "The other side says: a person stopped the handshake."),
        errSSLPeerNoRenegotiation: ("PeerNoRenegotiation", "The other side does not negotiate again."),
        errSSLPeerAuthCompleted: (
            "PeerAuthCompleted", "The handshake pauses: the other side's certificate can be judged now."
        ),
        errSSLClientCertRequested: (
            "ClientCertRequested", "The handshake pauses: the server asks for a client certificate."
        ),
        errSSLHostNameMismatch: ("HostNameMismatch", "The certificate is for another host name."),
        errSSLConnectionRefused: ("ConnectionRefused", "The connection was refused."),
        errSSLDecryptionFail: ("DecryptionFail", "A record cannot be decrypted."),
        errSSLBadRecordMac: ("BadRecordMac", "A record is not authentic."),
        errSSLRecordOverflow: ("RecordOverflow", "A record is too long."),
        errSSLBadConfiguration: ("BadConfiguration", "The TLS settings contradict each other."),
        errSSLUnexpectedRecord: ("UnexpectedRecord", "A record came that was not expected; it was skipped."),
        errSSLWeakPeerEphemeralDHKey: ("WeakPeerEphemeralDHKey", "The other side's Diffie-Hellman key is too weak."),
        errSSLClientHelloReceived: ("ClientHelloReceived", "The handshake pauses: the client has said hello."),
        errSSLTransportReset: ("TransportReset", "The connection below TLS was reset."),
        errSSLNetworkTimeout: ("NetworkTimeout", "The network did not answer in time."),
        errSSLConfigurationFailed: ("ConfigurationFailed", "TLS cannot be set up."),
        errSSLUnsupportedExtension: ("UnsupportedExtension", "A TLS extension was not offered."),
        errSSLUnexpectedMessage: ("UnexpectedMessage", "A message came that was not expected."),
        errSSLDecompressFail: ("DecompressFail", "A record cannot be unpacked."),
        errSSLHandshakeFail: ("HandshakeFail", "The handshake failed."),
        errSSLDecodeError: ("DecodeError", "A message cannot be decoded."),
        errSSLInappropriateFallback: ("InappropriateFallback", "The other side offers less than it can."),
        errSSLMissingExtension: ("MissingExtension", "A TLS extension is missing that is required."),
        errSSLBadCertificateStatusResponse: ("BadCertificateStatusResponse", "The stapled OCSP answer is not usable."),
        errSSLCertificateRequired: ("CertificateRequired", "A client certificate is required."),
        errSSLUnknownPSKIdentity: ("UnknownPSKIdentity", "The name of the shared key is not known."),
        errSSLUnrecognizedName: ("UnrecognizedName", "The server does not answer to this name."),
        errSSLATSViolation: ("ATSViolation", "The connection breaks a rule of App Transport Security."),
        errSSLATSMinimumVersionViolation: (
            "ATSMinimumVersionViolation",
            "App Transport Security requires a later version of TLS."
        ),
        errSSLATSCiphersuiteViolation: ("ATSCiphersuiteViolation", "App Transport Security forbids the cipher suite."),
        errSSLATSMinimumKeySizeViolation: (
            "ATSMinimumKeySizeViolation", "App Transport Security requires a longer key."
        ),
        errSSLATSLeafCertificateHashAlgorithmViolation: (
            "ATSLeafCertificateHashAlgorithmViolation",
            "App Transport Security forbids the digest in the server's certificate."
        ),
        errSSLATSCertificateHashAlgorithmViolation: (
            "ATSCertificateHashAlgorithmViolation",
            "App Transport Security forbids the digest in a certificate of the chain."
        ),
        errSSLATSCertificateTrustViolation: (
            "ATSCertificateTrustViolation",
            "App Transport Security requires a certificate of a trusted authority."
        ),
        errSSLEarlyDataRejected: ("EarlyDataRejected", "The other side refused the early data."),
    ]
}
