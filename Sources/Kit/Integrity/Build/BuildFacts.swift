/// How this copy of Pavise was built, as the program and an app print it: a person who runs a debug build as if it
/// were a release reads it here.
public struct BuildFacts: Hashable, Sendable {
    /// The version, `MAJOR.MINOR.PATCH` (semver.org); the one place where it stands.
    public static let version = "0.1.0"

    /// `debug` or `release`: whether the compiler was told `DEBUG`, and nothing else.
    public let configuration: String
    /// The compiler, as far as the language tells.
    public let compiler: String
    /// The commit of the source; `unknown` in a checkout that is no release.
    public let commit: String
    /// The switches for developers that are compiled in; none in a release.
    public let switches: [String]

    /// SHA-256 of `Conformance/build-policy.json` of the same source, in 64 hexadecimal digits: by which rules a
    /// release of it is judged before anybody gets it. It does not say that this copy was judged.
    public let policy: String

    /// Of this copy.
    public static let current = BuildFacts(
        configuration: DebugSwitch.isDebug ? "debug" : "release", compiler: compiler, commit: SourceCommit.id,
        switches: DebugSwitch.compiledIn.map(\.marker), policy: policyDigest)

    // A test and `make build-check` compare it with the file.
    private static let policyDigest = "476c254645fb9524901b1295e2fac840681088daf5e7625a5a3b485a75ca8923"

    private static var compiler: String {
        #if compiler(>=6.4)
        "Swift 6.4 or later"
        #elseif compiler(>=6.3)
        "Swift 6.3"
        #else
        "Swift 6.2"
        #endif
    }
}
