/// Not there yet: says so and fails.
enum ATSSuite {
    @Sendable static func play(_ paths: [String]) throws -> SuiteReport {
        SuiteReport(suite: "ats", unexpected: ["all": "this suite is not there yet"])
    }
}
