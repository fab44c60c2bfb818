/// One sign that something is not as on an untouched system: what was seen, how much it says, and where the rule
/// comes from.
///
/// ```swift
/// for finding in DeviceIntegrity.check().findings { print(finding.rule.rawValue, finding.evidence) }
/// ```
public struct IntegrityFinding: Hashable, Sendable {
    /// The rule that noticed.
    public let rule: IntegrityRule
    /// How much it says.
    public let strength: IntegrityStrength
    /// What was seen: a path, a number, a flag. Never a secret, never a person's data.
    public let evidence: String

    /// What it is about.
    public var kind: IntegrityKind { rule.kind }

    package init(_ rule: IntegrityRule, _ strength: IntegrityStrength, _ evidence: String) {
        self.rule = rule
        self.strength = strength
        self.evidence = evidence
    }
}
