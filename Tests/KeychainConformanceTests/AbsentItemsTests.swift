import Foundation
import KeychainTestSupport
import PaviseDatabase
import PaviseDevice
import Testing

@testable import SecurityFramework

/// What is added only where it is not there yet: the keys and certificates of an import.
@Suite struct AbsentItemsTests {
    private let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    private func add(_ accounts: String...) -> OSStatus {
        SecItem.addAbsent(accounts.map { password($0) as CFDictionary })
    }

    @Test func `what is there stays, and the rest is added`() {
        keychain.run {
            #expect(add("anna") == errSecSuccess)
            #expect(add("anna", "bert") == errSecSuccess)
            for account in ["anna", "bert"] { #expect(copy(password(account)).status == errSecSuccess) }
        }
    }

    @Test func `KC53 a name that a row holds to which nothing leads is taken, and nothing is added beside it`() throws {
        try keychain.run {
            #expect(add("anna") == errSecSuccess)
            let device = try Device.open(keychain.environment.home)
            let key = try device.deviceKey(purpose: "keychain database")
            let database = try Database.open(keychain.database, key: key)
            try database.run("DELETE FROM place")
            try database.run("DELETE FROM recent")
            #expect(add("bert", "anna") == errSecDuplicateItem)
            #expect(copy(password("bert")).status == errSecItemNotFound)
        }
    }
}
