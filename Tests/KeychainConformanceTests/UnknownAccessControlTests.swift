import Foundation
import Testing

@testable import SecurityFramework

@Suite struct UnknownAccessControlTests {
    /// Whether an item with this stored form of an access control can be read.
    private func isRead(_ storedForm: [UInt8]) throws -> Bool {
        var stored = Item.empty
        stored.accessControl = storedForm
        let bytes = stored.encodedAttributes
        var item = Item.empty
        do {
            try item.readAttributes(bytes)
        } catch is ItemSeal.Damaged {
            return false
        }
        #expect(item.accessControl == storedForm)
        return true
    }

    @Test func `KC58: an item with rules that nobody knows is damaged, and not free for all`() throws {
        let known = try #require(SecAccessControl(protection: "ak", flags: .userPresence))
        #expect(try isRead(known.storedForm))
        // A flag and a class of a later version, and bytes that are neither.
        let protection = Array("ak".utf8)
        #expect(try !isRead([0, 0, 0, 0, 0, 0x10, 0, 1] + protection))
        #expect(try !isRead([0, 0, 0, 0, 0, 0, 0, 1] + Array("zz".utf8)))
        #expect(try !isRead([1]))
    }
}
