#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The names of all status codes, and the sentences for those that a person meets.
package enum StatusNames {
    /// The name without its prefix `errSec`: -25300 is `ItemNotFound`.
    package static func name(of status: OSStatus) -> String? { names[status] }

    /// The name without its prefix `errSSL`: -9843 is `HostNameMismatch`.
    package static func secureTransportName(of status: OSStatus) -> String? { secureTransport[status]?.name }

    /// One sentence for `status`, or `nil` when the code is unknown.
    static func message(for status: OSStatus) -> String? {
        sentences[status] ?? secureTransport[status]?.sentence ?? names[status].map { "\(spaced($0)) (errSec\($0))." }
    }

    // Apple's errSecErrnoBase and errSecErrnoLimit (SecBase.h, SecBasePriv.h).
    private static let systemErrors = OSStatus(100_000)..<100_255

    /// What is said of a code without a sentence, in Apple's form.
    static func fallback(for status: OSStatus) -> String {
        guard systemErrors.contains(status) else { return "OSStatus \(status)" }
        let text = unsafe String(cString: strerror(status - systemErrors.lowerBound))
        return "UNIX[\(text)]"
    }

    /// `InvalidKeyBlob` becomes `Invalid key blob`; runs of capitals stay together.
    private static func spaced(_ name: String) -> String {
        let letters = Array(name)
        var text = ""
        for (index, letter) in letters.enumerated() {
            let next = index + 1 < letters.count ? letters[index + 1] : "A"
            let startsWord = index > 0 && letter.isUppercase && (next.isLowercase || letters[index - 1].isLowercase)
            if startsWord { text += " " }
            text += index > 0 && startsWord && next.isLowercase ? letter.lowercased() : String(letter)
        }
        return text
    }

    private static let names: [OSStatus: String] = {
        var names: [OSStatus: String] = [:]
        for (first, row) in rows {
            for (offset, name) in row.split(separator: " ").enumerated() {
                names[first - OSStatus(offset)] = String(name)
            }
        }
        return names
    }()

    private static let sentences: [OSStatus: String] = [
        errSecSuccess: "No error.",
        errSecUnimplemented: "Function or operation not implemented.",
        errSecIO: "I/O error.",
        errSecOpWr: "File already open with write permission.",
        errSecParam: "One or more parameters passed to the function are not valid.",
        errSecWrPerm: "No write permission.",
        errSecDiskFull: "The disk is full.",
        errSecAllocate: "Failed to allocate memory.",
        errSecUserCanceled: "The person cancelled the operation.",
        errSecBadReq: "Bad parameter or invalid state for the operation.",
        errSecNotAvailable: "No keychain is available: it cannot be opened, or its key is absent.",
        errSecReadOnly: "The keychain is read-only.",
        errSecAuthFailed: "The authentication failed.",
        errSecDuplicateItem: "The item already exists in the keychain.",
        errSecItemNotFound: "The item cannot be found in the keychain.",
        errSecNoSuchAttr: "The item class does not have this attribute.",
        errSecInvalidItemRef: "The reference to the item is not valid.",
        errSecNoSuchClass: "There is no such item class.",
        errSecInteractionNotAllowed:
            "The item cannot be used now: the device is locked, or a person would have to be asked.",
        errSecDecode: "The bytes cannot be decoded.",
        errSecMissingEntitlement:
            "The program does not belong to this access group: PAVISE_ACCESS_GROUPS or its Info.plist names its own.",
        errSecRestrictedAPI: "This program may not use this function.",
        errSecInternalComponent: "An internal component failed.",
        errSecCoreFoundationUnknown: "An unknown Core Foundation error.",
        errSecVerifyFailed: "The signature does not verify.",
        errSecKeySizeNotAllowed: "This key size is not allowed.",
        errSecNotSigner: "The certificate did not sign the data.",
    ]

    // Each row counts down from its first number without gaps.
    private static let rows: [(OSStatus, String)] = [
        (0, "Success"),
        (-4, "Unimplemented"),
        (-34, "DiskFull"),
        (-36, "IO"),
        (-49, "OpWr Param"),
        (-61, "WrPerm"),
        (-108, "Allocate"),
        (-128, "UserCanceled"),
        (-909, "BadReq"),
        (-2070, "InternalComponent"),
        (-4960, "CoreFoundationUnknown"),
        (-26_267, "NotSigner"),
        (-26_275, "Decode"),
        (-34_018, "MissingEntitlement"),
        (-34_020, "RestrictedAPI"),
        (-25_240, "ACLNotSimple PolicyNotFound InvalidTrustSetting NoAccessForItem InvalidOwnerEdit"),
        (-25_245, "TrustNotAvailable"),
        (-25_256, "UnsupportedFormat UnknownFormat KeyIsSensitive MultiplePrivKeys PassphraseRequired"),
        (-25_261, "InvalidPasswordRef InvalidTrustSettings NoTrustSettings Pkcs12VerifyFailure"),
        (-25_291, "NotAvailable ReadOnly AuthFailed NoSuchKeychain InvalidKeychain DuplicateKeychain"),
        (-25_297, "DuplicateCallback InvalidCallback DuplicateItem ItemNotFound BufferTooSmall DataTooLarge"),
        (-25_303, "NoSuchAttr InvalidItemRef InvalidSearchRef NoSuchClass NoDefaultKeychain InteractionNotAllowed"),
        (-25_309, "ReadOnlyAttr WrongSecVersion KeySizeNotAllowed NoStorageModule NoCertificateModule"),
        (-25_314, "NoPolicyModule InteractionRequired DataNotAvailable DataNotModifiable CreateChainFailed"),
        (-25_319, "InvalidPrefsDomain InDarkWake"),
        (-67_585, "ServiceNotAvailable InsufficientClientID DeviceReset DeviceFailed AppleAddAppACLSubject"),
        (-67_590, "ApplePublicKeyIncomplete AppleSignatureMismatch AppleInvalidKeyStartDate"),
        (-67_593, "AppleInvalidKeyEndDate ConversionError AppleSSLv2Rollback QuotaExceeded FileTooBig"),
        (-67_598, "InvalidDatabaseBlob InvalidKeyBlob IncompatibleDatabaseBlob IncompatibleKeyBlob"),
        (-67_602, "HostNameMismatch UnknownCriticalExtensionFlag NoBasicConstraints NoBasicConstraintsCA"),
        (-67_606, "InvalidAuthorityKeyID InvalidSubjectKeyID InvalidKeyUsageForPolicy InvalidExtendedKeyUsage"),
        (-67_610, "InvalidIDLinkage PathLengthConstraintExceeded InvalidRoot CRLExpired CRLNotValidYet"),
        (-67_615, "CRLNotFound CRLServerDown CRLBadURI UnknownCertExtension UnknownCRLExtension CRLNotTrusted"),
        (-67_621, "CRLPolicyFailed IDPFailure SMIMEEmailAddressesNotFound SMIMEBadExtendedKeyUsage"),
        (-67_625, "SMIMEBadKeyUsage SMIMEKeyUsageNotCritical SMIMENoEmailAddress SMIMESubjAltNameNotCritical"),
        (-67_629, "SSLBadExtendedKeyUsage OCSPBadResponse OCSPBadRequest OCSPUnavailable OCSPStatusUnrecognized"),
        (-67_634, "EndOfData IncompleteCertRevocationCheck NetworkFailure OCSPNotTrustedToAnchor RecordModified"),
        (-67_639, "OCSPSignatureError OCSPNoSigner OCSPResponderMalformedReq OCSPResponderInternalError"),
        (-67_643, "OCSPResponderTryLater OCSPResponderSignatureRequired OCSPResponderUnauthorized"),
        (-67_646, "OCSPResponseNonceMismatch CodeSigningBadCertChainLength CodeSigningNoBasicConstraints"),
        (-67_649, "CodeSigningBadPathLengthConstraint CodeSigningNoExtendedKeyUsage CodeSigningDevelopment"),
        (-67_652, "ResourceSignBadCertChainLength ResourceSignBadExtKeyUsage TrustSettingDeny InvalidSubjectName"),
        (-67_656, "UnknownQualifiedCertStatement MobileMeRequestQueued MobileMeRequestRedirected"),
        (-67_659, "MobileMeServerError MobileMeServerNotAvailable MobileMeServerAlreadyExists"),
        (-67_662, "MobileMeServerServiceErr MobileMeRequestAlreadyPending MobileMeNoRequestPending"),
        (-67_665, "MobileMeCSRVerifyFailure MobileMeFailedConsistencyCheck NotInitialized InvalidHandleUsage"),
        (-67_669, "PVCReferentNotFound FunctionIntegrityFail InternalError MemoryError InvalidData MDSError"),
        (-67_675, "InvalidPointer SelfCheckFailed FunctionFailed ModuleManifestVerifyFailed InvalidGUID"),
        (-67_680, "InvalidHandle InvalidDBList InvalidPassthroughID InvalidNetworkAddress CRLAlreadySigned"),
        (-67_685, "InvalidNumberOfFields VerificationFailure UnknownTag InvalidSignature InvalidName"),
        (-67_690, "InvalidCertificateRef InvalidCertificateGroup TagNotFound InvalidQuery InvalidValue"),
        (-67_695, "CallbackFailed ACLDeleteFailed ACLReplaceFailed ACLAddFailed ACLChangeFailed"),
        (-67_700, "InvalidAccessCredentials InvalidRecord InvalidACL InvalidSampleValue IncompatibleVersion"),
        (-67_705, "PrivilegeNotGranted InvalidScope PVCAlreadyConfigured InvalidPVC EMMLoadFailed EMMUnloadFailed"),
        (-67_711, "AddinLoadFailed InvalidKeyRef InvalidKeyHierarchy AddinUnloadFailed LibraryReferenceNotFound"),
        (-67_716, "InvalidAddinFunctionTable InvalidServiceMask ModuleNotLoaded InvalidSubServiceID"),
        (-67_720, "AttributeNotInContext ModuleManagerInitializeFailed ModuleManagerNotFound"),
        (-67_723, "EventNotificationCallbackNotFound InputLengthError OutputLengthError PrivilegeNotSupported"),
        (-67_727, "DeviceError AttachHandleBusy NotLoggedIn AlgorithmMismatch KeyUsageIncorrect"),
        (-67_732, "KeyBlobTypeIncorrect KeyHeaderInconsistent UnsupportedKeyFormat UnsupportedKeySize"),
        (-67_736, "InvalidKeyUsageMask UnsupportedKeyUsageMask InvalidKeyAttributeMask"),
        (-67_739, "UnsupportedKeyAttributeMask InvalidKeyLabel UnsupportedKeyLabel InvalidKeyFormat"),
        (-67_743, "UnsupportedVectorOfBuffers InvalidInputVector InvalidOutputVector InvalidContext"),
        (-67_747, "InvalidAlgorithm InvalidAttributeKey MissingAttributeKey InvalidAttributeInitVector"),
        (-67_751, "MissingAttributeInitVector InvalidAttributeSalt MissingAttributeSalt InvalidAttributePadding"),
        (-67_755, "MissingAttributePadding InvalidAttributeRandom MissingAttributeRandom InvalidAttributeSeed"),
        (-67_759, "MissingAttributeSeed InvalidAttributePassphrase MissingAttributePassphrase"),
        (-67_762, "InvalidAttributeKeyLength MissingAttributeKeyLength InvalidAttributeBlockSize"),
        (-67_765, "MissingAttributeBlockSize InvalidAttributeOutputSize MissingAttributeOutputSize"),
        (-67_768, "InvalidAttributeRounds MissingAttributeRounds InvalidAlgorithmParms MissingAlgorithmParms"),
        (-67_772, "InvalidAttributeLabel MissingAttributeLabel InvalidAttributeKeyType MissingAttributeKeyType"),
        (-67_776, "InvalidAttributeMode MissingAttributeMode InvalidAttributeEffectiveBits"),
        (-67_779, "MissingAttributeEffectiveBits InvalidAttributeStartDate MissingAttributeStartDate"),
        (-67_782, "InvalidAttributeEndDate MissingAttributeEndDate InvalidAttributeVersion"),
        (-67_785, "MissingAttributeVersion InvalidAttributePrime MissingAttributePrime InvalidAttributeBase"),
        (-67_789, "MissingAttributeBase InvalidAttributeSubprime MissingAttributeSubprime"),
        (-67_792, "InvalidAttributeIterationCount MissingAttributeIterationCount InvalidAttributeDLDBHandle"),
        (-67_795, "MissingAttributeDLDBHandle InvalidAttributeAccessCredentials MissingAttributeAccessCredentials"),
        (-67_798, "InvalidAttributePublicKeyFormat MissingAttributePublicKeyFormat"),
        (-67_800, "InvalidAttributePrivateKeyFormat MissingAttributePrivateKeyFormat"),
        (-67_802, "InvalidAttributeSymmetricKeyFormat MissingAttributeSymmetricKeyFormat"),
        (-67_804, "InvalidAttributeWrappedKeyFormat MissingAttributeWrappedKeyFormat StagedOperationInProgress"),
        (-67_807, "StagedOperationNotStarted VerifyFailed QuerySizeUnknown BlockSizeMismatch"),
        (-67_811, "PublicKeyInconsistent DeviceVerifyFailed InvalidLoginName AlreadyLoggedIn"),
        (-67_815, "InvalidDigestAlgorithm InvalidCRLGroup CertificateCannotOperate CertificateExpired"),
        (-67_819, "CertificateNotValidYet CertificateRevoked CertificateSuspended InsufficientCredentials"),
        (-67_823, "InvalidAction InvalidAuthority VerifyActionFailed InvalidCertAuthority InvalidCRLAuthority"),
        (-67_828, "InvalidCRLEncoding InvalidCRLType InvalidCRL InvalidFormType InvalidID InvalidIdentifier"),
        (-67_834, "InvalidIndex InvalidPolicyIdentifiers InvalidTimeString InvalidReason InvalidRequestInputs"),
        (-67_839, "InvalidResponseVector InvalidStopOnPolicy InvalidTuple MultipleValuesUnsupported NotTrusted"),
        (-67_844, "NoDefaultAuthority RejectedForm RequestLost RequestRejected UnsupportedAddressType"),
        (-67_849, "UnsupportedService InvalidTupleGroup InvalidBaseACLs InvalidTupleCredentials InvalidEncoding"),
        (-67_854, "InvalidValidityPeriod InvalidRequestor RequestDescriptor InvalidBundleInfo InvalidCRLIndex"),
        (-67_859, "NoFieldValues UnsupportedFieldFormat UnsupportedIndexInfo UnsupportedLocality"),
        (-67_863, "UnsupportedNumAttributes UnsupportedNumIndexes UnsupportedNumRecordTypes"),
        (-67_866, "FieldSpecifiedMultiple IncompatibleFieldFormat InvalidParsingModule DatabaseLocked"),
        (-67_870, "DatastoreIsOpen MissingValue UnsupportedQueryLimits UnsupportedNumSelectionPreds"),
        (-67_874, "UnsupportedOperator InvalidDBLocation InvalidAccessRequest InvalidIndexInfo InvalidNewOwner"),
        (-67_879, "InvalidModifyMode MissingRequiredExtension ExtendedKeyUsageNotCritical TimestampMissing"),
        (-67_883, "TimestampInvalid TimestampNotTrusted TimestampServiceNotAvailable TimestampBadAlg"),
        (-67_887, "TimestampBadRequest TimestampBadDataFormat TimestampTimeNotAvailable TimestampUnacceptedPolicy"),
        (-67_891, "TimestampUnacceptedExtension TimestampAddInfoNotAvailable TimestampSystemFailure"),
        (-67_894, "SigningTimeMissing TimestampRejection TimestampWaiting TimestampRevocationWarning"),
        (-67_898, "TimestampRevocationNotification CertificatePolicyNotAllowed CertificateNameNotAllowed"),
        (-67_901, "CertificateValidityPeriodTooLong CertificateIsCA CertificateDuplicateExtension"),
        (-67_904, "MissingQualifiedCertStatement"),
    ]
}
