internal import PaviseCrypto
internal import PavisePrimitives

/// The keys of a bag in clear, on their way from one wrapping to the next. They are wiped with the value.
final class BagContents: Sendable {
    let keys: [KeyClass: SharedSecretBytes]
    let pairs: [PairKind: (publicKey: [UInt8], privateKey: SharedSecretBytes)]

    init(keys: [KeyClass: SharedSecretBytes], pairs: [PairKind: (publicKey: [UInt8], privateKey: SharedSecretBytes)]) {
        self.keys = keys
        self.pairs = pairs
    }
}

extension KeyClass {
    /// Whether the passcode guards the class, where there is one. Class D opens before anybody unlocks.
    var isGuarded: Bool { availability != .always }

    var label: String { "class \(rawValue)" }
}

extension PairKind {
    var label: String { "pair \(rawValue)" }
}

extension Keybag {
    /// Makes a bag with fresh keys for all classes that exist without a passcode.
    package static func create(
        _ kind: ElementKind, identity: [UInt8], with keeper: KeybagWrapper
    ) throws(DeviceFailure) -> Keybag {
        var keys: [KeyClass: SharedSecretBytes] = [:]
        for keyClass in KeyClass.allCases where keyClass != .whenPasscodeSetThisDeviceOnly {
            keys[keyClass] = SharedSecretBytes(try freshKey())
        }
        let contents = BagContents(keys: keys, pairs: try freshPairs([:]))
        return try make(contents, kind, identity, nil, nil, with: keeper)
    }

    /// Wraps `contents` anew, in the epoch of `keeper`, under a passcode or without one.
    static func make(
        _ contents: BagContents, _ kind: ElementKind, _ identity: [UInt8], _ passcode: PasscodeRecord?,
        _ key: PasscodeKey?, retiring retiredGuard: [UInt8]? = nil, with keeper: KeybagWrapper
    ) throws(DeviceFailure) -> Keybag {
        var entries: [KeyClass: WrappedKey] = [:]
        for (keyClass, secret) in contents.keys {
            entries[keyClass] = try keeper.wrap(secret.bytes, keyClass.label, keyClass.isGuarded ? key : nil)
        }
        var pairs: [PairKind: WrappedPair] = [:]
        for (kind, pair) in contents.pairs {
            let privateKey = try keeper.wrap(pair.privateKey.bytes, kind.label, key)
            pairs[kind] = WrappedPair(publicKey: pair.publicKey, privateKey: privateKey)
        }
        return Keybag(
            identity: identity, epoch: keeper.epoch, element: kind, passcode: passcode, pairs: pairs,
            entries: entries, isUnfinished: retiredGuard != nil, retiredGuard: retiredGuard ?? [])
    }

    /// Unwraps everything.
    ///
    /// - Parameter hasPasscodeNext: Class 12 begins with a passcode and ends with it.
    func contents(
        _ key: PasscodeKey?, hasPasscodeNext: Bool, with keeper: KeybagWrapper
    ) throws(DeviceFailure) -> BagContents {
        var keys: [KeyClass: SharedSecretBytes] = [:]
        for (keyClass, wrapped) in entries {
            keys[keyClass] = SharedSecretBytes(try keeper.unwrap(wrapped, keyClass.label, key))
        }
        let bound = KeyClass.whenPasscodeSetThisDeviceOnly
        if !hasPasscodeNext { keys[bound] = nil }
        if hasPasscodeNext, keys[bound] == nil { keys[bound] = SharedSecretBytes(try Self.freshKey()) }
        var pairs: [PairKind: (publicKey: [UInt8], privateKey: SharedSecretBytes)] = [:]
        for (kind, pair) in self.pairs {
            pairs[kind] = (pair.publicKey, SharedSecretBytes(try keeper.unwrap(pair.privateKey, kind.label, key)))
        }
        return BagContents(keys: keys, pairs: try Self.freshPairs(pairs))
    }

    private static func freshKey() throws(DeviceFailure) -> SecretBytes {
        do throws(EntropyFailure) {
            return try SecretBytes.random(count: 32)
        } catch {
            throw .crypto("no random bytes")
        }
    }

    // The pairs that are not there yet.
    private static func freshPairs(
        _ known: [PairKind: (publicKey: [UInt8], privateKey: SharedSecretBytes)]
    ) throws(DeviceFailure) -> [PairKind: (publicKey: [UInt8], privateKey: SharedSecretBytes)] {
        var pairs = known
        if pairs[.presence] == nil {
            pairs[.presence] = try DeviceFailure.reporting {
                let key = try ECPrivateKey(generating: .p256)
                return (key.publicKey.x963, SharedSecretBytes(try key.scalar()))
            }
        }
        if pairs[.unlessOpen] == nil {
            pairs[.unlessOpen] = try DeviceFailure.reporting {
                let key = try Curve25519PrivateKey(generating: .agreement)
                return (key.publicKey.raw, SharedSecretBytes(try key.raw()))
            }
        }
        return pairs
    }
}
