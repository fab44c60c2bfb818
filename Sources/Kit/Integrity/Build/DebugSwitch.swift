/// A switch for developers in the Kit or the programs. Each is declared here once, with a marker that a scan of the
/// program's file finds: a release has no marker, a debug build has all of them (`pavise build check`). What else
/// depends on `DEBUG` is in ``BuildDifference``.
package struct DebugSwitch: Hashable, Sendable {
    /// The text in the program's file. Longer than 15 bytes, so that the compiler keeps it whole.
    package let marker: String
    /// What it changes.
    package let effect: String

    /// Whether the compiler was told `DEBUG`, which SwiftPM and Xcode do for their debug configuration alone.
    package static var isDebug: Bool { !compiledIn.isEmpty }

    #if DEBUG
    /// The switches of this build.
    package static let compiledIn = [
        DebugSwitch(
            marker: "pavise-debug-switch:integrity-reports-only",
            effect: "findings about the device are reported, and nothing ends")
    ]
    #else
    /// The switches of this build: none.
    package static let compiledIn: [DebugSwitch] = []
    #endif
}

extension IntegrityPolicy {
    /// What an app uses that decides nothing else: ``release`` in a release, ``reporting`` in a debug build.
    public static var standard: IntegrityPolicy { DebugSwitch.isDebug ? .reporting : .release }
}
