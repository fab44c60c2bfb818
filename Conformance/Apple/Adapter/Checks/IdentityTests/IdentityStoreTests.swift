import Foundation
import PaviseDevice
import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import SecurityFramework
import TestSupport
import Testing

@testable import Pavise

/// The Kit's store of client identities over Apple's adapter and our own keychain.
@Suite struct IdentityStoreTests {
    private let folder: TemporaryFolder
    private let people: CertificateAuthority

    init() throws {
        folder = try TemporaryFolder()
        people = try CertificateAuthority(name: "People", hasIntermediate: true)
    }

    private var home: PaviseHome { PaviseHome(path: folder.path + "/home") }
    private var store: IdentityStore { IdentityStore(home: home, owner: "org.example.app", time: .system) }

    private func inHome<Value>(_ body: () throws -> Value) rethrows -> Value {
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home), operation: body)
    }

    private func profile(_ name: String, _ validity: LeafProfile.Validity = .current) -> LeafProfile {
        LeafProfile(
            names: ["anna.example"], addresses: [], commonName: name, validity: validity, purposes: [.client])
    }

    private func take(_ file: [UInt8], as name: String) throws -> AppSecurity.Identity {
        try store.take(file, passphrase: SecretBytes(utf8: "secret"), as: name)
    }

    /// How many items of a class there are, whoever they belong to.
    private func items(_ itemClass: CFString) -> Int {
        KeychainBridge.attributes([
            kSecClass as String: itemClass, kSecUseDataProtectionKeychain as String: true,
        ]).items.count
    }

    private func isThere(_ name: String) -> Bool { (try? store.find(name)) != nil }

    @Test func `a file's identity is stored, found by its name, and removed whole`() throws {
        let anna = try people.issue(profile("Anna"))
        try inHome {
            let taken = try take(anna.pkcs12(passphrase: "secret"), as: "anna")
            #expect(taken.subject?.contains("Anna") == true && !taken.isInElement && !taken.isRequested)
            #expect(try store.list() == [taken])
            let found = try store.find("anna")
            #expect(IdentityBridge.chain(of: found) == anna.chain)
            #expect(IdentityBridge.signing(of: found.identity) == .here)
            #expect(items(kSecClassKey) == 1 && items(kSecClassCertificate) == 1)
            try store.remove("anna")
            #expect(items(kSecClassKey) == 0 && items(kSecClassCertificate) == 0)
            #expect(throws: ClientCertificate.Problem.unknownName("anna")) { try store.find("anna") }
        }
    }

    @Test func `one file under two names: each goes by itself, and the certificate with the last`() throws {
        let file = try people.issue(profile("Anna")).pkcs12(passphrase: "secret")
        try inHome {
            _ = try take(file, as: "home")
            _ = try take(file, as: "work")
            #expect(items(kSecClassKey) == 2)
            try store.remove("home")
            #expect(isThere("work") && items(kSecClassKey) == 1)
            try store.remove("work")
            #expect(items(kSecClassKey) == 0 && items(kSecClassCertificate) == 0)
        }
    }

    @Test func `a file that is taken again under its name still works after the older key is gone`() throws {
        let file = try people.issue(profile("Anna")).pkcs12(passphrase: "secret")
        try inHome {
            _ = try take(file, as: "anna")
            _ = try take(file, as: "anna")
            // Two days later: the key that was replaced is destroyed with the next change.
            let clock = ManualTime(wallSeconds: TimeSource.system.wallSeconds + 2 * 86_400)
            let later = IdentityStore(home: home, owner: "org.example.app", time: clock.source)
            let other = try people.issue(profile("Ben")).pkcs12(passphrase: "secret")
            _ = try later.take(other, passphrase: SecretBytes(utf8: "secret"), as: "ben")
            #expect(items(kSecClassKey) == 2)
            #expect(isThere("anna") && isThere("ben"))
        }
    }

    @Test func `a certificate that the app itself keeps stays`() throws {
        let anna = try people.issue(profile("Anna"))
        try inHome {
            let own = try #require(IdentityBridge.certificate(anna.leaf))
            let status = KeychainBridge.add([
                kSecClass as String: kSecClassCertificate, kSecValueRef as String: own,
                kSecAttrLabel as String: "the app's own", kSecUseDataProtectionKeychain as String: true,
            ])
            #expect(status == errSecSuccess)
            _ = try take(anna.pkcs12(passphrase: "secret"), as: "anna")
            #expect(isThere("anna"))
            try store.remove("anna")
            #expect(items(kSecClassKey) == 0 && items(kSecClassCertificate) == 1)
        }
    }

    @Test func `a wrong passphrase, a broken file and a certificate of another time store nothing`() throws {
        let file = try people.issue(profile("Anna")).pkcs12(passphrase: "secret")
        let old = try people.issue(profile("Anna", .expired)).pkcs12(passphrase: "secret")
        try inHome {
            #expect(throws: ClientCertificate.Problem.wrongPassphrase) {
                try store.take(file, passphrase: SecretBytes(utf8: "Secret"), as: "anna")
            }
            #expect(throws: ClientCertificate.Problem.unreadableFile) { try take(Array(file.dropLast(9)), as: "anna") }
            #expect(throws: ClientCertificate.Problem.notValid) { try take(old, as: "anna") }
            #expect(throws: ClientCertificate.Problem.unusableName("../a")) { try take(file, as: "../a") }
            let left = try store.list()
            #expect(left.isEmpty && items(kSecClassKey) == 0 && items(kSecClassCertificate) == 0)
        }
    }

    @Test func `a key of the element becomes an identity with the certificate for it, and with no other`() throws {
        try inHome {
            let request = try store.request("anna", subject: "Anna")
            #expect(try store.list().map(\.isRequested) == [true])
            let stranger = try people.issue(profile("Anna"))
            #expect(throws: ClientCertificate.Problem.otherKey) { try store.complete("anna", with: stranger.leaf) }
            let start = try #require(Hex.decode("3059301306072a8648ce3d020106082a8648ce3d030107034200"))
            let place = try #require(request.firstRange(of: start))
            let key = Array(request[place.lowerBound..<place.lowerBound + 91])
            let chain = try people.issue(profile("Anna"), forPublicKey: key)
            let whole = try store.complete("anna", with: Array(ServerIdentity.text(of: chain).utf8))
            #expect(whole.isInElement && !whole.isRequested && whole.subject?.contains("Anna") == true)
            #expect(IdentityBridge.chain(of: try store.find("anna")) == chain)
            try store.wipe()
            #expect(items(kSecClassKey) == 0 && items(kSecClassCertificate) == 0)
        }
    }

    @Test func `a key that somebody deleted is lost, and no other is taken for it`() throws {
        let file = try people.issue(profile("Anna")).pkcs12(passphrase: "secret")
        try inHome {
            _ = try take(file, as: "anna")
            #expect(
                KeychainBridge.delete([
                    kSecClass as String: kSecClassKey, kSecUseDataProtectionKeychain as String: true,
                ]) == errSecSuccess)
            #expect(throws: ClientCertificate.Problem.keyLost("anna")) { try store.find("anna") }
        }
    }

    @Test func `while the device is locked an identity is refused as locked, not as lost`() throws {
        let file = try people.issue(profile("Anna")).pkcs12(passphrase: "secret")
        try inHome { _ = try take(file, as: "anna") }
        var environment = SecurityEnvironment(home: home)
        environment.lock = LockSwitch(.beforeFirstUnlock)
        SecurityEnvironment.$override.withValue(environment) {
            #expect(throws: VaultFailure.locked(status: errSecInteractionNotAllowed)) { try store.find("anna") }
            #expect(throws: (any Error).self) { try store.remove("anna") }
        }
        inHome { #expect(isThere("anna")) }
    }
}
