internal import Foundation
internal import PavisePrimitives
internal import PaviseTransport

/// Apple's cases of the ATS engine and of its version parser, in the schema of the vectors' SOURCE.md.
enum ATSSuite {
    @Sendable static func play(_ arguments: SuiteArguments) throws -> SuiteReport {
        var report = SuiteReport("ats", arguments)
        for path in arguments.paths {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            let file = try JSONValue.parse(bytes, limit: 64 << 20, depth: 64)
            for (index, vector) in (file["vectors"]?.array ?? []).enumerated() {
                report.add(vector["id"]?.string ?? "vector-\(index)") { isTurned in
                    problem(of: vector, isTurned: isTurned).map(CaseOutcome.failed) ?? .passed
                }
            }
            for (index, vector) in (file["minimumTLSVersionStrings"]?.array ?? []).enumerated() {
                let version = vector["text"]?.string.flatMap(ATSVersion.init(rawValue:))
                let isRight = version?.rawValue == vector["version"]?.string
                report.add(vector["id"]?.string ?? "version-\(index)") { isTurned in
                    isRight != isTurned ? .passed : .failed("version \(version?.rawValue ?? "none")")
                }
            }
        }
        return report
    }

    /// What came out otherwise than published; `nil` when all three outcomes are right. Turned around, plain http is
    /// said to be blocked where it is not, and the reverse.
    private static func problem(of vector: JSONValue, isTurned: Bool) -> String? {
        guard let host = vector["target"]?.string, let expected = vector["expected"],
            let isBlocked = expected["plainHTTPBlocked"]?.bool.map({ $0 != isTurned }),
            let isRestricted = expected["cipherSuitesRestricted"]?.bool
        else { return "the case cannot be read" }
        let target = ATSTarget(
            host: host, isAddress: vector["targetKind"]?.string == "address",
            isDirect: vector["targetIsDirect"]?.bool == true)
        let decision = ATSDecision(target, scheme: .https, configuration: configuration(of: vector))
        let floor = decision.parameters.minimumTLSVersion?.rawValue
        var wrong: [String] = []
        if decision.isPlainHTTPBlocked != isBlocked {
            wrong.append("plain http blocked: \(decision.isPlainHTTPBlocked)")
        }
        if floor != expected["minimumTLSVersion"]?.string { wrong.append("floor: \(floor ?? "none")") }
        if (decision.parameters.suites != .unrestricted) != isRestricted {
            wrong.append("suites: \(decision.parameters.suites)")
        }
        return wrong.isEmpty ? nil : wrong.joined(separator: ", ")
    }

    // Apple's own bundles without a dictionary start as if NSAllowsArbitraryLoads were true.
    private static func configuration(of vector: JSONValue) -> ATSConfiguration {
        guard let keys = vector["appTransportSecurity"], keys != .null else {
            let isOwn = vector["appleOwnBundle"]?.bool == true
            return ATSConfiguration(arbitraryLoads: isOwn ? true : nil).withBuiltInExceptions
        }
        return ATSConfiguration(propertyList: PropertyListValue(json: keys)).withBuiltInExceptions
    }
}
