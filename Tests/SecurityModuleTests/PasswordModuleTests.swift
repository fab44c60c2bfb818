// As apps write it.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security
import Testing

/// A wrapper as apps have written it for ten years.
struct LegacyKeychain {
    let service = "org.example.app"

    func set(_ value: String, forKey key: String) -> Bool {
        guard let data = value.data(using: .utf8) else { return false }
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecAttrAccount: key,
            kSecValueData: data,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        SecItemDelete(query as CFDictionary)
        return SecItemAdd(query as CFDictionary, nil) == noErr
    }

    func get(_ key: String) -> String? {
        let query = NSMutableDictionary()
        query.setObject(kSecClassGenericPassword, forKey: kSecClass as NSString)
        query[kSecAttrService as String] = service
        query[kSecAttrAccount as String] = key
        query[kSecReturnData as String] = kCFBooleanTrue!
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query, &item)
        guard status == errSecSuccess, let data = item as? Data else { return nil }
        return String(data: data, encoding: .utf8)
    }

    func remove(_ key: String) -> OSStatus {
        SecItemDelete([kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: key] as CFDictionary)
    }
}

@Suite(.ownKeychain) struct PasswordModuleTests {
    @Test func `delete, then add, then read, then remove`() {
        let keychain = LegacyKeychain()
        #expect(keychain.set("one", forKey: "token"))
        #expect(keychain.set("two", forKey: "token"))
        #expect(keychain.get("token") == "two")
        #expect(keychain.remove("token") == errSecSuccess)
        #expect(keychain.get("token") == nil)
        #expect(keychain.remove("token") == errSecItemNotFound)
    }

    @Test func `a list of attributes is a list of dictionaries`() throws {
        let keychain = LegacyKeychain()
        _ = keychain.set("1", forKey: "a")
        _ = keychain.set("2", forKey: "b")
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true, kSecReturnData as String: true,
        ]
        var result: AnyObject?
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        let items = try #require(result as? [[String: Any]])
        #expect(items.compactMap { $0[kSecAttrAccount as String] as? String } == ["a", "b"])
        let mixed = try #require(result as? [[AnyHashable: Any]])
        #expect(mixed[0][kSecAttrService] as? String == keychain.service)
        let values = items.compactMap { $0[kSecValueData as String] as? Data }
        #expect(values == [Data("1".utf8), Data("2".utf8)])
    }

    @Test func `add returns what it is asked for, and update changes it`() throws {
        var added: CFTypeRef?
        let status = SecItemAdd(
            [
                kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.org", kSecAttrAccount: "anna",
                kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecAttrPort: 8443, kSecValueData: Data([1, 2, 3]),
                kSecReturnPersistentRef: true,
            ] as [CFString: Any] as CFDictionary, &added)
        #expect(status == errSecSuccess)
        let name = try #require(added as? Data)
        let query = [kSecValuePersistentRef: name] as CFDictionary
        #expect(SecItemUpdate(query, [kSecAttrLabel: "Anna's"] as CFDictionary) == errSecSuccess)
        var found: CFTypeRef?
        let read = [kSecValuePersistentRef: name, kSecReturnAttributes: kCFBooleanTrue as Any] as CFDictionary
        #expect(SecItemCopyMatching(read, &found) == errSecSuccess)
        let attributes = try #require(found as? NSDictionary)
        #expect(attributes[kSecAttrLabel] as? String == "Anna's")
        #expect(attributes[kSecAttrPort] as? Int == 8443)
        #expect(attributes[kSecAttrProtocol] as? String == kSecAttrProtocolHTTPS as String)
    }

    @Test func `every status has a message`() {
        #expect(
            SecCopyErrorMessageString(errSecItemNotFound, nil) as String? == "The item cannot be found in the keychain."
        )
        #expect(SecCopyErrorMessageString(errSecTimestampBadAlg, nil) != nil)
        #expect(SecCopyErrorMessageString(12345, nil) as String? == "OSStatus 12345")
        let error = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecDuplicateItem))
        #expect(error.code == -25299)
    }

    @Test func `random bytes are asked for with a pointer`() {
        var bytes = [UInt8](repeating: 0, count: 32)
        #expect(SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess)
        #expect(bytes != [UInt8](repeating: 0, count: 32))
        var data = Data(count: 16)
        let status = data.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, 16, $0.baseAddress!) }
        #expect(status == 0)
        #expect(SecRandomCopyBytes(nil, -1, &bytes) == errSecParam)
    }
}
