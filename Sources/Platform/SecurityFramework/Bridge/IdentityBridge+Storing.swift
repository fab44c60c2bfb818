internal import Foundation
internal import PaviseCrypto
package import PavisePrimitives

extension IdentityBridge {
    /// The identity of a PKCS #12 file: the first key that has a certificate, with the certificates above it. Nothing
    /// is stored.
    package static func read(
        pkcs12 file: [UInt8], passphrase: borrowing SecretBytes
    ) -> (status: OSStatus, identity: SharedIdentity?) {
        do throws(PKCS12Failure) {
            let content = try PKCS12.read(file, passphrase: passphrase)
            guard let entry = ImportedIdentities(content).dictionaries.first,
                let identity = entry[kSecImportItemIdentity as String] as? SecIdentity
            else { return (errSecItemNotFound, nil) }
            let chain = entry[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
            return (errSecSuccess, SharedIdentity(identity, intermediates: Array(chain.dropFirst())))
        } catch {
            return (error.status, nil)
        }
    }

    /// Stores an identity's key as the one called `tag`, readable after the first unlock, on this device only.
    package static func add(_ identity: SecIdentity, tag: String) -> OSStatus {
        KeychainBridge.add(
            [
                kSecClass as String: kSecClassKey, kSecValueRef as String: identity.key,
                kSecAttrApplicationTag as String: Data(tag.utf8),
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecUseDataProtectionKeychain as String: true,
            ], of: tag)
    }

    /// Stores a certificate beside the key called `tag`. On Linux the pair needs none.
    package static func add(certificate: [UInt8], tag: String) -> OSStatus { errSecSuccess }

    /// The key called `tag` with this certificate.
    ///
    /// - Returns: `errSecDecode` where the key is not the certificate's.
    package static func find(tag: String, certificate: [UInt8]) -> (status: OSStatus, identity: SecIdentity?) {
        guard let certificate = SecCertificate(der: certificate) else { return (errSecDecode, nil) }
        let answer = OwnItems.run(for: tag) {
            KeychainBridge.copyMatching([
                kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: Data(tag.utf8),
                kSecAttrKeyClass as String: kSecAttrKeyClassPrivate, kSecReturnRef as String: true,
                kSecUseDataProtectionKeychain as String: true,
            ])
        }
        guard answer.status == errSecSuccess else { return (answer.status, nil) }
        guard let key = answer.result as? SecKey, let identity = SecIdentity(certificate: certificate, key: key) else {
            return (errSecDecode, nil)
        }
        return (errSecSuccess, identity)
    }

    /// Deletes the key called `tag`, and the certificate that was stored beside it.
    package static func remove(tag: String, certificate: [UInt8]?) -> OSStatus { EnclaveBridge.delete(tag: tag) }

    /// The certificate of an identity and those above it, DER.
    package static func chain(of shared: SharedIdentity) -> [[UInt8]] {
        ([shared.identity.certificate] + shared.intermediates).map { [UInt8](SecCertificateCopyData($0) as Data) }
    }

    /// A certificate from its DER bytes; `nil` when they are none.
    package static func certificate(_ der: [UInt8]) -> SecCertificate? {
        SecCertificateCreateWithData(nil, Data(der) as CFData)
    }
}
