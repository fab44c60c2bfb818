import Foundation
import KeychainTestSupport
import SecurityFramework
import TestSupport
import Testing

@Suite struct ItemShapesTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    @Test func `KC1 an empty keychain finds nothing and leaves the result alone`() {
        keychain.run {
            var result: AnyObject? = "old" as NSString
            let status = unsafe SecItemCopyMatching(password() as CFDictionary, &result)
            #expect(status == errSecItemNotFound)
            #expect(result as? String == "old")
        }
    }

    @Test(arguments: 0..<16)
    func `KC2 KC3 KC4 KC8 every combination of kSecReturn and limit has the stated form`(_ combination: Int) {
        keychain.run {
            #expect(add(password()) == errSecSuccess)
            let keys = [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef].map {
                $0 as String
            }
            var query = password()
            for (index, key) in keys.enumerated() where combination >> index & 1 == 1 { query[key] = true }
            let limits: [Any?] = [nil, kSecMatchLimitOne, 1, kSecMatchLimitAll, 2]
            for (index, limit) in limits.enumerated() {
                query[kSecMatchLimit as String] = limit
                let found = copy(query)
                #expect(found.status == errSecSuccess)
                checkForm(found.result, combination, index > 2)
            }
        }
    }

    private func checkForm(_ result: AnyObject?, _ combination: Int, _ many: Bool) {
        guard combination != 0 else {
            #expect(result == nil)
            return
        }
        // A password has no object to refer to.
        if combination == 4 {
            #expect(many ? (result as? [Any])?.isEmpty == true : result == nil)
            return
        }
        let one: Any? = many ? (result as? [Any])?.first : result
        #expect(!many || (result as? [Any])?.count == 1)
        if combination == 1 || combination == 8 {
            #expect(one is Data)
            return
        }
        let entries = one as? [String: Any] ?? [:]
        #expect((entries["v_Data"] != nil) == (combination & 1 != 0))
        #expect((entries["v_PersistentRef"] != nil) == (combination & 8 != 0))
        #expect((entries["acct"] != nil) == (combination & 6 != 0))
        #expect((entries["class"] != nil) == (combination & 4 != 0))
    }

    @Test func `KC5 attributes alone never hold data, references or internals`() {
        keychain.run {
            add(password())
            let found = attributes(password())
            for key in ["v_Data", "v_Ref", "v_PersistentRef", "UUID", "persistref", "sha1"] {
                #expect(found[key] == nil)
            }
            #expect(found["agrp"] as? String == "one")
            #expect(found["pdmn"] as? String == "ak")
            #expect(found["sync"] as? Int == 0)
            #expect(found["cdat"] is Date)
        }
    }

    @Test func `KC6 returned attributes and the class find the item again`() {
        keychain.run {
            add(password("anna", "mail", ["labl": "L", "gena": Data([1]), "crtr": 7, "invi": true]))
            add(password("bert"))
            var query = attributes(password())
            query["class"] = kSecClassGenericPassword
            #expect(value(query) == "secret")
        }
    }

    @Test func `KC7 an item without data is found and has none`() {
        keychain.run {
            #expect(add(password(), nil) == errSecSuccess)
            add(password("bert"), "x")
            let one = copy(password(), ["r_Data": true])
            #expect(one.status == errSecSuccess)
            #expect(one.result == nil)
            let both = copy(password(), ["r_Data": true, "r_Attributes": true])
            #expect((both.result as? [String: Any])?["acct"] as? String == "anna")
            #expect((both.result as? [String: Any])?["v_Data"] == nil)
            let list = copy(password(nil), ["r_Data": true, "m_Limit": kSecMatchLimitAll])
            #expect((list.result as? [Data])?.count == 1)
        }
    }

    @Test func `KC9 an account given as data comes back as data and is found by text`() {
        keychain.run {
            add(password(nil, "mail", ["acct": Data("anna".utf8)]))
            #expect(attributes(password())["acct"] as? Data == Data("anna".utf8))
        }
    }

    @Test func `KC10 truth values come back as numbers`() {
        keychain.run {
            add(password("anna", "mail", ["invi": true, "nega": false]))
            let found = attributes(password())
            #expect(found["invi"] as? Int == 1)
            #expect(found["nega"] as? Int == 0)
        }
    }
}
