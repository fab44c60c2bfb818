internal import Foundation
internal import PavisePrimitives
internal import SecurityFramework

/// A verdict as text and as JSON.
struct TrustReport {
    private let verdict: TrustVerdict
    private let host: String
    private let seconds: Int64
    private let path: [CertificateFacts?]
    private let logs: TransparencyCount?

    init(_ verdict: TrustVerdict, of request: TrustRequest, host: String) {
        self.verdict = verdict
        self.host = host
        seconds = request.seconds
        logs = request.transparency.flatMap {
            TransparencyCount(path: verdict.path, demand: $0, evidence: request.evidence, at: request.seconds)
        }
        path = verdict.path.map { CertificateFacts(der: $0) }
    }

    var isTrusted: Bool { verdict.isTrusted }

    /// For the end of the program: everything is said already.
    var failure: CommandFailure {
        var failure = CommandFailure(.refused, "The chain is not trusted.", rule: "certificate")
        failure.isReported = true
        return failure
    }

    var report: Report {
        var report = Report(data: data)
        report.add(isTrusted ? .success("The chain is trusted for “\(host)”.") : .failure("The chain is not trusted."))
        for finding in verdict.failures {
            report.add(.line("Certificate \(finding.certificate): \(finding.sentence) (\(finding.code))"))
        }
        if let logs { report.add(.line(Self.words(logs))) }
        report.add(.table([["", "SPKI SHA-256", "Expiry", "Subject"]] + rows))
        return report
    }

    private var rows: [[String]] {
        path.enumerated().map { index, facts in
            ["\(index)", facts?.spki ?? "?", facts.flatMap { expiry($0).words } ?? "?", facts?.subject ?? "?"]
        }
    }

    // Seen from the time of the verdict, which may be another than now.
    private func expiry(_ facts: CertificateFacts) -> Report.Fact { .expiry(of: facts.notAfter, at: seconds) }

    private var data: JSONValue {
        .fields([
            "trusted": .bool(isTrusted), "fatal": .bool(verdict.isFatal), "host": .string(host),
            "time": .string(Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)),
            "path": .array(path.map(data)), "failures": .array(verdict.failures.map(Self.data)),
            "logs": logs.map(Self.data), "publicSuffixList": PublicSuffix.current.reader.map { .string($0) } ?? .null,
        ])
    }

    // Apple documents a rule about operators that its code does not have, so the number is told and decides nothing.
    private static func words(_ count: TransparencyCount) -> String {
        "Logs: \(count.qualified) inside the certificate (\(count.required) needed) of "
            + "\(count.operators.counting("operator")), \(count.current.counting("current one")) in all."
    }

    private static func data(_ count: TransparencyCount) -> JSONValue {
        .fields([
            "required": .integer(count.required), "qualified": .integer(count.qualified),
            "current": .integer(count.current), "operators": .integer(count.operators),
            "classic": .bool(count.hasClassic), "enough": .bool(count.isEnough),
        ])
    }

    private func data(_ facts: CertificateFacts?) -> JSONValue {
        .fields([
            "subject": facts.map { .string($0.subject) }, "fingerprint": facts.map { .string($0.fingerprint) },
            "spki": facts.map { .string($0.spki) }, "daysLeft": facts.map { expiry($0).value },
        ])
    }

    private static func data(_ finding: TrustFinding) -> JSONValue {
        // The sentence has the first names alone.
        var names: JSONValue?
        if case .wrongHost(_, let all) = finding.kind { names = .array(all.map { .string($0) }) }
        return .fields([
            "certificate": .integer(finding.certificate), "code": .integer(finding.code),
            "fatal": .bool(finding.isFatal), "text": .string(finding.sentence), "names": names,
        ])
    }
}
