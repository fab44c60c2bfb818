internal import Foundation
package import PavisePrimitives
package import Security

extension IdentityBridge {
    /// The identity of a PKCS #12 file: the first key that has a certificate, with the certificates above it. Nothing
    /// is stored. The system takes the passphrase as a text, which nobody can wipe.
    package static func read(
        pkcs12 file: [UInt8], passphrase: borrowing SecretBytes
    ) -> (status: OSStatus, identity: SharedIdentity?) {
        let text = passphrase.withBytes { String(decoding: Array($0), as: UTF8.self) }
        var options: [String: Any] = [kSecImportExportPassphrase as String: text]
        #if os(macOS)
        options[kSecImportToMemoryOnly as String] = true
        #endif
        var items: CFArray?
        let status = unsafe SecPKCS12Import(Data(file) as CFData, options as CFDictionary, &items)
        guard status == errSecSuccess else { return (status, nil) }
        guard let entry = (items as? [[String: Any]])?.first,
            let found = entry[kSecImportItemIdentity as String].map({ [$0] as? [SecIdentity] }),
            let identity = found?.first
        else { return (errSecItemNotFound, nil) }
        let chain = entry[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        return (errSecSuccess, SharedIdentity(identity, intermediates: Array(chain.dropFirst())))
    }

    /// Stores an identity's key as the one called `tag`, readable after the first unlock, on this device only.
    package static func add(_ identity: SecIdentity, tag: String) -> OSStatus {
        var key: SecKey?
        let status = unsafe SecIdentityCopyPrivateKey(identity, &key)
        guard status == errSecSuccess, let key else { return status }
        return KeychainBridge.add([
            kSecClass as String: kSecClassKey, kSecValueRef as String: key,
            kSecAttrApplicationTag as String: Data(tag.utf8),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            kSecUseDataProtectionKeychain as String: true,
        ])
    }

    /// Stores a certificate beside the key called `tag`: the system makes an identity of both.
    package static func add(certificate: [UInt8], tag: String) -> OSStatus {
        guard let reference = Self.certificate(certificate) else { return errSecDecode }
        let status = KeychainBridge.add([
            kSecClass as String: kSecClassCertificate, kSecValueRef as String: reference,
            kSecAttrLabel as String: tag,
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            kSecUseDataProtectionKeychain as String: true,
        ])
        return status == errSecDuplicateItem ? errSecSuccess : status
    }

    /// The key called `tag` with this certificate.
    package static func find(tag: String, certificate: [UInt8]) -> (status: OSStatus, identity: SecIdentity?) {
        let answer = KeychainBridge.copyMatching(
            [
                kSecClass as String: kSecClassIdentity, kSecMatchLimit as String: kSecMatchLimitAll,
                kSecReturnRef as String: true, kSecUseDataProtectionKeychain as String: true,
            ], .afterFirstUnlock)
        guard answer.status == errSecSuccess else { return (answer.status, nil) }
        let identity = (answer.result as? [SecIdentity])?.first { identity in
            var own: SecCertificate?
            guard unsafe SecIdentityCopyCertificate(identity, &own) == errSecSuccess, let own else { return false }
            return [UInt8](SecCertificateCopyData(own) as Data) == certificate
        }
        return (identity == nil ? errSecItemNotFound : errSecSuccess, identity)
    }

    /// Deletes the key called `tag`, and the certificate that was stored beside it. Where another key has the same
    /// certificate, because a file was imported twice, it stays for that one and goes with the last of them.
    package static func remove(tag: String, certificate: [UInt8]?) -> OSStatus {
        let status = EnclaveBridge.delete(tag: tag)
        guard status == errSecSuccess || status == errSecItemNotFound, let certificate else { return status }
        let rest = find(tag: tag, certificate: certificate).status
        guard rest == errSecItemNotFound else { return rest }
        return remove(certificate, beside: tag)
    }

    // The label is the tag of the key that the certificate was first stored for. An item of the app's own stays.
    private static func remove(_ certificate: [UInt8], beside tag: String) -> OSStatus {
        let family = tag.lastIndex(of: ".").map { tag[...$0] } ?? tag[...]
        let found = KeychainBridge.attributes(
            [
                kSecClass as String: kSecClassCertificate, kSecReturnData as String: true,
                kSecUseDataProtectionKeychain as String: true,
            ], readable: .afterFirstUnlock)
        guard found.status == errSecSuccess else { return found.status }
        for item in found.items where item[kSecValueData as String] as? Data == Data(certificate) {
            guard let label = item[kSecAttrLabel as String] as? String, label.hasPrefix(family) else { continue }
            let status = KeychainBridge.delete(
                [
                    kSecClass as String: kSecClassCertificate, kSecAttrLabel as String: label,
                    kSecUseDataProtectionKeychain as String: true,
                ], readable: .afterFirstUnlock)
            guard status == errSecSuccess || status == errSecItemNotFound else { return status }
        }
        return errSecSuccess
    }

    /// The certificate of an identity and those above it, DER.
    package static func chain(of shared: SharedIdentity) -> [[UInt8]] {
        var own: SecCertificate?
        guard unsafe SecIdentityCopyCertificate(shared.identity, &own) == errSecSuccess, let own else { return [] }
        return ([own] + shared.intermediates).map { [UInt8](SecCertificateCopyData($0) as Data) }
    }

    /// A certificate from its DER bytes; `nil` when they are none.
    package static func certificate(_ der: [UInt8]) -> SecCertificate? {
        SecCertificateCreateWithData(nil, Data(der) as CFData)
    }
}
