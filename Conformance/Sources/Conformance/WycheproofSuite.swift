/// Not there yet: says so and fails.
enum WycheproofSuite {
    @Sendable static func play(_ paths: [String]) throws -> SuiteReport {
        SuiteReport(suite: "wycheproof", unexpected: ["all": "this suite is not there yet"])
    }
}
