// Declarations of ours of what Pavise names of Apple's Security framework, from Apple's documentation
// (developer.apple.com/documentation/security). For checking types on Linux; never linked.
// Pages: https://developer.apple.com/documentation/security/ and the name in lower case.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <CoreFoundationParts.h>
#pragma clang assume_nonnull begin
#define SEC_TYPE(name) typedef struct CF_BRIDGED_TYPE(id) __##name *name##Ref
SEC_TYPE(SecCertificate);
SEC_TYPE(SecIdentity);
SEC_TYPE(SecKey);
SEC_TYPE(SecPolicy);
SEC_TYPE(SecTrust);
SEC_TYPE(SecAccessControl);
typedef CFStringRef SecKeyAlgorithm __attribute__((swift_newtype(enum)));
typedef const struct __SecRandom *SecRandomRef;

enum : OSStatus {
    errSecSuccess = 0,
    errSecUnimplemented = -4,
    errSecParam = -50,
    errSecAllocate = -108,
    errSecNotAvailable = -25291,
    errSecAuthFailed = -25293,
    errSecPkcs12VerifyFailure = -25264,
    errSecDuplicateItem = -25299,
    errSecItemNotFound = -25300,
    errSecInteractionNotAllowed = -25308,
    errSecDecode = -26275,
    errSecNoAccessForItem = -25243,
    errSecInternalComponent = -2070,
    errSecMissingEntitlement = -34018,
    errSecUserCanceled = -128,
    errSecCertificateExpired = -67818,
    errSecCertificateNotValidYet = -67819,
    errSecCertificateRevoked = -67820,
    errSecCreateChainFailed = -25318,
    errSecHostNameMismatch = -67602,
    errSecIncompleteCertRevocationCheck = -67635,
    errSecInvalidDigestAlgorithm = -67815,
    errSecInvalidExtendedKeyUsage = -67609,
    errSecInvalidKeyUsageForPolicy = -67608,
    errSecNotTrusted = -67843,
    errSecUnsupportedKeySize = -67735,
    errSecUnknownCriticalExtensionFlag = -67603,
    errSecDiskFull = -34,
    errSecIO = -36,
};
extern const CFStringRef kSecAttrAccessControl;
extern const CFStringRef kSecAttrAccessible;
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlock;
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly;
extern const CFStringRef kSecAttrAccessibleWhenUnlocked;
extern const CFStringRef kSecAttrAccessibleWhenUnlockedThisDeviceOnly;
extern const CFStringRef kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly;
extern const CFStringRef kSecAttrAccessGroup;
extern const CFStringRef kSecAttrSynchronizable;
extern const CFStringRef kSecAttrSynchronizableAny;
extern const CFStringRef kSecAttrAccount;
extern const CFStringRef kSecAttrApplicationTag;
extern const CFStringRef kSecAttrApplicationLabel;
extern const CFStringRef kSecAttrIsPermanent;
extern const CFStringRef kSecAttrKeyClass;
extern const CFStringRef kSecAttrKeyClassPrivate;
extern const CFStringRef kSecAttrKeyClassPublic;
extern const CFStringRef kSecAttrKeySizeInBits;
extern const CFStringRef kSecAttrKeyType;
extern const CFStringRef kSecAttrKeyTypeECSECPrimeRandom;
extern const CFStringRef kSecAttrKeyTypeRSA;
extern const CFStringRef kSecAttrLabel;
extern const CFStringRef kSecAttrGeneric;
extern const CFStringRef kSecAttrComment;
extern const CFStringRef kSecAttrDescription;
extern const CFStringRef kSecAttrService;
extern const CFStringRef kSecAttrServer;
extern const CFStringRef kSecAttrTokenID;
extern const CFStringRef kSecAttrTokenIDSecureEnclave;
extern const CFStringRef kSecAttrCreationDate;
extern const CFStringRef kSecAttrModificationDate;
extern const CFStringRef kSecClass;
extern const CFStringRef kSecClassGenericPassword;
extern const CFStringRef kSecClassInternetPassword;
extern const CFStringRef kSecClassCertificate;
extern const CFStringRef kSecClassIdentity;
extern const CFStringRef kSecClassKey;
extern const CFStringRef kSecMatchLimit;
extern const CFStringRef kSecMatchLimitAll;
extern const CFStringRef kSecMatchLimitOne;
extern const CFStringRef kSecPrivateKeyAttrs;
extern const CFStringRef kSecPublicKeyAttrs;
extern const CFStringRef kSecReturnAttributes;
extern const CFStringRef kSecReturnData;
extern const CFStringRef kSecReturnPersistentRef;
extern const CFStringRef kSecReturnRef;
extern const CFStringRef kSecUseAuthenticationContext;
extern const CFStringRef kSecUseAuthenticationUI;
extern const CFStringRef kSecUseAuthenticationUISkip;
extern const CFStringRef kSecUseAuthenticationUIFail;
extern const CFStringRef kSecUseDataProtectionKeychain;
extern const CFStringRef kSecValueData;
extern const CFStringRef kSecValuePersistentRef;
extern const CFStringRef kSecValueRef;
extern const CFStringRef kSecImportExportPassphrase;
extern const CFStringRef kSecImportItemIdentity;
/// https://developer.apple.com/documentation/security/ksecimporttomemoryonly
extern const CFStringRef kSecImportToMemoryOnly
    __attribute__((availability(macos, introduced=15.0), availability(ios, unavailable)));
extern const CFStringRef kSecImportItemCertChain;
extern const CFStringRef kSecImportItemTrust;
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256 __attribute__((swift_name("SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256")));
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA384 __attribute__((swift_name("SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA384")));
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA512 __attribute__((swift_name("SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA512")));
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePSSSHA256 __attribute__((swift_name("SecKeyAlgorithm.rsaSignatureMessagePSSSHA256")));
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePSSSHA384 __attribute__((swift_name("SecKeyAlgorithm.rsaSignatureMessagePSSSHA384")));
extern const SecKeyAlgorithm kSecKeyAlgorithmRSASignatureMessagePSSSHA512 __attribute__((swift_name("SecKeyAlgorithm.rsaSignatureMessagePSSSHA512")));
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA256 __attribute__((swift_name("SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA256")));
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA384 __attribute__((swift_name("SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA384")));
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA512 __attribute__((swift_name("SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA512")));
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageX962SHA256 __attribute__((swift_name("SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256")));
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageX962SHA384 __attribute__((swift_name("SecKeyAlgorithm.ecdsaSignatureMessageX962SHA384")));
extern const SecKeyAlgorithm kSecKeyAlgorithmECDSASignatureMessageX962SHA512 __attribute__((swift_name("SecKeyAlgorithm.ecdsaSignatureMessageX962SHA512")));
extern const SecKeyAlgorithm kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM __attribute__((swift_name("SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM")));
extern const SecKeyAlgorithm kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA256 __attribute__((swift_name("SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA256")));

typedef enum __attribute__((flag_enum, enum_extensibility(open))) SecAccessControlCreateFlags : CFOptionFlags {
    kSecAccessControlUserPresence = 1u << 0,
    kSecAccessControlBiometryAny = 1u << 1,
    kSecAccessControlBiometryCurrentSet = 1u << 3,
    kSecAccessControlDevicePasscode = 1u << 4,
    kSecAccessControlOr = 1u << 14,
    kSecAccessControlAnd = 1u << 15,
    kSecAccessControlPrivateKeyUsage = 1u << 30,
    kSecAccessControlApplicationPassword = 1u << 31,
} SecAccessControlCreateFlags;

#define SEC_RETAINED __attribute__((cf_returns_retained))
OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef SEC_RETAINED _Nullable *_Nullable result);
OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef SEC_RETAINED _Nullable *_Nullable result);
OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef attributes);
OSStatus SecItemDelete(CFDictionaryRef query);
SEC_RETAINED CFStringRef _Nullable SecCopyErrorMessageString(OSStatus status, void *_Nullable reserved);
SEC_RETAINED SecAccessControlRef _Nullable SecAccessControlCreateWithFlags(
    CFAllocatorRef _Nullable allocator, CFTypeRef protection, SecAccessControlCreateFlags flags,
    CFErrorRef _Nullable *_Nullable error);

CFTypeID SecKeyGetTypeID(void);
CFTypeID SecCertificateGetTypeID(void);
CFTypeID SecIdentityGetTypeID(void);
SEC_RETAINED SecKeyRef _Nullable SecKeyCreateRandomKey(CFDictionaryRef parameters, CFErrorRef _Nullable *_Nullable error);
SEC_RETAINED SecKeyRef _Nullable SecKeyCreateWithData(
    CFDataRef data, CFDictionaryRef attributes, CFErrorRef _Nullable *_Nullable error);
SEC_RETAINED SecKeyRef _Nullable SecKeyCopyPublicKey(SecKeyRef key);
SEC_RETAINED CFDictionaryRef _Nullable SecKeyCopyAttributes(SecKeyRef key);
SEC_RETAINED CFDataRef _Nullable SecKeyCopyExternalRepresentation(SecKeyRef key, CFErrorRef _Nullable *_Nullable error);
SEC_RETAINED CFDataRef _Nullable SecKeyCreateSignature(
    SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef data, CFErrorRef _Nullable *_Nullable error);
Boolean SecKeyVerifySignature(
    SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef data, CFDataRef signature, CFErrorRef _Nullable *_Nullable error);
SEC_RETAINED CFDataRef _Nullable SecKeyCreateEncryptedData(
    SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef plaintext, CFErrorRef _Nullable *_Nullable error);
SEC_RETAINED CFDataRef _Nullable SecKeyCreateDecryptedData(
    SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef ciphertext, CFErrorRef _Nullable *_Nullable error);

SEC_RETAINED SecCertificateRef _Nullable SecCertificateCreateWithData(CFAllocatorRef _Nullable allocator, CFDataRef data);
SEC_RETAINED CFDataRef SecCertificateCopyData(SecCertificateRef certificate);
SEC_RETAINED CFStringRef _Nullable SecCertificateCopySubjectSummary(SecCertificateRef certificate);
SEC_RETAINED SecKeyRef _Nullable SecCertificateCopyKey(SecCertificateRef certificate);
SEC_RETAINED CFDataRef _Nullable SecCertificateCopyNormalizedIssuerSequence(SecCertificateRef certificate);
SEC_RETAINED CFDataRef _Nullable SecCertificateCopyNormalizedSubjectSequence(SecCertificateRef certificate);
SEC_RETAINED CFDataRef _Nullable SecCertificateCopySerialNumberData(
    SecCertificateRef certificate, CFErrorRef _Nullable *_Nullable error);
SEC_RETAINED CFDateRef _Nullable SecCertificateCopyNotValidBeforeDate(SecCertificateRef certificate)
    __attribute__((availability(macos, introduced=15.0), availability(ios, introduced=18.0)));
SEC_RETAINED CFDateRef _Nullable SecCertificateCopyNotValidAfterDate(SecCertificateRef certificate)
    __attribute__((availability(macos, introduced=15.0), availability(ios, introduced=18.0)));
OSStatus SecIdentityCopyCertificate(SecIdentityRef identity, SecCertificateRef SEC_RETAINED _Nullable *_Nonnull certificate);
OSStatus SecIdentityCopyPrivateKey(SecIdentityRef identity, SecKeyRef SEC_RETAINED _Nullable *_Nonnull key);
OSStatus SecPKCS12Import(CFDataRef data, CFDictionaryRef options, CFArrayRef SEC_RETAINED _Nullable *_Nonnull items);

SEC_RETAINED SecPolicyRef SecPolicyCreateSSL(Boolean server, CFStringRef _Nullable host);
SEC_RETAINED SecPolicyRef SecPolicyCreateBasicX509(void);
OSStatus SecTrustCreateWithCertificates(
    CFTypeRef certificates, CFTypeRef _Nullable policies, SecTrustRef SEC_RETAINED _Nullable *_Nonnull trust);
OSStatus SecTrustSetPolicies(SecTrustRef trust, CFTypeRef policies);
OSStatus SecTrustSetAnchorCertificates(SecTrustRef trust, CFArrayRef _Nullable anchors);
OSStatus SecTrustSetAnchorCertificatesOnly(SecTrustRef trust, Boolean only);
OSStatus SecTrustSetNetworkFetchAllowed(SecTrustRef trust, Boolean allowed);
OSStatus SecTrustSetVerifyDate(SecTrustRef trust, CFDateRef date);
__attribute__((warn_unused_result)) bool SecTrustEvaluateWithError(
    SecTrustRef trust, CFErrorRef SEC_RETAINED _Nullable *_Nullable error);
SEC_RETAINED CFArrayRef _Nullable SecTrustCopyCertificateChain(SecTrustRef trust);
SEC_RETAINED SecKeyRef _Nullable SecTrustCopyKey(SecTrustRef trust);
int SecRandomCopyBytes(SecRandomRef _Nullable random, size_t count, void *bytes) __attribute__((warn_unused_result));
#pragma clang assume_nonnull end
