// Status codes of certificate policies and of revocation. Names and numbers as in Apple's header SecBase.h.

/// Service not available.
public let errSecServiceNotAvailable: OSStatus = -67_585
/// Insufficient client ID.
public let errSecInsufficientClientID: OSStatus = -67_586
/// Device reset.
public let errSecDeviceReset: OSStatus = -67_587
/// Device failed.
public let errSecDeviceFailed: OSStatus = -67_588
/// Apple add app ACL subject.
public let errSecAppleAddAppACLSubject: OSStatus = -67_589
/// Apple public key incomplete.
public let errSecApplePublicKeyIncomplete: OSStatus = -67_590
/// Apple signature mismatch.
public let errSecAppleSignatureMismatch: OSStatus = -67_591
/// Apple invalid key start date.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67_592
/// Apple invalid key end date.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67_593
/// Conversion error.
public let errSecConversionError: OSStatus = -67_594
/// Apple SSL two rollback.
public let errSecAppleSSLv2Rollback: OSStatus = -67_595
/// Quota exceeded.
public let errSecQuotaExceeded: OSStatus = -67_596
/// File too big.
public let errSecFileTooBig: OSStatus = -67_597
/// Invalid database blob.
public let errSecInvalidDatabaseBlob: OSStatus = -67_598
/// Invalid key blob.
public let errSecInvalidKeyBlob: OSStatus = -67_599
/// Incompatible database blob.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67_600
/// Incompatible key blob.
public let errSecIncompatibleKeyBlob: OSStatus = -67_601
/// Host name mismatch.
public let errSecHostNameMismatch: OSStatus = -67_602
/// Unknown critical extension flag.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67_603
/// No basic constraints.
public let errSecNoBasicConstraints: OSStatus = -67_604
/// No basic constraints CA.
public let errSecNoBasicConstraintsCA: OSStatus = -67_605
/// Invalid authority key ID.
public let errSecInvalidAuthorityKeyID: OSStatus = -67_606
/// Invalid subject key ID.
public let errSecInvalidSubjectKeyID: OSStatus = -67_607
/// Invalid key usage for policy.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67_608
/// Invalid extended key usage.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67_609
/// Invalid ID linkage.
public let errSecInvalidIDLinkage: OSStatus = -67_610
/// Path length constraint exceeded.
public let errSecPathLengthConstraintExceeded: OSStatus = -67_611
/// Invalid root.
public let errSecInvalidRoot: OSStatus = -67_612
/// CRL expired.
public let errSecCRLExpired: OSStatus = -67_613
/// CRL not valid yet.
public let errSecCRLNotValidYet: OSStatus = -67_614
/// CRL not found.
public let errSecCRLNotFound: OSStatus = -67_615
/// CRL server down.
public let errSecCRLServerDown: OSStatus = -67_616
/// CRL bad URI.
public let errSecCRLBadURI: OSStatus = -67_617
/// Unknown cert extension.
public let errSecUnknownCertExtension: OSStatus = -67_618
/// Unknown CRL extension.
public let errSecUnknownCRLExtension: OSStatus = -67_619
/// CRL not trusted.
public let errSecCRLNotTrusted: OSStatus = -67_620
/// CRL policy failed.
public let errSecCRLPolicyFailed: OSStatus = -67_621
/// IDP failure.
public let errSecIDPFailure: OSStatus = -67_622
/// SMIME email addresses not found.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67_623
/// SMIME bad extended key usage.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67_624
/// SMIME bad key usage.
public let errSecSMIMEBadKeyUsage: OSStatus = -67_625
/// SMIME key usage not critical.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67_626
/// SMIME no email address.
public let errSecSMIMENoEmailAddress: OSStatus = -67_627
/// SMIME subject alternative name not critical.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67_628
/// SSL bad extended key usage.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67_629
/// OCSP bad response.
public let errSecOCSPBadResponse: OSStatus = -67_630
/// OCSP bad request.
public let errSecOCSPBadRequest: OSStatus = -67_631
/// OCSP unavailable.
public let errSecOCSPUnavailable: OSStatus = -67_632
/// OCSP status unrecognized.
public let errSecOCSPStatusUnrecognized: OSStatus = -67_633
/// End of data.
public let errSecEndOfData: OSStatus = -67_634
/// Incomplete cert revocation check.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67_635
/// Network failure.
public let errSecNetworkFailure: OSStatus = -67_636
/// OCSP not trusted to anchor.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67_637
/// Record modified.
public let errSecRecordModified: OSStatus = -67_638
/// OCSP signature error.
public let errSecOCSPSignatureError: OSStatus = -67_639
/// OCSP no signer.
public let errSecOCSPNoSigner: OSStatus = -67_640
/// OCSP responder malformed request.
public let errSecOCSPResponderMalformedReq: OSStatus = -67_641
/// OCSP responder internal error.
public let errSecOCSPResponderInternalError: OSStatus = -67_642
/// OCSP responder try later.
public let errSecOCSPResponderTryLater: OSStatus = -67_643
/// OCSP responder signature required.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67_644
/// OCSP responder unauthorized.
public let errSecOCSPResponderUnauthorized: OSStatus = -67_645
/// OCSP response nonce mismatch.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67_646
/// Code signing bad cert chain length.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67_647
/// Code signing no basic constraints.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67_648
/// Code signing bad path length constraint.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67_649
/// Code signing no extended key usage.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67_650
/// Code signing development.
public let errSecCodeSigningDevelopment: OSStatus = -67_651
/// Resource sign bad cert chain length.
public let errSecResourceSignBadCertChainLength: OSStatus = -67_652
/// Resource sign bad ext key usage.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67_653
/// Trust setting deny.
public let errSecTrustSettingDeny: OSStatus = -67_654
/// Invalid subject name.
public let errSecInvalidSubjectName: OSStatus = -67_655
/// Unknown qualified cert statement.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67_656
/// MobileMe request queued.
public let errSecMobileMeRequestQueued: OSStatus = -67_657
/// MobileMe request redirected.
public let errSecMobileMeRequestRedirected: OSStatus = -67_658
/// MobileMe server error.
public let errSecMobileMeServerError: OSStatus = -67_659
/// MobileMe server not available.
public let errSecMobileMeServerNotAvailable: OSStatus = -67_660
/// MobileMe server already exists.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67_661
/// MobileMe server service err.
public let errSecMobileMeServerServiceErr: OSStatus = -67_662
/// MobileMe request already pending.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67_663
/// MobileMe no request pending.
public let errSecMobileMeNoRequestPending: OSStatus = -67_664
