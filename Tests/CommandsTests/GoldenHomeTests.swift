import Foundation
import Pavise
import PaviseAppLock
import PaviseCommands
import PaviseDevice
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import SecurityFramework
import Testing

/// Homes that a released program made open for good. Whoever changes a format here reads the old one, too: a home that
/// is changed to fit a test is a person's keychain lost.
@Suite struct GoldenHomeTests {
    @Test func `the passwords of a home without a passcode are read`() throws {
        let golden = try GoldenHome("plain")
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(golden)) {
            #expect(secret(["svce": "mail.example", "acct": "ada"]) == "winter-plum-1")
            #expect(secret(["svce": "mail.example", "acct": "bob"]) == "summer-fig-2")
            #expect(secret(["svce": "api.example", "acct": "ci"]) == "token-3")
            #expect(secret(["class": "inet", "srvr": "www.example", "port": 8443]) == "web-pass-4")
            #expect(secret(["class": "inet", "srvr": "bare.example"]) == "web-pass-5")
            #expect(status(["svce": "gone.example"]) == errSecItemNotFound)
            let item = try #require(
                found(["class": "genp", "svce": "api.example", "r_Attributes": true] as NSDictionary))
            #expect(item["labl"] as? String == "Build server")
            #expect(item["icmt"] as? String == "made once")
            #expect(item["desc"] as? String == "API token")
            #expect(item["pdmn"] as? String == "aku")
            #expect(item["agrp"] as? String == "org.example.golden")
            #expect(item["cdat"] is Date && item["mdat"] is Date)
            let all: [String: Any] = ["class": "inet", "srvr": "www.example", "r_Attributes": true]
            let web = try #require(found(all as NSDictionary))
            let expected = [
                "acct": "ada", "ptcl": "htps", "path": "/login", "sdmn": "realm", "atyp": "form", "labl": "Web",
                "icmt": "note", "desc": "kind",
            ]
            for (code, value) in expected { #expect(web[code] as? String == value, "\(code)") }
        }
        let report = KeychainDiagnostics.report(golden.home)
        #expect(report.intact == 6 && report.damaged == [] && report.unreadable == 0 && report.failure == nil)
    }

    @Test func `what is stored in an old home is there beside the old items`() throws {
        let golden = try GoldenHome("plain")
        SecurityEnvironment.$override.withValue(SecurityEnvironment(golden)) {
            let again: [String: Any] = [
                "class": "genp", "svce": "mail.example", "acct": "ada", "v_Data": Data("x".utf8),
            ]
            #expect(SecItemAdd(again as CFDictionary, nil) == errSecDuplicateItem)
            let query: [String: Any] = ["class": "genp", "svce": "mail.example", "acct": "ada"]
            #expect(SecItemUpdate(query as CFDictionary, ["v_Data": Data("new".utf8)] as NSDictionary) == errSecSuccess)
            let new: [String: Any] = ["class": "genp", "svce": "new.example", "v_Data": Data("fresh".utf8)]
            #expect(SecItemAdd(new as CFDictionary, nil) == errSecSuccess)
            KeychainDiagnostics.close(golden.home)
            #expect(secret(["svce": "mail.example", "acct": "ada"]) == "new")
            #expect(secret(["svce": "new.example"]) == "fresh")
            #expect(secret(["svce": "mail.example", "acct": "bob"]) == "summer-fig-2")
        }
    }

    @Test func `items of every class are read, and their references hold`() throws {
        let golden = try GoldenHome("objects")
        let record = try GoldenRecord(golden.home)
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(golden)) {
            for accessibility in GoldenHome.accessibilities {
                #expect(secret(["svce": "class \(accessibility)"]) == "value of \(accessibility)")
                #expect(secret(["svce": "class \(accessibility)", "pdmn": accessibility]) != nil)
            }
            #expect(secret(["svce": "synchronized", "sync": true]) == "fig-9")
            #expect(status(["svce": "deleted", "sync": true]) == errSecItemNotFound)
            #expect(status(["svce": "deleted", "sync": true, "tomb": 1]) == errSecSuccess)
            #expect(secret(["svce": "another group", "agrp": GoldenHome.groups[1]]) == "lime-10")
            #expect(secret(["class": "inet", "srvr": "card.example"]) == "kiwi-13")
            let query: [String: Any] = ["class": "inet", "srvr": "card.example", "r_Attributes": true, "r_Data": true]
            let card = try #require(found(query as NSDictionary))
            for code in ["bin0", "bin1", "bin2", "bin3", "binn", "bini"] {
                #expect(card[code] as? Data == Data(code.suffix(1).utf8), "\(code)")
            }
            let reference = try #require(record["reference"])
            let item = try #require(found(["v_PersistentRef": reference, "r_Attributes": true] as NSDictionary))
            #expect(item["svce"] as? String == "no value")
        }
        #expect(KeychainDiagnostics.report(golden.home).damaged == [])
    }

    @Test func `keys do what they did`() throws {
        let golden = try GoldenHome("objects")
        let record = try GoldenRecord(golden.home)
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(golden)) {
            for (type, bits) in GoldenHome.keys {
                let name = "key \(type) \(bits)"
                let key = try #require(self.key(["atag": Data(name.utf8)]))
                #expect(try key.externalRepresentation() == record[name], "\(name)")
            }
            let element = try #require(self.key(["atag": Data("element".utf8)]))
            #expect(try #require(SecKeyCopyPublicKey(element)).externalRepresentation() == record["element key"])
            let packet = try #require(record["element packet"])
            let opened = try element.decrypt(packet, .eciesEncryptionCofactorVariableIVX963SHA256AESGCM)
            #expect(opened == Data(GoldenHome.message.utf8))
            let identity = try #require(reference(["class": "idnt", "r_Ref": true]) as? SecIdentity)
            var certificate: SecCertificate?
            #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
            var privateKey: SecKey?
            #expect(SecIdentityCopyPrivateKey(identity, &privateKey) == errSecSuccess)
            let ofCertificate = try #require(certificate.flatMap { SecCertificateCopyKey($0) }).externalRepresentation()
            let ofKey = try #require(privateKey.flatMap { SecKeyCopyPublicKey($0) }).externalRepresentation()
            #expect(ofCertificate == ofKey)
        }
    }

    @Test func `the passcode opens, a wrong one does not, and the wrong ones of before count`() throws {
        let golden = try GoldenHome("passcode")
        var environment = SecurityEnvironment(golden)
        let asker = ScriptedAsker()
        environment.evaluator = SystemEvaluator(asker)
        let record = try GoldenRecord(golden.home)
        try SecurityEnvironment.$override.withValue(environment) {
            let device = try Device.of(golden.home)
            #expect(try device.hasPasscode())
            #expect(try device.lockState() == .beforeFirstUnlock)
            #expect(try device.report().failures == 1)
            #expect(status(["svce": "mail.example", "r_Data": true]) == errSecInteractionNotAllowed)
            #expect(throws: DeviceFailure.wrongPasscode) { try device.unlock(SecretBytes(utf8: "open sesame 8")) }
            #expect(try device.report().failures == 2)
            try device.unlock(SecretBytes(utf8: GoldenHome.passcode))
            #expect(secret(["svce": "mail.example"]) == "autumn-pear-6")
            #expect(secret(["svce": "after.example"]) == "spring-kiwi-8")
            #expect(secret(["svce": "only with a passcode"]) == "peach-11")
            asker.will(type: ["berry-14"])
            #expect(secret(["svce": "asks for a password"]) == "melon-15")
            asker.will(type: [GoldenHome.passcode])
            #expect(secret(["svce": "asks for the person"]) == "grape-12")
            let key = try #require(self.key(["atag": Data("asks".utf8)]))
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(try publicKey.externalRepresentation() == record["asks key"])
            let message = Data("message".utf8)
            asker.will(type: [GoldenHome.passcode])
            let signature = try key.signature(of: message, .ecdsaSignatureMessageX962SHA256)
            let isRight = SecKeyVerifySignature(
                publicKey, .ecdsaSignatureMessageX962SHA256, message as CFData, signature as CFData, nil)
            #expect(isRight)
        }
    }

    @Test func `connections are listed, and their credentials open`() async throws {
        let stage = LockStage(try GoldenHome("connections"))
        try await expectConnections(stage)
    }

    @Test func `a removal that the old program began is proved by nothing: who orders it ends it, the other is whole`()
        async throws
    {
        let golden = try GoldenHome("connections")
        let stage = LockStage(golden)
        let id = try #require(ConnectionID("ccc82c76-c2e8-45c4-bdea-44cf67a7950a"))
        let folder = golden.home.connections + "/" + id.text
        // Its mark was an empty file, which anybody who may write to the folder can make.
        try DurableFile.write([UInt8]().span, to: folder + "/removed")
        let listed = await stage.run("connections", "--json")
        #expect(listed.output.contains("\"files\"") && listed.output.contains(id.text), "\(listed.output)")
        try await stage.inHome {
            let vault: Connections.MakeVault = { [lock = stage.lock] in lock.guarding($0) }
            let connections = Connections(home: stage.home, makeVault: vault)
            try connections.finishRemovals()
            #expect(DurableFile.exists(folder))
            _ = try connections.remove(damaged: id)
            let row = try #require(try connections.list().first)
            #expect(try row.descriptor.get().name == "files")
            guard case .found = try connections.vault(of: row.id).read(.password(of: row.id)) else {
                Issue.record("the password is gone")
                return
            }
        }
        #expect(!DurableFile.exists(folder))
    }

    @Test func `the PIN opens, a wrong one does not, and the wrong ones of before count`() async throws {
        let stage = LockStage(try GoldenHome("lock"))
        #expect(await stage.status("state")?.string == "locked")
        let fetched = await stage.run("fetch", "files", "/basic/me")
        #expect(fetched.status == .locked)
        let wrong = await stage.run("lock", "unlock", "--pin-stdin", input: ["739206"])
        #expect(wrong.status == .locked)
        let right = await stage.run("lock", "unlock", "--pin-stdin", "--json", input: ["739205"])
        #expect(right.status == .done)
        #expect(right.json?["wrongBefore"]?.integer == 2, "\(right.output)")
        try await expectConnections(stage)
    }

    private func expectConnections(_ stage: LockStage) async throws {
        let listed = await stage.run("connections", "--json")
        #expect(listed.status == .done)
        #expect(listed.output.contains("\"files\"") && listed.output.contains("\"work\""), "\(listed.output)")
        #expect(!listed.output.contains("damaged"))
        try await stage.inHome {
            let vault: Connections.MakeVault = { [lock = stage.lock] in lock.guarding($0) }
            let connections = Connections(
                home: stage.home, makeVault: vault)
            let list = try connections.list()
            #expect(list.count == 2)
            for row in list {
                let connection = try row.descriptor.get()
                let name =
                    connection.name == "files" ? ItemName.password(of: connection.id) : .session(of: connection.id)
                guard case .found(let secret) = try connections.vault(of: connection.id).read(name) else {
                    Issue.record("\(connection.name): nothing is stored")
                    continue
                }
                let text = secret.withBytes { bytes in String(decoding: Array(bytes), as: UTF8.self)
                }
                #expect(text.contains(connection.name == "files" ? "wonderland" : "refresh"), "\(connection.name)")
            }
        }
    }

    private func secret(_ query: [String: Any]) -> String? {
        let query = ["class": "genp", "r_Data": true].merging(query) { $1 }
        return (reference(query) as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    private func status(_ query: [String: Any]) -> OSStatus {
        var result: CFTypeRef?
        return unsafe SecItemCopyMatching(["class": "genp"].merging(query) { $1 } as CFDictionary, &result)
    }

    private func key(_ query: [String: Any]) -> SecKey? {
        reference(["class": "keys", "r_Ref": true].merging(query) { $1 }) as? SecKey
    }

    private func reference(_ query: [String: Any]) -> CFTypeRef? {
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
        return status == errSecSuccess ? result : nil
    }

    private func found(_ query: NSDictionary) -> [String: Any]? {
        reference(query as? [String: Any] ?? [:]) as? [String: Any]
    }
}

extension SecurityEnvironment {
    /// The program that made the golden homes, with keys in memory that no other process sees.
    init(_ golden: GoldenHome) {
        self.init(home: golden.home, accessGroups: GoldenHome.groups, lock: LockSwitch(following: golden.home))
        device = DeviceEnvironment(elements: ElementChoice([.software]), places: [ProcessKeys(time: .system)])
    }
}
