import Foundation
import KeychainTestSupport
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// Dates, references, update and delete, in every stored class.
@Suite struct LifeTests {
    var keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    @Test(arguments: Sample.all)
    func `KC33 dates are the keychain's own and grow`(_ sample: Sample) {
        var fixture = keychain
        let time = ManualTime()
        fixture.environment.time = time.source
        fixture.run {
            let old = Date(timeIntervalSince1970: 5)
            add(sample.query.with("cdat", old).with("mdat", old))
            let first = attributes(sample.query)
            #expect((first["cdat"] as? Date)?.timeIntervalSince1970 == 1_900_000_000)
            #expect(same(first["cdat"], first["mdat"]))
            #expect(update(sample.query, ["labl": "x", "mdat": old]) == errSecSuccess)
            let second = attributes(sample.query)
            #expect(second["mdat"] as? Date ?? old > first["mdat"] as? Date ?? old)
            #expect(same(second["cdat"], first["cdat"]))
            #expect(update(sample.query, ["cdat": old]) == errSecSuccess)
            #expect(attributes(sample.query)["cdat"] as? Date == old)
        }
    }

    @Test("RV-H4: a search in a home where nothing was made yet finds nothing and makes nothing", arguments: Sample.all)
    func emptyHome(_ sample: Sample) {
        keychain.run {
            #expect(copy(sample.query).status == errSecItemNotFound)
            #expect(copy(sample.query, ["m_Limit": "m_LimitAll", "r_Attributes": true]).status == errSecItemNotFound)
            #expect(!DurableFile.exists(keychain.environment.home.path))
            add(sample.query)
            #expect(copy(sample.query).status == errSecSuccess)
        }
    }

    @Test func `KC33 a thousand updates each come later, with a clock that stands still`() {
        var fixture = keychain
        let time = ManualTime()
        fixture.environment.time = time.source
        fixture.run {
            add(password())
            var last = attributes(password())["mdat"] as? Date ?? Date.distantFuture
            for number in 0..<1000 {
                _ = update(password(), ["crtr": number])
                let now = attributes(password())["mdat"] as? Date ?? Date.distantPast
                #expect(now.timeIntervalSince(last) > 0.0009)
                last = now
            }
        }
    }

    @Test(arguments: Sample.all)
    func `KC34 a persistent reference follows its item`(_ sample: Sample) throws {
        try keychain.run {
            let other = sample.query.with(sample.keyCodes[0], Sample.value(sample.keyCodes[0], 9))
            add(sample.query, "1")
            add(other, "2")
            let name = try #require(reference(sample.query))
            #expect(name.count == 20)
            #expect(name.prefix(4) == Data(sample.itemClass.utf8))
            #expect(value(["v_PersistentRef": name]) == "1")
            #expect(value(["class": sample.itemClass, "v_PersistentRef": name]) == "1")
            let change = [sample.keyCodes[0]: Sample.value(sample.keyCodes[0], 7)]
            #expect(update(["v_PersistentRef": name], change) == errSecSuccess)
            #expect(value(["v_PersistentRef": name]) == "1")
            #expect(value(other) == "2")
            #expect(copy(["v_PersistentRef": name, "labl": "x"]).status == errSecParam)
            #expect(update(["v_PersistentRef": name, "labl": "x"], ["labl": "y"]) == errSecItemNotFound)
            #expect(delete(["v_PersistentRef": name, "labl": "x"]) == errSecItemNotFound)
            #expect(delete(["v_PersistentRef": name]) == errSecSuccess)
            #expect(copy(["v_PersistentRef": name]).status == errSecItemNotFound)
            #expect(update(["v_PersistentRef": name], ["labl": "y"]) == errSecItemNotFound)
            #expect(delete(["v_PersistentRef": name]) == errSecItemNotFound)
            add(sample.query)
            #expect(reference(sample.query) != name)
        }
    }

    @Test(arguments: Sample.all)
    func `KC34 the older form by row is read`(_ sample: Sample) {
        keychain.run {
            add(sample.query, "1")
            let row = Data(sample.itemClass.utf8) + Data([0, 0, 0, 0, 0, 0, 0, 1])
            #expect(value(["v_PersistentRef": row]) == "1")
            #expect(
                copy(["v_PersistentRef": Data(sample.itemClass.utf8) + Data(repeating: 0xff, count: 8)]).status
                    == errSecItemNotFound)
        }
    }

    @Test(arguments: [0, 1, 4, 11, 13, 16, 19, 21, 64])
    func `KC34 other bytes are no reference`(_ count: Int) {
        keychain.run {
            let bytes = Data("genp".utf8).prefix(count) + Data(repeating: 3, count: max(0, count - 4))
            #expect(copy(["v_PersistentRef": bytes]).status == errSecParam)
            #expect(delete(["v_PersistentRef": bytes]) == errSecParam)
            #expect(update(["v_PersistentRef": bytes], ["labl": "x"]) == errSecParam)
            #expect(copy(["v_PersistentRef": "genp1234567890123456"]).status == errSecParam)
        }
    }

    @Test func `KC34 a reference of another class finds nothing`() throws {
        try keychain.run {
            add(password())
            let name = try #require(reference(password()))
            #expect(copy(["v_PersistentRef": Data("inet".utf8) + name.dropFirst(4)]).status == errSecItemNotFound)
            #expect(copy(["v_PersistentRef": Data("idnt".utf8) + name.dropFirst(4)]).status == errSecItemNotFound)
        }
    }

    @Test(arguments: Sample.all)
    func `KC35 an update that matches nothing`(_ sample: Sample) {
        keychain.run {
            let change = [sample.keyCodes[0]: Sample.value(sample.keyCodes[0], 9)]
            #expect(update(sample.query, change) == errSecItemNotFound)
            add(sample.query)
            #expect(update(sample.query, change) == errSecSuccess)
            #expect(update(sample.query, change) == errSecItemNotFound)
        }
    }

    @Test(arguments: Sample.all)
    func `KC36 delete takes every match and then finds none`(_ sample: Sample) {
        keychain.run {
            for number in UInt8(1)...3 {
                add(sample.query.with(sample.keyCodes[0], Sample.value(sample.keyCodes[0], number)))
            }
            #expect(delete(sample.query.with("v_Data", Data([1]))) == errSecSuccess)
            #expect(count(["class": sample.itemClass]) == 2)
            #expect(delete(["class": sample.itemClass]) == errSecSuccess)
            #expect(delete(["class": sample.itemClass]) == errSecItemNotFound)
        }
    }

    @Test(arguments: Sample.all)
    func `KC37 delete by group leaves the other group`(_ sample: Sample) {
        keychain.run {
            add(sample.query, "one")
            add(sample.query.with("agrp", "two"), "two")
            #expect(delete(["class": sample.itemClass, "agrp": "two"]) == errSecSuccess)
            #expect(value(sample.query) == "one")
            #expect(count(["class": sample.itemClass]) == 1)
        }
    }

    @Test(arguments: Sample.all)
    func `KC38 a group is changed to an own one only, and into a free place`(_ sample: Sample) {
        keychain.run {
            add(sample.query, "one")
            #expect(update(sample.query, ["agrp": "foreign", "labl": "x"]) == errSecMissingEntitlement)
            #expect(update(sample.query, ["agrp": "com.apple.token"]) == errSecMissingEntitlement)
            #expect(attributes(sample.query)["labl"] as? String != "x")
            #expect(update(sample.query, ["agrp": "two"]) == errSecSuccess)
            #expect(attributes(sample.query)["agrp"] as? String == "two")
            add(sample.query, "again")
            #expect(update(sample.query.with("agrp", "one"), ["agrp": "two"]) == errSecDuplicateItem)
            #expect(value(sample.query.with("agrp", "one")) == "again")
        }
    }

    @Test func `an update touches all matches in one step`() {
        keychain.run {
            for number in 0..<20 { add(password("\(number)")) }
            #expect(update(password(nil), ["labl": "all"]) == errSecSuccess)
            #expect(count(password(nil, nil, ["labl": "all"])) == 20)
        }
    }

    @Test func `an update with an object takes its attributes and its bytes`() throws {
        let authority = try Authority()
        let first = try authority.certificate("First")
        let second = try authority.certificate("Second", serial: 2)
        try keychain.run {
            add(["v_Ref": first], nil)
            let name = try #require(reference(["v_Ref": first]))
            #expect(update(["v_PersistentRef": name], ["v_Ref": second]) == errSecSuccess)
            #expect(copy(["v_PersistentRef": name, "r_Ref": true]).result as? SecCertificate == second)
            #expect(copy(["v_Ref": first]).status == errSecItemNotFound)
            #expect(update(["v_PersistentRef": name], ["v_Ref": "x"]) == errSecParam)
            #expect(update(["v_PersistentRef": name], ["v_Ref": authority.key]) == errSecParam)
        }
    }
}
