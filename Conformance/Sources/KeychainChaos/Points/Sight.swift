internal import Foundation
internal import SecurityFramework

/// All that a reader can see of the keychain of a ``Scenario``, as lines that are the same for the same contents.
enum Sight {
    /// Reads everything.
    static func lines() -> [String] {
        let accounts = Scenario.neighbours + Scenario.targets
        return accounts.flatMap { [item($0, isSynchronised: false), item($0, isSynchronised: true)] }.compactMap { $0 }
            + [count("items", kSecClassGenericPassword), count("keys", kSecClassKey)]
            + [key(inElement: false), key(inElement: true)]
    }

    /// Adds an item, reads it and deletes it again.
    ///
    /// - Returns: What failed, or `nil`.
    static func writingFails() -> String? {
        let value = Value(worker: 2, number: 2)
        let added = Keychain.add(Scenario.service, "probe", value)
        guard added == .done(nil) else { return "the next add: \(added)" }
        let read = Keychain.read(Scenario.service, "probe")
        guard read == .done(value) else { return "the next read: \(read)" }
        let deleted = Keychain.forget(Scenario.service, "probe")
        return deleted == .done(nil) ? nil : "the next delete: \(deleted)"
    }

    // Value and comment tell which write an item comes from; the label is what several items get at once.
    private static func item(_ account: String, isSynchronised: Bool) -> String? {
        var query = Scenario.query(account, isSynchronised: isSynchronised)
        query[kSecReturnData] = true
        query[kSecReturnAttributes] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status != errSecItemNotFound else { return nil }
        let name = isSynchronised ? "synchronised \(account)" : account
        guard status == errSecSuccess, let item = result as? [String: Any] else { return "\(name) status \(status)" }
        let data = item[kSecValueData as String] as? Data ?? Data()
        let comment = item[kSecAttrComment as String] as? String ?? "none"
        let label = item[kSecAttrLabel as String] as? String ?? "none"
        let fits = Value(comment).map { Data($0.bytes) == data } ?? false
        return "\(name) \(comment) \(fits ? "whole" : "\(data.count) bytes") \(label)"
    }

    private static func count(_ name: String, _ itemClass: CFString) -> String {
        var result: CFTypeRef?
        let query: [CFString: Any] = [
            kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
            kSecAttrSynchronizable: kSecAttrSynchronizableAny,
        ]
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return "\(name) \(status == errSecSuccess ? "\((result as? [Any])?.count ?? -1)" : "status \(status)")"
    }

    // A key that is found has to work.
    private static func key(inElement: Bool) -> String {
        let name = inElement ? "element key" : "key"
        var query = Scenario.key(inElement: inElement)
        query[kSecReturnRef] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess, let key = result as? SecKey else { return "\(name) status \(status)" }
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        let text = Data("text".utf8) as CFData
        guard let signature = SecKeyCreateSignature(key, algorithm, text, nil), let other = SecKeyCopyPublicKey(key),
            SecKeyVerifySignature(other, algorithm, text, signature, nil)
        else { return "\(name) does not work" }
        return "\(name) works"
    }
}
