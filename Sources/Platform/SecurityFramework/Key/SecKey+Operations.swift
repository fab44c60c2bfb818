public import Foundation
internal import PaviseCrypto
internal import PavisePrimitives

/// Signs data, or a digest of it, with a private key.
///
/// - Parameters:
///   - dataToSign: The message or the digest, as the algorithm's name says.
///   - error: Gets the reason: -50 for an unsupported algorithm or a digest of a wrong length; -25300 when the
///     element does not know the key any more.
///   - key: The key.
///   - algorithm: How; one that the key supports.
/// - Returns: The signature (DER, r ‖ s, or as long as the modulus), or `nil`.
@discardableResult
@safe
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData, _ error: ErrorTarget?
) -> CFData? {
    unsafe answer(error) { () throws(KeyFailure) in
        let scheme = try key.scheme(algorithm, for: .sign)
        return NSData(data: Data(try key.material.sign(dataToSign.copiedBytes, scheme)))
    }
}

/// Checks a signature with a public key.
///
/// - Parameters:
///   - error: -67808 when the signature does not fit or cannot be read; -50 for an unsupported algorithm or a
///     digest of a wrong length.
///   - signedData: What was signed, or its digest.
///   - algorithm: How; one that the key supports.
///   - signature: The signature.
///   - key: The key.
/// - Returns: Whether the signature belongs to the data and the key.
@discardableResult
@safe
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData, _ error: ErrorTarget?
) -> Bool {
    unsafe answer(error) { () throws(KeyFailure) in
        let scheme = try key.scheme(algorithm, for: .verify)
        try key.material.verify(signature.copiedBytes, of: signedData.copiedBytes, scheme)
        return true
    } ?? false
}

/// Encrypts data to a public key.
///
/// - Returns: For ECIES the ephemeral key, the ciphertext and a 16-byte tag; `nil` with -50 for an unsupported
///   algorithm.
@discardableResult
@safe
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData, _ error: ErrorTarget?
) -> CFData? {
    unsafe answer(error) { () throws(KeyFailure) in
        let scheme = try key.scheme(algorithm, for: .encrypt)
        var plain = plaintext.copiedBytes
        defer { Wipe.bytes(&plain) }
        return NSData(data: Data(try key.material.encrypt(plain, scheme)))
    }
}

/// Decrypts data with a private key.
///
/// - Returns: The plaintext; `nil` with -50 for every defect of the packet, so that an attacker learns nothing from it.
@discardableResult
@safe
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData, _ error: ErrorTarget?
) -> CFData? {
    unsafe answer(error) { () throws(KeyFailure) in
        let scheme = try key.scheme(algorithm, for: .decrypt)
        return try key.material.decrypt(ciphertext.copiedBytes, scheme).asData
    }
}

/// Agrees on a secret with the owner of `publicKey`.
///
/// - Parameters:
///   - parameters: For the `X963` algorithms ``SecKeyKeyExchangeParameter/requestedSize`` and, where wanted,
///     ``SecKeyKeyExchangeParameter/sharedInfo``.
///   - error: -50 for keys of different curves, a missing size, or an unsupported algorithm.
///   - algorithm: How; one that the key supports.
///   - publicKey: The other side's key.
///   - privateKey: The own key.
/// - Returns: The x coordinate, as wide as the field (X25519: 32 bytes), or as many derived bytes as requested.
@discardableResult
@safe
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: ErrorTarget?
) -> CFData? {
    unsafe answer(error) { () throws(KeyFailure) in
        guard case .agreement(let hash) = try privateKey.scheme(algorithm, for: .keyExchange) else {
            throw .parameter("unsupported algorithm")
        }
        let secret = try privateKey.material.sharedSecret(with: publicKey.material)
        guard let hash else { return secret.asData }
        guard let size = parameters[SecKeyKeyExchangeParameter.requestedSize.rawValue] as? Int, size > 0 else {
            throw .parameter("the requested size is missing")
        }
        let info = parameters[SecKeyKeyExchangeParameter.sharedInfo.rawValue] as? Data ?? Data()
        return try KeyFailure.reporting {
            try secret.withBytes { try KDF.x963(hash, $0, sharedInfo: [UInt8](info), count: size) }
        }.asData
    }
}

extension SecKey {
    func scheme(_ algorithm: SecKeyAlgorithm, for operation: SecKeyOperationType) throws(KeyFailure) -> KeyScheme {
        guard let scheme = KeyScheme(algorithm), scheme.isSupported(operation, by: material) else {
            throw .parameter("The key does not support \(algorithm.name) for this operation.")
        }
        return scheme
    }
}

extension SecretBytes {
    /// A copy in Apple's type. It cannot be wiped: only Apple-shaped functions hand it out.
    borrowing func copyToData() -> NSData {
        withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe NSData(bytes: $0.baseAddress, length: $0.count) } }
    }

    var asData: NSData { copyToData() }
}

/// Runs `body`; its failure goes where the caller of a C-shaped function wants it.
func answer<Result>(_ target: ErrorTarget?, _ body: () throws(KeyFailure) -> Result) -> Result? {
    do {
        return try body()
    } catch {
        unsafe StatusError.report(error.error, to: target)
        return nil
    }
}
