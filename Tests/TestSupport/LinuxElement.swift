public import Testing

/// The secure element that Pavise gives Linux: its files, its counter, its price. Apple's adapter has Apple's.
public enum LinuxElement {
    /// Whether it stands below the tests. Apple's adapter is tried on Linux too (Conformance/Apple/Adapter).
    #if PAVISE_APPLE_ADAPTER || !os(Linux)
    public static let isHere = false
    #else
    public static let isHere = true
    #endif
}

extension Trait where Self == ConditionTrait {
    /// A test about what Linux' own element alone has; `reason` says what.
    public static func linuxElement(_ reason: Comment) -> Self { .enabled(if: LinuxElement.isHere, reason) }
}
