/// What one check saw.
package struct IntegrityOutcome: Hashable, Sendable {
    package var findings: [IntegrityFinding] = []
    package var gaps: [IntegrityGap] = []
    package var notes: [String] = []
    /// Whether the question was put at all.
    package var hasRun = true

    package init() {}

    /// A check that could not be made.
    package static func notAsked(_ check: IntegrityCheck, _ reason: String) -> IntegrityOutcome {
        var outcome = IntegrityOutcome()
        outcome.gaps = [IntegrityGap(check, reason)]
        outcome.hasRun = false
        return outcome
    }

    package mutating func add(_ rule: IntegrityRule, _ strength: IntegrityStrength, _ evidence: String) {
        findings.append(IntegrityFinding(rule, strength, evidence))
    }

    package mutating func miss(_ check: IntegrityCheck, _ reason: String) { gaps.append(IntegrityGap(check, reason)) }
}
