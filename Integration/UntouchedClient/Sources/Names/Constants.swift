import Foundation
import Security

/// The keys and values of the keychain's dictionaries.
public var constants: [CFString] {
    [
        kSecClass, kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey,
        kSecClassIdentity, kSecAttrAccessible, kSecAttrAccessControl, kSecAttrAccessGroup, kSecAttrSynchronizable,
        kSecAttrSynchronizableAny, kSecAttrCreationDate, kSecAttrModificationDate, kSecAttrDescription,
        kSecAttrComment, kSecAttrCreator, kSecAttrType, kSecAttrLabel, kSecAttrIsInvisible, kSecAttrIsNegative,
        kSecAttrAccount, kSecAttrService, kSecAttrGeneric, kSecAttrSecurityDomain, kSecAttrServer, kSecAttrProtocol,
        kSecAttrAuthenticationType, kSecAttrPort, kSecAttrPath, kSecAttrSubject, kSecAttrIssuer,
        kSecAttrSerialNumber, kSecAttrSubjectKeyID, kSecAttrPublicKeyHash, kSecAttrCertificateType,
        kSecAttrCertificateEncoding, kSecAttrKeyClass, kSecAttrApplicationLabel, kSecAttrIsPermanent,
        kSecAttrIsSensitive, kSecAttrIsExtractable, kSecAttrApplicationTag, kSecAttrKeyType, kSecAttrKeySizeInBits,
        kSecAttrEffectiveKeySize, kSecAttrCanEncrypt, kSecAttrCanDecrypt, kSecAttrCanDerive, kSecAttrCanSign,
        kSecAttrCanVerify, kSecAttrCanWrap, kSecAttrCanUnwrap, kSecAttrSyncViewHint, kSecAttrTokenID,
        kSecAttrTokenIDSecureEnclave, kSecAttrAccessGroupToken, kSecAttrPersistantReference,
        kSecAttrPersistentReference, kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock,
        kSecAttrAccessibleAlways, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
        kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        kSecAttrAccessibleAlwaysThisDeviceOnly, kSecAttrProtocolFTP, kSecAttrProtocolFTPAccount,
        kSecAttrProtocolHTTP, kSecAttrProtocolIRC, kSecAttrProtocolNNTP, kSecAttrProtocolPOP3, kSecAttrProtocolSMTP,
        kSecAttrProtocolSOCKS, kSecAttrProtocolIMAP, kSecAttrProtocolLDAP, kSecAttrProtocolAppleTalk,
        kSecAttrProtocolAFP, kSecAttrProtocolTelnet, kSecAttrProtocolSSH, kSecAttrProtocolFTPS,
        kSecAttrProtocolHTTPS, kSecAttrProtocolHTTPProxy, kSecAttrProtocolHTTPSProxy, kSecAttrProtocolFTPProxy,
        kSecAttrProtocolSMB, kSecAttrProtocolRTSP, kSecAttrProtocolRTSPProxy, kSecAttrProtocolDAAP,
        kSecAttrProtocolEPPC, kSecAttrProtocolIPP, kSecAttrProtocolNNTPS, kSecAttrProtocolLDAPS,
        kSecAttrProtocolTelnetS, kSecAttrProtocolIMAPS, kSecAttrProtocolIRCS, kSecAttrProtocolPOP3S,
        kSecAttrAuthenticationTypeNTLM, kSecAttrAuthenticationTypeMSN, kSecAttrAuthenticationTypeDPA,
        kSecAttrAuthenticationTypeRPA, kSecAttrAuthenticationTypeHTTPBasic, kSecAttrAuthenticationTypeHTTPDigest,
        kSecAttrAuthenticationTypeHTMLForm, kSecAttrAuthenticationTypeDefault, kSecAttrKeyClassPublic,
        kSecAttrKeyClassPrivate, kSecAttrKeyClassSymmetric, kSecAttrKeyTypeRSA, kSecAttrKeyTypeDSA,
        kSecAttrKeyTypeAES, kSecAttrKeyTypeDES, kSecAttrKeyType3DES, kSecAttrKeyTypeRC4, kSecAttrKeyTypeRC2,
        kSecAttrKeyTypeCAST, kSecAttrKeyTypeECDSA, kSecAttrKeyTypeEC, kSecAttrKeyTypeECSECPrimeRandom,
        kSecMatchPolicy, kSecMatchItemList, kSecMatchSearchList, kSecMatchIssuers, kSecMatchEmailAddressIfPresent,
        kSecMatchSubjectContains, kSecMatchHostOrSubdomainOfHost, kSecMatchCaseInsensitive, kSecMatchTrustedOnly,
        kSecMatchValidOnDate, kSecMatchLimit, kSecMatchLimitOne, kSecMatchLimitAll, kSecReturnData,
        kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef, kSecValueData, kSecValueRef,
        kSecValuePersistentRef, kSecUseItemList, kSecUseKeychain, kSecUseOperationPrompt, kSecUseNoAuthenticationUI,
        kSecUseAuthenticationUI, kSecUseAuthenticationUIAllow, kSecUseAuthenticationUIFail,
        kSecUseAuthenticationUISkip, kSecUseAuthenticationContext, kSecUseDataProtectionKeychain,
        kSecPrivateKeyAttrs, kSecPublicKeyAttrs, kSecImportExportPassphrase, kSecImportItemLabel,
        kSecImportItemKeyID, kSecImportItemTrust, kSecImportItemCertChain, kSecImportItemIdentity,
        kSecSharedPassword,
    ]
}

/// The flags of revocation checks.
public let revocation: [CFOptionFlags] = [
    kSecRevocationOCSPMethod, kSecRevocationCRLMethod, kSecRevocationPreferCRL, kSecRevocationRequirePositiveResponse,
    kSecRevocationNetworkAccessDisabled, kSecRevocationUseAnyAvailableMethod,
]
