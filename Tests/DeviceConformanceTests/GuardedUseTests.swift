import Foundation
import PaviseDevice
import PaviseLocalAuthentication
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// What is guarded stays closed in every use, and opens with the credential at hand.
@Suite struct GuardedUseTests {
    let keychain: KeychainFixture
    init() throws { keychain = try KeychainFixture() }

    private static var skip: [String: Any] { [kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip] }
    private static var fail: [String: Any] { [kSecUseAuthenticationUI as String: kSecUseAuthenticationUIFail] }
    private static let message = Data("for the element".utf8)

    private func using(_ context: LAContext) -> [String: Any] {
        [kSecUseAuthenticationContext as String: context]
    }

    private func context(_ password: String) -> LAContext {
        let context = LAContext()
        context.setCredential(Data(password.utf8), type: .applicationPassword)
        return context
    }

    private var all: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true, kSecReturnData as String: true,
        ]
    }

    private func accounts(_ more: [String: Any]) -> [String]? {
        let (status, result) = copy(all.merging(more) { $1 })
        guard status == errSecSuccess else { return status == errSecItemNotFound ? [] : nil }
        return (result as? [[String: Any]])?.compactMap { $0[kSecAttrAccount as String] as? String }.sorted()
    }

    // MARK: Skip

    @Test func `Skip reads what the password of its context opens`() {
        keychain.run {
            let right = using(context("right"))
            #expect(add(password("anna", control(.applicationPassword)).merging(right) { $1 }) == errSecSuccess)
            #expect(value(password(), right.merging(Self.skip) { $1 }) == (errSecSuccess, "secret"))
            #expect(value(password(), Self.skip) == (errSecItemNotFound, nil))
            #expect(keychain.person.questions == 0)
        }
    }

    @Test func `Skip leaves out what the password of its context does not open, and nothing else`() {
        keychain.run {
            for (account, own) in [("anna", "one"), ("bert", "two")] {
                let query = password(account, control(.applicationPassword)).merging(using(context(own))) { $1 }
                #expect(add(query) == errSecSuccess)
            }
            #expect(add(password("carl")) == errSecSuccess)
            #expect(accounts(using(context("one")).merging(Self.skip) { $1 }) == ["anna", "carl"])
            #expect(accounts(using(context("two")).merging(Self.skip) { $1 }) == ["bert", "carl"])
            #expect(accounts(using(context("none")).merging(Self.skip) { $1 }) == ["carl"])
            #expect(accounts(using(LAContext()).merging(Self.skip) { $1 }) == ["carl"])
            #expect(keychain.person.questions == 0)
        }
    }

    @Test func `Skip reads what asks for a person who was there already, and asks for nobody`() async throws {
        try keychain.setPasscode()
        keychain.run {
            add(password("anna", control(.userPresence)))
            add(password("carl"))
        }
        let context = LAContext()
        keychain.run { #expect(accounts(using(context).merging(Self.skip) { $1 }) == ["carl"]) }
        #expect(keychain.person.questions == 0)
        keychain.person.will(type: "1234")
        try await keychain.run {
            _ = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "For a test.")
            #expect(accounts(using(context).merging(Self.skip) { $1 }) == ["anna", "carl"])
        }
        context.invalidate()
        keychain.run { #expect(accounts(using(context).merging(Self.skip) { $1 }) == ["carl"]) }
        #expect(keychain.person.questions == 1)
    }

    @Test func `Skip needs both credentials where both are asked for`() async throws {
        try keychain.setPasscode()
        let context = context("own")
        keychain.run {
            let query = password("anna", control([.userPresence, .applicationPassword]))
            #expect(add(query.merging(using(context)) { $1 }) == errSecSuccess)
            #expect(accounts(using(context).merging(Self.skip) { $1 }) == [])
        }
        keychain.person.will(type: "1234")
        try await keychain.run {
            _ = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "For a test.")
            #expect(accounts(using(context).merging(Self.skip) { $1 }) == ["anna"])
        }
    }

    // MARK: Fail

    @Test func `Fail asks nobody, not through a context either`() throws {
        try keychain.setPasscode()
        keychain.run {
            add(password("anna", control(.userPresence)))
            let context = LAContext()
            for quiet in [Self.fail, [kSecUseNoAuthenticationUI as String: true]] {
                let query = using(context).merging(quiet) { $1 }
                keychain.person.will(type: "1234")
                #expect(value(password(), query) == (errSecInteractionNotAllowed, nil))
                let changes = ["labl": "L"] as CFDictionary
                #expect(
                    SecItemUpdate(password("anna", query) as CFDictionary, changes) == errSecInteractionNotAllowed)
            }
            #expect(keychain.person.questions == 0)
            // The same context asks where it may.
            #expect(value(password(), using(context)) == (errSecSuccess, "secret"))
            #expect(keychain.person.questions == 1)
        }
    }

    @Test func `a context that was invalidated asks nobody for an application password`() {
        keychain.run {
            let query = password("anna", control(.applicationPassword))
            #expect(add(query.merging(using(context("right"))) { $1 }) == errSecSuccess)
            let ended = context("right")
            ended.invalidate()
            keychain.person.will(type: "right")
            #expect(value(password(), using(ended)) == (errSecAuthFailed, nil))
            let other = password("bert", control(.applicationPassword))
            #expect(add(other.merging(using(ended)) { $1 }) == errSecAuthFailed)
            #expect(keychain.person.questions == 0)
        }
    }

    // MARK: Keys of the element

    private static let decryptions: [SecKeyAlgorithm] = [
        .eciesEncryptionStandardX963SHA256AESGCM, .eciesEncryptionCofactorVariableIVX963SHA256AESGCM,
    ]

    private func element(_ more: [String: Any] = [:]) throws -> SecKey {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: Data("tag".utf8),
            kSecReturnRef as String: true,
        ]
        return try #require(copy(query.merging(more) { $1 }).result as? SecKey)
    }

    private func makeElement() throws {
        let access = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.userPresence, .privateKeyUsage], nil)
        _ = try SecKey.random([
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: Data("tag".utf8),
                kSecAttrAccessControl as String: try #require(access),
            ] as [String: Any],
        ])
    }

    private func code(_ body: () throws -> Data) -> Int {
        do {
            _ = try body()
            return 0
        } catch {
            return (error as NSError).code
        }
    }

    @Test func `a guarded key agrees on a secret only after the passcode, at each use`() throws {
        try keychain.setPasscode()
        try keychain.run {
            try makeElement()
            let peer = try SecKey.random([kSecAttrKeyType: "73", kSecAttrKeySizeInBits: 256])
            let peerPublic = try #require(SecKeyCopyPublicKey(peer))
            for algorithm in [SecKeyAlgorithm.ecdhKeyExchangeStandard, .ecdhKeyExchangeCofactor] {
                let before = keychain.person.questions
                let silent = try element(Self.fail)
                #expect(code { try silent.agree(with: peerPublic, algorithm) } == -25308)
                #expect(keychain.person.questions == before)
                let key = try element()
                for guess in ["1111", "2222", "3333"] { keychain.person.will(type: guess) }
                #expect(code { try key.agree(with: peerPublic, algorithm) } == -25293)
                #expect(code { try key.agree(with: peerPublic, algorithm) } == -128)
                keychain.person.will(type: "1234")
                let publicKey = try #require(SecKeyCopyPublicKey(key))
                #expect(try key.agree(with: peerPublic, algorithm) == peer.agree(with: publicKey, algorithm))
                // Once shown is not shown for the next use.
                #expect(code { try key.agree(with: peerPublic, algorithm) } == -128)
            }
        }
    }

    @Test(arguments: decryptions) func `a guarded key decrypts only after the passcode, at each use`(
        _ algorithm: SecKeyAlgorithm
    ) throws {
        try keychain.setPasscode()
        try keychain.run {
            try makeElement()
            let key = try element()
            // To encrypt takes nobody.
            let packet = try #require(SecKeyCopyPublicKey(key)).encrypt(Self.message, algorithm)
            let silent = try element(Self.fail)
            #expect(code { try silent.decrypt(packet, algorithm) } == -25308)
            #expect(keychain.person.questions == 0)
            for guess in ["1111", "2222", "3333"] { keychain.person.will(type: guess) }
            #expect(code { try key.decrypt(packet, algorithm) } == -25293)
            #expect(code { try key.decrypt(packet, algorithm) } == -128)
            keychain.person.will(type: "1234")
            #expect(try key.decrypt(packet, algorithm) == Self.message)
            #expect(code { try key.decrypt(packet, algorithm) } == -128)
        }
    }

    @Test func `a key of the element is used with its application password and with no other`() throws {
        let access = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .applicationPassword], nil)
        let own: [String: Any] = [
            kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: Data("tag".utf8),
            kSecAttrAccessControl as String: try #require(access),
            kSecUseAuthenticationContext as String: context("right"),
        ]
        try keychain.run {
            let fresh = try SecKey.random([
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: own,
            ])
            let right = try element(using(context("right")))
            let (wrong, silent) = (try element(using(context("wrong"))), try element(Self.fail))
            for (key, status) in [(fresh, 0), (right, 0), (wrong, -25293), (silent, -25308)] {
                #expect(code { try key.signature(of: Self.message, .ecdsaSignatureMessageX962SHA256) } == status)
            }
            #expect(keychain.person.questions == 0)
            keychain.person.will(type: "right")
            let asking = try element()
            #expect(code { try asking.signature(of: Self.message, .ecdsaSignatureMessageX962SHA256) } == 0)
            #expect(keychain.person.questions == 1)
            // What judges the password stays inside, and a control that comes later has none.
            let query: [String: Any] = [kSecClass as String: kSecClassKey]
            let all: [String: Any] = [kSecReturnAttributes as String: true, kSecReturnData as String: true]
            let shown = try #require(copy(query, all).result as? [String: Any])
            #expect(shown["apwv"] == nil)
            #expect(copy(query, ["apwv": Data([1])]).status == errSecNoSuchAttr)
            #expect(SecItemUpdate(query as CFDictionary, ["apwv": Data([1])] as CFDictionary) == errSecNoSuchAttr)
        }
    }

    @Test func `a key of the element gets no application password that nothing judges`() throws {
        try keychain.setPasscode()
        try keychain.run {
            try makeElement()
            let query: [String: Any] = [kSecClass as String: kSecClassKey]
            let changes = control([.privateKeyUsage, .applicationPassword])
            keychain.person.will(type: "any")
            keychain.person.will(type: "1234")
            #expect(SecItemUpdate(query as CFDictionary, changes as CFDictionary) == errSecAuthFailed)
        }
    }

    private static func change(_ changes: [String: Any], _ more: [String: Any] = [:]) -> OSStatus {
        let query: [String: Any] = [kSecClass as String: kSecClassKey]
        return SecItemUpdate(query.merging(more) { $1 } as CFDictionary, changes as CFDictionary)
    }

    @Test func `the rules of a key of the element change after the passcode only`() throws {
        try keychain.setPasscode()
        try keychain.run {
            try makeElement()
            let free = control(.privateKeyUsage, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
            let other: [String: Any] = [kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked]
            for changes in [free, other] {
                #expect(Self.change(changes, Self.fail) == errSecInteractionNotAllowed)
                #expect(Self.change(changes) == errSecUserCanceled)
            }
            #expect(keychain.person.questions == 2)
            #expect(Self.change([kSecAttrLabel as String: "name"]) == errSecSuccess)
            let silent = try element(Self.fail)
            #expect(code { try silent.signature(of: Self.message, .ecdsaSignatureMessageX962SHA256) } == -25308)
            keychain.person.will(type: "1234")
            #expect(Self.change(free) == errSecSuccess)
            let freed = try element(Self.fail)
            #expect(code { try freed.signature(of: Self.message, .ecdsaSignatureMessageX962SHA256) } == 0)
            #expect(keychain.person.questions == 3)
        }
    }

    @Test func `the rules of a key with an application password change with that password only`() throws {
        let access = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .applicationPassword], nil)
        let own: [String: Any] = [
            kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: Data("tag".utf8),
            kSecAttrAccessControl as String: try #require(access),
            kSecUseAuthenticationContext as String: context("right"),
        ]
        try keychain.run {
            _ = try SecKey.random([
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: own,
            ])
            let free = control(.privateKeyUsage, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
            #expect(Self.change(free, Self.fail) == errSecInteractionNotAllowed)
            #expect(Self.change(free, using(context("wrong"))) == errSecAuthFailed)
            #expect(Self.change(free, using(context("right"))) == errSecSuccess)
            #expect(keychain.person.questions == 0)
        }
    }

    private func shownAttributes() throws -> [String: Any] {
        let query: [String: Any] = [kSecClass as String: kSecClassKey, kSecReturnAttributes as String: true]
        return try #require(copy(query).result as? [String: Any])
    }

    @Test func `another item of a key of the element gets weaker rules after the passcode only`() throws {
        try keychain.setPasscode()
        try keychain.run {
            try makeElement()
            let other: [String: Any] = [
                kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: Data("other".utf8),
            ]
            let free = control(.privateKeyUsage, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
            // By the key itself, and by the handle that its attributes show, under a label of the caller's.
            let names: Set<String> = ["tkid", "toid", "kcls", "type", "bsiz", "esiz", "priv"]
            var handle = try shownAttributes().filter { names.contains($0.key) }
            handle["klbl"] = Data("label".utf8)
            let object: [String: Any] = [kSecValueRef as String: try element(Self.fail)]
            for way in [object, handle] {
                let query = other.merging(free) { $1 }.merging(way) { $1 }
                #expect(add(query.merging(Self.fail) { $1 }) == errSecInteractionNotAllowed)
                #expect(add(query) == errSecUserCanceled)
                #expect(copy(other).status == errSecItemNotFound)
                keychain.person.will(type: "1234")
                #expect(add(query) == errSecSuccess)
                let freed = try element(other.merging(Self.fail) { $1 })
                #expect(code { try freed.signature(of: Self.message, .ecdsaSignatureMessageX962SHA256) } == 0)
                #expect(SecItemDelete(other as CFDictionary) == errSecSuccess)
            }
            #expect(keychain.person.questions == 4)
            // The key's own rules need nobody.
            #expect(add(other.merging(object) { $1 }) == errSecSuccess)
            #expect(keychain.person.questions == 4)
        }
    }

    @Test func `an item of a key of the element never becomes one of another key`() throws {
        try keychain.setPasscode()
        try keychain.run {
            try makeElement()
            let handle = try shownAttributes()["toid"]
            let own: [String: Any] = [
                kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: Data("free".utf8),
            ]
            _ = try SecKey.random([
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: own,
            ])
            let free: [String: Any] = [kSecAttrApplicationTag as String: Data("free".utf8)]
            #expect(Self.change(["toid": try #require(handle)], free) == errSecParam)
            #expect(Self.change([kSecValueRef as String: try element(Self.fail)], free) == errSecParam)
            // Without its token the key would have no rules to ask for.
            let guarded: [String: Any] = [kSecAttrApplicationTag as String: Data("tag".utf8)]
            #expect(Self.change([kSecAttrTokenID as String: "another"], guarded) == errSecParam)
            #expect(keychain.person.questions == 0)
            #expect(Self.change([kSecAttrLabel as String: "name"], free) == errSecSuccess)
        }
    }

    @Test func `an item of a key of the element never becomes one of a key outside of it`() throws {
        try keychain.setPasscode()
        try keychain.run {
            let own: [String: Any] = [kSecAttrIsPermanent as String: true]
            _ = try SecKey.random([
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: own,
            ])
            let before = try shownAttributes()
            let outside = try SecKey.random([
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            ])
            #expect(Self.change([kSecValueRef as String: outside]) == errSecParam)
            // Not with the handle beside it, either.
            let handle = try #require(before["toid"])
            #expect(Self.change([kSecValueRef as String: outside, "toid": handle]) == errSecParam)
            let after = try shownAttributes()
            #expect(after["klbl"] as? Data == before["klbl"] as? Data)
        }
    }

    @Test func `a key whose element does not answer now is not damaged, and is there again afterwards`() throws {
        var own = keychain
        own.environment.device.elements = ElementChoice([.software])
        try own.run { try makeElement() }
        let keys = keychain.device.home.device + "/keys"
        let salt = keys + "/" + (try #require(FileManager.default.contentsOfDirectory(atPath: keys).first))
        let query: [String: Any] = [kSecClass as String: kSecClassKey, kSecReturnRef as String: true]
        // A file that others may read is refused, as one is that cannot be read at all.
        for (mode, status) in [(mode_t(0o644), errSecNotAvailable), (mode_t(0o600), errSecSuccess)] {
            #expect(unsafe chmod(salt, mode) == 0)
            KeychainDiagnostics.close(keychain.device.home)
            own.run { #expect(copy(query).status == status) }
        }
        // One that was destroyed is gone for good.
        try FileManager.default.removeItem(atPath: salt)
        own.run { #expect(copy(query).status == errSecDecode) }
    }

    // MARK: Halves of an identity

    private var identities: [String: Any] { [kSecClass as String: kSecClassIdentity] }

    // Bytes alone: what joins the halves is the hash that both have.
    private func addHalves(_ hash: UInt8, certificate: [String: Any] = [:], key: [String: Any] = [:]) {
        let ofCertificate: [String: Any] = [
            kSecClass as String: kSecClassCertificate, "pkhh": Data([hash]), "slnr": Data([hash]),
        ]
        let ofKey: [String: Any] = [kSecClass as String: kSecClassKey, "klbl": Data([hash]), "priv": true]
        #expect(add(ofCertificate.merging(certificate) { $1 }, "certificate \(hash)") == errSecSuccess)
        #expect(add(ofKey.merging(key) { $1 }, "key \(hash)") == errSecSuccess)
    }

    @Test func `a change of an identity asks for its certificate too, and keeps the value`() throws {
        try keychain.setPasscode()
        keychain.run {
            addHalves(1, certificate: control(.userPresence))
            let changes = ["labl": "L"] as CFDictionary
            #expect(SecItemUpdate(identities as CFDictionary, changes) == errSecUserCanceled)
            keychain.person.will(type: "1234")
            #expect(SecItemUpdate(identities as CFDictionary, changes) == errSecSuccess)
            keychain.person.will(type: "1234")
            #expect(value([kSecClass as String: kSecClassCertificate]) == (errSecSuccess, "certificate 1"))
            #expect(keychain.person.questions == 3)
        }
    }

    @Test func `an identity whose certificate asks is shown to the person alone`() throws {
        try keychain.setPasscode()
        keychain.run {
            addHalves(1, certificate: control(.userPresence))
            let wanted: [String: Any] = [kSecReturnAttributes as String: true]
            #expect(copy(identities, wanted.merging(Self.fail) { $1 }).status == errSecInteractionNotAllowed)
            #expect(keychain.person.questions == 0)
            keychain.person.will(type: "1234")
            #expect(copy(identities, wanted).status == errSecSuccess)
        }
    }

    @Test(arguments: ["certificate", "key"])
    func `Skip leaves out an identity of which a half asks, and finds none where each does`(_ half: String) throws {
        try keychain.setPasscode()
        keychain.run {
            let asks = control(.userPresence)
            addHalves(1, certificate: half == "key" ? [:] : asks, key: half == "key" ? asks : [:])
            let wanted: [String: Any] = [kSecReturnData as String: true].merging(Self.skip) { $1 }
            for limit in [kSecMatchLimitOne, kSecMatchLimitAll] {
                let found = copy(identities, wanted.merging([kSecMatchLimit as String: limit]) { $1 })
                #expect(found.status == errSecItemNotFound)
                #expect(found.result == nil)
            }
            addHalves(2)
            #expect(value(identities, Self.skip) == (errSecSuccess, "key 2"))
            #expect(keychain.person.questions == 0)
        }
    }

    // MARK: What is sealed again

    @Test func `an upgrade of the database keeps the secret of what asks for a person`() throws {
        try keychain.setPasscode()
        KeychainSchema.$written.withValue(1) {
            keychain.run { #expect(add(password("anna", control(.userPresence))) == errSecSuccess) }
        }
        KeychainDiagnostics.close(keychain.environment.home)
        keychain.run {
            keychain.person.will(type: "1234")
            #expect(value(password()) == (errSecSuccess, "secret"))
        }
    }

    @Test func `the take-over of own items leaves what asks for a person to its program`() throws {
        try keychain.setPasscode()
        keychain.run {
            let service: [String: Any] = [kSecAttrService as String: "org.pavise.of-a-program"]
            let query = password("anna", service)
            #expect(add(query.merging(control(.userPresence)) { $1 }) == errSecSuccess)
            let own = password("app", [kSecAttrService as String: "org.pavise.applock"])
            #expect(KeychainBridge.data(own, of: "org.pavise.applock").status == errSecItemNotFound)
            keychain.person.will(type: "1234")
            #expect(value(query) == (errSecSuccess, "secret"))
        }
    }

    // MARK: Presence

    @Test func `the proof of a person opens what was sealed for the same item, and not for another use`() throws {
        try keychain.setPasscode()
        let device = try keychain.device.open()
        let (one, other) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
        let packet = try device.sealToPresence([7, 8, 9].span, for: one)
        let proof = try device.confirm(SecretBytes(utf8: "1234"))
        let opened = try proof.open(packet, for: one)
        #expect(opened.withBytes { bytes in Array(bytes) } == [7, 8, 9])
        for use in [other, [], Array(one.dropLast()), one + [0]] {
            #expect(throws: DeviceFailure.self) { _ = try proof.open(packet, for: use) }
        }
    }

    // One of them in each piece that a thread takes: whichever thread reads it knows what was shown to the caller's.
    @Test func `one question is enough for a list that several threads read`() throws {
        try keychain.setPasscode()
        keychain.run {
            for piece in 0..<10 {
                let plain = (0..<255).map { number in
                    password("plain \(piece) \(number)").merging([kSecValueData as String: Data("x".utf8)]) { $1 }
                }
                #expect(SecItem.addTogether(plain.map { $0 as CFDictionary }) == errSecSuccess)
                #expect(add(password("guarded \(piece)", control(.userPresence))) == errSecSuccess)
            }
            keychain.person.will(type: "1234")
            #expect(accounts([:])?.count == 2_560)
            #expect(keychain.person.questions == 1)
        }
    }
}
