import Foundation
import KeychainTestSupport
import PaviseDatabase
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// KC53 and KC54 for every stored class: damage to rows, below the sealing of pages.
@Suite struct RowDamageTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    static let columns = ["primary_key", "header", "attributes", "secret"]

    private func openDatabase() throws -> Database {
        let device = try Device.open(keychain.environment.home)
        return try Database.open(keychain.database, key: try device.deviceKey(purpose: "keychain database"))
    }

    private func change(_ column: String, _ body: (inout [UInt8]) -> Void) throws {
        let database = try openDatabase()
        let text = try #require(SQLText(column: column))
        let row = try #require(database.rows(text.select).first)
        var bytes = try #require(row.blob(0))
        body(&bytes)
        try database.run(text.update, [.blob(bytes)])
    }

    /// The statements for one column of the first row; names of columns cannot be parameters.
    private struct SQLText {
        let select: StaticString
        let update: StaticString

        init?(column: String) {
            switch column {
            case "primary_key":
                select = "SELECT primary_key FROM item WHERE row = 1"
                update = "UPDATE item SET primary_key = ? WHERE row = 1"
            case "header":
                select = "SELECT header FROM item WHERE row = 1"
                update = "UPDATE item SET header = ? WHERE row = 1"
            case "attributes":
                select = "SELECT attributes FROM item WHERE row = 1"
                update = "UPDATE item SET attributes = ? WHERE row = 1"
            case "secret":
                select = "SELECT secret FROM item WHERE row = 1"
                update = "UPDATE item SET secret = ? WHERE row = 1"
            default: return nil
            }
        }
    }

    private func neighbour(of sample: Sample) -> [String: Any] {
        sample.query.with(sample.keyCodes[0], Sample.value(sample.keyCodes[0], 2))
    }

    @Test(arguments: Sample.all, columns)
    func `KC53 a damaged row gives no value, and its neighbour lives`(_ sample: Sample, _ column: String) throws {
        try keychain.run {
            add(sample.query, "first")
            add(neighbour(of: sample), "second")
            for place in [0, 1, 16, 17, 40] {
                try change(column) { $0[min(place, $0.count - 1)] ^= 0x80 }
                let found = copy(sample.query, ["r_Data": true])
                #expect(found.result == nil)
                #expect(found.status == errSecDecode)
                #expect(value(neighbour(of: sample)) == "second")
                let all = copy(["class": sample.itemClass], ["r_Data": true, "m_Limit": "m_LimitAll"])
                #expect((all.result as? [Data])?.count == 1)
                try change(column) { $0[min(place, $0.count - 1)] ^= 0x80 }
            }
            #expect(value(sample.query) == "first")
        }
    }

    @Test(arguments: Sample.all, columns)
    func `KC53 a row that was cut or emptied is damage`(_ sample: Sample, _ column: String) throws {
        try keychain.run {
            for rest in [0, 1, 20] {
                add(sample.query, "first")
                try change(column) { $0 = Array($0.prefix(rest)) }
                let found = copy(sample.query, ["r_Data": true])
                #expect(found.result == nil)
                #expect(found.status == errSecDecode)
                #expect(add(neighbour(of: sample), "second") == errSecSuccess)
                #expect(value(neighbour(of: sample)) == "second")
                try openDatabase().run("DELETE FROM item")
                try openDatabase().run("DELETE FROM place")
                try openDatabase().run("DELETE FROM recent")
            }
        }
    }

    @Test(arguments: Sample.all, ["attributes", "secret"])
    func `KC53 adding again onto a damaged item works`(_ sample: Sample, _ column: String) throws {
        try keychain.run {
            add(sample.query, "first")
            add(neighbour(of: sample), "second")
            try change(column) { $0[$0.count - 1] ^= 1 }
            #expect(add(sample.query, "third") == errSecSuccess)
            #expect(value(sample.query) == "third")
            #expect(delete(sample.query) == errSecSuccess)
            add(sample.query, "fourth")
            #expect(KeychainDiagnostics.report(keychain.environment.home).damaged.count == 1)
            let taken = [sample.keyCodes[0]: Sample.value(sample.keyCodes[0])]
            #expect(update(neighbour(of: sample), taken) == errSecDuplicateItem)
        }
    }

    @Test(arguments: Sample.all, ["attributes", "secret"])
    func `KC53 renaming onto a damaged item works`(_ sample: Sample, _ column: String) throws {
        try keychain.run {
            add(sample.query, "first")
            add(neighbour(of: sample), "second")
            try change(column) { $0[$0.count - 1] ^= 1 }
            let taken = [sample.keyCodes[0]: Sample.value(sample.keyCodes[0])]
            #expect(update(neighbour(of: sample), taken) == errSecSuccess)
            #expect(value(sample.query) == "second")
            #expect(copy(neighbour(of: sample)).status == errSecItemNotFound)
            #expect(KeychainDiagnostics.report(keychain.environment.home).damaged.count == 1)
        }
    }

    @Test(arguments: Sample.all)
    func `KC53 an item with a damaged header is no missing one to a change, and goes when it is deleted`(
        _ sample: Sample
    ) throws {
        try keychain.run {
            add(sample.query, "first")
            add(neighbour(of: sample), "second")
            try change("header") { $0[$0.count - 1] ^= 1 }
            #expect(update(sample.query, ["labl": "L"]) == errSecDecode)
            // Whether it has this label, nobody can say.
            #expect(delete(sample.query.with("labl", "L")) == errSecDecode)
            #expect(delete(["class": sample.itemClass, "labl": "L"]) == errSecItemNotFound)
            #expect(delete(sample.query) == errSecSuccess)
            #expect(copy(sample.query).status == errSecItemNotFound)
            #expect(delete(sample.query) == errSecItemNotFound)
            let left = try openDatabase().rows("SELECT count(*) FROM item").first?.integer(0)
            #expect(left == 1)
            #expect(value(neighbour(of: sample)) == "second")
        }
    }

    @Test(arguments: Sample.all)
    func `KC53 an item without a whole primary key is told, and nothing is deleted in its stead`(
        _ sample: Sample
    ) throws {
        try keychain.run {
            add(sample.query, "first")
            add(neighbour(of: sample), "second")
            try change("primary_key") { $0[$0.count - 1] ^= 1 }
            #expect(update(sample.query, ["labl": "L"]) == errSecDecode)
            #expect(delete(sample.query) == errSecDecode)
            #expect(value(neighbour(of: sample)) == "second")
            try change("primary_key") { $0[$0.count - 1] ^= 1 }
            #expect(value(sample.query) == "first")
        }
    }

    @Test(arguments: Sample.all)
    func `KC53 a damaged header of another program's item is in nobody's way`(_ sample: Sample) throws {
        try keychain.run {
            add(sample.query.with("agrp", "two"), "theirs")
            try change("header") { $0[$0.count - 1] ^= 1 }
        }
        var other = keychain
        other.environment = SecurityEnvironment(home: keychain.environment.home, accessGroups: ["one"])
        try other.run {
            #expect(update(sample.query, ["labl": "L"]) == errSecItemNotFound)
            #expect(delete(sample.query) == errSecItemNotFound)
            #expect(delete(["class": sample.itemClass]) == errSecItemNotFound)
            #expect(add(sample.query, "mine") == errSecSuccess)
            #expect(delete(sample.query) == errSecSuccess)
            let left = try openDatabase().rows("SELECT count(*) FROM item").first?.integer(0)
            #expect(left == 1)
        }
    }

    @Test(arguments: Sample.all)
    func `KC54 the secret of another item does not fit`(_ sample: Sample) throws {
        try keychain.run {
            add(sample.query, "first")
            add(neighbour(of: sample), "second")
            let database = try openDatabase()
            try database.run("UPDATE item SET secret = (SELECT secret FROM item WHERE row = 2) WHERE row = 1")
            #expect(copy(sample.query, ["r_Data": true]).status == errSecDecode)
            #expect(copy(sample.query, ["r_Attributes": true]).status == errSecDecode)
            #expect(value(neighbour(of: sample)) == "second")
        }
    }

    @Test(arguments: Sample.all)
    func `KC54 the attributes of another item do not fit`(_ sample: Sample) throws {
        try keychain.run {
            add(sample.query, "first")
            add(neighbour(of: sample), "second")
            let database = try openDatabase()
            try database.run("UPDATE item SET attributes = (SELECT attributes FROM item WHERE row = 2) WHERE row = 1")
            #expect(copy(sample.query, ["r_Attributes": true]).status == errSecDecode)
            try database.run(
                "UPDATE item SET secret = (SELECT secret FROM item WHERE row = 2) WHERE row = 1")
            #expect(copy(sample.query, ["r_Data": true]).status == errSecDecode)
            #expect(value(neighbour(of: sample)) == "second")
        }
    }

    @Test func `KC54 both halves and the header of another item do not fit its place`() throws {
        try keychain.run {
            add(password("a"), "first")
            add(password("b"), "second")
            let database = try openDatabase()
            try database.run(
                """
                UPDATE item SET header = (SELECT header FROM item WHERE row = 2),
                attributes = (SELECT attributes FROM item WHERE row = 2),
                secret = (SELECT secret FROM item WHERE row = 2) WHERE row = 1
                """)
            #expect(copy(password("a"), ["r_Data": true]).status == errSecDecode)
            #expect(value(password("b")) == "second")
        }
    }

    @Test func `KC53 damage to one half of an identity is told`() throws {
        let authority = try Authority()
        let identity = try authority.identity(authority.certificate("Anna"))
        try keychain.run {
            add(["v_Ref": identity], nil)
            try change("secret") { $0[$0.count - 1] ^= 1 }
            #expect(copy(["class": kSecClassIdentity, "r_Ref": true]).status == errSecDecode)
            #expect(add(["v_Ref": identity], nil) == errSecSuccess)
            #expect(copy(["class": kSecClassIdentity, "r_Ref": true]).result as? SecIdentity == identity)
        }
    }
}
