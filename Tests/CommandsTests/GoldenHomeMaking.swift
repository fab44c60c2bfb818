import Foundation
import PaviseDevice
import PaviseLab
import PavisePrimitives
import SecurityFramework
import Testing

/// Makes what the program has no command for: objects, and items that ask. Its results lie in Tests/GoldenHomes; run it
/// to make homes of a later format (the README there says how), never to replace those that are there.
@Suite(.enabled(if: GoldenHome.target != nil)) struct GoldenHomeMaking {
    @Test func `objects, and every class of items`() throws {
        let home = PaviseHome(path: try #require(GoldenHome.target) + "/objects")
        let environment = SecurityEnvironment(home: home, accessGroups: GoldenHome.groups)
        try SecurityEnvironment.$override.withValue(environment) {
            var record = GoldenRecord()
            try makeIdentity()
            try makeKeys(&record)
            try makePasswords(&record)
            try record.write(home)
        }
        KeychainDiagnostics.close(home)
    }

    @Test func `items of a device with a passcode`() throws {
        let home = PaviseHome(path: try #require(GoldenHome.target) + "/passcode")
        var environment = SecurityEnvironment(
            home: home, accessGroups: GoldenHome.groups, lock: LockSwitch(following: home))
        environment.device = DeviceEnvironment(
            elements: ElementChoice([.software]), places: [ProcessKeys(time: .system)])
        let asker = ScriptedAsker()
        environment.evaluator = SystemEvaluator(asker)
        try SecurityEnvironment.$override.withValue(environment) {
            try Device.of(home).unlock(SecretBytes(utf8: GoldenHome.passcode))
            try add(["svce": "only with a passcode", "pdmn": "akpu"], "peach-11")
            asker.will(type: ["berry-14"])
            try add(["svce": "asks for a password", "accc": control(.applicationPassword) as Any], "melon-15")
            try add(["svce": "asks for the person", "accc": control(.userPresence) as Any], "grape-12")
            let key = try element(
                ["perm": true, "atag": Data("asks".utf8), "accc": control([.privateKeyUsage, .userPresence]) as Any])
            var record = GoldenRecord()
            record["asks key"] = try #require(SecKeyCopyPublicKey(key)).externalRepresentation()
            try record.write(home)
        }
        KeychainDiagnostics.close(home)
    }

    private func makeIdentity() throws {
        let key = try SecKey.random([kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256])
        let point = [UInt8](try #require(SecKeyCopyPublicKey(key)).externalRepresentation())
        // RFC 5480: the SubjectPublicKeyInfo of a P-256 key, before its point.
        let head = try #require(Hex.decode("3059301306072a8648ce3d020106082a8648ce3d030107034200"))
        let chain = try CertificateAuthority().issue(LeafProfile(), forPublicKey: head + point)
        let leaf = try #require(chain.first)
        let certificate = try #require(SecCertificateCreateWithData(nil, Data(leaf) as CFData))
        try add(["v_Ref": certificate], nil)
        try add(["v_Ref": key, "labl": "of the certificate"], nil)
    }

    private func makeKeys(_ record: inout GoldenRecord) throws {
        for (type, bits) in GoldenHome.keys {
            let name = "key \(type) \(bits)"
            let key = try SecKey.random([kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits])
            try add(["v_Ref": key, "atag": Data(name.utf8)], nil)
            record[name] = try key.externalRepresentation()
        }
        let element = try self.element(["perm": true, "atag": Data("element".utf8)])
        let publicKey = try #require(SecKeyCopyPublicKey(element))
        record["element key"] = try publicKey.externalRepresentation()
        record["element packet"] = try publicKey.encrypt(
            Data(GoldenHome.message.utf8), .eciesEncryptionCofactorVariableIVX963SHA256AESGCM)
    }

    private func makePasswords(_ record: inout GoldenRecord) throws {
        for accessibility in GoldenHome.accessibilities {
            try add(["svce": "class \(accessibility)", "pdmn": accessibility], "value of \(accessibility)")
        }
        try add(["svce": "synchronized", "sync": true], "fig-9")
        try add(["svce": "deleted", "sync": true], "gone")
        #expect(SecItemDelete(["class": "genp", "svce": "deleted", "sync": true] as NSDictionary) == errSecSuccess)
        try add(["svce": "no value"], nil)
        try add(["svce": "another group", "agrp": GoldenHome.groups[1]], "lime-10")
        let card: [String: Any] = [
            "class": "inet", "srvr": "card.example", "bin0": Data("0".utf8), "bin1": Data("1".utf8),
            "bin2": Data("2".utf8), "bin3": Data("3".utf8), "binn": Data("n".utf8), "bini": Data("i".utf8),
        ]
        try add(card, "kiwi-13")
        var reference: AnyObject?
        let query: [String: Any] = ["class": "genp", "svce": "no value", "r_PersistentRef": true]
        #expect(unsafe SecItemCopyMatching(query as CFDictionary, &reference) == errSecSuccess)
        record["reference"] = try #require(reference as? Data)
    }

    private func element(_ privateKey: [String: Any]) throws -> SecKey {
        try SecKey.random([
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: privateKey,
        ])
    }

    private func control(_ flags: SecAccessControlCreateFlags) -> SecAccessControl? {
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, nil)
    }

    private func add(_ query: [String: Any], _ value: String?) throws {
        var query = query
        if query["class"] == nil, query["v_Ref"] == nil { query["class"] = "genp" }
        if let value { query["v_Data"] = Data(value.utf8) }
        try #require(SecItemAdd(query as CFDictionary, nil) == errSecSuccess)
    }
}
