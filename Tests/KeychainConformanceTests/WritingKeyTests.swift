import Foundation
import KeychainTestSupport
import PaviseCrypto
import PaviseDatabase
import PaviseDevice
import PavisePrimitives
import Testing

@testable import SecurityFramework

/// The keys of one writing of one item (KC54; Documentation/Keys.md, “The secret store”).
@Suite struct WritingKeyTests {
    private let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    /// The keys of all items, unwrapped from the halves as they lie in the database: two for each.
    private func itemKeys() throws -> [[UInt8]] {
        let device = try Device.open(keychain.environment.home)
        let database = try Database.open(keychain.database, key: try device.deviceKey(purpose: "keychain database"))
        guard case .key(let classKey) = try device.key(.whenUnlocked, in: .unlocked) else { return [] }
        let ciphers = try ClassCiphers(classKey)
        let metadataKeys = MetadataKeys(database)
        let metadata = try MetadataKeys.Gap.closing { try metadataKeys.current(.whenUnlocked, ciphers) }
        var keys: [[UInt8]] = []
        for row in try database.rows("SELECT primary_key, header, attributes, secret FROM item ORDER BY row") {
            let place = try #require(row.blob(0))
            let header = try #require(row.blob(1))
            // What both halves are bound to: the header without its tag, then the primary key.
            let binding = Array(header.dropLast(16)) + place
            keys.append(try unwrapped(try #require(row.blob(2)), 1, binding, metadata.cipher))
            keys.append(try unwrapped(try #require(row.blob(3)), 2, binding, ciphers.secret))
        }
        return keys
    }

    private func unwrapped(
        _ half: [UInt8], _ number: UInt8, _ binding: [UInt8], _ wrapping: borrowing AESGCM
    ) throws -> [UInt8] {
        var bound: [UInt8] = [1, number]
        bound += half[1..<17]
        bound += binding
        let wrapped = Array(half[29..<77])
        let key = try wrapping.open(wrapped.span, nonce: Array(half[17..<29]), associatedData: bound)
        return key.withBytes { bytes in Array(bytes) }
    }

    @Test func `KC54 each writing of an item makes two new keys, one for each half`() throws {
        try keychain.run {
            add(password("kept"), "beside")
            let kept = Set(try itemKeys())
            #expect(kept.count == 2)
            var seen = kept
            func expectNewKeys(_ writing: Comment) throws {
                let keys = try itemKeys()
                let fresh = Set(keys).subtracting(kept)
                // Of the other item nothing was written.
                #expect(keys.count == 4 && kept.isSubset(of: keys), writing)
                #expect(fresh.count == 2 && fresh.isDisjoint(with: seen), writing)
                #expect(fresh.allSatisfy { $0.count == 32 }, writing)
                seen.formUnion(fresh)
            }
            add(password("anna"), "first")
            try expectNewKeys("added")
            #expect(update(password("anna"), ["v_Data": Data("second".utf8)]) == errSecSuccess)
            try expectNewKeys("another value")
            #expect(update(password("anna"), ["v_Data": Data("second".utf8)]) == errSecSuccess)
            try expectNewKeys("the same value again")
            #expect(update(password("anna"), ["labl": "a name"]) == errSecSuccess)
            try expectNewKeys("an attribute alone")
            delete(password("anna"))
            add(password("anna"), "second")
            try expectNewKeys("deleted and added")
            #expect(value(password("anna")) == "second" && value(password("kept")) == "beside")
        }
    }
}
