internal import CryptoKit
internal import CryptoTokenKit
package import Foundation
package import PavisePrimitives
internal import Security

/// A permanent P-256 key of the Secure Enclave, in a form without pointers, for the Kit.
package enum EnclaveBridge {
    private static var algorithm: SecKeyAlgorithm { .eciesEncryptionCofactorVariableIVX963SHA256AESGCM }

    /// Makes the key called `tag`, readable after the first unlock, on this device only.
    package static func create(tag: String) -> OSStatus {
        let control = unsafe SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil)
        guard let control else { return errSecParam }
        let privatePart: [String: Any] = [
            kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: Data(tag.utf8),
            kSecAttrAccessControl as String: control,
        ]
        let parameters: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs as String: privatePart,
        ]
        return unsafe reporting { unsafe SecKeyCreateRandomKey(parameters as CFDictionary, $0) }.status
    }

    /// Encrypts to the key called `tag`, in Apple's ECIES form with a derived IV. The caller wipes `plain`.
    package static func seal(_ plain: [UInt8], tag: String) -> (status: OSStatus, packet: [UInt8]?) {
        let (status, key) = key(tag: tag)
        guard let key else { return (status, nil) }
        guard let publicKey = SecKeyCopyPublicKey(key) else { return (errSecInternalComponent, nil) }
        let answer = unsafe reporting {
            unsafe SecKeyCreateEncryptedData(publicKey, algorithm, Data(plain) as CFData, $0)
        }
        return (answer.status, (answer.value as Data?).map { [UInt8]($0) })
    }

    /// Decrypts with the key called `tag`. The copy that the system gave cannot be wiped.
    package static func open(_ packet: [UInt8], tag: String) -> (status: OSStatus, plain: SharedSecretBytes?) {
        let found = keys(tag: tag)
        var status = found.status
        for key in found.keys {
            let answer = unsafe reporting {
                unsafe SecKeyCreateDecryptedData(key, algorithm, Data(packet) as CFData, $0)
            }
            if let plain = answer.value as Data? {
                var bytes = [UInt8](plain)
                defer { Wipe.bytes(&bytes) }
                return (answer.status, SharedSecretBytes(SecretBytes(copying: bytes)))
            }
            // That the packet is of none of them is said only when each was asked.
            if [errSecSuccess, errSecParam, errSecDecode].contains(status) { status = answer.status }
        }
        return (status, nil)
    }

    /// The public half of the key called `tag`, 04‖X‖Y.
    package static func publicPoint(tag: String) -> (status: OSStatus, point: Data?) {
        let (status, key) = key(tag: tag)
        guard let key else { return (status, nil) }
        guard let publicKey = SecKeyCopyPublicKey(key) else { return (errSecInternalComponent, nil) }
        let answer = unsafe reporting { unsafe SecKeyCopyExternalRepresentation(publicKey, $0) }
        return (answer.status, answer.value as Data?)
    }

    /// Signs with the key called `tag`: ECDSA over the message's SHA-256, as r ‖ s.
    package static func sign(_ message: Data, tag: String) -> (status: OSStatus, signature: Data?) {
        let (status, key) = key(tag: tag)
        guard let key else { return (status, nil) }
        let answer = unsafe reporting {
            unsafe SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, $0)
        }
        guard let der = answer.value as Data? else { return (answer.status, nil) }
        return (answer.status, try? P256.Signing.ECDSASignature(derRepresentation: der).rawRepresentation)
    }

    /// Deletes the key called `tag`.
    package static func delete(tag: String) -> OSStatus {
        KeychainBridge.delete(query(tag), readable: .afterFirstUnlock)
    }

    /// Whether the key called `tag` is there.
    package static func find(tag: String) -> OSStatus { keys(tag: tag).status }

    private static func key(tag: String) -> (status: OSStatus, key: SecKey?) {
        let found = keys(tag: tag)
        return (found.status, found.keys.first)
    }

    // Of processes that make the key at the same moment each makes one: the keychain tells keys of one tag apart by
    // their public halves. For every process the oldest counts, and of two as old the one with the smaller label.
    private static func keys(tag: String) -> (status: OSStatus, keys: [SecKey]) {
        let wanted: [String: Any] = [
            kSecReturnRef as String: true, kSecReturnAttributes as String: true,
            kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        let answer = KeychainBridge.copyMatching(query(tag).merging(wanted) { $1 }, .afterFirstUnlock)
        guard answer.status == errSecSuccess else { return (answer.status, []) }
        let found = answer.result as? [[String: Any]] ?? []
        let keys = found.sorted(by: isOlder).compactMap { key(in: $0) }
        return keys.isEmpty ? (errSecDecode, []) : (errSecSuccess, keys)
    }

    private static func key(in entry: [String: Any]) -> SecKey? {
        guard let value = entry[kSecValueRef as String] else { return nil }
        let object = value as AnyObject
        guard CFGetTypeID(object) == SecKeyGetTypeID() else { return nil }
        // Right by the type number: a cast with `as?` says nothing about Core Foundation's types.
        return unsafe unsafeDowncast(object, to: SecKey.self)
    }

    private static func isOlder(_ one: [String: Any], _ other: [String: Any]) -> Bool {
        let dates = [one, other].map { $0[kSecAttrCreationDate as String] as? Date ?? .distantFuture }
        guard dates[0] == dates[1] else { return dates[0] < dates[1] }
        let labels = [one, other].map { Array($0[kSecAttrApplicationLabel as String] as? Data ?? Data()) }
        return labels[0].lexicographicallyPrecedes(labels[1])
    }

    private static func query(_ tag: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: Data(tag.utf8),
            kSecAttrKeyClass as String: kSecAttrKeyClassPrivate, kSecUseDataProtectionKeychain as String: true,
        ]
    }

    private static func reporting<Value>(
        _ call: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Value?
    ) -> (status: OSStatus, value: Value?) {
        var error: Unmanaged<CFError>?
        if let value = unsafe call(&error) { return (errSecSuccess, value) }
        let status = unsafe status(of: error?.takeRetainedValue())
        return (KeychainBridge.proved(status, .afterFirstUnlock), nil)
    }

    // Key calls report in the domain of OSStatus or, where the element answers, in that of tokens.
    private static func status(of error: CFError?) -> OSStatus {
        guard let error else { return errSecInternalComponent }
        let code = CFErrorGetCode(error)
        switch CFErrorGetDomain(error) as String {
        case NSOSStatusErrorDomain: return OSStatus(clamping: code)
        case TKErrorDomain where code == TKError.Code.corruptedData.rawValue: return errSecDecode
        case TKErrorDomain where code == TKError.Code.canceledByUser.rawValue: return errSecUserCanceled
        case TKErrorDomain where code == TKError.Code.authenticationFailed.rawValue: return errSecAuthFailed
        case TKErrorDomain where code == TKError.Code.objectNotFound.rawValue: return errSecItemNotFound
        default: return errSecInternalComponent
        }
    }
}
