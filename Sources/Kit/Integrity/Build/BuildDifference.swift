/// A difference between a build for developers and one for people. `pavise --version --verbose` prints all of them.
public struct BuildDifference: Hashable, Sendable {
    /// What differs.
    public let subject: String
    /// In a debug build.
    public let debug: String
    /// In a release.
    public let release: String
    /// The files of the source that ask for `DEBUG` on its behalf; none where the compiler or the linker makes the
    /// difference.
    package let files: [String]

    private init(_ subject: String, debug: String, release: String, in files: String...) {
        self.subject = subject
        self.debug = debug
        self.release = release
        self.files = files
    }

    /// All of them, in Pavise and its programs. Anything else is the same in both: certificates, App Transport
    /// Security, the lock, limits, redirects.
    public static let all = [
        BuildDifference(
            "findings about the device", debug: "reported",
            release: "certain ones end an app, two likely ones close it", in: "DebugSwitch.swift"),
        BuildDifference(
            "switches for developers", debug: "listed by BuildFacts", release: "not compiled in",
            in: "DebugSwitch.swift"),
        BuildDifference("levels of the log", debug: "all", release: "error and fault", in: "Log.swift"),
        BuildDifference(
            "lines of other libraries in the log", debug: "masked", release: "hashed, error and fault alone",
            in: "LibraryLog.swift"),
        BuildDifference("assertions", debug: "checked", release: "left out; preconditions stay"),
        BuildDifference("symbols", debug: "in the file", release: "in a file of their own"),
        BuildDifference("C", debug: "plain", release: "fortified (_FORTIFY_SOURCE=2)"),
    ]

    /// Those of the example app and its window for documents alone.
    package static let ofExamples = [
        BuildDifference(
            "a month of sample data", debug: "with --sample", release: "not compiled in", in: "SampleMonth.swift",
            "Sample.swift", "Desktop/main.swift"),
        BuildDifference(
            "variables for the diary's server and language", debug: "read", release: "not compiled in",
            in: "SettingsPage.swift", "Shell.swift"),
        BuildDifference(
            "variables that leave out a layer around a document", debug: "read, and told", release: "not compiled in",
            in: "DocumentWindow/main.swift"),
    ]

    /// The same as a line: what holds in this build, and what in the other kind.
    package func line(isDebug: Bool) -> String {
        isDebug ? "\(subject): \(debug) (release: \(release))" : "\(subject): \(release) (debug: \(debug))"
    }
}
