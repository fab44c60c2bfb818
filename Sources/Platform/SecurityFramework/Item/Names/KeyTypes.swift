public import Foundation

// Key types and tokens. A constant is its code as a text, so literal dictionaries with codes work too.

/// RSA.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRSA: CFString = "42"
/// An elliptic-curve key on a NIST curve.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEC: CFString = "73"
/// An elliptic-curve key on a NIST curve.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// An old name of elliptic-curve keys.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeECDSA: CFString = "73"
/// DSA. Not supported.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDSA: CFString = "43"
/// AES, in attributes only.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeAES: CFString = "2147483649"
/// DES. Not supported.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeDES: CFString = "14"
/// Triple DES. Not supported.
@safe nonisolated(unsafe) public let kSecAttrKeyType3DES: CFString = "17"
/// RC4. Not supported.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC4: CFString = "25"
/// RC2. Not supported.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeRC2: CFString = "23"
/// CAST. Not supported.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeCAST: CFString = "27"
/// Ed25519.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEd25519: CFString = "105"
/// X25519.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeX25519: CFString = "106"
/// Ed448.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeEd448: CFString = "107"
/// X448.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeX448: CFString = "108"
/// ML-KEM.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeMLKEM: CFString = "110"
/// ML-DSA.
@safe nonisolated(unsafe) public let kSecAttrKeyTypeMLDSA: CFString = "111"
/// The key lives in the Secure Enclave; on Linux in the secure element of the device.
@safe nonisolated(unsafe) public let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
