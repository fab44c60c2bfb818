package import Foundation

/// A permanent P-256 key of the secure element, in a form without pointers, for the Kit.
package enum EnclaveBridge {
    private static let algorithm = SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM

    /// Makes the key called `tag`, usable after the first unlock, on this device only.
    package static func create(tag: String) -> OSStatus {
        let half: [String: Any] = [
            kSecAttrIsPermanent as String: true,
            kSecAttrApplicationTag as String: Data(tag.utf8),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        let parameters: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits as String: 256,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs as String: half,
        ]
        var error: Unmanaged<CFError>?
        let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
        return unsafe key == nil ? status(of: error) : errSecSuccess
    }

    /// Encrypts to the key called `tag`, in Apple's ECIES form with a derived IV.
    package static func seal(_ plain: Data, tag: String) -> (status: OSStatus, packet: Data?) {
        let (found, key) = find(tag: tag)
        guard let key else { return (found, nil) }
        guard let half = SecKeyCopyPublicKey(key) else { return (errSecInternalComponent, nil) }
        var error: Unmanaged<CFError>?
        let packet = SecKeyCreateEncryptedData(half, algorithm, plain as CFData, &error)
        return unsafe (packet == nil ? status(of: error) : errSecSuccess, packet as Data?)
    }

    /// Decrypts with the key called `tag`.
    package static func open(_ packet: Data, tag: String) -> (status: OSStatus, plain: Data?) {
        let (found, key) = find(tag: tag)
        guard let key else { return (found, nil) }
        var error: Unmanaged<CFError>?
        let plain = SecKeyCreateDecryptedData(key, algorithm, packet as CFData, &error)
        return unsafe (plain == nil ? status(of: error) : errSecSuccess, plain as Data?)
    }

    /// Deletes the key called `tag`.
    package static func delete(tag: String) -> OSStatus { KeychainBridge.delete(query(tag)) }

    /// The key called `tag`, or the status that says why not.
    package static func find(tag: String) -> (status: OSStatus, key: SecKey?) {
        let (status, item) = KeychainBridge.find(query(tag).merging([kSecReturnRef as String: true]) { $1 })
        guard status == errSecSuccess else { return (status, nil) }
        guard let item, CFGetTypeID(item) == SecKeyGetTypeID() else { return (errSecInternalComponent, nil) }
        return (errSecSuccess, (item as! SecKey))
    }

    private static func query(_ tag: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: Data(tag.utf8),
            kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
        ]
    }

    private static func status(of error: Unmanaged<CFError>?) -> OSStatus {
        guard let error = unsafe error?.takeRetainedValue() else { return errSecInternalComponent }
        return OSStatus(truncatingIfNeeded: CFErrorGetCode(error))
    }
}
