public import Testing

/// The secure element that Pavise gives Linux: its files, its counter, its price. Apple's adapter has Apple's.
public enum LinuxElement {
    /// Whether it stands below the tests. Apple's adapter is tried on Linux too (Conformance/Apple/Adapter).
    #if PAVISE_APPLE_ADAPTER || !os(Linux)
    public static let isHere = false
    #else
    public static let isHere = true
    #endif

    /// Why the tests of marks are Linux' own.
    public static let hasMarks: Comment =
        "Apple's systems have no place for a mark outside of the keychain (SECURITY.md)"
}

extension Trait where Self == ConditionTrait {
    /// A test about what Linux' own element alone has; `reason` says what.
    public static func linuxElement(_ reason: Comment) -> Self { .enabled(if: LinuxElement.isHere, reason) }
}
