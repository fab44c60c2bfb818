public import Foundation

// Attributes of keys. A constant is its code as a text, so literal dictionaries with codes work too.

/// Public, private or symmetric.
@safe nonisolated(unsafe) public let kSecAttrKeyClass: CFString = "kcls"
/// A public key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPublic: CFString = "0"
/// A private key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassPrivate: CFString = "1"
/// A symmetric key.
@safe nonisolated(unsafe) public let kSecAttrKeyClassSymmetric: CFString = "2"
/// SHA-1 of the public key, set by the keychain.
@safe nonisolated(unsafe) public let kSecAttrApplicationLabel: CFString = "klbl"
/// Bytes of the application's own that name the key.
@safe nonisolated(unsafe) public let kSecAttrApplicationTag: CFString = "atag"
/// The algorithm; one of the key types.
@safe nonisolated(unsafe) public let kSecAttrKeyType: CFString = "type"
/// The size in bits.
@safe nonisolated(unsafe) public let kSecAttrKeySizeInBits: CFString = "bsiz"
/// The effective size in bits.
@safe nonisolated(unsafe) public let kSecAttrEffectiveKeySize: CFString = "esiz"
/// Whether the key is stored when it is made.
@safe nonisolated(unsafe) public let kSecAttrIsPermanent: CFString = "perm"
/// Whether the key is private.
@safe nonisolated(unsafe) public let kSecAttrIsPrivate: CFString = "priv"
/// Whether the key may change.
@safe nonisolated(unsafe) public let kSecAttrIsModifiable: CFString = "modi"
/// Whether the key leaves only wrapped.
@safe nonisolated(unsafe) public let kSecAttrIsSensitive: CFString = "sens"
/// Whether it always was sensitive.
@safe nonisolated(unsafe) public let kSecAttrWasAlwaysSensitive: CFString = "asen"
/// Whether the key may leave.
@safe nonisolated(unsafe) public let kSecAttrIsExtractable: CFString = "extr"
/// Whether it never could leave.
@safe nonisolated(unsafe) public let kSecAttrWasNeverExtractable: CFString = "next"
/// From when the key may be used.
@safe nonisolated(unsafe) public let kSecAttrStartDate: CFString = "sdat"
/// Until when the key may be used.
@safe nonisolated(unsafe) public let kSecAttrEndDate: CFString = "edat"
/// Whether the key may encrypt.
@safe nonisolated(unsafe) public let kSecAttrCanEncrypt: CFString = "encr"
/// Whether the key may decrypt.
@safe nonisolated(unsafe) public let kSecAttrCanDecrypt: CFString = "decr"
/// Whether the key may derive others.
@safe nonisolated(unsafe) public let kSecAttrCanDerive: CFString = "drve"
/// Whether the key may sign.
@safe nonisolated(unsafe) public let kSecAttrCanSign: CFString = "sign"
/// Whether the key may verify.
@safe nonisolated(unsafe) public let kSecAttrCanVerify: CFString = "vrfy"
/// Whether the key may sign with recovery.
@safe nonisolated(unsafe) public let kSecAttrCanSignRecover: CFString = "snrc"
/// Whether the key may verify with recovery.
@safe nonisolated(unsafe) public let kSecAttrCanVerifyRecover: CFString = "vyrc"
/// Whether the key may wrap others.
@safe nonisolated(unsafe) public let kSecAttrCanWrap: CFString = "wrap"
/// Whether the key may unwrap others.
@safe nonisolated(unsafe) public let kSecAttrCanUnwrap: CFString = "unwp"
/// Attributes for the private half when a pair is made.
@safe nonisolated(unsafe) public let kSecPrivateKeyAttrs: CFString = "private"
/// Attributes for the public half when a pair is made.
@safe nonisolated(unsafe) public let kSecPublicKeyAttrs: CFString = "public"
