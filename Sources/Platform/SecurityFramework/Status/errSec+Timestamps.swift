// Status codes of time stamps and of later certificate rules. Names and numbers as in Apple's header SecBase.h.

/// Timestamp service not available.
public let errSecTimestampServiceNotAvailable: OSStatus = -67_885
/// Timestamp bad algorithm.
public let errSecTimestampBadAlg: OSStatus = -67_886
/// Timestamp bad request.
public let errSecTimestampBadRequest: OSStatus = -67_887
/// Timestamp bad data format.
public let errSecTimestampBadDataFormat: OSStatus = -67_888
/// Timestamp time not available.
public let errSecTimestampTimeNotAvailable: OSStatus = -67_889
/// Timestamp unaccepted policy.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67_890
/// Timestamp unaccepted extension.
public let errSecTimestampUnacceptedExtension: OSStatus = -67_891
/// Timestamp add info not available.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67_892
/// Timestamp system failure.
public let errSecTimestampSystemFailure: OSStatus = -67_893
/// Signing time missing.
public let errSecSigningTimeMissing: OSStatus = -67_894
/// Timestamp rejection.
public let errSecTimestampRejection: OSStatus = -67_895
/// Timestamp waiting.
public let errSecTimestampWaiting: OSStatus = -67_896
/// Timestamp revocation warning.
public let errSecTimestampRevocationWarning: OSStatus = -67_897
/// Timestamp revocation notification.
public let errSecTimestampRevocationNotification: OSStatus = -67_898
/// Certificate policy not allowed.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67_899
/// Certificate name not allowed.
public let errSecCertificateNameNotAllowed: OSStatus = -67_900
/// Certificate validity period too long.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67_901
/// Certificate is CA.
public let errSecCertificateIsCA: OSStatus = -67_902
/// Certificate duplicate extension.
public let errSecCertificateDuplicateExtension: OSStatus = -67_903
/// Missing qualified cert statement.
public let errSecMissingQualifiedCertStatement: OSStatus = -67_904
