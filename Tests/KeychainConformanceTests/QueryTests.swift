import Foundation
import KeychainTestSupport
import SecurityFramework
import TestSupport
import Testing

/// Facts: keychain §5, as tables over the four calls.
@Suite struct QueryTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    enum Call: String, CaseIterable, Sendable { case add, copy, update, delete }

    private func status(_ call: Call, _ query: [String: Any]) -> OSStatus {
        switch call {
        case .add: add(query)
        case .copy: copy(query).status
        case .update: update(query, ["labl": "L"])
        case .delete: delete(query)
        }
    }

    @Test(arguments: Call.allCases)
    func `KC20 the class decides before anything is done`(_ call: Call) {
        keychain.run {
            add(password())
            let name = reference(password()) ?? Data()
            #expect(status(call, ["acct": "a"]) == errSecParam)
            #expect(status(call, [:]) == errSecParam)
            #expect(status(call, ["class": 7]) == errSecParam)
            #expect(status(call, ["class": Data("genp".utf8)]) == errSecParam)
            #expect(status(call, ["class": "nope"]) == errSecNoSuchClass)
            #expect(status(call, ["class": ""]) == errSecNoSuchClass)
            if call != .add {
                #expect(status(call, ["class": "inet", "v_PersistentRef": name]) == errSecNoSuchClass)
            }
            #expect(value(password()) == "secret")
        }
    }

    static let foreignCodes: [(String, String)] = [
        ("genp", "atag"), ("genp", "srvr"), ("genp", "klbl"), ("genp", "issr"), ("genp", "zzzz"),
        ("inet", "svce"), ("inet", "gena"), ("inet", "kcls"), ("inet", "pkhh"), ("cert", "atag"), ("cert", "acct"),
        ("cert", "perm"), ("keys", "acct"), ("keys", "issr"), ("keys", "srvr"), ("idnt", "acct"), ("idnt", "svce"),
    ]

    @Test(arguments: foreignCodes, Call.allCases)
    func `KC21 an attribute that the class lacks`(_ pair: (String, String), _ call: Call) {
        keychain.run {
            #expect(status(call, ["class": pair.0, pair.1: "x"]) == errSecNoSuchAttr)
            if call == .update { #expect(update(["class": pair.0], [pair.1: "x"]) == errSecNoSuchAttr) }
        }
    }

    @Test(arguments: [
        "class", "r_Data", "r_Attributes", "r_Ref", "r_PersistentRef", "m_Limit", "m_CaseInsensitive", "m_Policy",
        "u_AuthUI", "u_AuthCtx", "u_OpPrompt", "u_NoAuthUI", "v_PersistentRef", "x", "longer name",
    ])
    func `KC22 a key that is no attribute inside attributesToUpdate`(_ key: String) {
        keychain.run {
            add(password())
            for value in ["x", true, 1] as [Any] { #expect(update(password(), [key: value]) == errSecNoSuchAttr) }
            #expect(attributes(password())["labl"] == nil)
        }
    }

    @Test(arguments: ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"])
    func `KC23 what to return is refused by Update and ignored by Delete`(_ key: String) {
        keychain.run {
            for flag in [true, false] {
                add(password())
                #expect(update(password().with(key, flag), ["labl": "L"]) == errSecParam)
                #expect(delete(password().with(key, flag)) == errSecSuccess)
            }
        }
    }

    static let matches: [(String, String)] = [
        ("m_Limit", "m_LimitAll"), ("m_Limit", "m_LimitOne"), ("m_SubjectContains", "x"), ("m_Unknown", "x"),
        ("m_EmailAddressIfPresent", "x"), ("m_HostOrSubdomainOfHost", "x"),
    ]

    @Test(arguments: matches, [Call.add, .update, .delete])
    func `KC24 match keys belong to CopyMatching`(_ match: (String, String), _ call: Call) {
        keychain.run {
            if call != .add { add(["class": "inet"]) }
            #expect(status(call, ["class": "inet", match.0: match.1]) == errSecParam)
            #expect(count(["class": "inet"]) == (call == .add ? 0 : 1))
        }
    }

    @Test(arguments: ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"])
    func `KC25 only a Boolean says what to return`(_ key: String) {
        keychain.run {
            add(password())
            for wrong in [1, 0, "true", Data([1]), 1.0, Int8(1), [true]] as [Any] {
                #expect(copy(password(), [key: wrong]).status == errSecParam, "\(wrong)")
                #expect(add(password("b").with(key, wrong)) == errSecParam, "\(wrong)")
            }
            for right in [true, kCFBooleanTrue as Any, NSNumber(value: true)] as [Any] {
                #expect(copy(password(), [key: right]).status == errSecSuccess)
            }
            #expect(copy(password(), [key: false]).result == nil)
        }
    }

    @Test func `KC25 a limit is a positive number, One or All`() {
        keychain.run {
            add(password())
            for wrong in ["x", "all", "", true, Data(), [1], 0, -1] as [Any] {
                #expect(copy(password(), ["m_Limit": wrong]).status == errSecParam, "\(wrong)")
            }
            for right in [1, 2, Int.max, kSecMatchLimitOne, kSecMatchLimitAll] as [Any] {
                #expect(copy(password(), ["m_Limit": right]).status == errSecSuccess, "\(right)")
            }
        }
    }

    @Test func `KC26 a value is data in Add and Update`() {
        keychain.run {
            add(password())
            for wrong in ["text", NSNull(), 5, [Data()], Date()] as [Any] {
                #expect(add(password("b").with("v_Data", wrong), nil) == errSecParam, "\(wrong)")
                #expect(update(password(), ["v_Data": wrong]) == errSecParam, "\(wrong)")
            }
            #expect(value(password()) == "secret")
            #expect(update(password(), ["v_Data": NSMutableData(data: Data([65]))]) == errSecSuccess)
            #expect(value(password()) == "A")
        }
    }

    @Test(arguments: [Call.add, .delete, .copy, .update])
    func `KC27 an access control is an access control object`(_ call: Call) {
        keychain.run {
            for wrong in ["ak", 7, Data(), ["ak"]] as [Any] {
                #expect(status(call, password().with("accc", wrong)) == errSecParam, "\(wrong)")
            }
            add(password())
            #expect(update(password(), ["accc": "ak"]) == errSecParam)
        }
    }

    @Test(arguments: Call.allCases)
    func `KC28 128 keys are the most`(_ call: Call) {
        keychain.run {
            // Keys that begin with f are ignored everywhere.
            var query = password()
            for number in query.count..<127 { query["f ignored \(number)"] = 1 }
            if call != .add { add(password()) }
            #expect(status(call, query.with("f_x", 1).with("f_y", 1)) == errSecParam)
            #expect(status(call, query) == errSecSuccess)
        }
    }

    @Test func `KC28 128 changes are the most`() {
        keychain.run {
            add(password())
            var changes: [String: Any] = [:]
            for number in 0..<129 { changes["m_\(number)"] = 1 }
            #expect(update(password(), changes) == errSecParam)
        }
    }

    @Test(arguments: Call.allCases)
    func `KC29 internal attributes are not for callers`(_ call: Call) {
        keychain.run {
            #expect(status(call, password().with("clip", 1)) == errSecParam)
            #expect(status(call, password().with("clip", true)) == errSecParam)
            add(password())
            #expect(update(password(), ["clip": 1]) == errSecParam)
            #expect(update(password(), ["ggrp": "x"]) == errSecParam)
            #expect(update(password(), ["musr": Data()]) == errSecSuccess)
        }
    }

    @Test(arguments: Call.allCases)
    func `KC30 accessibility and access control together, unless a query gives the control's own`(_ call: Call) {
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAlways, [], nil)
        let guarded = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAlways, .devicePasscode, nil)
        keychain.run {
            for control in [control, guarded] {
                #expect(status(call, password().with("pdmn", "ak").with("accc", control)) == errSecParam)
                let same = status(call, password().with("pdmn", "dk").with("accc", control))
                #expect((same == errSecParam) == (call == .add))
                add(password())
                #expect(update(password(), ["pdmn": "dk", "accc": control as Any]) == errSecParam)
            }
        }
    }

    @Test(arguments: ["ak", "ck", "dk", "aku", "cku", "dku"])
    func `KC30 an item of a class alone shows the access control of that class, and what it shows finds it`(
        _ code: String
    ) {
        keychain.run {
            add(password().with("pdmn", code))
            var shown = attributes(password())
            #expect(shown["accc"] as? SecAccessControl == SecAccessControl(protection: code, flags: []))
            shown[kSecClass as String] = kSecClassGenericPassword
            #expect(copy(shown).status == errSecSuccess)
            #expect(update(shown, ["labl": "renamed"]) == errSecSuccess)
            shown["labl"] = "renamed"
            shown["mdat"] = nil
            #expect(delete(shown) == errSecSuccess)
            // Read, changed, written: what programs do with what they were shown.
            #expect(add(shown, "again") == errSecSuccess)
            var changes = attributes(password())
            changes["labl"] = "and again"
            #expect(update(password(), changes) == errSecSuccess)
            #expect(value(password()) == "again" && attributes(password())["pdmn"] as? String == code)
        }
    }

    @Test(arguments: ["f", "whenever", "", "AK", "akp", "ak "])
    func `KC31 another accessibility than the seven`(_ code: String) {
        keychain.run {
            for call in Call.allCases { #expect(status(call, password().with("pdmn", code)) == errSecParam) }
            add(password())
            #expect(update(password(), ["pdmn": code]) == errSecParam)
        }
    }

    @Test(arguments: ["ak", "ck", "dk", "aku", "cku", "dku"])
    func `KC31 each accessibility is stored, shown and found`(_ code: String) {
        keychain.run {
            #expect(add(password().with("pdmn", code)) == errSecSuccess)
            #expect(attributes(password())["pdmn"] as? String == code)
            #expect(value(password().with("pdmn", code)) == "secret")
            #expect(copy(password().with("pdmn", code == "ak" ? "ck" : "ak")).status == errSecItemNotFound)
        }
    }

    @Test(arguments: Call.allCases, [true, false])
    func `KC32 the data protection flag changes nothing`(_ call: Call, _ flag: Bool) {
        keychain.run {
            if call != .add { add(password()) }
            #expect(status(call, password().with("nleg", flag)) == errSecSuccess)
            #expect(attributes(password())["nleg"] == nil)
            #expect(count(password()) == (call == .delete ? 0 : 1))
        }
    }

    @Test(arguments: ["u_ItemList", "u_Keychain", "r_Other", "v_Other", "c_lass", "other", "x", "klass", ""])
    func `an unknown key is refused in every call`(_ key: String) {
        keychain.run {
            for call in Call.allCases { #expect(status(call, password().with(key, true)) == errSecParam) }
        }
    }

    @Test func `a null value and a key of another type are refused`() {
        keychain.run {
            add(password())
            #expect(copy(password().with("labl", NSNull())).status == errSecParam)
            let odd: NSDictionary = ["class": "genp", Date(): 1]
            #expect(SecItemAdd(odd, nil) == errSecParam)
            #expect(SecItemDelete(odd) == errSecParam)
        }
    }

    @Test func `authentication context and credential reference exclude each other`() {
        keychain.run {
            let both: [String: Any] = ["u_AuthCtx": "x", "u_CredRef": "y"]
            for call in Call.allCases { #expect(status(call, password().merging(both) { $1 }) == errSecParam) }
        }
    }

    @Test(arguments: ["genp", "inet"])
    func `a password by reference is refused`(_ itemClass: String) {
        keychain.run {
            #expect(copy(["class": itemClass, "v_Ref": "text"]).status == errSecParam)
            #expect(add(["class": itemClass, "v_Ref": NSObject()]) == errSecParam)
        }
    }

    @Test func `deep and large queries are answered`() {
        keychain.run {
            var nested: Any = "x"
            for _ in 0..<500 { nested = [nested] }
            #expect(copy(password().with("acct", nested)).status == errSecParam)
            #expect(add(password().with("acct", String(repeating: "a", count: 1 << 20))) == errSecSuccess)
            #expect(add(password("big").with("v_Data", Data(count: 8 << 20)), nil) == errSecSuccess)
            #expect((copy(password("big"), ["r_Data": true]).result as? Data)?.count == 8 << 20)
        }
    }
}
