/// A switch for developers. Each is declared here once, in the only `#if DEBUG` of the source, with a marker that a
/// scan of the program's file finds: a release has no marker, a debug build has all of them (`pavise build check`).
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

/// Every difference between a build for developers and one for people, in one list.
public struct BuildDifference: Hashable, Sendable {
    /// What differs.
    public let subject: String
    /// In a debug build.
    public let debug: String
    /// In a release.
    public let release: String

    /// All of them. Anything else is the same in both: certificates, App Transport Security, the lock, limits,
    /// redirects.
    public static let all = [
        BuildDifference(
            subject: "findings about the device", debug: "reported",
            release: "certain ones end an app, two likely ones close it"),
        BuildDifference(subject: "switches for developers", debug: "listed by BuildFacts", release: "not compiled in"),
        BuildDifference(subject: "levels of the log", debug: "all", release: "error and fault"),
        BuildDifference(subject: "assertions", debug: "checked", release: "left out; preconditions stay"),
        BuildDifference(subject: "symbols", debug: "in the file", release: "in a file of their own"),
        BuildDifference(subject: "C", debug: "plain", release: "fortified (_FORTIFY_SOURCE=2)"),
    ]
}

extension IntegrityPolicy {
    /// What an app uses that decides nothing else: ``release`` in a release, ``reporting`` in a debug build.
    public static var standard: IntegrityPolicy { DebugSwitch.isDebug ? .reporting : .release }
}
