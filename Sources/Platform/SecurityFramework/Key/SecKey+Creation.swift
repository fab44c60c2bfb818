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
    unsafe answer(error) { () throws(KeyFailure) in try KeyMaker(KeyParameters(parameters)).make() }
}

/// Makes a key from its external representation.
///
/// - Parameters:
///   - keyData: EC: 04‖X‖Y, for a private key followed by K. RSA: PKCS#1, DER.
///   - attributes: `kSecAttrKeyType` and `kSecAttrKeyClass`.
///   - error: -50 when one of them is missing, or the bytes are no such key; -4 for a symmetric key.
@discardableResult
@safe
public func SecKeyCreateWithData(_ keyData: CFData, _ attributes: CFDictionary, _ error: ErrorTarget?) -> SecKey? {
    unsafe answer(error) { () throws(KeyFailure) in
        let parameters = KeyParameters(attributes)
        let isPrivate = try parameters.isPrivate()
        var bytes = keyData.copiedBytes
        defer { Wipe.bytes(&bytes) }
        let material = try KeyMaterial(external: bytes, isEC: parameters.kind() == .ec, isPrivate: isPrivate)
        return SecKey(material, parameters.traits)
    }
}

/// The external representation of a key: EC 04‖X‖Y(‖K), RSA PKCS#1.
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
        let key = try KeyMaker(KeyParameters(parameters)).make()
        if let privateKey = unsafe privateKey { unsafe privateKey.pointee = key }
        if let publicKey = unsafe publicKey { unsafe publicKey.pointee = SecKeyCopyPublicKey(key) }
        return errSecSuccess
    } catch {
        return OSStatus(error.error.code)
    }
}

/// Makes keys, and stores those that shall stay.
struct KeyMaker {
    private let parameters: KeyParameters

    init(_ parameters: KeyParameters) { self.parameters = parameters }

    func make() throws(KeyFailure) -> SecKey {
        // A key that nobody guards as it was asked for is worse than no key.
        guard parameters.traits.accessControl?.isSatisfiable != false else {
            throw .status(errSecAuthFailed, "The key asks for biometry or a companion device, and there is none.")
        }
        let isElement = try parameters.wantsElement()
        let material = try isElement ? makeInElement() : makeInMemory()
        var traits = parameters.traits
        traits.isPermanent = parameters.isPermanent(privateHalf: true, byDefault: isElement)
        let key = SecKey(material, traits)
        do throws(KeyFailure) {
            try store(key)
        } catch {
            key.destroyInElement()
            throw error
        }
        return key
    }

    private func makeInMemory() throws(KeyFailure) -> KeyMaterial {
        let kind = try parameters.kind()
        let bits = try parameters.bits()
        return try KeyFailure.reporting {
            switch kind {
            case .ec:
                guard let curve = Curve(bits: bits) else { throw Self.sizeNotOffered(bits) }
                return .ecPrivate(try ECPrivateKey(generating: curve))
            case .rsa:
                guard (1024...8192).contains(bits) else { throw Self.sizeNotOffered(bits) }
                return try KeyMaterial.rsa(RSAPrivateKey(generating: bits))
            }
        }
    }

    private func makeInElement() throws(KeyFailure) -> KeyMaterial {
        guard try parameters.kind() == .ec else { throw .parameter("the secure element makes EC keys only") }
        let bits = try parameters.bits()
        guard bits == 256 else { throw Self.sizeNotOffered(bits) }
        return try KeyFailure.reporting {
            let element = try Device.current().element
            let key = try element.generateKey()
            let guarded = GuardedElement.around(element, parameters.traits.accessControl)
            return .element(guarded, blob: key.blob, try ECPublicKey(x963: key.publicKey, curve: .p256))
        }
    }

    private func store(_ key: SecKey) throws(KeyFailure) {
        if key.traits.isPermanent { try PermanentKeys.add(key, parameters.itemAttributes(privateHalf: true)) }
        guard parameters.isPermanent(privateHalf: false, byDefault: false) else { return }
        var traits = key.traits
        traits.isPermanent = true
        traits.accessControl = nil
        let publicKey = SecKey(key.material.publicHalf, traits)
        try PermanentKeys.add(publicKey, parameters.itemAttributes(privateHalf: false))
    }

    private static func sizeNotOffered(_ bits: Int) -> KeyFailure {
        .status(errSecKeySizeNotAllowed, "Keys of \(bits) bits are not offered.")
    }
}

extension SecKey {
    /// Makes an element key useless for good; nothing happens to other keys.
    package func destroyInElement() {
        guard case .element(let element, let blob, _) = material else { return }
        try? element.destroy(blob)
    }
}
