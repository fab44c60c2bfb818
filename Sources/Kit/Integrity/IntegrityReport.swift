/// A check, or a part of one, that could not be made: nothing is known of it, and that is told.
public struct IntegrityGap: Hashable, Sendable {
    /// The check.
    public let check: IntegrityCheck
    /// Why: one sentence.
    public let reason: String

    package init(_ check: IntegrityCheck, _ reason: String) {
        self.check = check
        self.reason = reason
    }
}

/// What all checks together say: findings, and what could not be asked. There is no Boolean in it on purpose: nothing
/// found is no proof that nothing is there.
public struct IntegrityReport: Hashable, Sendable {
    /// The checks that ran to their end.
    public let checks: [IntegrityCheck]
    /// What was found, the strongest first.
    public let findings: [IntegrityFinding]
    /// What could not be asked.
    public let gaps: [IntegrityGap]
    /// What is worth knowing and speaks against nothing, such as a container around the program.
    public let notes: [String]

    package init(
        checks: [IntegrityCheck], findings: [IntegrityFinding], gaps: [IntegrityGap] = [], notes: [String] = []
    ) {
        self.checks = checks
        self.findings = findings.enumerated().sorted { one, other in
            one.element.strength == other.element.strength
                ? one.offset < other.offset : one.element.strength > other.element.strength
        }.map(\.element)
        self.gaps = gaps
        self.notes = notes
    }

    /// One sentence: how much was found, and by how many checks.
    public var summary: String {
        let ran = "\(checks.count) check\(checks.count == 1 ? "" : "s")"
        let open = gaps.isEmpty ? "" : "; \(gaps.count) could not be asked"
        guard !findings.isEmpty else { return "Nothing found by \(ran)\(open)." }
        return "\(findings.count) finding\(findings.count == 1 ? "" : "s") by \(ran)\(open)."
    }
}
