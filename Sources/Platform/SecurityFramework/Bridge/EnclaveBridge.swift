internal import Foundation
internal import PaviseCrypto
package import PavisePrimitives

/// A permanent P-256 key of the secure element, in a form without pointers, for the Kit. A tag that is Pavise's own
/// (``OwnItems``) names a key in the group of own items.
package enum EnclaveBridge {
    private static let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM

    /// Makes the key called `tag`, readable after the first unlock, on this device only.
    package static func create(tag: String) -> OSStatus {
        let control = SecAccessControlCreateWithFlags(
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
        return OwnItems.run(for: tag) {
            unsafe reporting { SecKeyCreateRandomKey(parameters as CFDictionary, $0) }.status
        }
    }

    /// Encrypts to the key called `tag`, in Apple's ECIES form with a derived IV. The caller wipes `plain`.
    package static func seal(_ plain: [UInt8], tag: String) -> (status: OSStatus, packet: [UInt8]?) {
        let (status, key) = key(tag: tag)
        guard let key else { return (status, nil) }
        guard let publicKey = SecKeyCopyPublicKey(key) else { return (errSecInternalComponent, nil) }
        let answer = reporting { () throws(KeyFailure) in
            try publicKey.material.encrypt(plain, publicKey.scheme(algorithm, for: .encrypt))
        }
        return (answer.status, answer.value)
    }

    /// Decrypts with the key called `tag`. The plaintext is in one place, which is wiped when it is let go.
    package static func open(_ packet: [UInt8], tag: String) -> (status: OSStatus, plain: SharedSecretBytes?) {
        let found = keys(tag: tag)
        var status = found.status
        for key in found.keys {
            let answer = reporting { () throws(KeyFailure) in
                SharedSecretBytes(try key.material.decrypt(packet, key.scheme(algorithm, for: .decrypt)))
            }
            if let plain = answer.value { return (answer.status, plain) }
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
        let answer = unsafe reporting { SecKeyCopyExternalRepresentation(publicKey, $0) }
        return (answer.status, answer.value?.copied)
    }

    /// Signs with the key called `tag`: ECDSA over the message's SHA-256, as r ‖ s.
    package static func sign(_ message: Data, tag: String) -> (status: OSStatus, signature: Data?) {
        let (status, key) = key(tag: tag)
        guard let key else { return (status, nil) }
        let answer = unsafe reporting {
            SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, $0)
        }
        guard let der = answer.value?.copied else { return (answer.status, nil) }
        return (answer.status, ECDSASignature.raw(der: Array(der), curve: .p256).map { Data($0) })
    }

    /// Deletes the key called `tag`.
    package static func delete(tag: String) -> OSStatus {
        KeychainBridge.delete(query(tag), of: tag)
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
        let answer = OwnItems.run(for: tag) { KeychainBridge.copyMatching(query(tag).merging(wanted) { $1 }) }
        guard answer.status == errSecSuccess else { return (answer.status, []) }
        let found = answer.result as? [[String: Any]] ?? []
        let keys = found.sorted(by: isOlder).compactMap { $0[kSecValueRef as String] as? SecKey }
        return keys.isEmpty ? (errSecDecode, []) : (errSecSuccess, keys)
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

    private static func reporting<Value>(_ call: () throws(KeyFailure) -> Value) -> (status: OSStatus, value: Value?) {
        do throws(KeyFailure) {
            return (errSecSuccess, try call())
        } catch {
            return (OSStatus(clamping: error.error.code), nil)
        }
    }

    // The status inside the error that a key call leaves behind a pointer.
    private static func reporting<Value>(_ call: (ErrorTarget) -> Value?) -> (status: OSStatus, value: Value?) {
        var error: Unmanaged<CFError>?
        guard let value = unsafe call(&error) else {
            let code = unsafe error?.takeRetainedValue().code
            return (code.map { OSStatus(clamping: $0) } ?? errSecInternalComponent, nil)
        }
        return (errSecSuccess, value)
    }
}
