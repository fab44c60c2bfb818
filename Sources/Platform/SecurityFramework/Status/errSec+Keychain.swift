// Status codes of the keychain. Names and numbers as in Apple's header SecBase.h.

/// ACL not simple.
public let errSecACLNotSimple: OSStatus = -25_240
/// Policy not found.
public let errSecPolicyNotFound: OSStatus = -25_241
/// Invalid trust setting.
public let errSecInvalidTrustSetting: OSStatus = -25_242
/// No access for item.
public let errSecNoAccessForItem: OSStatus = -25_243
/// Invalid owner edit.
public let errSecInvalidOwnerEdit: OSStatus = -25_244
/// Trust not available.
public let errSecTrustNotAvailable: OSStatus = -25_245
/// Unsupported format.
public let errSecUnsupportedFormat: OSStatus = -25_256
/// Unknown format.
public let errSecUnknownFormat: OSStatus = -25_257
/// Key is sensitive.
public let errSecKeyIsSensitive: OSStatus = -25_258
/// Multiple priv keys.
public let errSecMultiplePrivKeys: OSStatus = -25_259
/// Passphrase required.
public let errSecPassphraseRequired: OSStatus = -25_260
/// Invalid password ref.
public let errSecInvalidPasswordRef: OSStatus = -25_261
/// Invalid trust settings.
public let errSecInvalidTrustSettings: OSStatus = -25_262
/// No trust settings.
public let errSecNoTrustSettings: OSStatus = -25_263
/// PKCS #12 verify failure.
public let errSecPkcs12VerifyFailure: OSStatus = -25_264
/// No keychain is available: it cannot be opened, or its key is absent.
public let errSecNotAvailable: OSStatus = -25_291
/// The keychain is read-only.
public let errSecReadOnly: OSStatus = -25_292
/// The authentication failed.
public let errSecAuthFailed: OSStatus = -25_293
/// No such keychain.
public let errSecNoSuchKeychain: OSStatus = -25_294
/// Invalid keychain.
public let errSecInvalidKeychain: OSStatus = -25_295
/// Duplicate keychain.
public let errSecDuplicateKeychain: OSStatus = -25_296
/// Duplicate callback.
public let errSecDuplicateCallback: OSStatus = -25_297
/// Invalid callback.
public let errSecInvalidCallback: OSStatus = -25_298
/// The item already exists in the keychain.
public let errSecDuplicateItem: OSStatus = -25_299
/// The item cannot be found in the keychain.
public let errSecItemNotFound: OSStatus = -25_300
/// Buffer too small.
public let errSecBufferTooSmall: OSStatus = -25_301
/// Data too large.
public let errSecDataTooLarge: OSStatus = -25_302
/// The item class does not have this attribute.
public let errSecNoSuchAttr: OSStatus = -25_303
/// The reference to the item is not valid.
public let errSecInvalidItemRef: OSStatus = -25_304
/// Invalid search ref.
public let errSecInvalidSearchRef: OSStatus = -25_305
/// There is no such item class.
public let errSecNoSuchClass: OSStatus = -25_306
/// No default keychain.
public let errSecNoDefaultKeychain: OSStatus = -25_307
/// The item cannot be used now: the device is locked, or a person would have to be asked.
public let errSecInteractionNotAllowed: OSStatus = -25_308
/// Read only attribute.
public let errSecReadOnlyAttr: OSStatus = -25_309
/// Wrong sec version.
public let errSecWrongSecVersion: OSStatus = -25_310
/// This key size is not allowed.
public let errSecKeySizeNotAllowed: OSStatus = -25_311
/// No storage module.
public let errSecNoStorageModule: OSStatus = -25_312
/// No certificate module.
public let errSecNoCertificateModule: OSStatus = -25_313
/// No policy module.
public let errSecNoPolicyModule: OSStatus = -25_314
/// Interaction required.
public let errSecInteractionRequired: OSStatus = -25_315
/// Data not available.
public let errSecDataNotAvailable: OSStatus = -25_316
/// Data not modifiable.
public let errSecDataNotModifiable: OSStatus = -25_317
/// Create chain failed.
public let errSecCreateChainFailed: OSStatus = -25_318
/// Invalid preferences domain.
public let errSecInvalidPrefsDomain: OSStatus = -25_319
/// In dark wake.
public let errSecInDarkWake: OSStatus = -25_320
