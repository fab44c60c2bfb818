// Status codes of TLS that the other side reports. Names and numbers as in Apple's header SecBase.h; the sentences are
// our own.

/// The other side says: the message was not expected.
public let errSSLPeerUnexpectedMsg: OSStatus = -9819
/// The other side says: a record is not authentic.
public let errSSLPeerBadRecordMac: OSStatus = -9820
/// The other side says: a record cannot be decrypted.
public let errSSLPeerDecryptionFail: OSStatus = -9821
/// The other side says: a record is too long.
public let errSSLPeerRecordOverflow: OSStatus = -9822
/// The other side says: a record cannot be unpacked.
public let errSSLPeerDecompressFail: OSStatus = -9823
/// The other side says: the handshake failed.
public let errSSLPeerHandshakeFail: OSStatus = -9824
/// The other side says: the certificate is damaged.
public let errSSLPeerBadCert: OSStatus = -9825
/// The other side says: certificates of this kind are not taken.
public let errSSLPeerUnsupportedCert: OSStatus = -9826
/// The other side says: the certificate was revoked.
public let errSSLPeerCertRevoked: OSStatus = -9827
/// The other side says: the certificate has expired.
public let errSSLPeerCertExpired: OSStatus = -9828
/// The other side says: the certificate is not acceptable.
public let errSSLPeerCertUnknown: OSStatus = -9829
/// A field of a message has a value that is not allowed.
public let errSSLIllegalParam: OSStatus = -9830
/// The other side says: the authority is not known.
public let errSSLPeerUnknownCA: OSStatus = -9831
/// The other side says: access is denied.
public let errSSLPeerAccessDenied: OSStatus = -9832
/// The other side says: a message cannot be decoded.
public let errSSLPeerDecodeError: OSStatus = -9833
/// The other side says: a signature or check of the handshake is wrong.
public let errSSLPeerDecryptError: OSStatus = -9834
/// The other side says: rules of export forbid this.
public let errSSLPeerExportRestriction: OSStatus = -9835
/// The other side says: this version of TLS is not taken.
public let errSSLPeerProtocolVersion: OSStatus = -9836
/// The other side says: stronger ciphers are required.
public let errSSLPeerInsufficientSecurity: OSStatus = -9837
/// The other side says: it failed inside.
public let errSSLPeerInternalError: OSStatus = -9838
/// The other side says: a person stopped the handshake.
public let errSSLPeerUserCancelled: OSStatus = -9839
/// The other side does not negotiate again.
public let errSSLPeerNoRenegotiation: OSStatus = -9840
