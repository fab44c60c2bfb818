// Status codes of a TLS connection. Names and numbers as in Apple's header SecBase.h; the sentences are our own.

/// A message broke the rules of TLS.
public let errSSLProtocol: OSStatus = -9800
/// The two sides share no version or cipher suite.
public let errSSLNegotiation: OSStatus = -9801
/// The other side sent a fatal alert.
public let errSSLFatalAlert: OSStatus = -9802
/// Nothing more can be read or written at this moment.
public let errSSLWouldBlock: OSStatus = -9803
/// The session to resume is not known.
public let errSSLSessionNotFound: OSStatus = -9804
/// The connection was closed in order.
public let errSSLClosedGraceful: OSStatus = -9805
/// The connection was closed because of an error.
public let errSSLClosedAbort: OSStatus = -9806
/// The certificate chain is not valid.
public let errSSLXCertChainInvalid: OSStatus = -9807
/// The certificate cannot be read.
public let errSSLBadCert: OSStatus = -9808
/// A cryptographic operation failed.
public let errSSLCrypto: OSStatus = -9809
/// The TLS library failed inside.
public let errSSLInternal: OSStatus = -9810
/// A module of the TLS library cannot be attached.
public let errSSLModuleAttach: OSStatus = -9811
/// The chain is complete, and its root is not trusted.
public let errSSLUnknownRootCert: OSStatus = -9812
/// The chain does not end in a root.
public let errSSLNoRootCert: OSStatus = -9813
/// A certificate of the chain has expired.
public let errSSLCertExpired: OSStatus = -9814
/// A certificate of the chain is not valid yet.
public let errSSLCertNotYetValid: OSStatus = -9815
/// The other side closed the connection without saying so.
public let errSSLClosedNoNotify: OSStatus = -9816
/// The buffer is too small.
public let errSSLBufferOverflow: OSStatus = -9817
/// The cipher suite is not usable.
public let errSSLBadCipherSuite: OSStatus = -9818
