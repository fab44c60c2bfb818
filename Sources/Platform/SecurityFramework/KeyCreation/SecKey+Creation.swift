public import Foundation
internal import PaviseCrypto
internal import PaviseDevice
internal import PavisePrimitives

/// Makes a fresh key.
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType` and `kSecAttrKeySizeInBits`; with `kSecAttrTokenID` the secure element makes the
///     key (EC, 256 bits). `kSecAttrIsPermanent` stores it in the keychain.
///   - error: -50 for a missing or unknown type; -25311 for a missing size or one that is not offered; -25299 when a
///     permanent key of the same attributes exists.
/// - Returns: The private key, or `nil`. Blocks: RSA takes 0.1 s for 2048 bits and seconds above 4096.
@discardableResult
@safe
public func SecKeyCreateRandomKey(_ parameters: CFDictionary, _ error: ErrorTarget?) -> SecKey? {
    unsafe answer(error) { () throws(KeyFailure) in try KeyMaker(KeyParameters(parameters)).make().privateKey }
}

/// Makes a key from its external representation.
///
/// - Parameters:
///   - keyData: EC: 04‖X‖Y, for a private key followed by K. RSA: PKCS#1, DER, 512 to 8192 bits. Ed25519, X25519:
///     32 bytes.
///   - attributes: `kSecAttrKeyType` and `kSecAttrKeyClass`.
///   - error: -50 when one of them is missing, or the bytes are no such key; for a private key with `kSecAttrTokenID`,
///     since the secure element takes none from outside, or with an access control that is none; -4 for a symmetric
///     key.
@discardableResult
@safe
public func SecKeyCreateWithData(_ keyData: CFData, _ attributes: CFDictionary, _ error: ErrorTarget?) -> SecKey? {
    unsafe answer(error) { () throws(KeyFailure) in
        let parameters = KeyParameters(attributes)
        let isPrivate = try parameters.isPrivate()
        if isPrivate { try parameters.checkIsOfMemory() }
        var bytes = keyData.copiedBytes
        defer { Wipe.bytes(&bytes) }
        let material = try KeyMaterial(external: bytes, kind: parameters.kind(), isPrivate: isPrivate)
        return SecKey(material, parameters.traits(privateHalf: isPrivate))
    }
}

/// The external representation of a key: EC 04‖X‖Y(‖K), RSA PKCS#1, Ed25519 and X25519 32 bytes.
///
/// - Parameters:
///   - error: -4 for a private key of the secure element.
///   - key: The key.
@discardableResult
@safe
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: ErrorTarget?) -> CFData? {
    unsafe answer(error) { () throws(KeyFailure) in try key.material.externalBytes().asData }
}

/// Makes a fresh pair. An older form of ``SecKeyCreateRandomKey(_:_:)``.
///
/// - Returns: 0, or the status that the newer function puts into its error.
@discardableResult
@safe
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    do throws(KeyFailure) {
        let pair = try KeyMaker(KeyParameters(parameters)).make()
        if let privateKey = unsafe privateKey { unsafe privateKey.pointee = pair.privateKey }
        if let publicKey = unsafe publicKey { unsafe publicKey.pointee = pair.publicKey }
        return errSecSuccess
    } catch {
        return error.code
    }
}

extension SecKey {
    /// Makes an element key useless for good; nothing happens to other keys.
    package func destroyInElement() {
        guard case .element(let element, let blob, _) = material else { return }
        try? element.destroy(blob)
    }
}
