import Foundation
import KeychainTestSupport
import SecurityFramework
import Testing

/// What Apple's schema stores for attributes of the primary key that nobody gave, and returns (SecItemSchema: E and Z).
@Suite struct StandardAttributeTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    private static let beginning = Date(timeIntervalSinceReferenceDate: 0)

    /// Per class: something to tell the item by that is no part of its name, and what the rest of its name is.
    static let classes: [(itemClass: String, standard: [String: any Sendable & Equatable])] = [
        ("genp", ["acct": "", "svce": ""]),
        ("inet", ["acct": "", "sdmn": "", "srvr": "", "atyp": "", "path": "", "port": 0, "ptcl": 0]),
        ("cert", ["ctyp": 0, "issr": Data(), "slnr": Data()]),
        (
            "keys",
            [
                "kcls": 0, "klbl": Data(), "atag": "", "crtr": 0, "type": 0, "bsiz": 0, "esiz": 0, "sdat": beginning,
                "edat": beginning,
            ]
        ),
    ]

    private func standard(_ itemClass: String) -> [String: Any] {
        (Self.classes.first { $0.itemClass == itemClass }?.standard ?? [:]).mapValues { $0 as Any }
    }

    @Test(arguments: classes.map(\.itemClass))
    func `an attribute of the name that was not given comes back as its default`(
        _ itemClass: String
    ) {
        keychain.run {
            #expect(add(["class": itemClass, "labl": "bare"]) == errSecSuccess)
            let shown = attributes(["class": itemClass, "labl": "bare"])
            for (code, value) in standard(itemClass) { #expect(same(shown[code], value), "\(code)") }
            // Nothing else appears that nobody gave.
            let common = ["accc", "agrp", "cdat", "labl", "mdat", "pdmn", "sync"]
            #expect(shown.keys.sorted() == (common + standard(itemClass).keys).sorted())
        }
    }

    @Test(arguments: classes.map(\.itemClass)) func `the answer of Add and lists have them too`(_ itemClass: String)
        throws
    {
        try keychain.run {
            var result: AnyObject?
            let query: [String: Any] = ["class": itemClass, "r_Attributes": true]
            let status = unsafe SecItemAdd(query as CFDictionary, &result)
            #expect(status == errSecSuccess)
            let added = try #require(result as? [String: Any])
            let listed = copy(query, ["m_Limit": kSecMatchLimitAll]).result as? [[String: Any]]
            for (code, value) in standard(itemClass) {
                #expect(same(added[code], value), "\(code)")
                #expect(same(listed?.first?[code], value), "\(code)")
            }
        }
    }

    @Test(arguments: Attribute.inKey) func `what was given stays, beside the defaults of the rest`(
        _ attribute: Attribute
    ) {
        keychain.run {
            let itemClass = attribute.sample.itemClass
            let given = Sample.value(attribute.code, 7)
            #expect(add(["class": itemClass, attribute.code: given]) == errSecSuccess)
            let shown = attributes(["class": itemClass])
            #expect(same(shown[attribute.code], given))
            for (code, value) in standard(itemClass) where code != attribute.code {
                #expect(same(shown[code], value), "\(code)")
            }
        }
    }

    @Test(arguments: classes.map(\.itemClass)) func `a default finds what was stored without it, and is the same name`(
        _ itemClass: String
    ) {
        keychain.run {
            #expect(add(["class": itemClass, "labl": "bare"]) == errSecSuccess)
            for (code, value) in standard(itemClass) {
                #expect(copy(["class": itemClass, code: value]).status == errSecSuccess, "\(code)")
                #expect(
                    copy(["class": itemClass, code: Sample.value(code, 9)]).status == errSecItemNotFound, "\(code)")
                #expect(add(["class": itemClass, code: value]) == errSecDuplicateItem, "\(code)")
            }
            #expect(add(standard(itemClass).with("class", itemClass)) == errSecDuplicateItem)
            // KC6: what was returned, and the class, find the item.
            let shown = attributes(["class": itemClass]).with("class", itemClass).with("accc", nil)
            #expect(value(shown) == "secret")
        }
    }

    @Test func `a default that was given and taken away again by an update comes back`() {
        keychain.run {
            #expect(add(["class": "inet", "srvr": "one.example", "path": "/a"]) == errSecSuccess)
            #expect(update(["class": "inet", "srvr": "one.example"], ["path": ""]) == errSecSuccess)
            #expect(attributes(["class": "inet"])["path"] as? String == "")
            #expect(add(["class": "inet", "srvr": "one.example"]) == errSecDuplicateItem)
        }
    }
}
