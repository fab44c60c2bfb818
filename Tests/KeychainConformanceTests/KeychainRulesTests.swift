import Foundation
import KeychainTestSupport
import SecurityFramework
import TestSupport
import Testing

/// What passes under lenient rules, and what does not (KC24 and KC42 hold the strict ones).
@Suite struct KeychainRulesTests {
    private var keychain: ItemFixture

    init() throws {
        keychain = try ItemFixture()
        keychain.environment.rules = .lenient
    }

    @Test func `all items may be named in a removal and in a change, as on macOS`() {
        keychain.run {
            for account in ["anna", "bert"] { add(password(account)) }
            let every = password(nil).with("m_Limit", kSecMatchLimitAll)
            #expect(update(every, ["labl": "L"]) == errSecSuccess)
            #expect(count(password(nil).with("labl", "L")) == 2)
            #expect(delete(every) == errSecSuccess)
            #expect(count(password(nil)) == 0)
            #expect(delete(every) == errSecItemNotFound)
        }
    }

    @Test func `a removal of all items stays within the query`() {
        keychain.run {
            add(password("anna", "mail"))
            add(password("anna", "news"))
            #expect(delete(password(nil, "mail").with("m_Limit", kSecMatchLimitAll)) == errSecSuccess)
            #expect(count(password(nil, "news")) == 1)
        }
    }

    static let others: [[String: any Sendable]] = [
        ["m_Limit": "m_LimitOne"], ["m_Limit": 1], ["m_Limit": 2], ["m_Limit": "x"], ["m_Limit": true],
        ["m_CaseInsensitive": true], ["m_Limit": "m_LimitAll", "m_SubjectContains": "x"],
    ]

    @Test(arguments: others)
    func `a condition that would be dropped is refused, for it would hit more than was asked for`(
        _ match: [String: any Sendable]
    ) {
        keychain.run {
            add(password())
            #expect(delete(password("anna", "mail", match)) == errSecParam)
            #expect(update(password("anna", "mail", match), ["labl": "L"]) == errSecParam)
            #expect(count(password()) == 1)
        }
    }

    @Test func `an addition knows no limit`() {
        keychain.run { #expect(add(password().with("m_Limit", kSecMatchLimitAll)) == errSecParam) }
    }

    @Test(arguments: ["aku", "cku", "dku"])
    func `a class that is bound to the device may be synchronizable, and stays bound`(_ code: String) {
        keychain.run {
            let synced = password().with("sync", true)
            #expect(add(synced.with("pdmn", code)) == errSecSuccess)
            #expect(attributes(synced)["pdmn"] as? String == code)
            #expect(attributes(synced)["sync"] as? Int == 1)
            #expect(value(synced) == "secret")
            add(password("b").with("pdmn", code))
            #expect(update(password("b"), ["sync": true]) == errSecSuccess)
            add(password("c").with("sync", true).with("pdmn", "ak"))
            #expect(update(password("c").with("sync", true), ["pdmn": code]) == errSecSuccess)
            #expect(add(password("d").with("sync", true).with("pdmn", "nope")) == errSecParam)
        }
    }

    @Test func `what asks for a person is never synchronizable`() throws {
        let made = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
        let control = try #require(made)
        keychain.run {
            #expect(add(password().with("sync", true).with("accc", control)) == errSecParam)
        }
    }
}
