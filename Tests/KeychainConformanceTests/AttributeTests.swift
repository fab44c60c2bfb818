import Foundation
import KeychainTestSupport
import SecurityFramework
import TestSupport
import Testing

/// Facts: keychain §2 and §3.1. Every attribute of every class is stored, shown, found by, and changed.
@Suite struct AttributeTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    private static let secret = Set(["binn", "bini", "bin0", "bin1", "bin2", "bin3"])
    static let stored = (Attribute.inKey + Attribute.others).filter { !secret.contains($0.code) }

    @Test(.long, arguments: stored)
    func `an attribute comes back as it was given and finds the item`(_ attribute: Attribute) {
        keychain.run {
            let expected = Sample.value(attribute.code)
            let query = attribute.sample.query.with(attribute.code, expected)
            #expect(add(query) == errSecSuccess)
            #expect(same(attributes(attribute.sample.query)[attribute.code], expected))
            #expect(count(["class": attribute.sample.itemClass, attribute.code: expected]) == 1)
            let other = Sample.value(attribute.code, 2)
            #expect(count(["class": attribute.sample.itemClass, attribute.code: other]) == 0)
        }
    }

    @Test(.long, arguments: stored)
    func `an attribute can be changed`(_ attribute: Attribute) {
        keychain.run {
            add(attribute.sample.query.with(attribute.code, Sample.value(attribute.code)))
            let other = Sample.value(attribute.code, 2)
            let all: [String: Any] = ["class": attribute.sample.itemClass]
            #expect(update(all, [attribute.code: other]) == errSecSuccess)
            #expect(same(attributes(all)[attribute.code], other))
            #expect(value(all.with(attribute.code, other)) == "secret")
        }
    }

    @Test(arguments: Sample.all)
    func `KC6 returned attributes and the class find the item again in every class`(_ sample: Sample) {
        keychain.run {
            var full = sample.query
            for code in sample.otherCodes where !Self.secret.contains(code) { full[code] = Sample.value(code) }
            add(full, "wanted")
            add(sample.query.with(sample.keyCodes[0], Sample.value(sample.keyCodes[0], 2)), "other")
            let found = attributes(full).with("class", sample.itemClass)
            #expect(value(found) == "wanted")
        }
    }

    @Test(arguments: ["acct", "svce", "gena", "desc", "icmt"])
    func `KC9 a blob keeps its type`(_ code: String) {
        keychain.run {
            let values: [Any] = ["text", Data([1, 2, 255]), 7]
            for value in values {
                add(["class": "genp", code: value])
                #expect(same(attributes(["class": "genp"])[code], value))
                #expect(copy(["class": "genp", code: value]).status == errSecSuccess)
                delete(["class": "genp"])
            }
        }
    }

    @Test(arguments: ["acct", "srvr"])
    func `KC9 data is found by text of the same bytes and comes back as data`(_ code: String) {
        keychain.run {
            add(["class": "inet", code: Data("name".utf8)])
            #expect(attributes(["class": "inet", code: "name"])[code] as? Data == Data("name".utf8))
        }
    }

    @Test(arguments: ["invi", "nega", "cusi"])
    func `KC10 a truth value comes back as a number`(_ code: String) {
        keychain.run {
            for (flag, number) in [(true, 1), (false, 0)] {
                add(password().with(code, flag))
                let found = attributes(password())[code]
                #expect(found as? Int == number)
                #expect(CFGetTypeID(found as AnyObject) == CFNumberGetTypeID())
                #expect(count(password().with(code, number)) == 1)
                delete(password())
            }
        }
    }

    @Test func `KC10 type and encoding of a certificate are numbers`() throws {
        let certificate = try Authority().certificate("Anna")
        keychain.run {
            add(["v_Ref": certificate], nil)
            let found = attributes(["class": kSecClassCertificate])
            #expect(found["ctyp"] as? Int == 1)
            #expect(found["cenc"] as? Int == 3)
        }
    }

    @Test func `numbers accept decimal texts, and keep other texts`() {
        keychain.run {
            add(["class": "inet", "port": "443", "ptcl": "htps"])
            let found = attributes(["class": "inet", "port": 443])
            #expect(found["port"] as? Int == 443)
            #expect(found["ptcl"] as? String == "htps")
            #expect(count(["class": "inet", "ptcl": "htps"]) == 1)
            #expect(count(["class": "inet", "ptcl": "http"]) == 0)
        }
    }

    @Test func `texts accept UTF-8 bytes and UUIDs`() {
        keychain.run {
            let identifier = UUID()
            #expect(add(password("a").with("vwht", Data("view".utf8))) == errSecSuccess)
            #expect(add(password("b").with("vwht", identifier)) == errSecSuccess)
            #expect(attributes(password("a"))["vwht"] as? String == "view")
            #expect(attributes(password("b"))["vwht"] as? String == identifier.uuidString)
            #expect(add(password("c").with("vwht", Data([0xff, 0xfe]))) == errSecParam)
        }
    }

    @Test func `bytes accept texts and numbers`() {
        keychain.run {
            add(["class": "keys", "klbl": "label"])
            #expect(attributes(["class": "keys"])["klbl"] as? Data == Data("label".utf8))
            delete(["class": "keys"])
            add(["class": "keys", "klbl": 258])
            #expect(attributes(["class": "keys"])["klbl"] as? Data == Data([2, 1, 0, 0]))
        }
    }

    static let unfit: [(String, String)] = [
        ("genp", "acct"), ("genp", "labl"), ("genp", "crtr"), ("genp", "vwht"), ("genp", "cdat"), ("genp", "sync"),
        ("genp", "pdmn"), ("genp", "agrp"), ("inet", "port"), ("inet", "srvr"), ("cert", "issr"), ("keys", "klbl"),
        ("keys", "sdat"), ("keys", "atag"), ("keys", "sign"),
    ]

    @Test(arguments: unfit)
    func `a value of no fitting type is refused in every call`(_ itemClass: String, _ code: String) {
        keychain.run {
            let values: [Any] = [[1, 2], ["a": 1], NSNull(), URL(fileURLWithPath: "/")]
            for value in values {
                let query: [String: Any] = ["class": itemClass, code: value]
                #expect(add(query) == errSecParam)
                #expect(copy(query).status == errSecParam)
                #expect(delete(query) == errSecParam)
                #expect(update(query, ["labl": "x"]) == errSecParam)
                #expect(update(["class": itemClass], [code: value]) == errSecParam)
            }
        }
    }

    @Test func `default accessibility is the class's own`() {
        keychain.run {
            for (itemClass, expected) in [("genp", "ak"), ("inet", "ak"), ("keys", "ak"), ("cert", "dk")] {
                add(["class": itemClass])
                #expect(attributes(["class": itemClass])["pdmn"] as? String == expected)
            }
        }
    }

    @Test func `synchronizable any is stored as unsynchronised`() {
        keychain.run {
            #expect(add(password().with("sync", kSecAttrSynchronizableAny)) == errSecSuccess)
            #expect(attributes(password())["sync"] as? Int == 0)
        }
    }
}
