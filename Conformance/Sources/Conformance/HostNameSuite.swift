/// Not there yet: says so and fails.
enum HostNameSuite {
    @Sendable static func play(_ paths: [String]) throws -> SuiteReport {
        SuiteReport(suite: "hostnames", unexpected: ["all": "this suite is not there yet"])
    }
}
