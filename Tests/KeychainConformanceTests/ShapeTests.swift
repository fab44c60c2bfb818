import Foundation
import KeychainTestSupport
import SecurityFramework
import TestSupport
import Testing

/// KC2: the form of every result, for five classes, every combination of `kSecReturn…` and five limits.
@Suite struct ShapeTests {
    let keychain: ItemFixture
    let identity: SecIdentity

    init() throws {
        keychain = try ItemFixture()
        let authority = try Authority()
        identity = try authority.identity(authority.certificate("Anna"))
        keychain.run {
            add(password())
            add(["class": "inet", "acct": "anna", "srvr": "test.example"])
            add(["v_Ref": identity], nil)
        }
    }

    static let classes = ["genp", "inet", "cert", "keys", "idnt"]
    private static let names = ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"]

    private func query(_ itemClass: String, _ combination: Int, _ limit: Any?) -> [String: Any] {
        var query: [String: Any] = ["class": itemClass]
        for (index, name) in Self.names.enumerated() {
            // What is not wanted is said in half of the cases, which must make no difference.
            if combination >> index & 1 == 1 {
                query[name] = true
            } else if index.isMultiple(of: 2) {
                query[name] = false
            }
        }
        query["m_Limit"] = limit
        return query
    }

    @Test(.long, arguments: classes, 0..<16)
    func `KC2 one result has the stated form`(_ itemClass: String, _ combination: Int) {
        keychain.run {
            for limit in [nil, "m_LimitOne", 1] as [Any?] {
                let found = copy(query(itemClass, combination, limit))
                #expect(found.status == errSecSuccess)
                check(found.result, itemClass, combination)
            }
        }
    }

    @Test(.long, arguments: classes, 0..<16)
    func `KC2 KC3 several results are a list, also when it has one`(_ itemClass: String, _ combination: Int) throws {
        try keychain.run {
            for limit in ["m_LimitAll", 2, 1000] as [Any] {
                let found = copy(query(itemClass, combination, limit))
                #expect(found.status == errSecSuccess)
                guard combination > 0 else {
                    #expect(found.result == nil)
                    continue
                }
                let list = try #require(found.result as? [AnyObject])
                let isEmpty = combination == 4 && (itemClass == "genp" || itemClass == "inet")
                #expect(list.count == (isEmpty ? 0 : 1))
                check(list.first, itemClass, combination)
            }
        }
    }

    private func check(_ result: AnyObject?, _ itemClass: String, _ combination: Int) {
        switch combination {
        case 0: #expect(result == nil)
        case 1: #expect(result is Data)
        case 4: checkObject(result, itemClass)
        case 8: #expect((result as? Data)?.prefix(4) == Data(itemClass.utf8))
        default: checkEntries(result as? [String: Any] ?? [:], itemClass, combination)
        }
    }

    private func checkObject(_ object: AnyObject?, _ itemClass: String) {
        switch itemClass {
        case "cert": #expect(object is SecCertificate)
        case "keys": #expect(object is SecKey)
        case "idnt": #expect(object as? SecIdentity == identity)
        default: #expect(object == nil)
        }
    }

    private func checkEntries(_ entries: [String: Any], _ itemClass: String, _ combination: Int) {
        let wantsData = combination & 1 != 0
        let wantsReference = combination & 4 != 0
        let wantsAttributes = combination & 6 != 0
        #expect((entries["v_Data"] is Data) == wantsData)
        #expect((entries["v_PersistentRef"] is Data) == (combination & 8 != 0))
        #expect((entries["class"] as? String == itemClass) == wantsReference)
        #expect((entries["agrp"] as? String == "one") == wantsAttributes)
        #expect((entries["cdat"] is Date) == wantsAttributes)
        #expect((entries["sync"] as? Int == 0) == wantsAttributes)
        if wantsReference { checkObject(entries["v_Ref"] as AnyObject?, itemClass) }
    }

    @Test(arguments: classes)
    func `KC4 a query that wants nothing answers with the status only`(_ itemClass: String) {
        keychain.run {
            var result: AnyObject? = "old" as NSString
            let status = unsafe SecItemCopyMatching(["class": itemClass] as CFDictionary, &result)
            #expect(status == errSecSuccess)
            #expect(result as? String == "old" || result == nil)
        }
    }

    @Test(arguments: classes)
    func `KC5 attributes alone hold neither values nor references nor internals`(_ itemClass: String) {
        keychain.run {
            let found = attributes(["class": itemClass])
            #expect(!found.isEmpty)
            let hidden = [
                "v_Data", "v_Ref", "v_PersistentRef", "UUID", "persistref", "sha1", "class", "musr", "tomb", "certdata",
            ]
            for key in hidden { #expect(found[key] == nil, "\(key)") }
        }
    }

    @Test(arguments: ["genp", "inet"])
    func `KC7 an item without data has none in every form`(_ itemClass: String) {
        keychain.run {
            delete(["class": itemClass])
            add(["class": itemClass, "acct": "empty"], nil)
            let query: [String: Any] = ["class": itemClass]
            let alone = copy(query, ["r_Data": true])
            #expect(alone.status == errSecSuccess)
            #expect(alone.result == nil)
            let both = copy(query, ["r_Data": true, "r_Attributes": true]).result as? [String: Any]
            #expect(both?["acct"] as? String == "empty")
            #expect(both?["v_Data"] == nil)
            let list = copy(query, ["r_Data": true, "m_Limit": kSecMatchLimitAll])
            #expect(list.status == errSecSuccess)
            #expect((list.result as? [Data])?.isEmpty == true)
        }
    }

    @Test func `KC7 empty data is data`() {
        keychain.run {
            add(password("empty"), "")
            #expect(value(password("empty")) == "")
        }
    }

    @Test(arguments: ["genp", "inet"])
    func `KC8 a password has no reference`(_ itemClass: String) {
        keychain.run {
            let one = copy(["class": itemClass, "r_Ref": true])
            #expect(one.status == errSecSuccess)
            #expect(one.result == nil)
            let two = copy(["class": itemClass, "r_Ref": true, "r_Attributes": true]).result as? [String: Any]
            #expect(two?["v_Ref"] == nil)
            #expect(two?["class"] as? String == itemClass)
        }
    }

    @Test func `a success without a place for the result is a success`() {
        keychain.run {
            let status = SecItemCopyMatching(password().with("r_Data", true) as CFDictionary, nil)
            #expect(status == errSecSuccess)
        }
    }

    @Test(arguments: [(2, 2), (3, 3), (9, 5), (Int.max, 5)])
    func `a limit keeps the first ones in the order of insertion`(_ limit: Int, _ expected: Int) {
        keychain.run {
            delete(["class": "genp"])
            for number in 0..<5 { add(password("account \(number)"), "\(number)") }
            let list = copy(["class": "genp", "r_Data": true, "m_Limit": limit]).result as? [Data]
            #expect(list == (0..<expected).map { Data("\($0)".utf8) })
        }
    }

    @Test func `results convert to the types that callers cast to`() {
        keychain.run {
            let one = copy(password(), ["r_Attributes": true, "r_Data": true]).result
            #expect(one as? [String: Any] != nil)
            #expect(one as? [AnyHashable: Any] != nil)
            #expect(one as? NSDictionary != nil)
            #expect((one as? [CFString: Any])?[kSecAttrAccount] as? String == "anna")
            #expect((one as? [AnyHashable: Any])?[kSecAttrAccount] as? String == "anna")
            let many = copy(password(), ["r_Attributes": true, "m_Limit": kSecMatchLimitAll]).result
            #expect(many as? [[String: Any]] != nil)
            #expect(many as? [NSDictionary] != nil)
            #expect(many as? NSArray != nil)
            #expect(CFGetTypeID(many) == CFArrayGetTypeID())
            #expect(CFGetTypeID(one) == CFDictionaryGetTypeID())
        }
    }

    @Test func `adding gives results of the same forms`() {
        keychain.run {
            let forms: [(String, (AnyObject?) -> Bool)] = [
                ("r_Data", { ($0 as? Data) == Data("secret".utf8) }),
                ("r_PersistentRef", { ($0 as? Data)?.count == 20 }),
                ("r_Attributes", { ($0 as? [String: Any])?["labl"] as? String == "L" }), ("r_Ref", { $0 == nil }),
            ]
            for (index, (key, isRight)) in forms.enumerated() {
                var result: AnyObject?
                let query = password("added \(index)", "mail", [key: true, "labl": "L", "v_Data": Data("secret".utf8)])
                let status = unsafe SecItemAdd(query as CFDictionary, &result)
                #expect(status == errSecSuccess)
                #expect(isRight(result), "\(key)")
            }
        }
    }
}
