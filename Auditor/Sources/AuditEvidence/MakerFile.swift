package import Foundation

/// `pavise-audit.json` of an app: what only people know. Unknown keys are refused, so that a slip is noticed.
package struct MakerFile: Codable, Sendable {
    package struct Statement: Codable, Sendable {
        package let requirement: String
        package let reason: String
        package let person: String
        package let date: String
    }
    package struct Reference: Codable, Sendable {
        package let requirement: String
        package let title: String
        package var digest: String?
        package var person: String?
    }
    /// A finding that is accepted up to the day of its review, and open from that day on.
    package struct Deviation: Codable, Sendable {
        package let fingerprint: String
        package let reason: String
        package let owner: String
        package let date: String
        package let review: String
    }
    /// A row with SHOULD or MAY that the app leaves out, why, and the day that this is looked at again.
    package struct LeftOut: Codable, Sendable {
        package let requirement: String
        package let reason: String
        package let owner: String
        package let date: String
        package let review: String
    }
    package var subject: EvidenceRecord.Subject?
    package var notApplicable: [Statement]?
    package var references: [Reference]?
    package var accepted: [Deviation]?
    package var leftOut: [LeftOut]?
    /// The name of the key that signed these bytes. Never read from them.
    package var signer: String?

    private enum CodingKeys: String, CodingKey { case subject, notApplicable, references, accepted, leftOut }

    package init() {}

    package struct Failure: Error, CustomStringConvertible { package let description: String }

    package init(_ data: Data) throws(Failure) {
        guard data.count < 1 << 20 else { throw Failure(description: "pavise-audit.json is over 1 MB") }
        let known: Set = ["subject", "notApplicable", "references", "accepted", "leftOut"]
        guard let keys = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else {
            throw Failure(description: "pavise-audit.json is no JSON object")
        }
        if let other = keys.keys.filter({ !known.contains($0) }).min() {
            throw Failure(description: "pavise-audit.json: the key “\(other)” is not known")
        }
        do {
            self = try JSONDecoder().decode(MakerFile.self, from: data)
        } catch {
            throw Failure(description: "pavise-audit.json: a statement lacks a part, or has one of another kind")
        }
        guard subject?.commit == nil, subject?.dirty == nil else {
            throw Failure(description: "pavise-audit.json: the commit is read from git, and from nowhere else")
        }
        var words = (notApplicable ?? []).flatMap { [$0.reason, $0.person, $0.date] }
        words += (accepted ?? []).flatMap { [$0.reason, $0.owner, $0.date, $0.review] }
        words += (leftOut ?? []).flatMap { [$0.reason, $0.owner, $0.date, $0.review] }
        if words.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
            throw Failure(description: "pavise-audit.json: a statement needs a reason, a person and a date")
        }
        var rows = (notApplicable ?? []).map(\.requirement) + (references ?? []).map(\.requirement)
        rows += (leftOut ?? []).map(\.requirement)
        if let other = rows.first(where: { !Requirement.ids.contains($0) }) {
            throw Failure(description: "pavise-audit.json: no standard has a row “\(other)”")
        }
        if let other = (leftOut ?? []).map(\.requirement).first(where: { !Requirement.optional.contains($0) }) {
            throw Failure(description: "pavise-audit.json: “\(other)” has no SHOULD or MAY, and is not left out")
        }
        let reviews = (accepted ?? []).map(\.review) + (leftOut ?? []).map(\.review)
        if let other = reviews.first(where: { !Self.isDay($0) }) {
            throw Failure(description: "pavise-audit.json: the review “\(other)” is no day, as 2027-02-01")
        }
    }

    /// `2027-02-01`: text that orders as the days do. Digits of other scripts would stand behind every day.
    package static func isDay(_ text: String) -> Bool {
        guard let found = text.wholeMatch(of: /[0-9]{4}-([0-9]{2})-([0-9]{2})/) else { return false }
        return (1...12).contains(Int(found.1) ?? 0) && (1...31).contains(Int(found.2) ?? 0)
    }
}

/// A line of `--results`: what another check of the app said.
package struct CheckResult: Codable, Sendable {
    package let requirement: String
    /// `kit-test`, `app-test`, `probe`, `removal`.
    package let kind: String
    package let check: String
    /// `agrees`, `disagrees`, or `not run`.
    package let outcome: String
    package var claim: String?
    /// The digest of the inputs that it ran on. A result for other inputs counts as not run.
    package var inputs: String?
    /// The version of the check, where it has one.
    package var version: String?

    package static let kinds = [
        "kit-test": "kit_test", "app-test": "app_test", "probe": "server_probe", "removal": "kit_test",
    ]

    /// A line may end with CR LF, which is one character.
    static func endsLine(_ letter: Character) -> Bool { letter == "\n" || letter == "\r\n" }

    package static func read(_ text: String) throws(MakerFile.Failure) -> [CheckResult] {
        var results: [CheckResult] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: endsLine).enumerated()
        where !line.isEmpty {
            guard let row = try? JSONDecoder().decode(CheckResult.self, from: Data(line.utf8)), kinds[row.kind] != nil,
                ["agrees", "disagrees", "not run"].contains(row.outcome)
            else { throw MakerFile.Failure(description: "results, line \(number + 1): no result of a check") }
            guard Requirement.ids.contains(row.requirement) else {
                throw MakerFile.Failure(
                    description: "results, line \(number + 1): no standard has a row “\(row.requirement)”")
            }
            results.append(row)
        }
        return results
    }
}
