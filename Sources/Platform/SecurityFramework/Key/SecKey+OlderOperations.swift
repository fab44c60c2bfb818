// Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation

// The functions of 2008, which libraries still call. Each is one of the newer functions with another way to name the
// algorithm, a buffer of the caller for the result, and a status in the place of an error.

/// Signs a digest.
///
/// RSA: no padding, ``SecPadding/PKCS1`` (no DigestInfo), or one of the paddings that name a hash. EC: a DER signature,
/// or r ‖ s with ``SecPadding/sigRaw``.
///
/// - Parameters:
///   - key: A private key.
///   - padding: How the digest is padded.
///   - dataToSign: The digest.
///   - dataToSignLen: The length of the digest in bytes.
///   - sig: Room for the signature.
///   - sigLen: The size of the room in bytes; then the size of the signature.
/// - Returns: 0, or what ``SecKeyCreateSignature(_:_:_:_:)`` puts into its error; -50 also when the room is too small.
@discardableResult
@safe
public func SecKeyRawSign(
    _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>, _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    unsafe OlderCall(key, .sign, padding).run(dataToSign, dataToSignLen, sig, sigLen)
}

/// `SecKeyRawSign` for pointers without a type, which a C function takes as well.
@_disfavoredOverload
@discardableResult
@safe
public func SecKeyRawSign(
    _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafeRawPointer, _ dataToSignLen: Int,
    _ sig: UnsafeMutableRawPointer, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    unsafe OlderCall(key, .sign, padding).run(dataToSign, dataToSignLen, sig, sigLen)
}

/// Checks a signature of a digest; the paddings are those of `SecKeyRawSign`.
///
/// - Returns: 0 when it fits, -9809 (``errSSLCrypto``) when it does not, -50 for a padding that the key does not have.
///   The newer ``SecKeyVerifySignature(_:_:_:_:_:)`` says -67808 where this function, like Apple's, still says -9809.
@discardableResult
@safe
public func SecKeyRawVerify(
    _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>, _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>, _ sigLen: Int
) -> OSStatus {
    unsafe OlderCall(key, .verify, padding).verify(signedData, signedDataLen, sig, sigLen)
}

/// `SecKeyRawVerify` for pointers without a type.
@_disfavoredOverload
@discardableResult
@safe
public func SecKeyRawVerify(
    _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafeRawPointer, _ signedDataLen: Int,
    _ sig: UnsafeRawPointer, _ sigLen: Int
) -> OSStatus {
    unsafe OlderCall(key, .verify, padding).verify(signedData, signedDataLen, sig, sigLen)
}

/// Encrypts with an RSA key: no padding, ``SecPadding/PKCS1``, or ``SecPadding/OAEP`` with SHA-1.
///
/// - Parameters:
///   - key: An RSA public key.
///   - padding: How the text is padded.
///   - plainText: The text.
///   - plainTextLen: The length of the text in bytes.
///   - cipherText: Room for the result, as large as the modulus.
///   - cipherTextLen: The size of the room in bytes; then the size of the result.
/// - Returns: 0; -50 for too long a text, too small a room, or a padding or key that does not do this.
@discardableResult
@safe
public func SecKeyEncrypt(
    _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    unsafe OlderCall(key, .encrypt, padding).run(plainText, plainTextLen, cipherText, cipherTextLen)
}

/// `SecKeyEncrypt` for pointers without a type.
@_disfavoredOverload
@discardableResult
@safe
public func SecKeyEncrypt(
    _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafeRawPointer, _ plainTextLen: Int,
    _ cipherText: UnsafeMutableRawPointer, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    unsafe OlderCall(key, .encrypt, padding).run(plainText, plainTextLen, cipherText, cipherTextLen)
}

/// Decrypts with an RSA key; the paddings are those of `SecKeyEncrypt`.
///
/// - Returns: 0; -50 for every defect of the packet, and for too small a room.
@discardableResult
@safe
public func SecKeyDecrypt(
    _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafePointer<UInt8>, _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    unsafe OlderCall(key, .decrypt, padding).run(cipherText, cipherTextLen, plainText, plainTextLen)
}

/// `SecKeyDecrypt` for pointers without a type.
@_disfavoredOverload
@discardableResult
@safe
public func SecKeyDecrypt(
    _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafeRawPointer, _ cipherTextLen: Int,
    _ plainText: UnsafeMutableRawPointer, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    unsafe OlderCall(key, .decrypt, padding).run(cipherText, cipherTextLen, plainText, plainTextLen)
}
