import Foundation
import KeychainTestSupport
import PaviseDevice
import SecurityFramework
import TestSupport
import Testing

/// Synchronizable items and access groups.
@Suite struct SyncAndGroupTests {
    var keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    @Test(arguments: Sample.all)
    func `KC39 absent, true and any select as stated`(_ sample: Sample) {
        keychain.run {
            let query = sample.query.with("pdmn", "ck")
            add(query, "local")
            add(query.with("sync", true), "synced")
            #expect(value(sample.query) == "local")
            for flag in [false, 0, "0"] as [Any] { #expect(value(sample.query.with("sync", flag)) == "local") }
            for flag in [true, 1, "1", 5] as [Any] { #expect(value(sample.query.with("sync", flag)) == "synced") }
            #expect(count(sample.query.with("sync", kSecAttrSynchronizableAny)) == 2)
            #expect(update(sample.query, ["labl": "L"]) == errSecSuccess)
            #expect(attributes(sample.query.with("sync", true))["labl"] as? String != "L")
            #expect(delete(sample.query) == errSecSuccess)
            #expect(value(sample.query.with("sync", true)) == "synced")
        }
    }

    @Test(arguments: ["x", "", "any"])
    func `KC39 another text is no choice`(_ text: String) {
        keychain.run {
            #expect(copy(password().with("sync", text)).status == errSecParam)
            #expect(add(password().with("sync", text)) == errSecParam)
        }
    }

    @Test(arguments: Sample.all)
    func `KC40 any, all and persistent references`(_ sample: Sample) {
        keychain.run {
            let query = sample.query.with("pdmn", "ck")
            add(query, "local")
            add(query.with("sync", true), "synced")
            let all: [String: Any] = [
                "class": sample.itemClass, "sync": kSecAttrSynchronizableAny, "m_Limit": kSecMatchLimitAll,
                "r_PersistentRef": true,
            ]
            let names = copy(all).result as? [Data] ?? []
            #expect(names.map { value(["v_PersistentRef": $0]) } == ["local", "synced"])
        }
    }

    @Test(arguments: Sample.all)
    func `KC41 a deleted synchronised item leaves nothing readable and keeps its reference`(_ sample: Sample) throws {
        try keychain.run {
            let query = sample.query.with("pdmn", "ck").with("sync", true)
            add(query.with("labl", "old"), "old")
            let name = try #require(reference(query))
            let modified = try #require(attributes(query)["mdat"] as? Date)
            #expect(delete(query) == errSecSuccess)
            #expect(copy(query).status == errSecItemNotFound)
            #expect(copy(["v_PersistentRef": name, "r_Data": true]).status == errSecItemNotFound)
            #expect(delete(query) == errSecItemNotFound)
            let tombstone = copy(query, ["tomb": 1, "r_Data": true, "r_Attributes": true]).result as? [String: Any]
            #expect(tombstone != nil)
            #expect(tombstone?["v_Data"] == nil)
            #expect(tombstone?["labl"] == nil)
            #expect(add(query, "new") == errSecSuccess)
            #expect(reference(query) == name)
            #expect(value(query) == "new")
            #expect(attributes(query)["mdat"] as? Date ?? modified > modified)
            #expect(copy(query.with("tomb", 1)).status == errSecItemNotFound)
        }
    }

    @Test func `KC41 a synchronised item that is renamed leaves a tombstone`() {
        keychain.run {
            let query = password().with("sync", true)
            add(query, "1")
            #expect(update(query, ["acct": "bert"]) == errSecSuccess)
            #expect(copy(query.with("tomb", 1)).status == errSecSuccess)
            #expect(value(password("bert").with("sync", true)) == "1")
            #expect(update(password("bert").with("sync", true), ["acct": "anna"]) == errSecSuccess)
            #expect(value(query) == "1")
        }
    }

    @Test(arguments: ["aku", "cku", "dku"])
    func `KC42 what is bound to the device is not synchronised`(_ code: String) {
        keychain.run {
            #expect(add(password().with("sync", true).with("pdmn", code)) == errSecParam)
            #expect(add(password().with("pdmn", code)) == errSecSuccess)
            #expect(update(password(), ["sync": true]) == errSecParam)
            #expect(add(password("b").with("sync", true).with("pdmn", "ak")) == errSecSuccess)
            #expect(update(password("b").with("sync", true), ["pdmn": code]) == errSecParam)
            #expect(attributes(password("b").with("sync", true))["pdmn"] as? String == "ak")
        }
    }

    @Test func `KC42 synchronizable can be switched on where the class allows it`() {
        keychain.run {
            add(password(), "1")
            #expect(update(password(), ["sync": true]) == errSecSuccess)
            #expect(copy(password()).status == errSecItemNotFound)
            #expect(value(password().with("sync", true)) == "1")
        }
    }

    private static let classes = ["genp", "inet", "cert", "keys", "idnt"]

    @Test(arguments: classes)
    func `KC43 without groups every call is refused, whatever it asks`(_ itemClass: String) {
        var fixture = keychain
        fixture.environment.accessGroups = []
        fixture.run {
            for query in [["class": itemClass], ["class": itemClass, "agrp": "one"], ["class": "nope"], [:]] {
                #expect(add(query) == errSecMissingEntitlement)
                #expect(copy(query).status == errSecMissingEntitlement)
                #expect(update(query, ["labl": "x"]) == errSecMissingEntitlement)
                #expect(delete(query) == errSecMissingEntitlement)
            }
        }
    }

    @Test(arguments: classes)
    func `KC44 a foreign group is refused in all four calls`(_ itemClass: String) throws {
        let authority = try Authority()
        let identity = try authority.identity(authority.certificate("Anna"))
        keychain.run {
            var query: [String: Any] = ["class": itemClass, "agrp": "foreign"]
            #expect(copy(query).status == errSecMissingEntitlement)
            #expect(update(query, ["labl": "x"]) == errSecMissingEntitlement)
            #expect(delete(query) == errSecMissingEntitlement)
            if itemClass == "idnt" { query["v_Ref"] = identity }
            #expect(add(query, itemClass == "idnt" ? nil : "x") == errSecMissingEntitlement)
        }
    }

    @Test func `KC44 the group of tokens can be read and not written`() {
        keychain.run {
            let query = password().with("agrp", kSecAttrAccessGroupToken)
            #expect(copy(query).status == errSecItemNotFound)
            #expect(add(query) == errSecMissingEntitlement)
        }
    }

    @Test(arguments: Sample.all)
    func `KC45 a foreign item is not there`(_ sample: Sample) {
        var foreign = keychain
        foreign.environment.accessGroups = ["three"]
        keychain.run { add(sample.query) }
        foreign.run {
            #expect(copy(sample.query).status == errSecItemNotFound)
            #expect(update(sample.query, ["labl": "x"]) == errSecItemNotFound)
            #expect(delete(sample.query) == errSecItemNotFound)
            #expect(add(sample.query) == errSecSuccess)
            #expect(count(["class": sample.itemClass]) == 1)
        }
        keychain.run { #expect(count(["class": sample.itemClass]) == 1) }
    }

    @Test func `KC45 a foreign item is not there by its persistent reference either`() throws {
        var foreign = keychain
        foreign.environment.accessGroups = ["three"]
        let name = try keychain.run {
            add(password())
            return try #require(reference(password()))
        }
        foreign.run {
            #expect(copy(["v_PersistentRef": name, "r_Data": true]).status == errSecItemNotFound)
            #expect(update(["v_PersistentRef": name], ["labl": "x"]) == errSecItemNotFound)
            #expect(delete(["v_PersistentRef": name]) == errSecItemNotFound)
        }
    }

    @Test(arguments: Sample.all)
    func `KC46 the first group is the default`(_ sample: Sample) {
        var turned = keychain
        turned.environment.accessGroups = ["two", "one"]
        keychain.run {
            add(sample.query)
            #expect(attributes(sample.query)["agrp"] as? String == "one")
        }
        turned.run {
            #expect(add(sample.query) == errSecSuccess)
            #expect(count(["class": sample.itemClass, "agrp": "two"]) == 1)
            #expect(count(["class": sample.itemClass]) == 2)
        }
    }
}
