public import Foundation

/// What a context knows of the biometry and the companion devices that can answer for the owner. A hash that differs
/// from the one kept earlier tells an app that somebody was enrolled or paired since. On Linux there is neither, and
/// every hash is `nil`.
///
/// ```swift
/// let isUnchanged = LAContext().domainState.biometry.stateHash == known
/// ```
public final class LADomainState: NSObject, Sendable {
    /// The biometry.
    public let biometry = LADomainStateBiometry()
    /// The companion devices.
    public let companion = LADomainStateCompanion()
    /// Changes with either; `nil` where there is neither.
    public var stateHash: Data? { nil }

    override init() { super.init() }
}

/// The biometry of a ``LADomainState``.
public final class LADomainStateBiometry: NSObject, Sendable {
    /// ``LABiometryType/none``.
    public var biometryType: LABiometryType { .none }
    /// `nil`: nobody is enrolled.
    public var stateHash: Data? { nil }

    override init() { super.init() }
}

/// The companion devices of a ``LADomainState``.
public final class LADomainStateCompanion: NSObject, Sendable {
    /// None.
    public var availableCompanionTypes: Set<LACompanionType> { [] }
    /// `nil`: no device is paired.
    public var stateHash: Data? { nil }

    override init() { super.init() }

    /// `nil`: no device of this kind is paired.
    public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}

/// A device that can answer for its owner on another one.
public enum LACompanionType: Int, Hashable, Sendable {
    /// A watch.
    case watch = 1
    /// A Mac.
    case mac = 2
    /// A headset.
    case vision = 4
}
