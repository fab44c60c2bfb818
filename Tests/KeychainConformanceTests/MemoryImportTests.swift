import Foundation
import KeychainTestSupport
import PaviseCrypto
import PaviseDatabase
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import Testing

/// SecPKCS12Import: where what is imported goes, and files without a passphrase.
@Suite struct `Import to memory` {
    let keychain: ItemFixture
    let authority: Authority

    init() throws {
        keychain = try ItemFixture()
        authority = try Authority()
    }

    private func file(_ passphrase: String) throws -> CFData {
        let leaf = Array(SecCertificateCopyData(try authority.certificate("Anna")) as Data)
        let file = try authority.issuing.pkcs12(certificate: leaf, name: "Anna's key", passphrase: passphrase)
        return Data(file) as CFData
    }

    private func open(_ file: CFData, _ options: [CFString: Any]) -> (status: OSStatus, count: Int) {
        var items: CFArray?
        let status = SecPKCS12Import(file, options as CFDictionary, &items)
        let entries = items as? [[String: Any]]
        let identities = entries?.compactMap { $0[kSecImportItemIdentity as String] as? SecIdentity }
        return (status, identities?.count ?? 0)
    }

    private func isStored() -> Bool { copy(["class": kSecClassIdentity, "r_Ref": true]).status == errSecSuccess }

    @Test func `with memory only set, nothing is stored, whatever the options say about the keychain`() throws {
        let file = try file("secret")
        keychain.run {
            let options: [CFString: Any] = [
                kSecImportExportPassphrase: "secret", kSecUseDataProtectionKeychain: true,
                kSecAttrAccessGroup: "foreign",
            ]
            #expect(open(file, options).status == errSecMissingEntitlement)
            #expect(open(file, options.merging([kSecImportToMemoryOnly: true]) { $1 }) == (errSecSuccess, 1))
            #expect(!isStored())
        }
    }

    @Test func `with memory only false or of another kind, the other options decide`() throws {
        let file = try file("secret")
        for value in [false, "yes", 1] as [Any] {
            let keychain = try ItemFixture()
            keychain.run {
                let options: [CFString: Any] = [kSecImportExportPassphrase: "secret", kSecImportToMemoryOnly: value]
                #expect(open(file, options) == (errSecSuccess, 1))
                #expect(!isStored())
                #expect(open(file, options.merging([kSecUseDataProtectionKeychain: true]) { $1 }) == (errSecSuccess, 1))
                #expect(isStored())
            }
        }
    }

    @Test func `a key that is stored has the access control of the options, and its certificate has none`() throws {
        let file = try file("secret")
        let made = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
        let control = try #require(made)
        keychain.run {
            let options: [CFString: Any] = [
                kSecImportExportPassphrase: "secret", kSecUseDataProtectionKeychain: true,
                kSecAttrAccessControl: control,
            ]
            let both = options.merging([kSecAttrAccessible: kSecAttrAccessibleAlways]) { $1 }
            #expect(open(file, both).status == errSecParam)
            #expect(open(file, options) == (errSecSuccess, 1))
            let silent: [String: Any] = ["r_Ref": true, "u_AuthUI": kSecUseAuthenticationUIFail]
            #expect(copy(silent.merging(["class": kSecClassKey]) { $1 }).status == errSecInteractionNotAllowed)
            #expect(copy(silent.merging(["class": kSecClassCertificate]) { $1 }).status == errSecSuccess)
        }
    }

    @Test func `KC60: an import that may ask nobody asks nobody, whichever key says so`() throws {
        let file = try file("secret")
        let made = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil)
        let control = try #require(made)
        var asking = keychain
        asking.environment.evaluator = Typist()
        asking.run {
            let options: [CFString: Any] = [
                kSecImportExportPassphrase: "secret", kSecUseDataProtectionKeychain: true,
                kSecAttrAccessControl: control,
            ]
            let quiet: [[CFString: Any]] = [
                [kSecUseNoAuthenticationUI: true], [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail],
            ]
            for more in quiet {
                let status = open(file, options.merging(more) { $1 }).status
                #expect(status == errSecInteractionNotAllowed)
            }
            #expect(open(file, options) == (errSecSuccess, 1))
        }
    }

    @Test func `what is imported is stored as a whole or not at all`() throws {
        let file = try file("secret")
        try keychain.run {
            add(password("a"), "first")
            let device = try Device.open(keychain.environment.home)
            let key = try device.deviceKey(purpose: "keychain database")
            let database = try Database.open(keychain.database, key: key)
            // The second item of the file, its certificate, cannot be written: the sum is too large for a number.
            try database.run(
                """
                CREATE TRIGGER stop BEFORE INSERT ON item WHEN (SELECT count(*) FROM item) > 1 BEGIN
                SELECT abs(-9223372036854775807 - length(NEW.header) / length(NEW.header)); END
                """)
            let options: [CFString: Any] = [kSecImportExportPassphrase: "secret", kSecUseDataProtectionKeychain: true]
            #expect(open(file, options).status != errSecSuccess)
            #expect(copy(["class": kSecClassKey, "r_Ref": true]).status == errSecItemNotFound)
            try database.run("DROP TRIGGER stop")
            #expect(open(file, options) == (errSecSuccess, 1))
            #expect(isStored())
        }
    }

    @Test func `a missing passphrase is an empty one`() throws {
        let (open, closed) = (try file(""), try file("secret"))
        #expect(self.open(open, [:]) == (errSecSuccess, 1))
        #expect(self.open(open, [kSecImportExportPassphrase: ""]) == (errSecSuccess, 1))
        #expect(self.open(closed, [:]) == (errSecAuthFailed, 0))
        #expect(self.open(closed, [kSecImportExportPassphrase: 7]) == (errSecParam, 0))
    }
}

/// Somebody who types a password whenever one is asked for.
private struct Typist: AccessEvaluator {
    func presence(
        of home: PaviseHome, reason: String, context: (any AuthenticationContext)?
    ) throws(DeviceFailure) -> PresenceKey { throw .notInteractive }

    func password(reason: String) throws(DeviceFailure) -> SharedSecretBytes {
        SharedSecretBytes(SecretBytes(utf8: "typed"))
    }
}
