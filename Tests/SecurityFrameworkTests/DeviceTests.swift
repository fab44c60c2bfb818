import PaviseCrypto
import PaviseDevice
import PavisePrimitives
import TestSupport
import Testing

@Suite struct DeviceTests {
    let folder: TemporaryFolder
    let home: PaviseHome

    init() throws {
        folder = try TemporaryFolder()
        home = PaviseHome(path: folder.path + "/home")
    }

    private let states: [LockState] = [.beforeFirstUnlock, .locked, .unlocked]

    private func answer(_ device: Device, _ keyClass: KeyClass, _ state: LockState) throws -> String {
        switch try device.key(keyClass, in: state) {
        case .key: "key"
        case .locked: "locked"
        case .absent: "absent"
        }
    }

    @Test(arguments: [
        (KeyClass.whenUnlocked, ["locked", "locked", "key"]),
        (.whenUnlockedThisDeviceOnly, ["locked", "locked", "key"]),
        (.afterFirstUnlock, ["locked", "key", "key"]), (.afterFirstUnlockThisDeviceOnly, ["locked", "key", "key"]),
        (.always, ["key", "key", "key"]), (.alwaysThisDeviceOnly, ["key", "key", "key"]),
        (.whenPasscodeSetThisDeviceOnly, ["absent", "absent", "absent"]),
    ])
    func `DP1 each class has its key in exactly the stated lock states`(_ keyClass: KeyClass, _ expected: [String])
        throws
    {
        let device = try Device.open(home)
        for round in 0..<2 {
            #expect(try states.map { try answer(device, keyClass, $0) } == expected, "round \(round)")
        }
    }

    @Test func `the same keys come back when the device is opened again`() throws {
        let one = try Device.open(home).deviceKey(purpose: "x")
        let again = try Device.open(home).deviceKey(purpose: "x")
        let other = try Device.open(home).deviceKey(purpose: "y")
        let isSame = one.matches(again)
        let isOther = one.matches(other)
        #expect(isSame)
        #expect(!isOther)
    }

    @Test func `two devices have nothing in common`() throws {
        let one = try Device.open(home).deviceKey(purpose: "x")
        let other = try Device.open(PaviseHome(path: folder.path + "/second")).deviceKey(purpose: "x")
        let isSame = one.matches(other)
        #expect(!isSame)
    }

    @Test func `the status says that there is no hardware`() throws {
        #expect(try Device.open(home).status.hardware == "none")
    }

    @Test(.long) func `no byte of a keybag can be changed`() throws {
        _ = try Device.open(home)
        let path = home.device + "/keybag"
        let stored = try DurableFile.read(path, limit: 4096)
        for index in stored.indices {
            var changed = stored
            changed[index] ^= 1
            try DurableFile.write(changed.span, to: path)
            // Another identity or element makes the keybag one of another device, whose secret is not here; another
            // version one that a later Pavise wrote.
            let failure = #expect(throws: DeviceFailure.self) { try Device.open(home) }
            #expect(failure.map(isDamage) == true || (index == 4 && failure == .newer(file: path)))
        }
        for count in [0, 1, 40, stored.count - 1] {
            let cut = Array(stored.prefix(count))
            try DurableFile.write(cut.span, to: path)
            #expect(throws: DeviceFailure.damaged(file: path)) { try Device.open(home) }
        }
    }

    @Test func `a keybag of another device is refused`() throws {
        let second = PaviseHome(path: folder.path + "/second")
        _ = try Device.open(home)
        _ = try Device.open(second)
        let foreign = try DurableFile.read(second.device + "/keybag", limit: 4096)
        try DurableFile.write(foreign.span, to: home.device + "/keybag")
        let failure = #expect(throws: DeviceFailure.self) { try Device.open(home) }
        #expect(failure.map(isDamage) == true)
    }

    @Test func `FD8: a keybag of a later version is told as newer, and stays as it is`() throws {
        _ = try Device.open(home)
        let path = home.device + "/keybag"
        var stored = try DurableFile.read(path, limit: 4096)
        stored[4] = 3
        try DurableFile.write(stored.span, to: path)
        #expect(throws: DeviceFailure.newer(file: path)) { try Device.open(home) }
        #expect(try DurableFile.read(path, limit: 4096) == stored)
        // No number that was ever written.
        stored[4] = 0
        try DurableFile.write(stored.span, to: path)
        #expect(throws: DeviceFailure.damaged(file: path)) { try Device.open(home) }
    }

    private func isDamage(_ failure: DeviceFailure) -> Bool {
        if case .damaged = failure { return true }
        return false
    }

    @Test func `the root secret and the keybag are their owner's alone, and no wrapped key is in clear`() throws {
        let device = try Device.open(home)
        let secret = try DurableFile.read(home.device + "/element.secret", limit: 64)
        #expect(secret.count == 32)
        for name in ["", "/element.secret", "/keybag"] {
            let mode = try FileFacts(of: home.device + name).mode
            #expect(mode == (name.isEmpty ? 0o700 : 0o600), "\(name)")
        }
        let bytes = (0..<32).map { UInt8(0xA0 + $0) }
        let key = SecretBytes(copying: bytes)
        let wrapped = try device.element.wrap(key, purpose: "one")
        // No run of four of its bytes, at no place.
        for start in 0...28 {
            let piece = bytes[start..<start + 4]
            #expect(!wrapped.indices.contains { wrapped[$0...].starts(with: piece) }, "\(start)")
        }
        let unwrapped = try device.element.unwrap(wrapped, purpose: "one")
        let isSame = key.matches(unwrapped)
        #expect(isSame)
        #expect(throws: DeviceFailure.unknownKey) { _ = try device.element.unwrap(wrapped, purpose: "two") }
    }

    @Test func `an element key signs and agrees, and a destroyed one does neither`() throws {
        let element = try Device.open(home).element
        let key = try element.generateKey()
        let digest = Hash.digest(.sha256, [1, 2, 3])
        let signature = try element.sign(digest: digest, with: key.blob)
        let publicKey = try ECPublicKey(x963: key.publicKey, curve: .p256)
        #expect(publicKey.verify(signature: signature, digest: digest))
        let peer = try ECPrivateKey(generating: .p256)
        let ours = try element.sharedSecret(with: peer.publicKey.x963, using: key.blob)
        let theirs = try peer.sharedSecret(with: publicKey)
        let isSame = ours.matches(theirs)
        #expect(isSame)
        try element.destroy(key.blob)
        try element.destroy(key.blob)
        #expect(throws: DeviceFailure.unknownKey) { try element.sign(digest: digest, with: key.blob) }
        #expect(throws: DeviceFailure.unknownKey) { try Device.open(home).element.publicKey(of: key.blob) }
    }

    @Test func `a key that another process destroyed is refused at once, also where it was used before`() throws {
        let element = try Device.open(home).element
        let key = try element.generateKey()
        let digest = Hash.digest(.sha256, [1, 2, 3])
        _ = try element.sign(digest: digest, with: key.blob)
        try Device.open(home).element.destroy(key.blob)
        #expect(throws: DeviceFailure.unknownKey) { try element.sign(digest: digest, with: key.blob) }
    }

    @Test func `no byte of an element key's handle can be changed`() throws {
        let element = try Device.open(home).element
        let key = try element.generateKey()
        for index in key.blob.indices {
            var changed = key.blob
            changed[index] ^= 1
            #expect(throws: DeviceFailure.unknownKey) { try element.publicKey(of: changed) }
        }
        #expect(throws: DeviceFailure.unknownKey) { try element.publicKey(of: Array(key.blob.dropLast())) }
        #expect(throws: DeviceFailure.invalidInput) { try element.sign(digest: [1], with: key.blob) }
        #expect(throws: DeviceFailure.self) {
            _ = try element.sharedSecret(with: [4] + [UInt8](repeating: 0, count: 64), using: key.blob)
        }
    }
}
