// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation

/// What must be shown before an item or a key may be used.
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: CFOptionFlags

    /// Flags from their bits.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// Biometry or the passcode. Stands alone, or with ``applicationPassword`` and ``privateKeyUsage``.
    public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
    /// Any enrolled finger or face.
    public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
    /// The older name of ``biometryAny``.
    public static let touchIDAny = biometryAny
    /// A finger or face that is enrolled now; a later enrolment closes the item for good.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
    /// The older name of ``biometryCurrentSet``.
    public static let touchIDCurrentSet = biometryCurrentSet
    /// The device's passcode.
    public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
    /// A paired companion device.
    public static let companion = SecAccessControlCreateFlags(rawValue: 1 << 5)
    /// The older name of ``companion``.
    public static let watch = companion
    /// One of the constraints is enough.
    public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
    /// All constraints are needed, as they are without this flag.
    public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
    /// The constraints guard the private key's use: signing, key agreement, decryption.
    public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
    /// A password of the application's own is part of the key.
    public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)

    static let constraints: SecAccessControlCreateFlags = [
        .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion,
    ]
    static let known: SecAccessControlCreateFlags = constraints.union([
        .or, .and, .privateKeyUsage, .applicationPassword,
    ])
}

/// When an item may be used, and what must be shown for it. Objects of equal content are equal.
///
/// The passcode stands for user presence here. Linux has no biometry: what needs it, and nothing else, is refused with
/// -25293 when it is stored.
public final class SecAccessControl: Hashable, Sendable, TypeIdentified {
    /// The protection class, for example the text of `kSecAttrAccessibleWhenUnlocked`.
    package let protection: String
    /// What must be shown.
    package let flags: SecAccessControlCreateFlags
    /// Whether the item may be deleted; Apple's entry `delete`.
    package let allowsDeletion: Bool

    package static let typeNumber = TypeNumber.accessControl

    /// Combines a class and flags that fit each other; `nil` for any that do not.
    package init?(protection: String, flags: SecAccessControlCreateFlags, allowsDeletion: Bool = true) {
        guard Self.classes.contains(protection), Self.isConsistent(flags) else { return nil }
        self.protection = protection
        self.flags = flags
        self.allowsDeletion = allowsDeletion
    }

    /// The access control that asks for nothing but its class; `nil` for no class of the seven.
    package static func ofClass(_ protection: String) -> SecAccessControl? { plain[protection] }

    private static let plain = Dictionary(
        uniqueKeysWithValues: classes.compactMap { name in
            SecAccessControl(protection: name, flags: []).map { (name, $0) }
        })

    /// Whether both say the same.
    public static func == (one: SecAccessControl, other: SecAccessControl) -> Bool {
        one.protection == other.protection && one.flags == other.flags
            && one.allowsDeletion == other.allowsDeletion
    }

    /// Mixes class and flags.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(protection)
        hasher.combine(flags)
    }

    private static let classes: Set<String> = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"]

    private static func isConsistent(_ flags: SecAccessControlCreateFlags) -> Bool {
        guard flags.isSubset(of: .known), !flags.isSuperset(of: [.or, .and]) else { return false }
        guard !flags.isSuperset(of: [.biometryAny, .biometryCurrentSet]) else { return false }
        guard flags.contains(.userPresence) else { return true }
        return flags.isSubset(of: [.userPresence, .applicationPassword, .privateKeyUsage])
    }
}

/// The number of access controls' kind; see ``CFGetTypeID(_:)``.
public func SecAccessControlGetTypeID() -> CFTypeID { TypeNumber.accessControl }

/// Makes an access control.
///
/// - Parameters:
///   - protection: One of the `kSecAttrAccessible…` constants.
///   - flags: What must be shown; none allows everything while the class is available.
///   - error: -50 for an unknown class or flags that contradict each other.
///   - allocator: Ignored; `nil`.
@discardableResult
@safe
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags, _ error: ErrorTarget?
) -> SecAccessControl? {
    guard let name = (protection as? NSString).map(String.init),
        let control = SecAccessControl(protection: name, flags: flags)
    else {
        unsafe StatusError.report(StatusError.make(errSecParam), to: error)
        return nil
    }
    return control
}
