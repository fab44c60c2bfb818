/// A rule: what it claims, where it belongs in the standards, how it is mended, and an example of both.
package struct Rule: Sendable {
    package let id: String
    package let severity: Severity
    package let cwe: Int
    /// MASWE 1.0.0.
    package let maswe: String
    /// MASVS 2.1.0.
    package let masvs: String
    /// BSI TR-03161-1 3.0.
    package let tr: [String]
    package let claim: String
    package let mend: String
    package let bad: String
    package let good: String

    init(
        _ id: String, _ severity: Severity, cwe: Int, maswe: String, masvs: String, tr: [String], claim: String,
        mend: String,
        bad: String, good: String
    ) {
        self.id = id
        self.severity = severity
        self.cwe = cwe
        self.maswe = maswe
        self.masvs = masvs
        self.tr = tr
        self.claim = claim
        self.mend = mend
        self.bad = bad
        self.good = good
    }
}

/// All rules over Swift sources. An id is never used twice.
package enum Catalogue {
    package static let version = 1
    package static let rules = store + crypto + network + log + input + platform
    package static let byID = Dictionary(uniqueKeysWithValues: rules.map { ($0.id, $0) })
}
