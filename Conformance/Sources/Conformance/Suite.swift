/// The suites by their names on the command line. Each takes the paths that follow its name.
enum Suite {
    static let all: [String: @Sendable ([String]) throws -> SuiteReport] = [
        "ats": ATSSuite.play,
        "hostnames": HostNameSuite.play,
        "limbo": LimboSuite.play,
        "mutations": MutationSuite.play,
        "wycheproof": WycheproofSuite.play,
    ]
}
