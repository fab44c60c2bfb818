import Foundation
import KeychainTestSupport
import SecurityFramework
import TestSupport
import Testing

/// Facts: keychain §2. What makes two items one, for every attribute of every class.
@Suite struct PrimaryKeyTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    @Test(arguments: Attribute.inKey)
    func `KC14 another value of a key attribute alone makes another item`(_ attribute: Attribute) {
        keychain.run {
            let query = attribute.sample.query
            #expect(add(query) == errSecSuccess)
            #expect(add(query) == errSecDuplicateItem)
            #expect(add(query.with(attribute.code, Sample.value(attribute.code, 2))) == errSecSuccess)
            #expect(count(["class": attribute.sample.itemClass]) == 2)
        }
    }

    @Test(arguments: Attribute.others)
    func `KC14 another value of another attribute alone is a duplicate`(_ attribute: Attribute) {
        keychain.run {
            let query = attribute.sample.query
            #expect(add(query.with(attribute.code, Sample.value(attribute.code))) == errSecSuccess)
            #expect(add(query.with(attribute.code, Sample.value(attribute.code, 2))) == errSecDuplicateItem)
            #expect(add(query) == errSecDuplicateItem)
        }
    }

    @Test(arguments: Attribute.inKey)
    func `an absent key attribute is the same as zero or empty`(_ attribute: Attribute) {
        let nothing: Any =
            switch Sample.value(attribute.code) {
            case is Int: 0
            case is Date: Date(timeIntervalSinceReferenceDate: 0)
            case is Data: Data()
            default: ""
            }
        keychain.run {
            let query = attribute.sample.query.with(attribute.code, nil)
            #expect(add(query) == errSecSuccess)
            #expect(add(query.with(attribute.code, nothing)) == errSecDuplicateItem)
        }
    }

    @Test(arguments: Sample.all)
    func `KC15 group and synchronizable belong to the key of every class`(_ sample: Sample) {
        keychain.run {
            let query = sample.query.with("pdmn", "ck")
            #expect(add(query) == errSecSuccess)
            #expect(add(query.with("agrp", "one")) == errSecDuplicateItem)
            #expect(add(query.with("agrp", "two")) == errSecSuccess)
            #expect(add(query.with("sync", true)) == errSecSuccess)
            #expect(add(query.with("sync", 1)) == errSecDuplicateItem)
            #expect(add(query.with("sync", false)) == errSecDuplicateItem)
            #expect(add(query.with("vwht", "view")) == errSecSuccess)
            #expect(add(query.with("vwht", "")) == errSecDuplicateItem)
            #expect(add(query.with("pdmn", "dk")) == errSecDuplicateItem)
        }
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"])
    func `KC16 one item of a class may have no name at all`(_ itemClass: String) {
        keychain.run {
            #expect(add(["class": itemClass]) == errSecSuccess)
            #expect(add(["class": itemClass]) == errSecDuplicateItem)
            #expect(value(["class": itemClass]) == "secret")
        }
    }

    @Test(arguments: [
        ("genp", "acct"), ("genp", "svce"), ("inet", "acct"), ("inet", "srvr"), ("inet", "sdmn"), ("inet", "path"),
        ("inet", "atyp"), ("keys", "atag"), ("keys", "klbl"), ("cert", "issr"), ("cert", "slnr"),
    ])
    func `KC17 data and text of the same bytes collide and find each other`(_ itemClass: String, _ code: String) {
        keychain.run {
            let text: [String: Any] = ["class": itemClass, code: "x"]
            let data: [String: Any] = ["class": itemClass, code: Data("x".utf8)]
            #expect(add(text) == errSecSuccess)
            #expect(add(data) == errSecDuplicateItem)
            #expect(value(data) == "secret")
            #expect(delete(data) == errSecSuccess)
            #expect(copy(text).status == errSecItemNotFound)
        }
    }

    @Test(arguments: Sample.all)
    func `KC18 a duplicate leaves the stored item untouched in every class`(_ sample: Sample) {
        keychain.run {
            add(sample.query.with("labl", "first"), "first")
            let before = attributes(sample.query)
            #expect(add(sample.query.with("labl", "second"), "second") == errSecDuplicateItem)
            #expect(value(sample.query) == "first")
            #expect(same(attributes(sample.query) as NSDictionary, before as NSDictionary))
        }
    }

    @Test(arguments: Attribute.inKey)
    func `KC19 an update into an existing key changes nothing`(_ attribute: Attribute) {
        keychain.run {
            let other = attribute.sample.query.with(attribute.code, Sample.value(attribute.code, 2))
            add(attribute.sample.query, "first")
            add(other, "second")
            let change: [String: Any] = [attribute.code: Sample.value(attribute.code), "labl": "changed"]
            #expect(update(other, change) == errSecDuplicateItem)
            #expect(value(attribute.sample.query) == "first")
            #expect(value(other) == "second")
            #expect(count(["class": attribute.sample.itemClass, "labl": "changed"]) == 0)
        }
    }

    @Test(arguments: Attribute.inKey)
    func `an update to a free key moves the item`(_ attribute: Attribute) {
        keychain.run {
            let moved = attribute.sample.query.with(attribute.code, Sample.value(attribute.code, 2))
            add(attribute.sample.query, "first")
            let name = reference(attribute.sample.query)
            #expect(update(attribute.sample.query, [attribute.code: Sample.value(attribute.code, 2)]) == errSecSuccess)
            #expect(value(moved) == "first")
            #expect(reference(moved) == name)
            #expect(copy(attribute.sample.query).status == errSecItemNotFound)
        }
    }
}
