/// One requirement and what was found about it: a line of `evidence.jsonl`.
package struct EvidenceRecord: Codable, Hashable, Sendable {
    package struct Row: Codable, Hashable, Sendable {
        package let standard: String
        package let edition: String
        package let id: String
        package let level: [String]
        package let depth: String
    }
    package struct Check: Codable, Hashable, Sendable {
        /// The rule or the test.
        package let id: String
        /// Of a rule that of the catalogue; of a test what its results say.
        package let version: String?
        /// `scan`, `kit-test`, `app-test`, `probe`, `removal`.
        package let kind: String
        /// `agrees`, `disagrees`, or `not run` with its reason.
        package let outcome: String
        package let claim: String
    }
    package struct Subject: Codable, Hashable, Sendable {
        package var name = "not named"
        package var version: String?
        package var build: String?
        package var commit: String?
        package var dirty: Bool?
    }
    package struct Inputs: Codable, Hashable, Sendable {
        package let count: Int
        package let digest: String
        package let list: String
    }
    package struct Tool: Codable, Hashable, Sendable {
        package let name: String
        package let version: String
        package let digest: String
        package let rules: String
        /// Of the libraries that the program was run with, the parser among them.
        package let libraries: String
        package let system: String
    }
    package struct Place: Codable, Hashable, Sendable {
        package let rule: String
        package let place: String
        package let fingerprint: String
        package let severity: String
        /// The reason of a suppression, or `accepted until …` with the maker's; `nil` for what is open.
        package let suppressed: String?
        /// The day that an acceptance ended on. The finding is open.
        package var expired: String?
    }
    package struct Coverage: Codable, Hashable, Sendable {
        package let looked: String
        package let notLooked: [String]
        package let notAnalysed: Int
        /// Findings of the row's rules that stand in test code, and so in no verdict but "not assessed".
        package let inTests: Int
    }
    package struct Reference: Codable, Hashable, Sendable {
        package let title: String
        package let digest: String?
        package let by: String?
        /// The name of the key that signed the maker's statements; none where no signature was checked.
        package var signer: String?
    }

    package let schema: String
    package let requirement: Row
    package let claim: String
    package let checks: [Check]
    package let verdict: Verdict
    package let reason: String
    package let subject: Subject
    package let inputs: Inputs
    package let tool: Tool
    package let findings: [Place]
    package let coverage: Coverage
    /// What would have to be given for more.
    package let needs: [String]
    /// The maker's own documents. They are listed and prove nothing.
    package let references: [Reference]
    /// What the maker says of a row that the app leaves out. It proves nothing, and decides no verdict.
    package var leftOut: String?
    /// SHA-256 of the record without this member.
    package var digest: String?

    /// The record with its digest.
    package func sealed() -> EvidenceRecord {
        var copy = self
        copy.digest = nil
        copy.digest = CanonicalJSON.digest(copy)
        return copy
    }

    package var isIntact: Bool { digest != nil && sealed().digest == digest }
}
