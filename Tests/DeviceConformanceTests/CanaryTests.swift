import Foundation
import PaviseCrypto
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@Suite struct CanaryTests {
    let keychain: KeychainFixture
    init() throws { keychain = try KeychainFixture() }

    // All bytes of all files below a folder.
    private func files(_ path: String) throws -> [(name: String, bytes: [UInt8])] {
        try Folder.entries(of: path).flatMap { entry -> [(name: String, bytes: [UInt8])] in
            let name = "\(path)/\(entry.name)"
            switch entry.kind {
            case .folder: return try files(name)
            case .file: return [(name, try DurableFile.read(name, limit: 1 << 24))]
            case .link, .other: return []
            }
        }
    }

    private func forms(_ secret: [UInt8]) -> [[UInt8]] {
        [secret, Array(Hex.encode(secret).utf8), Array(Base64.encode(secret).utf8), secret.reversed()]
    }

    @Test("DP9: no passcode, class key, value or name is in any file of the home, whatever was done")
    func files() throws {
        let passcode = "correct horse battery staple"
        let device = try keychain.device.open()
        try device.setPasscode(SecretBytes(utf8: passcode), cost: DeviceFixture.cheap)
        keychain.run {
            add(password("canary-account"), "canary-value-of-an-item")
            add(password("canary-guarded", control(.userPresence)), "canary-value-of-a-guarded-item")
        }
        var secrets = [passcode, "canary-account", "canary-value-of-an-item", "canary-value-of-a-guarded-item"]
            .map { Array($0.utf8) }
        for keyClass in KeyClass.allCases {
            let name = try device.unlockedName(of: keyClass)
            guard let place = keychain.device.environment.places.first, let key = place.bytes(name) else { continue }
            secrets.append(key)
        }
        #expect(secrets.count == 4 + 5)
        _ = device.refusal("a wrong passcode")
        try device.lock()
        let found = try files(keychain.device.home.path)
        #expect(found.count > 4)
        for (name, bytes) in found {
            let data = Data(bytes)
            for secret in secrets {
                for form in forms(secret) { #expect(data.range(of: Data(form)) == nil, "\(name)") }
            }
        }
    }

    @Test("DP9: after a lock, no place and no copy of the device has a class A key")
    func places() throws {
        try keychain.setPasscode()
        let one = try keychain.device.open()
        let other = try keychain.device.open()
        #expect(try one.answer(.whenUnlocked) == "key" && other.answer(.whenUnlocked) == "key")
        try one.lock()
        for keyClass in KeyClass.allCases where keyClass.availability == .whileUnlocked {
            let name = try one.unlockedName(of: keyClass)
            for place in keychain.device.environment.places { #expect(!place.has(name)) }
            #expect(try one.answer(keyClass) == "locked")
            #expect(try other.answer(keyClass) == "locked")
        }
    }

    @Test("DP9: all files of the device are their owner's alone")
    func modes() throws {
        try keychain.setPasscode()
        let device = keychain.device.home.device
        for (name, _) in try files(device) where !name.hasSuffix("/lock") {
            let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
    }

    @Test("DP10: no byte of a keybag with a passcode can be changed, and no part cut off")
    func keybag() throws {
        try keychain.setPasscode()
        let path = keychain.device.home.device + "/keybag"
        let stored = try DurableFile.read(path, limit: Keybag.limit)
        for index in stored.indices {
            var changed = stored
            changed[index] ^= 1 << UInt8(index % 8)
            try DurableFile.write(changed.span, to: path)
            #expect(throws: DeviceFailure.self, "byte \(index)") { try keychain.device.open() }
        }
        for count in stride(from: 0, to: stored.count, by: 7) {
            let cut = Array(stored.prefix(count))
            try DurableFile.write(cut.span, to: path)
            #expect(throws: DeviceFailure.self, "\(count) bytes") { try keychain.device.open() }
        }
        try DurableFile.write(stored.span, to: path)
        try keychain.device.open().unlock("1234")
    }
}
