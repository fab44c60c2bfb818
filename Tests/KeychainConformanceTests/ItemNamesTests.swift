import Foundation
import KeychainTestSupport
import SecurityFramework
import TestSupport
import Testing

@Suite struct ItemNamesTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    @Test(arguments: ["acct", "svce"])
    func `KC14 another value of one key attribute makes another item`(_ code: String) {
        keychain.run {
            #expect(add(password()) == errSecSuccess)
            #expect(add(password("anna", "mail", [code: "other"])) == errSecSuccess)
        }
    }

    @Test(arguments: ["desc", "icmt", "gena", "alis", "labl"])
    func `KC14 another value of any other attribute does not`(_ code: String) {
        keychain.run {
            #expect(add(password()) == errSecSuccess)
            #expect(add(password("anna", "mail", [code: "other"])) == errSecDuplicateItem)
        }
    }

    @Test(arguments: ["sdmn", "srvr", "ptcl", "atyp", "port", "path", "acct"])
    func `KC14 each key attribute of an internet password counts`(_ code: String) {
        keychain.run {
            let first: [String: Any] = ["class": "inet", "acct": "a", "srvr": "s", "port": 443, "ptcl": "htps"]
            #expect(add(first) == errSecSuccess)
            #expect(add(first) == errSecDuplicateItem)
            #expect(add(first.merging([code: code == "port" ? 80 : "else"]) { $1 }) == errSecSuccess)
        }
    }

    @Test func `KC15 accessibility is no part of the name, group and synchronizable are`() {
        keychain.run {
            #expect(add(password()) == errSecSuccess)
            #expect(add(password("anna", "mail", ["pdmn": "dk"])) == errSecDuplicateItem)
            #expect(add(password("anna", "mail", ["agrp": "two"])) == errSecSuccess)
            #expect(add(password("anna", "mail", ["sync": true])) == errSecSuccess)
        }
    }

    @Test func `KC16 one password may have neither account nor service`() {
        keychain.run {
            #expect(add(password(nil, nil)) == errSecSuccess)
            #expect(add(password(nil, nil)) == errSecDuplicateItem)
            #expect(add(password("", "")) == errSecDuplicateItem)
        }
    }

    @Test func `KC17 data and text of the same bytes are the same name`() {
        keychain.run {
            #expect(add(password("x")) == errSecSuccess)
            #expect(add(password(nil, "mail", ["acct": Data("x".utf8)])) == errSecDuplicateItem)
        }
    }

    @Test func `KC18 a duplicate leaves result and item alone`() {
        keychain.run {
            add(password(), "first")
            var result: AnyObject? = "old" as NSString
            let again = password("anna", "mail", ["v_Data": Data("second".utf8), "r_Data": true]) as CFDictionary
            let status = unsafe SecItemAdd(again, &result)
            #expect(status == errSecDuplicateItem)
            #expect(result as? String == "old")
            #expect(value(password()) == "first")
        }
    }

    @Test func `KC19 an update into a taken name changes nothing, not even other rows`() {
        keychain.run {
            add(password("a"), "1")
            add(password("b"), "2")
            #expect(update(password(nil), ["acct": "c", "labl": "L"]) == errSecDuplicateItem)
            #expect(value(password("a")) == "1")
            #expect(value(password("b")) == "2")
            #expect(count(password(nil, nil, ["labl": "L"])) == 0)
        }
    }

    @Test func `KC35 a second update of a renamed item finds nothing`() {
        keychain.run {
            #expect(update(password(), ["acct": "b"]) == errSecItemNotFound)
            add(password())
            #expect(update(password(), ["acct": "b"]) == errSecSuccess)
            #expect(update(password(), ["acct": "b"]) == errSecItemNotFound)
            #expect(value(password("b")) == "secret")
        }
    }

    @Test func `KC36 delete takes all matches, and only in the program's groups`() throws {
        var foreign = keychain.environment
        foreign.accessGroups = ["three"]
        let other = keychain.environment
        keychain.run {
            add(password("a"))
            add(password("b"))
        }
        SecurityEnvironment.$override.withValue(foreign) { add(password("c")) }
        SecurityEnvironment.$override.withValue(other) {
            #expect(delete(["class": "genp"]) == errSecSuccess)
            #expect(delete(["class": "genp"]) == errSecItemNotFound)
        }
        SecurityEnvironment.$override.withValue(foreign) { #expect(value(password("c")) == "secret") }
    }

    @Test func `KC37 delete by group leaves the other group`() {
        keychain.run {
            add(password())
            add(password("anna", "mail", ["agrp": "two"]))
            #expect(delete(["class": "genp", "agrp": "two"]) == errSecSuccess)
            #expect(attributes(password())["agrp"] as? String == "one")
        }
    }
}
