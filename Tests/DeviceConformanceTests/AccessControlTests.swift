import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@Suite struct `Access control in the keychain` {
    let keychain: KeychainFixture
    init() throws { keychain = try KeychainFixture() }

    private static let bits: [SecAccessControlCreateFlags] = [
        .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and, .privateKeyUsage,
        .applicationPassword,
    ]

    @Test("KC58: every combination of flags makes a control exactly when the rules allow it, and survives storage")
    func combinations() throws {
        var made = 0
        for number in 0..<(1 << Self.bits.count) {
            let flags = SecAccessControlCreateFlags(
                Self.bits.enumerated().filter { number >> $0.offset & 1 == 1 }.map(\.element))
            let isBoth = flags.contains(.or) && flags.contains(.and)
            let isTwice = flags.contains(.biometryAny) && flags.contains(.biometryCurrentSet)
            let others: SecAccessControlCreateFlags = [
                .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and,
            ]
            let isMixed = flags.contains(.userPresence) && !flags.isDisjoint(with: others)
            let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
            #expect((control != nil) == !(isBoth || isTwice || isMixed), "\(flags)")
            guard let control else { continue }
            made += 1
            #expect(SecAccessControl(storedForm: control.storedForm) == control)
            #expect(control == SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
            #expect(control != SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAlways, flags, nil))
        }
        #expect(made > 50)
        #expect(SecAccessControl(storedForm: []) == nil)
        #expect(SecAccessControl(storedForm: [UInt8](repeating: 255, count: 10)) == nil)
    }

    @Test(
        "KC58: what needs biometry or a companion alone is refused when it is stored",
        arguments: [
            SecAccessControlCreateFlags.biometryAny, .biometryCurrentSet, .companion, [.biometryAny, .devicePasscode],
            [.biometryAny, .companion, .or],
        ])
    func biometry(_ flags: SecAccessControlCreateFlags) throws {
        try keychain.setPasscode()
        keychain.run {
            #expect(add(password("anna", control(flags))) == errSecAuthFailed)
            #expect(copy(password()).status == errSecItemNotFound)
        }
    }

    @Test(
        "a person is asked for the passcode, once for a call, whatever is read",
        arguments: [
            SecAccessControlCreateFlags.userPresence, .devicePasscode, [.biometryAny, .devicePasscode, .or],
        ])
    func presence(_ flags: SecAccessControlCreateFlags) throws {
        try keychain.setPasscode()
        keychain.run {
            #expect(add(password("anna", control(flags))) == errSecSuccess)
            #expect(add(password("bert", control(flags)), "other") == errSecSuccess)
            #expect(keychain.person.questions == 0)
            keychain.person.will(type: "1234")
            #expect(value(password()) == (errSecSuccess, "secret"))
            #expect(keychain.person.questions == 1)
            keychain.person.will(type: "1234")
            let all: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecMatchLimit as String: kSecMatchLimitAll,
                kSecReturnAttributes as String: true, kSecReturnData as String: true,
            ]
            #expect((copy(all).result as? [Any])?.count == 2)
            #expect(keychain.person.questions == 2)
        }
    }

    @Test("a wrong passcode is asked again twice and then fails; a stopped question is -128; both count as tries")
    func wrongPasscode() throws {
        try keychain.setPasscode()
        try keychain.run {
            add(password("anna", control(.userPresence)))
            for guess in ["1111", "2222", "3333"] { keychain.person.will(type: guess) }
            #expect(value(password()) == (errSecAuthFailed, nil))
            #expect(keychain.person.questions == 3)
            let failures3 = try keychain.device.open().report().failures
            #expect(failures3 == 3)
            #expect(value(password()) == (errSecUserCanceled, nil))
            keychain.person.will(type: "4444")
            keychain.person.will(type: "1234")
            #expect(value(password()) == (errSecSuccess, "secret"))
            let failures0 = try keychain.device.open().report().failures
            #expect(failures0 == 0)
        }
    }

    @Test("without a passcode such an item can be stored and not be read; a passcode opens it, and keeps it so")
    func laterPasscode() throws {
        keychain.run {
            #expect(add(password("anna", control(.userPresence))) == errSecSuccess)
            #expect(value(password()) == (errSecAuthFailed, nil))
            #expect(keychain.person.questions == 0)
        }
        try keychain.setPasscode()
        let device = try keychain.device.open()
        try device.changePasscode(
            SecretBytes(utf8: "1234"), to: SecretBytes(utf8: "abcd"), cost: DeviceFixture.cheap)
        keychain.run {
            keychain.person.will(type: "abcd")
            #expect(value(password()) == (errSecSuccess, "secret"))
        }
    }

    @Test("an unlocked device is not enough: the secret is sealed to the passcode itself")
    func sealedToPasscode() throws {
        try keychain.setPasscode()
        var other = keychain
        other.environment.evaluator = ForeignEvaluator()
        keychain.run { add(password("anna", control(.userPresence))) }
        other.run { #expect(value(password()) == (errSecAuthFailed, nil)) }
    }

    @Test("KC59: an application password opens, a wrong one does not, a missing one fails without a question")
    func applicationPassword() throws {
        keychain.run {
            keychain.person.will(type: "right")
            #expect(add(password("anna", control(.applicationPassword))) == errSecSuccess)
            keychain.person.will(type: "right")
            #expect(value(password()) == (errSecSuccess, "secret"))
            keychain.person.will(type: "wrong")
            #expect(value(password()) == (errSecAuthFailed, nil))
            let questions = keychain.person.questions
            let quiet = [kSecUseAuthenticationUI as String: kSecUseAuthenticationUIFail]
            #expect(value(password(), quiet) == (errSecInteractionNotAllowed, nil))
            #expect(
                add(password("bert", control(.applicationPassword)).merging(quiet) { $1 })
                    == errSecInteractionNotAllowed)
            #expect(keychain.person.questions == questions)
        }
    }

    @Test("KC59: an application password and the passcode are both needed where both are asked for")
    func both() throws {
        try keychain.setPasscode()
        keychain.run {
            keychain.person.will(type: "own")
            #expect(add(password("anna", control([.userPresence, .applicationPassword]))) == errSecSuccess)
            keychain.person.will(type: "1234")
            keychain.person.will(type: "own")
            #expect(value(password()) == (errSecSuccess, "secret"))
            keychain.person.will(type: "1234")
            keychain.person.will(type: "other")
            #expect(value(password()) == (errSecAuthFailed, nil))
        }
    }

    @Test("KC60: Skip leaves such items out of a search, and is refused in the other calls")
    func skip() throws {
        try keychain.setPasscode()
        keychain.run {
            let skip = [kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip]
            add(password("anna", control(.userPresence)))
            #expect(value(password(), skip) == (errSecItemNotFound, nil))
            add(password("bert"))
            let all: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecMatchLimit as String: kSecMatchLimitAll,
                kSecReturnAttributes as String: true,
            ]
            #expect((copy(all, skip).result as? [Any])?.count == 1)
            #expect(add(password("carl", skip)) == errSecParam)
            #expect(SecItemUpdate(password("anna", skip) as CFDictionary, ["labl": "L"] as CFDictionary) == errSecParam)
            #expect(SecItemDelete(password("anna", skip) as CFDictionary) == errSecParam)
            #expect(keychain.person.questions == 0)
        }
    }

    @Test("KC60: Fail and NoAuthenticationUI answer -25308 instead of asking")
    func fail() throws {
        try keychain.setPasscode()
        keychain.run {
            add(password("anna", control(.userPresence)))
            for quiet in [
                [kSecUseAuthenticationUI as String: kSecUseAuthenticationUIFail as Any],
                [kSecUseNoAuthenticationUI as String: true],
            ] {
                #expect(value(password(), quiet) == (errSecInteractionNotAllowed, nil))
                let changes = ["labl": "L"] as CFDictionary
                #expect(SecItemUpdate(password("anna", quiet) as CFDictionary, changes) == errSecInteractionNotAllowed)
            }
            #expect(keychain.person.questions == 0)
        }
    }

    @Test("KC61: a person who is there and never enough is asked 20 times, then -25293")
    func rounds() throws {
        try keychain.setPasscode()
        var other = keychain
        let evaluator = ForeignEvaluator()
        other.environment.evaluator = evaluator
        keychain.run { add(password("anna", control(.userPresence))) }
        other.run { #expect(value(password()) == (errSecAuthFailed, nil)) }
        #expect(evaluator.rounds == 20)
    }

    @Test("KC62: an item whose control forbids deletion stays")
    func noDeletion() throws {
        try keychain.setPasscode()
        keychain.run {
            let fixed = SecAccessControl(protection: "ak", flags: [], allowsDeletion: false)
            let free = SecAccessControl(protection: "ak", flags: .userPresence)
            add(password("anna", ["accc": fixed as Any]))
            add(password("bert", ["accc": free as Any]))
            #expect(SecItemDelete(password("anna") as CFDictionary) == errSecAuthFailed)
            #expect(copy(password("anna")).status == errSecSuccess)
            #expect(SecItemDelete(password("bert") as CFDictionary) == errSecSuccess)
            #expect(keychain.person.questions == 0)
        }
    }

    @Test(
        "KC63: a search for attributes or for existence asks too",
        arguments: [[kSecReturnAttributes as String], [], [kSecReturnPersistentRef as String]])
    func attributesOnly(_ returns: [String]) throws {
        try keychain.setPasscode()
        keychain.run {
            add(password("anna", control(.userPresence)))
            let wanted = Dictionary(uniqueKeysWithValues: returns.map { ($0, true as Any) })
            #expect(copy(password(), wanted).status == errSecUserCanceled)
            keychain.person.will(type: "1234")
            #expect(copy(password(), wanted).status == errSecSuccess)
            #expect(keychain.person.questions == 2)
        }
    }

    @Test("KC64: there is no enrolment here, so an item bound to one cannot be stored")
    func enrolment() throws {
        try keychain.setPasscode()
        keychain.run { #expect(add(password("anna", control(.biometryCurrentSet))) == errSecAuthFailed) }
    }

    @Test("KC42: an item with constraints cannot be synchronised")
    func synchronised() throws {
        keychain.run {
            let query = password("anna", control(.userPresence)).merging(["sync": true]) { $1 }
            #expect(add(query) == errSecParam)
        }
    }

    @Test("a change of such an item asks, keeps its rules, and keeps the secret")
    func update() throws {
        try keychain.setPasscode()
        keychain.run {
            add(password("anna", control(.userPresence)))
            keychain.person.will(type: "1234")
            #expect(SecItemUpdate(password() as CFDictionary, ["labl": "L"] as CFDictionary) == errSecSuccess)
            #expect(value(password()) == (errSecUserCanceled, nil))
            keychain.person.will(type: "1234")
            #expect(value(password()) == (errSecSuccess, "secret"))
            #expect(add(password("anna", control(.userPresence))) == errSecDuplicateItem)
        }
    }

    @Test("a key of the secure element asks at each use, and not when it is found or deleted")
    func elementKey() throws {
        try keychain.setPasscode()
        try keychain.run {
            let made = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.userPresence, .privateKeyUsage], nil)
            let access = try #require(made)
            let parameters: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
                kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs as String: [
                    kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: Data("tag".utf8),
                    kSecAttrAccessControl as String: access,
                ] as [String: Any],
            ]
            #expect(SecKeyCreateRandomKey(parameters as CFDictionary, nil) != nil)
            let query: [String: Any] = [
                kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: Data("tag".utf8),
            ]
            let key = try #require(copy(query, [kSecReturnRef as String: true]).result as? SecKey)
            #expect(keychain.person.questions == 0)
            let message = Data("message".utf8) as CFData
            #expect(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, nil) == nil)
            #expect(keychain.person.questions == 1)
            keychain.person.will(type: "1234")
            let signed = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, nil)
            let signature = try #require(signed)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let isGood = SecKeyVerifySignature(
                publicKey, .ecdsaSignatureMessageX962SHA256, message, signature, nil)
            #expect(isGood)
            let quiet = [kSecUseAuthenticationUI as String: kSecUseAuthenticationUIFail as Any]
            let silent = try #require(
                copy(query, [kSecReturnRef as String: true].merging(quiet) { $1 }).result as? SecKey)
            #expect(SecKeyCreateSignature(silent, .ecdsaSignatureMessageX962SHA256, message, nil) == nil)
            #expect(keychain.person.questions == 2)
            #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
        }
    }
}

/// Says each time that the person is there, with the proof of another device.
final class ForeignEvaluator: AccessEvaluator {
    private let count = Mutex(0)
    var rounds: Int { count.withLock { $0 } }

    func presence(
        of home: PaviseHome, reason: String, context: (any AuthenticationContext)?
    ) throws(DeviceFailure) -> PresenceKey {
        count.withLock { $0 += 1 }
        guard let other = try? DeviceFixture() else { throw .cancelled }
        let device = try Device.open(other.home, other.environment)
        try device.setPasscode(SecretBytes(utf8: "other"), cost: DeviceFixture.cheap)
        return try device.confirm(SecretBytes(utf8: "other"))
    }

    func password(reason: String) throws(DeviceFailure) -> SharedSecretBytes { throw .cancelled }
}
