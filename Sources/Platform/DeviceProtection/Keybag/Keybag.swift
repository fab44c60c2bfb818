internal import PavisePrimitives

/// The class keys of a device, each wrapped, and all of it authenticated as a whole.
///
/// A key is wrapped by the element alone, or by the passcode key (RFC 3394), which needs the passcode and the element.
/// A class key is never in a file in clear. There is no entry for class 12 while no passcode exists.
///
/// Every change of the passcode begins a new epoch: a fresh salt in a file of its own, on which all wrappings and the
/// tag depend. The old salt is destroyed after the new bag is durable, so that no old copy of the bag opens again.
package struct Keybag: Hashable, Sendable {
    /// Names the device; a passcode change keeps it.
    package let identity: [UInt8]
    /// Names the epoch (16 bytes); empty in a bag of the first format, which had none.
    let epoch: [UInt8]
    /// The kind of element that made the bag.
    package let element: ElementKind
    /// What is known of the passcode; `nil` while there is none.
    package let passcode: PasscodeRecord?
    /// The pairs whose private half is wrapped.
    let pairs: [PairKind: WrappedPair]
    let entries: [KeyClass: WrappedKey]
    /// Whether secrets of the epoch before may still have to be destroyed.
    let isUnfinished: Bool
    /// The guard of the passcode before, which is then to be destroyed; may be empty.
    let retiredGuard: [UInt8]

    /// Whether the class has a key at all; class 12 has none without a passcode.
    package func has(_ keyClass: KeyClass) -> Bool { entries[keyClass] != nil }

    /// The same without anything left to destroy.
    var finished: Keybag {
        Keybag(
            identity: identity, epoch: epoch, element: element, passcode: passcode, pairs: pairs, entries: entries,
            isUnfinished: false, retiredGuard: [])
    }
}

/// A key and who wrapped it.
struct WrappedKey: Hashable, Sendable {
    let method: WrapMethod
    let bytes: [UInt8]
}

/// Who can unwrap a key.
package enum WrapMethod: UInt8, Hashable, Sendable {
    /// The element alone.
    case element = 1
    /// The passcode and the element.
    case passcode = 2
}

/// What a pair of the bag is for.
package enum PairKind: UInt8, Hashable, Sendable, CaseIterable {
    /// P-256: items and keys that need a person are sealed to it. Its private half is unwrapped for one answer of the
    /// passcode, and is never kept.
    case presence = 1
    /// X25519: files that can be written while locked.
    case unlessOpen = 2
}

/// A pair: the public half in clear, the private half wrapped.
struct WrappedPair: Hashable, Sendable {
    let publicKey: [UInt8]
    let privateKey: WrappedKey
}
