import Foundation
import PaviseLab
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// Client identities by Apple's adapter, over our own keychain.
@Suite struct IdentityBridgeTests {
    private let folder: TemporaryFolder
    private let people: CertificateAuthority

    init() throws {
        folder = try TemporaryFolder()
        people = try CertificateAuthority(name: "People", hasIntermediate: true)
    }

    private func inHome<Value>(_ body: () throws -> Value) rethrows -> Value {
        let environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"))
        return try SecurityEnvironment.$override.withValue(environment, operation: body)
    }

    private func person(_ name: String = "Anna") throws -> ServerIdentity {
        try people.issue(LeafProfile(names: ["anna.example"], addresses: [], commonName: name, purposes: [.client]))
    }

    private func read(
        _ file: [UInt8], _ passphrase: String = "secret"
    ) -> (status: OSStatus, identity: SharedIdentity?) {
        inHome { IdentityBridge.read(pkcs12: file, passphrase: SecretBytes(utf8: passphrase)) }
    }

    /// The keychain's identities, with what `more` asks for.
    private func identities(_ more: [String: Any]) -> [[String: Any]] {
        let query: [String: Any] = [
            kSecClass as String: kSecClassIdentity, kSecUseDataProtectionKeychain as String: true,
        ]
        return KeychainBridge.attributes(query.merging(more) { $1 }).items
    }

    @Test func `a file's identity comes with the certificates above it, and nothing is stored`() throws {
        let anna = try person()
        let found = read(try anna.pkcs12(passphrase: "secret"))
        let identity = try #require(found.identity)
        #expect(found.status == errSecSuccess && IdentityBridge.chain(of: identity) == anna.chain)
        #expect(inHome { identities([:]).isEmpty })
    }

    @Test func `a wrong passphrase and a broken file are told apart, and bring nothing`() throws {
        let file = try person().pkcs12(passphrase: "secret")
        let wrong = read(file, "Secret")
        #expect(wrong.status == errSecAuthFailed && wrong.identity == nil)
        for broken in [[], Array(file.dropLast(9)), [0x30, 0]] {
            let found = read(broken)
            #expect(found.status == errSecDecode && found.identity == nil)
        }
    }

    @Test func `what was stored is found by its certificate, and by no other, until it is removed`() throws {
        let (anna, ben) = (try person(), try person("Ben"))
        let identity = try #require(read(try anna.pkcs12(passphrase: "secret")).identity)
        try inHome {
            #expect(IdentityBridge.find(tag: "anna", certificate: anna.leaf).status == errSecItemNotFound)
            #expect(IdentityBridge.add(identity.identity, tag: "anna") == errSecSuccess)
            #expect(IdentityBridge.add(certificate: [1, 2], tag: "anna") == errSecDecode)
            for _ in 1...2 { #expect(IdentityBridge.add(certificate: anna.leaf, tag: "anna") == errSecSuccess) }
            let found = IdentityBridge.find(tag: "anna", certificate: anna.leaf)
            let own = try #require(found.identity)
            #expect(IdentityBridge.chain(of: SharedIdentity(own, intermediates: [])) == [anna.leaf])
            #expect(IdentityBridge.signing(of: own) == .here)
            #expect(IdentityBridge.find(tag: "anna", certificate: ben.leaf).status == errSecItemNotFound)
            #expect(IdentityBridge.remove(tag: "anna", certificate: anna.leaf) == errSecSuccess)
            #expect(IdentityBridge.find(tag: "anna", certificate: anna.leaf).identity == nil)
            #expect(IdentityBridge.remove(tag: "anna", certificate: anna.leaf) == errSecSuccess)
        }
    }

    @Test func `a persistent reference finds its identity, and a foreign one nothing`() throws {
        let anna = try person()
        let identity = try #require(read(try anna.pkcs12(passphrase: "secret")).identity)
        try inHome {
            #expect(IdentityBridge.add(identity.identity, tag: "anna") == errSecSuccess)
            #expect(IdentityBridge.add(certificate: anna.leaf, tag: "anna") == errSecSuccess)
            let item = try #require(identities([kSecReturnPersistentRef as String: true]).first)
            let reference = [UInt8](try #require(item[kSecValuePersistentRef as String] as? Data))
            let found = try #require(IdentityBridge.find(persistentReference: reference).identity)
            #expect(IdentityBridge.chain(of: SharedIdentity(found, intermediates: [])) == [anna.leaf])
            let foreign = IdentityBridge.find(persistentReference: reference.map { $0 ^ 0x55 })
            #expect(foreign.status != errSecSuccess && foreign.identity == nil)
        }
    }
}
