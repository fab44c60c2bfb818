internal import Foundation

/// What one run of a suite found.
struct SuiteReport {
    /// The suite's name, as on the command line.
    let suite: String
    /// Cases that came out as published.
    var passed = 0
    /// Ids of cases that need what Pavise does not have; never counted as passed.
    var skipped: [String] = []
    /// Ids of cases that came out otherwise for a reason in the written list of expectations, and that reason.
    var expected: [String: String] = [:]
    /// Ids of cases that came out otherwise, and how.
    var unexpected: [String: String] = [:]
    /// Further figures of the suite, by name: false accepts, seconds, …
    var figures: [String: Double] = [:]

    /// Members in alphabetical order, so that two runs can be compared line by line.
    var json: String {
        let value: [String: Any] = [
            "suite": suite, "passed": passed, "skipped": skipped.sorted(), "expectedFailures": expected,
            "failed": unexpected, "figures": figures,
        ]
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: value, options: options) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}
