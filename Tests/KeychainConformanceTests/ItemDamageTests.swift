import Foundation
import KeychainTestSupport
import PaviseCrypto
import PaviseDatabase
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// Damage below the page encryption: what somebody with the database's key, or a mistake of ours, could do to rows.
@Suite struct ItemDamageTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    private func openDatabase() throws -> Database {
        let device = try Device.open(keychain.environment.home)
        return try Database.open(keychain.database, key: try device.deviceKey(purpose: "keychain database"))
    }

    @Test(.long, arguments: ["header", "attributes", "secret", "primary_key"])
    func `KC53 no flipped byte of a row gives a wrong value or hides the damage`(_ column: String) throws {
        try keychain.run {
            add(password("a"), "first")
            add(password("b"), "second")
            let database = try openDatabase()
            let before = try bytes(column, in: database)
            for index in before.indices {
                var changed = before
                changed[index] ^= 0x40
                try write(changed, to: column, in: database)
                let found = copy(password("a"), ["r_Data": true])
                #expect(found.result == nil)
                #expect(found.status == errSecDecode)
                #expect(value(password("b")) == "second")
            }
            try write(before, to: column, in: database)
            #expect(value(password("a")) == "first")
        }
    }

    @Test func `KC53 a damaged item makes room for a new one and is kept aside`() throws {
        try keychain.run {
            add(password("a"), "first")
            add(password("b"), "second")
            try flipLastByte(of: "secret")
            #expect(add(password("a"), "third") == errSecSuccess)
            #expect(value(password("a")) == "third")
            let report = KeychainDiagnostics.report(keychain.environment.home)
            #expect(report.intact == 2)
            #expect(report.damaged.map(\.isSetAside) == [true])
        }
    }

    @Test func `KC53 an update moves into the place of a damaged item`() throws {
        try keychain.run {
            add(password("a"), "first")
            add(password("b"), "second")
            try flipLastByte(of: "attributes")
            #expect(update(password("b"), ["acct": "a"]) == errSecSuccess)
            #expect(value(password("a")) == "second")
            #expect(KeychainDiagnostics.report(keychain.environment.home).damaged.count == 1)
        }
    }

    @Test func `a damaged item is reported, by name in the diagnostics, and can be deleted`() throws {
        try keychain.run {
            add(password("a"), "first")
            add(password("b"), "second")
            try flipLastByte(of: "secret")
            // The attributes are another half, and whole.
            #expect(copy(password("a"), ["r_Attributes": true]).status == errSecSuccess)
            #expect(count(password(nil)) == 2)
            #expect(copy(password("a"), ["r_Data": true]).status == errSecDecode)
            #expect(update(password("a"), ["labl": "L"]) == errSecDecode)
            let report = KeychainDiagnostics.report(keychain.environment.home)
            #expect(report.intact == 1)
            #expect(report.damaged.map(\.group) == ["one"])
            #expect(KeychainDiagnostics.lastFailure(keychain.environment.home)?.contains("damaged") == true)
            #expect(delete(password("a")) == errSecSuccess)
            #expect(copy(password("a")).status == errSecItemNotFound)
        }
    }

    @Test func `KC54 the halves of two items do not fit each other`() throws {
        try keychain.run {
            add(password("a"), "first")
            add(password("b"), "second")
            let database = try openDatabase()
            try database.run("UPDATE item SET secret = (SELECT secret FROM item WHERE row = 2) WHERE row = 1")
            #expect(copy(password("a"), ["r_Data": true]).status == errSecDecode)
            #expect(value(password("b")) == "second")
        }
    }

    @Test func `DP10 an older state of the halves does not fit a newer header`() throws {
        try keychain.run {
            add(password("a"), "first")
            let database = try openDatabase()
            let oldSecret = try bytes("secret", in: database)
            let oldAttributes = try bytes("attributes", in: database)
            #expect(update(password("a"), ["v_Data": Data("second".utf8)]) == errSecSuccess)
            try write(oldSecret, to: "secret", in: database)
            try write(oldAttributes, to: "attributes", in: database)
            #expect(copy(password("a"), ["r_Data": true]).status == errSecDecode)
        }
    }

    @Test func `KC56 a database that does not open says so, and why`() throws {
        try keychain.run {
            add(password())
            let home = keychain.environment.home
            KeychainDiagnostics.close(home)
            let junk = [UInt8](repeating: 7, count: 20_000)
            try DurableFile.write(junk.span, to: keychain.database)
            #expect(copy(password()).status == errSecNotAvailable)
            #expect(add(password()) == errSecNotAvailable)
            #expect(KeychainDiagnostics.report(home).failure?.isEmpty == false)
            #expect(try DurableFile.read(keychain.database, limit: 30_000) == junk)
            #expect(KeychainDiagnostics.report(home).failure?.contains("pavise keychain repair") == true)
        }
    }

    @Test func `a lost element secret is damage and never a reason for a new one`() throws {
        try keychain.run {
            add(password())
            let home = keychain.environment.home
            try DurableFile.remove(home.device + "/element.secret")
            #expect(throws: DeviceFailure.damaged(file: home.device + "/element.secret")) { try Device.open(home) }
            #expect(!DurableFile.exists(home.device + "/element.secret"))
        }
    }

    private func flipLastByte(of column: String) throws {
        let database = try openDatabase()
        var changed = try bytes(column, in: database)
        changed[changed.count - 1] ^= 1
        try write(changed, to: column, in: database)
    }

    private func bytes(_ column: String, in database: Database) throws -> [UInt8] {
        let row = try database.rows("SELECT primary_key, header, attributes, secret FROM item WHERE row = 1").first
        let index = try #require(["primary_key", "header", "attributes", "secret"].firstIndex(of: column))
        return try #require(row?.blob(index))
    }

    private func write(_ bytes: [UInt8], to column: String, in database: Database) throws {
        switch column {
        case "header": try database.run("UPDATE item SET header = ? WHERE row = 1", [.blob(bytes)])
        case "attributes": try database.run("UPDATE item SET attributes = ? WHERE row = 1", [.blob(bytes)])
        case "secret": try database.run("UPDATE item SET secret = ? WHERE row = 1", [.blob(bytes)])
        default: try database.run("UPDATE item SET primary_key = ? WHERE row = 1", [.blob(bytes)])
        }
    }
}
