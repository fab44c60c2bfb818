/// Not there yet: says so and fails.
enum LimboSuite {
    @Sendable static func play(_ paths: [String]) throws -> SuiteReport {
        SuiteReport(suite: "limbo", unexpected: ["all": "this suite is not there yet"])
    }
}
