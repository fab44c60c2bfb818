// Status codes of TLS that came later, and those of App Transport Security. Names and numbers as in Apple's header
// SecBase.h; the sentences are our own.

/// The handshake pauses: the other side's certificate can be judged now.
public let errSSLPeerAuthCompleted: OSStatus = -9841
/// The handshake pauses: the server asks for a client certificate.
public let errSSLClientCertRequested: OSStatus = -9842
/// The certificate is for another host name.
public let errSSLHostNameMismatch: OSStatus = -9843
/// The connection was refused.
public let errSSLConnectionRefused: OSStatus = -9844
/// A record cannot be decrypted.
public let errSSLDecryptionFail: OSStatus = -9845
/// A record is not authentic.
public let errSSLBadRecordMac: OSStatus = -9846
/// A record is too long.
public let errSSLRecordOverflow: OSStatus = -9847
/// The TLS settings contradict each other.
public let errSSLBadConfiguration: OSStatus = -9848
/// A record came that was not expected; it was skipped.
public let errSSLUnexpectedRecord: OSStatus = -9849
/// The other side's Diffie-Hellman key is too weak.
public let errSSLWeakPeerEphemeralDHKey: OSStatus = -9850
/// The handshake pauses: the client has said hello.
public let errSSLClientHelloReceived: OSStatus = -9851
/// The connection below TLS was reset.
public let errSSLTransportReset: OSStatus = -9852
/// The network did not answer in time.
public let errSSLNetworkTimeout: OSStatus = -9853
/// TLS cannot be set up.
public let errSSLConfigurationFailed: OSStatus = -9854
/// A TLS extension was not offered.
public let errSSLUnsupportedExtension: OSStatus = -9855
/// A message came that was not expected.
public let errSSLUnexpectedMessage: OSStatus = -9856
/// A record cannot be unpacked.
public let errSSLDecompressFail: OSStatus = -9857
/// The handshake failed.
public let errSSLHandshakeFail: OSStatus = -9858
/// A message cannot be decoded.
public let errSSLDecodeError: OSStatus = -9859
/// The other side offers less than it can.
public let errSSLInappropriateFallback: OSStatus = -9860
/// A TLS extension is missing that is required.
public let errSSLMissingExtension: OSStatus = -9861
/// The stapled OCSP answer is not usable.
public let errSSLBadCertificateStatusResponse: OSStatus = -9862
/// A client certificate is required.
public let errSSLCertificateRequired: OSStatus = -9863
/// The name of the shared key is not known.
public let errSSLUnknownPSKIdentity: OSStatus = -9864
/// The server does not answer to this name.
public let errSSLUnrecognizedName: OSStatus = -9865
/// The connection breaks a rule of App Transport Security.
public let errSSLATSViolation: OSStatus = -9880
/// App Transport Security requires a later version of TLS.
public let errSSLATSMinimumVersionViolation: OSStatus = -9881
/// App Transport Security forbids the cipher suite.
public let errSSLATSCiphersuiteViolation: OSStatus = -9882
/// App Transport Security requires a longer key.
public let errSSLATSMinimumKeySizeViolation: OSStatus = -9883
/// App Transport Security forbids the digest in the server's certificate.
public let errSSLATSLeafCertificateHashAlgorithmViolation: OSStatus = -9884
/// App Transport Security forbids the digest in a certificate of the chain.
public let errSSLATSCertificateHashAlgorithmViolation: OSStatus = -9885
/// App Transport Security requires a certificate of a trusted authority.
public let errSSLATSCertificateTrustViolation: OSStatus = -9886
/// The other side refused the early data.
public let errSSLEarlyDataRejected: OSStatus = -9890
