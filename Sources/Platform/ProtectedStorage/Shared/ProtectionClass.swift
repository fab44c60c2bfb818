/// When the content of a file or database can be read: Apple's four Data Protection classes, with Apple's names.
///
/// There is no default anywhere: whoever makes a file or a database says which one it has. Health data wants
/// ``complete``, or ``completeUnlessOpen`` where it has to be written while the device is locked.
///
/// On Linux a device without a passcode is never locked, so that all four are readable (``StorageContainer``).
///
/// Source: Apple Platform Security, “Data Protection classes”.
public enum ProtectionClass: UInt8, CaseIterable, Hashable, Sendable, Codable {
    /// While the device is unlocked. `NSFileProtectionComplete`, class A.
    case complete = 1
    /// Can be written at any time; opened while the device is unlocked. What is open stays so through a lock.
    /// `NSFileProtectionCompleteUnlessOpen`, class B.
    case completeUnlessOpen = 2
    /// From the first unlock after a restart on. `NSFileProtectionCompleteUntilFirstUserAuthentication`, class C.
    case untilFirstUserAuthentication = 3
    /// Always; erased with the device all the same. `NSFileProtectionNone`, class D.
    case none = 4

    /// The letter that Apple's documents use, in lower case.
    var letter: String {
        switch self {
        case .complete: "a"
        case .completeUnlessOpen: "b"
        case .untilFirstUserAuthentication: "c"
        case .none: "d"
        }
    }

    /// Whether a lock takes the key away.
    package var needsUnlocked: Bool { self == .complete || self == .completeUnlessOpen }
}
