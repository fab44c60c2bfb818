/// The suites by their names on the command line.
enum Suite {
    static let all: [String: @Sendable (SuiteArguments) throws -> SuiteReport] = [
        "ats": ATSSuite.play,
        "hostnames": HostNameSuite.play,
        "limbo": LimboSuite.play,
        "mutations": MutationSuite.play,
        "wycheproof": WycheproofSuite.play,
    ]
}

/// What follows the suite's name.
struct SuiteArguments {
    /// The id of the case whose published verdict is turned around: the run has to fail.
    var plant: String?
    /// Files and folders, or the numbers of `mutations`.
    let paths: [String]

    init(_ arguments: [String]) {
        guard arguments.count > 1, arguments[0] == "--plant" else {
            paths = arguments
            return
        }
        plant = arguments[1]
        paths = Array(arguments.dropFirst(2))
    }
}
