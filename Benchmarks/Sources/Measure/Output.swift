internal import Foundation

/// What is wrong with the call or the run.
struct MeasureFailure: Error, CustomStringConvertible {
    let description: String
}

func usage() -> Never {
    FileHandle.standardError.write(
        Data(
            ("usage: measure http-pavise|http-download|http-curl|ats-decision|"
                + "keychain-…|durable-add|sealing|rsa|session-…|storage-…|database-…|sync-plan|tpm-sign …\n").utf8))
    exit(2)
}

/// Prints the figures as one line of JSON, keys sorted.
func report(_ figures: [(String, String)]) {
    print("{" + figures.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}")
}

/// The middle value.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted.count % 2 == 1
        ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
}
