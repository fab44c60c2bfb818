import Foundation
import KeychainTestSupport
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@Suite struct ItemReferencesTests {
    var keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    @Test func `KC33 dates are the keychain's own, and changes always come later`() {
        let time = ManualTime()
        var fixture = keychain
        fixture.environment.time = time.source
        fixture.run {
            let old = Date(timeIntervalSince1970: 0)
            add(password("anna", "mail", ["cdat": old, "mdat": old]))
            let added = attributes(password())
            #expect((added["cdat"] as? Date)?.timeIntervalSince1970 == 1_900_000_000)
            var last = added["mdat"] as? Date ?? old
            for number in 0..<100 {
                #expect(update(password(), ["labl": "\(number)"]) == errSecSuccess)
                let now = attributes(password())["mdat"] as? Date ?? old
                #expect(now > last)
                last = now
            }
            #expect(attributes(password())["cdat"] as? Date == added["cdat"] as? Date)
        }
    }

    @Test func `KC34 a persistent reference names one item for as long as it lives`() throws {
        try keychain.run {
            add(password("a"), "1")
            add(password("b"), "2")
            let name = try #require(reference(password("a")))
            #expect(name.count == 20)
            #expect(value(["v_PersistentRef": name]) == "1")
            #expect(update(["v_PersistentRef": name], ["acct": "c"]) == errSecSuccess)
            #expect(value(["v_PersistentRef": name]) == "1")
            #expect(value(password("b")) == "2")
            #expect(copy(["v_PersistentRef": name, "acct": "c"]).status == errSecParam)
            #expect(delete(["v_PersistentRef": name]) == errSecSuccess)
            #expect(copy(["v_PersistentRef": name]).status == errSecItemNotFound)
            add(password("a"), "3")
            #expect(reference(password("a")) != name)
        }
    }

    @Test func `KC34 the older form of a reference is still read, other bytes are not`() {
        keychain.run {
            add(password(), "1")
            #expect(value(["v_PersistentRef": Data("genp".utf8) + Data([0, 0, 0, 0, 0, 0, 0, 1])]) == "1")
            for bytes in [Data(), Data([1, 2, 3]), Data(repeating: 7, count: 20), Data("idnx1234567890123456".utf8)] {
                #expect(copy(["v_PersistentRef": bytes]).status == errSecParam)
            }
        }
    }

    @Test func `KC39 synchronised items and others live side by side`() {
        keychain.run {
            add(password(), "local")
            add(password("anna", "mail", ["sync": true]), "synced")
            #expect(value(password()) == "local")
            for flag in [true, 1, "1"] as [Any] { #expect(value(password("anna", "mail", ["sync": flag])) == "synced") }
            #expect(count(password("anna", "mail", ["sync": kSecAttrSynchronizableAny])) == 2)
            #expect(count(password()) == 1)
        }
    }

    @Test func `KC40 all references of both kinds`() {
        keychain.run {
            add(password())
            add(password("anna", "mail", ["sync": true]))
            let query: [String: Any] = [
                "class": "genp", "sync": kSecAttrSynchronizableAny, "m_Limit": kSecMatchLimitAll,
                "r_PersistentRef": true,
            ]
            let names = copy(query).result as? [Data] ?? []
            #expect(Set(names).count == 2)
        }
    }

    @Test func `KC41 a deleted synchronised item keeps its reference for the next one`() {
        keychain.run {
            let synced = password("anna", "mail", ["sync": true])
            add(synced, "old")
            let name = reference(synced)
            #expect(delete(synced) == errSecSuccess)
            #expect(copy(synced).status == errSecItemNotFound)
            #expect(add(synced, "new") == errSecSuccess)
            #expect(reference(synced) == name)
            #expect(value(synced) == "new")
        }
    }

    @Test func `KC42 an item bound to the device is not synchronised`() {
        keychain.run {
            #expect(add(password("anna", "mail", ["sync": true, "pdmn": "aku"])) == errSecParam)
            add(password("anna", "mail", ["pdmn": "aku"]))
            #expect(update(password(), ["sync": true]) == errSecParam)
        }
    }

    @Test func `KC43 without groups every call is refused`() {
        var fixture = keychain
        fixture.environment.accessGroups = []
        fixture.run {
            #expect(add(password()) == errSecMissingEntitlement)
            #expect(copy(password()).status == errSecMissingEntitlement)
            #expect(update(password(), ["labl": "L"]) == errSecMissingEntitlement)
            #expect(delete(password()) == errSecMissingEntitlement)
        }
    }

    @Test func `KC44 a foreign group is refused in all four calls`() {
        keychain.run {
            let query = password("anna", "mail", ["agrp": "foreign"])
            #expect(add(query) == errSecMissingEntitlement)
            #expect(copy(query).status == errSecMissingEntitlement)
            #expect(update(query, ["labl": "L"]) == errSecMissingEntitlement)
            #expect(delete(query) == errSecMissingEntitlement)
        }
    }

    @Test func `KC45 KC46 the first group is the default, and other groups' items are not there`() {
        var foreign = keychain
        foreign.environment.accessGroups = ["three"]
        keychain.run {
            add(password())
            #expect(attributes(password())["agrp"] as? String == "one")
        }
        foreign.run { #expect(copy(password()).status == errSecItemNotFound) }
    }

    @Test func `KC38 an item moves between the program's groups and to no other`() {
        keychain.run {
            add(password())
            #expect(update(password(), ["agrp": "foreign"]) == errSecMissingEntitlement)
            #expect(attributes(password())["agrp"] as? String == "one")
            #expect(update(password(), ["agrp": "two"]) == errSecSuccess)
            #expect(attributes(password())["agrp"] as? String == "two")
        }
    }
}
