/// How much a finding says. It is never proof: whoever controls the process can hide everything from it.
public enum IntegrityStrength: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// It happens on untouched systems too; worth a line in a report.
    case hint
    /// Rare on untouched systems.
    case likely
    /// No untouched system that is known shows it.
    case certain

    /// By what they say.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// What a finding is about. Two findings of one kind can have one cause.
public enum IntegrityKind: String, Hashable, Sendable, CaseIterable {
    /// A debugger or tracer at this process (BSI TR-03161-1, O.Resi_3).
    case debugger
    /// Code in this process that does not belong to it.
    case injectedCode
    /// The program's file could be replaced by others.
    case program
    /// More rights than an app needs (O.Resi_4).
    case rights
    /// Files of jailbreaks, rootkits and instruments.
    case suspiciousFile
    /// A file could be written that no app may write.
    case sandbox
    /// The system below: kernel, boot, firmware.
    case system
}

/// One sign that something is not as on an untouched system: what was seen, how much it says, and where the rule comes from.
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

/// What all checks together say: findings, and what could not be asked. There is no Boolean in it on purpose: nothing found is no
/// proof that nothing is there.
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
