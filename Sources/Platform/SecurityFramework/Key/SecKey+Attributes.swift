public import Foundation
internal import PaviseCrypto
internal import PaviseDevice
internal import PavisePrimitives

/// What is known about a key, under the names of keychain attributes.
///
/// Software keys give their bytes too (`kSecValueData`), as on Apple's systems.
@discardableResult
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    var attributes = key.attributes
    attributes[kSecClass as String] = kSecClassKey
    attributes[SecKey.passwordVerifierCode] = nil
    attributes[kSecValueData as String] = try? key.material.externalBytes().asData
    return attributes as NSDictionary
}

extension SecKey {
    /// The attributes of this key's keychain item, without the key itself.
    package var attributes: [String: Any] {
        let isPrivate = material.isPrivate
        let isElement = material.isElement
        var attributes: [CFString: Any] = [
            kSecAttrKeyClass: isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic,
            kSecAttrKeyType: material.kind.type,
            kSecAttrKeySizeInBits: material.bits, kSecAttrEffectiveKeySize: material.bits,
            kSecAttrApplicationLabel: Data(applicationLabel),
            kSecAttrIsPermanent: traits.isPermanent, kSecAttrIsPrivate: isPrivate, kSecAttrIsModifiable: true,
            kSecAttrIsSensitive: isElement, kSecAttrWasAlwaysSensitive: isElement,
            kSecAttrIsExtractable: !isElement, kSecAttrWasNeverExtractable: isElement,
            kSecAttrCanEncrypt: !isPrivate, kSecAttrCanDecrypt: isPrivate,
            kSecAttrCanSign: isPrivate, kSecAttrCanVerify: !isPrivate,
            kSecAttrCanWrap: !isPrivate, kSecAttrCanUnwrap: isPrivate,
            kSecAttrCanDerive: isPrivate && material.kind != .rsa,
        ]
        attributes[kSecAttrLabel] = traits.label
        attributes[kSecAttrApplicationTag] = traits.tag.map { Data($0) }
        attributes[kSecAttrAccessControl] = traits.accessControl
        if case .element(_, let blob, _) = material {
            attributes[kSecAttrTokenID] = kSecAttrTokenIDSecureEnclave
            attributes[kSecAttrTokenOID] = Data(blob)
        }
        var named = Dictionary(attributes.map { ($0.key as String, $0.value) }, uniquingKeysWith: { $1 })
        named[Self.passwordVerifierCode] = traits.passwordVerifier.map { Data($0) }
        return named
    }

    // The keychain's name for what judges the application's password; nobody outside sees it.
    fileprivate static let passwordVerifierCode = "apwv"

    /// The key of a keychain item.
    ///
    /// - Parameter data: The key's bytes, of which no copy is kept; the caller wipes its own.
    /// - Throws: An `NSError` with -26275 when the item holds no key, or with the device's status for element keys.
    package static func restored(attributes: [String: Any], data: [UInt8]) throws -> SecKey {
        do throws(KeyFailure) {
            return try restore(attributes, data)
        } catch {
            throw error.error
        }
    }

    /// ``restored(attributes:data:)``, with the reason as it is.
    static func restore(_ attributes: [String: Any], _ data: [UInt8]) throws(KeyFailure) -> SecKey {
        let parameters = KeyParameters(attributes as NSDictionary)
        // An item that was stored without a class is a public key: absent and 0 are the same in the keychain.
        let isPrivate = attributes[kSecAttrKeyClass as String] == nil ? false : try parameters.isPrivate()
        var traits = parameters.traits(privateHalf: isPrivate)
        traits.isPermanent = true
        if try parameters.wantsElement() {
            guard let blob = attributes[kSecAttrTokenOID as String] as? Data else { throw Self.undecodable }
            traits.passwordVerifier = (attributes[passwordVerifierCode] as? Data).map { [UInt8]($0) }
            let material = try KeyFailure.reporting {
                let element = try Device.current().element
                let point = try element.publicKey(of: [UInt8](blob))
                let guarded = GuardedElement.around(
                    element, traits.accessControl, AccessCredentials.interaction, traits.passwordVerifier)
                return KeyMaterial.element(guarded, blob: [UInt8](blob), try ECPublicKey(x963: point, curve: .p256))
            }
            return SecKey(material, traits)
        }
        guard let kind = try? parameters.kind(),
            let material = try? KeyMaterial(external: data, kind: kind, isPrivate: isPrivate)
        else { throw Self.undecodable }
        return SecKey(material, traits)
    }

    private static let undecodable = KeyFailure.status(errSecDecode, "The stored key cannot be read.")
}
