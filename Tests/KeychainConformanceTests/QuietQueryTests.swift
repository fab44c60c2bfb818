import Foundation
import KeychainTestSupport
import TestSupport
import Testing

@testable import SecurityFramework

@Suite struct QuietQueryTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    @Test func `KC60: nobody is asked where one of two keys says so, whichever comes first`() throws {
        let query: [String: Any] = [
            "class": "genp", "u_NoAuthUI": true, "u_AuthUI": kSecUseAuthenticationUIAllow as String,
        ]
        // Further keys, which mean nothing, put the two into another order.
        for count in 0..<48 {
            let further = (0..<count).map { ("m_Nothing\($0)", 1 as Any) }
            let whole = query.merging(further) { $1 } as NSDictionary
            let choice = try ItemQuery(whole, for: .copy).interaction.choice
            #expect(choice == .fail)
        }
        let skipping = query.merging(["u_AuthUI": kSecUseAuthenticationUISkip as String]) { $1 } as NSDictionary
        let choice = try ItemQuery(skipping, for: .copy).interaction.choice
        #expect(choice == .skip)
    }

    @Test(arguments: ["genp", "inet"])
    func `KC20: an object beside the class of a password is refused, and deletes nothing`(_ itemClass: String) throws {
        try keychain.run {
            let parameters: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
            ]
            let made = SecKeyCreateRandomKey(parameters as CFDictionary, nil)
            let key = try #require(made)
            #expect(add(["v_Ref": key], nil) == errSecSuccess)
            let query: [String: Any] = ["class": itemClass, "v_Ref": key]
            #expect(add(query, nil) == errSecParam)
            #expect(copy(query, ["r_Ref": true]).status == errSecParam)
            #expect(update(query, ["labl": "L"]) == errSecParam)
            #expect(delete(query) == errSecParam)
            #expect(copy(["v_Ref": key]).status == errSecSuccess)
        }
    }
}
