import Foundation
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Both halves of a permanent pair are stored, or none: in one step, so that nothing has to be taken back.
@Suite struct `Both halves or none` {
    let keychain: KeychainFixture
    init() throws { keychain = try KeychainFixture() }

    /// A pair whose halves have labels of the caller's own.
    private static func parameters(_ privateLabel: String, _ publicLabel: String, _ type: String) -> CFDictionary {
        func half(_ label: String) -> [CFString: Any] {
            [kSecAttrIsPermanent: true, kSecAttrApplicationLabel: Data(label.utf8)]
        }
        var parameters: [CFString: Any] = [
            kSecAttrKeyType: type, kSecAttrKeySizeInBits: 256, kSecPrivateKeyAttrs: half(privateLabel),
            kSecPublicKeyAttrs: half(publicLabel),
        ]
        if type == "element" {
            parameters[kSecAttrKeyType] = "73"
            parameters[kSecAttrTokenID] = kSecAttrTokenIDSecureEnclave
        }
        return parameters as CFDictionary
    }

    private func labels() -> [String] {
        ["0", "1"].flatMap { half in
            ["a", "b", "c"].filter { keychain.count(["kcls": half, "klbl": Data($0.utf8)]) == 1 }.map { half + $0 }
        }
    }

    @Test(
        "KEY12: a public half that exists already is -25299, and no private half stays", arguments: ["73", "element"])
    func takenPublic(_ type: String) {
        keychain.run {
            #expect(SecKeyGeneratePair(Self.parameters("a", "b", type), nil, nil) == errSecSuccess)
            #expect(SecKeyGeneratePair(Self.parameters("c", "b", type), nil, nil) == errSecDuplicateItem)
            #expect(labels() == ["0b", "1a"])
            #expect(SecKeyCreateRandomKey(Self.parameters("c", "b", type), nil) == nil)
            #expect(labels() == ["0b", "1a"])
        }
    }

    @Test(
        "KEY12: a private half that exists already is -25299, and no public half is stored",
        arguments: ["73", "element"])
    func takenPrivate(_ type: String) {
        keychain.run {
            #expect(SecKeyGeneratePair(Self.parameters("a", "b", type), nil, nil) == errSecSuccess)
            #expect(SecKeyGeneratePair(Self.parameters("a", "c", type), nil, nil) == errSecDuplicateItem)
            #expect(labels() == ["0b", "1a"])
        }
    }

    @Test("KEY12: a public half that asks for the impossible is refused with its private half")
    func refusedPublic() {
        keychain.run {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: "73", kSecAttrKeySizeInBits: 256,
                kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true] as [CFString: Any],
                kSecPublicKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrAccessGroup: "foreign"] as [CFString: Any],
            ]
            #expect(SecKeyGeneratePair(parameters as CFDictionary, nil, nil) == errSecMissingEntitlement)
            #expect(keychain.count() == 0)
        }
    }

    @Test("KEY12: on a disk that is full at any byte, both halves are there or none")
    func fullDisk() async throws {
        keychain.run { _ = SecKeyGeneratePair(Self.parameters("a", "b", "73"), nil, nil) }
        let home = keychain.environment.home.path
        await #expect(processExitsWith: .success) { [home = home as String] in
            signal(SIGXFSZ, SIG_IGN)
            let environment = SecurityEnvironment(home: PaviseHome(path: home))
            let fixture = try KeychainFixture(environment)
            var outcomes: Set<OSStatus> = []
            fixture.run {
                for step in 0..<24 {
                    let log = try? FileManager.default.attributesOfItem(atPath: home + "/keychain/items.db-wal")
                    let size = (log?[.size] as? Int) ?? 0
                    limitFiles(to: size + step * 1024)
                    let status = SecKeyGeneratePair(Self.parameters("\(step)", "public \(step)", "73"), nil, nil)
                    limitFiles(to: nil)
                    outcomes.insert(status)
                    let stored = status == errSecSuccess ? 1 : 0
                    #expect(fixture.count(["kcls": "1", "klbl": Data("\(step)".utf8)]) == stored, "\(step)")
                    #expect(fixture.count(["kcls": "0", "klbl": Data("public \(step)".utf8)]) == stored, "\(step)")
                }
            }
            #expect(outcomes == [errSecSuccess, errSecDiskFull])
        }
    }
}

/// Lets no file of this process grow beyond `count` bytes: EFBIG is answered like ENOSPC.
private func limitFiles(to count: Int?) {
    var limit = rlimit(rlim_cur: count.map { rlim_t($0) } ?? rlim_t.max, rlim_max: rlim_t.max)
    let code = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #expect(code == 0)
}
