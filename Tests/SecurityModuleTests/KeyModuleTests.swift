// As apps write it.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security
import Testing

@Suite(.ownKeychain) struct KeyModuleTests {
    private let tag = "org.example.key".data(using: .utf8)!

    private func makeEnclaveKey() throws -> SecKey {
        var error: Unmanaged<CFError>?
        guard
            let access = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .privateKeyUsage, &error)
        else { throw error!.takeRetainedValue() as Error }
        let attributes: NSDictionary = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: true,
                kSecAttrApplicationTag: tag,
                kSecAttrAccessControl: access,
            ] as [CFString: Any],
        ]
        guard let key = SecKeyCreateRandomKey(attributes, &error) else {
            throw error!.takeRetainedValue() as Error
        }
        return key
    }

    private func findKey() throws -> SecKey {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: tag,
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecReturnRef as String: true,
        ]
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
        return item as! SecKey
    }

    @Test func `an enclave key is made, found, and decrypts what its public half encrypted`() throws {
        let made = try makeEnclaveKey()
        let key = try findKey()
        #expect(CFEqual(made, key))
        #expect(CFGetTypeID(key) == SecKeyGetTypeID())
        let algorithm: SecKeyAlgorithm = .eciesEncryptionStandardX963SHA256AESGCM
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(SecKeyIsAlgorithmSupported(publicKey, .encrypt, algorithm))
        var error: Unmanaged<CFError>?
        let sealed = SecKeyCreateEncryptedData(publicKey, algorithm, Data("secret".utf8) as CFData, &error)
        let opened = SecKeyCreateDecryptedData(key, algorithm, try #require(sealed), &error) as Data?
        #expect(opened == Data("secret".utf8))
        #expect(error == nil)
    }

    @Test func `an altered message is refused with an error that can be read`() throws {
        let key = try makeEnclaveKey()
        var error: Unmanaged<CFError>?
        let junk = Data(repeating: 4, count: 100) as CFData
        let opened = SecKeyCreateDecryptedData(key, .eciesEncryptionStandardX963SHA256AESGCM, junk, &error)
        #expect(opened == nil)
        let reason = try #require(error?.takeRetainedValue())
        #expect(CFErrorGetCode(reason) == Int(errSecParam))
        #expect(CFErrorGetDomain(reason) as String == NSOSStatusErrorDomain)
        #expect((reason as Error as NSError).code == -50)
    }

    @Test func `the enclave key signs and never leaves`() throws {
        _ = try makeEnclaveKey()
        let key = try findKey()
        var error: Unmanaged<CFError>?
        let message = Data("message".utf8) as CFData
        let signature = try #require(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, &error))
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message, signature, &error))
        #expect(SecKeyCopyExternalRepresentation(key, &error) == nil)
        #expect((SecKeyCopyExternalRepresentation(publicKey, nil) as Data?)?.count == 65)
    }

    @Test func `a key is stored by reference and deleted by tag`() throws {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits as String: 256,
        ]
        let key = try #require(SecKeyCreateRandomKey(attributes as CFDictionary, nil))
        let add: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: tag, kSecValueRef as String: key,
        ]
        #expect(SecItemAdd(add as CFDictionary, nil) == errSecSuccess)
        #expect(SecItemAdd(add as CFDictionary, nil) == errSecDuplicateItem)
        #expect(try findKey() == key)
        let query = [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag] as [CFString: Any]
        #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
        #expect(throws: NSError.self) { try findKey() }
    }
}
