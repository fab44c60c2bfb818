import Foundation
import KeychainTestSupport
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
}
