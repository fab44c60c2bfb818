internal import PaviseCrypto
internal import PavisePrimitives

/// Wraps and unwraps the keys of one epoch: the element, and the epoch's salt.
///
/// The salt is random and lies in a file of its own. It is part of every purpose that the element is given: when the
/// file is destroyed, no key of the epoch can be unwrapped any more, whoever has a copy of the bag.
package struct KeybagWrapper: Sendable {
    /// The element of the device.
    package let element: any SecureElement
    let identity: [UInt8]
    /// Names the epoch, and its file; empty for a bag of the first format.
    let epoch: [UInt8]
    private let salt: [UInt8]

    /// Begins an epoch: its salt is durable when this returns.
    package static func begin(
        in folder: String, identity: [UInt8], with element: any SecureElement
    ) throws(DeviceFailure) -> KeybagWrapper {
        try DeviceFailure.reporting {
            let epoch = try Entropy.kernel.bytes(16)
            let salt = try Entropy.kernel.bytes(32)
            try DurableFile.makeDirectory(folder + "/epochs")
            try DurableFile.write(salt.span, to: path(folder, epoch))
            return KeybagWrapper(element: element, identity: identity, epoch: epoch, salt: salt)
        }
    }

    /// The keeper of a stored bag.
    ///
    /// - Throws: ``DeviceFailure/damaged(file:)`` when the epoch's salt is not there: an old copy of a bag, for
    ///   example.
    package static func of(
        _ head: Keybag.Head, in folder: String, with element: any SecureElement
    ) throws(DeviceFailure) -> KeybagWrapper {
        let file = path(folder, head.epoch)
        let isFirst = head.epoch.isEmpty
        let stored = try DeviceFailure.reporting {
            isFirst ? [] : try DurableFile.readIfPresent(file, limit: 64, isSecret: true)
        }
        guard let stored, isFirst || stored.count == 32 else { throw .damaged(file: folder + "/keybag") }
        return KeybagWrapper(element: element, identity: head.identity, epoch: head.epoch, salt: stored)
    }

    private init(element: any SecureElement, identity: [UInt8], epoch: [UInt8], salt: [UInt8]) {
        self.element = element
        self.identity = identity
        self.epoch = epoch
        self.salt = salt
    }

    /// Destroys the salts of all epochs but one. Twice is fine.
    static func destroyEpochs(in folder: String, but epoch: [UInt8]) throws(DeviceFailure) {
        try DeviceFailure.reporting {
            guard try DurableFile.presence(of: folder + "/epochs").get() != nil else { return }
            for entry in try Folder.entries(of: folder + "/epochs") where entry.name != Hex.encode(epoch) {
                try DurableFile.remove("\(folder)/epochs/\(entry.name)")
            }
        }
    }

    private static func path(_ folder: String, _ epoch: [UInt8]) -> String { folder + "/epochs/" + Hex.encode(epoch) }

    func wrap(
        _ key: borrowing SecretBytes, _ label: String, _ passcodeKey: PasscodeKey?
    ) throws(DeviceFailure) -> WrappedKey {
        guard let passcodeKey else {
            return WrappedKey(method: .element, bytes: try element.wrap(key, purpose: purpose(label)))
        }
        do throws(CryptoFailure) {
            let bytes = try key.withBytes { key throws(CryptoFailure) in
                try passcodeKey.bytes.withBytes { wrapping throws(CryptoFailure) in
                    try AESKeyWrap.wrap(key, with: wrapping)
                }
            }
            return WrappedKey(method: .passcode, bytes: bytes)
        } catch {
            return try DeviceFailure.reporting { throw error }
        }
    }

    /// Unwraps a key; ``DeviceFailure/unknownKey`` when the passcode key is missing or another one.
    func unwrap(
        _ key: WrappedKey, _ label: String, _ passcodeKey: PasscodeKey?
    ) throws(DeviceFailure) -> SecretBytes {
        guard key.method == .passcode else { return try element.unwrap(key.bytes, purpose: purpose(label)) }
        guard let passcodeKey else { throw .unknownKey }
        do throws(CryptoFailure) {
            return try passcodeKey.bytes.withBytes { wrapping throws(CryptoFailure) in
                try AESKeyWrap.unwrap(key.bytes, with: wrapping)
            }
        } catch {
            throw .unknownKey
        }
    }

    /// Whether the passcode key is the one that wrapped this key.
    func unwraps(_ key: WrappedKey, _ passcodeKey: PasscodeKey) -> Bool {
        let secret = passcodeKey.bytes.withBytes { try? AESKeyWrap.unwrap(key.bytes, with: $0) }
        return secret != nil
    }

    func tag(of body: [UInt8]) throws(DeviceFailure) -> [UInt8] {
        try element.derivedKey(purpose: "keybag" + suffix).withBytes { HMAC.sha256(key: $0, body) }
    }

    private func purpose(_ label: String) -> String { "\(label) of \(Hex.encode(identity))" + suffix }
    private var suffix: String { salt.isEmpty ? "" : " under " + Hex.encode(salt) }
}
