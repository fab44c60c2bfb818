import Foundation
import KeychainTestSupport
import SecurityFramework
import TestSupport
import Testing

@Suite struct ItemParsingTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    /// The statuses of one query in all four calls.
    private func statuses(_ query: [String: Any]) -> [OSStatus] {
        [copy(query).status, add(query), update(query, ["labl": "L"]), delete(query)]
    }

    @Test func `KC20 the class must be there and be known`() {
        keychain.run {
            #expect(statuses(["acct": "a"]) == Array(repeating: errSecParam, count: 4))
            #expect(statuses(["class": 7]) == Array(repeating: errSecParam, count: 4))
            #expect(statuses(["class": "nope"]) == Array(repeating: errSecNoSuchClass, count: 4))
            add(password())
            let name = reference(password()) ?? Data()
            #expect(copy(["class": "keys", "v_PersistentRef": name]).status == errSecNoSuchClass)
        }
    }

    @Test(arguments: ["atag", "srvr", "xxxx"])
    func `KC21 an attribute that the class lacks is refused in all four calls`(_ code: String) {
        keychain.run {
            #expect(statuses(password("a", "b", [code: "x"])) == Array(repeating: errSecNoSuchAttr, count: 4))
            add(password())
            #expect(update(password(), [code: "x"]) == errSecNoSuchAttr)
        }
    }

    @Test(arguments: ["class", "r_Data", "m_Limit", "u_AuthUI", "v_PersistentRef"])
    func `KC22 changes hold attributes and data only`(_ key: String) {
        keychain.run {
            add(password())
            #expect(update(password(), [key: "x"]) == errSecNoSuchAttr)
        }
    }

    @Test func `KC23 what to return is refused by update and ignored by delete`() {
        keychain.run {
            add(password())
            #expect(update(password("anna", "mail", ["r_Data": true]), ["labl": "L"]) == errSecParam)
            #expect(delete(password("anna", "mail", ["r_Data": true])) == errSecSuccess)
        }
    }

    @Test func `KC24 match keys belong to searches`() {
        keychain.run {
            for (key, value) in ["m_Limit": "m_LimitAll", "m_CaseInsensitive": true] as [String: Any] {
                let query = password("anna", "mail", [key: value])
                #expect(add(query) == errSecParam)
                #expect(update(query, ["labl": "L"]) == errSecParam)
                #expect(delete(query) == errSecParam)
            }
        }
    }

    @Test(arguments: ["1", "x"])
    func `KC25 a number is no truth value, and a text no limit`(_ text: String) {
        keychain.run {
            add(password())
            #expect(copy(password(), ["r_Data": 1]).status == errSecParam)
            #expect(copy(password(), ["r_Data": true, "m_Limit": text]).status == errSecParam)
            #expect(copy(password(), ["m_Limit": true]).status == errSecParam)
        }
    }

    @Test func `KC26 the value must be data`() {
        keychain.run {
            #expect(add(password("anna", "mail", ["v_Data": "text"]), nil) == errSecParam)
            #expect(add(password("anna", "mail", ["v_Data": NSNull()]), nil) == errSecParam)
            add(password())
            #expect(update(password(), ["v_Data": "text"]) == errSecParam)
            #expect(update(password(), ["v_Data": NSNull()]) == errSecParam)
        }
    }

    @Test func `KC27 an access control must be one`() {
        keychain.run {
            #expect(add(password("anna", "mail", ["accc": "ak"])) == errSecParam)
            #expect(delete(password("anna", "mail", ["accc": "ak"])) == errSecParam)
        }
    }

    @Test func `KC28 129 keys are too many`() {
        keychain.run {
            var query = password()
            for number in query.count..<129 { query["m_\(number)"] = 1 }
            #expect(copy(query).status == errSecParam)
        }
    }

    @Test func `KC29 internal flags are not for callers`() {
        keychain.run {
            #expect(statuses(password("anna", "mail", ["clip": 1])) == Array(repeating: errSecParam, count: 4))
        }
    }

    @Test func `KC30 accessibility is given once`() {
        keychain.run {
            let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAlways, [], nil)
            let both: [String: Any] = ["pdmn": "dk", "accc": control as Any]
            #expect(add(password("anna", "mail", both)) == errSecParam)
            #expect(add(password("anna", "mail", ["accc": control as Any])) == errSecSuccess)
            #expect(attributes(password())["pdmn"] as? String == "dk")
            #expect(attributes(password())["accc"] as? SecAccessControl == control)
        }
    }

    @Test func `KC31 accessibility is one of seven`() {
        keychain.run {
            #expect(add(password("anna", "mail", ["pdmn": "whenever"])) == errSecParam)
            #expect(add(password("anna", "mail", ["pdmn": "f"])) == errSecParam)
        }
    }

    @Test(arguments: [true, false])
    func `KC32 kSecUseDataProtectionKeychain changes nothing anywhere`(_ flag: Bool) {
        keychain.run {
            let more = ["nleg": flag]
            #expect(add(password("anna", "mail", more)) == errSecSuccess)
            #expect(value(password("anna", "mail", more)) == "secret")
            #expect(update(password("anna", "mail", more), ["labl": "L", "nleg": flag]) == errSecSuccess)
            #expect(attributes(password())["nleg"] == nil)
            #expect(delete(password("anna", "mail", more)) == errSecSuccess)
        }
    }

    @Test(arguments: ["u_ItemList", "u_Keychain", "r_Other", "v_Other", "other", "x"])
    func `unknown keys of a query are refused`(_ key: String) {
        keychain.run {
            add(password())
            #expect(copy(password(), [key: true]).status == errSecParam)
        }
    }

    @Test func `unknown match keys are accepted and a policy on a password is not`() {
        keychain.run {
            add(password())
            #expect(copy(password(), ["m_Unknown": 1]).status == errSecSuccess)
            #expect(copy(password(), ["m_Policy": 1]).status == errSecUnimplemented)
        }
    }

    @Test func `what only biometry opens is refused`() {
        keychain.run {
            let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlocked, .biometryCurrentSet, nil)
            #expect(add(password("anna", "mail", ["accc": control as Any])) == errSecAuthFailed)
        }
    }
}
