import Foundation
import KeychainTestSupport
import PaviseDatabase
import Testing

@testable import SecurityFramework

/// A long list is made by several threads; nobody may see that.
@Suite struct LongListTests {
    private let keychain: ItemFixture
    private let accounts = (0..<700).map { "account-\($0)" }

    init() throws {
        keychain = try ItemFixture()
        let status = keychain.run {
            SecItem.addTogether(
                accounts.map { account in
                    password(account, "mail", ["v_Data": Data("secret of \(account)".utf8)]) as CFDictionary
                })
        }
        try #require(status == errSecSuccess)
    }

    // Any number of items of the service.
    private let all = password(nil, "mail", ["m_Limit": "m_LimitAll"])

    @Test func `attributes and data of a long list come in the order of the items, each with its own`() throws {
        let result = keychain.run { copy(all, ["r_Attributes": true, "r_Data": true]).result }
        let list = try #require(result as? [[String: Any]])
        #expect(list.compactMap { $0["acct"] as? String } == accounts)
        #expect(list.compactMap { $0["v_Data"] as? Data } == accounts.map { Data("secret of \($0)".utf8) })
    }

    @Test func `persistent references of a long list lead to their items`() throws {
        try keychain.run {
            let references = try #require(copy(all, ["r_PersistentRef": true]).result as? [Data])
            #expect(Set(references).count == accounts.count)
            for index in [0, 255, 256, 511, 512, 699] {
                let found = copy(["v_PersistentRef": references[index]], ["r_Data": true]).result as? Data
                #expect(found == Data("secret of \(accounts[index])".utf8))
            }
        }
    }

    @Test func `one damaged item is left out of a long list, and the others stay`() throws {
        try keychain.run {
            let store = try OpenStores.store(keychain.environment.home)
            try store.database.run(
                "UPDATE item SET attributes = x'00' WHERE row = (SELECT row FROM item LIMIT 1 OFFSET 300)")
            let list = try #require(copy(all, ["r_Attributes": true]).result as? [[String: Any]])
            #expect(list.compactMap { $0["acct"] as? String } == accounts.filter { $0 != "account-300" })
        }
    }
}
