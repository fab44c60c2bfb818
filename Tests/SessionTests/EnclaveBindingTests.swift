import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseSession

/// The binding key as an app has it: in the keychain, of the secure element, gone with its session.
@Suite struct EnclaveBindingTests {
    @Test func `the key cannot leave the element, and is gone from the keychain with the session`() async throws {
        let folder = try TemporaryFolder()
        let home = PaviseHome(path: folder.path + "/home")
        let surroundings = SecurityEnvironment(home: home, accessGroups: ["org.pavise.test"])
        try await SecurityEnvironment.$override.withValue(surroundings) {
            let world = try BoundWorld()
            let connection = try world.connections(home: home, Connections.platformVault).add(
                "work", origin: try WebURL(world.authority.issuer).origin, clientID: "pavise-lab")
            let tag = "org.pavise.binding.\(connection.descriptor.id)"
            #expect(EnclaveBridge.find(tag: tag) == errSecItemNotFound)
            try await connection.signIn(browser: world.browser())
            #expect(try await world.status(connection) == 200)
            #expect(EnclaveBridge.find(tag: tag) == errSecSuccess)
            try expectProtected(tag)
            #expect(await connection.signOut() == SignOutReport(localFailure: nil, revocation: .done))
            #expect(EnclaveBridge.find(tag: tag) == errSecItemNotFound)
            // The next one goes with the connection, and so does the key that seals.
            try await connection.signIn(browser: world.browser())
            #expect(EnclaveBridge.find(tag: tag) == errSecSuccess)
            _ = try await world.connections(home: home, Connections.platformVault).remove("work")
            #expect(EnclaveBridge.find(tag: tag) == errSecItemNotFound)
            #expect(EnclaveBridge.find(tag: "org.pavise.key.\(connection.descriptor.id)") == errSecItemNotFound)
        }
    }

    // Readable after the first unlock, on this device only; no private half for anybody.
    private func expectProtected(_ tag: String) throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: Data(tag.utf8),
            kSecUseDataProtectionKeychain as String: true, kSecReturnAttributes as String: true,
            kSecReturnRef as String: true,
        ]
        var result: CFTypeRef?
        #expect(unsafe SecItemCopyMatching(query as CFDictionary, &result) == errSecItemNotFound)
        // The key is one of Pavise's own items, which no query of a program reaches.
        let answer = OwnItems.run(for: tag) { SecItem.copyMatching(query as CFDictionary) }
        #expect(answer.status == errSecSuccess)
        let facts = try #require(answer.result as? [String: Any])
        let accessible = facts[kSecAttrAccessible as String] as? String
        #expect(accessible == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String)
        #expect(facts[kSecAttrTokenID as String] as? String == kSecAttrTokenIDSecureEnclave as String)
        let key = try #require(facts[kSecValueRef as String] as? SecKey)
        let bytes = SecKeyCopyExternalRepresentation(key, nil)
        #expect(bytes == nil)
    }
}
