/// What follows from findings.
public enum IntegrityAction: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// Nothing.
    case goOn
    /// Tell the person, the log and the server.
    case report
    /// No sign-in, nothing unsealed, nothing offline: what is secret stays closed.
    case degrade
    /// End at once: secrets wiped, the lock closed, a status that is not 0.
    case end

    /// By how much they take away.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    /// The word of settings and reports.
    public var name: String {
        switch self {
        case .goOn: "go on"
        case .report: "report"
        case .degrade: "degrade"
        case .end: "end"
        }
    }
}

/// Which findings lead to what: a table, and a pure function over it. Nothing in it looks at the machine.
///
/// ```swift
/// let verdict = IntegrityPolicy.release.verdict(on: DeviceIntegrity.check())
/// guard let clearance = verdict.clearance else { return print(verdict.reasons) }
/// ```
public struct IntegrityPolicy: Hashable, Sendable {
    /// What a certain finding leads to.
    public let certain: IntegrityAction
    /// What likely findings of two different kinds lead to.
    public let likelyTwice: IntegrityAction
    /// What a likely finding leads to.
    public let likely: IntegrityAction
    /// What a hint leads to.
    public let hint: IntegrityAction
    /// What a check leads to that could not be made.
    public let gap: IntegrityAction

    /// A table of an app's own.
    public init(
        certain: IntegrityAction, likelyTwice: IntegrityAction, likely: IntegrityAction,
        hint: IntegrityAction = .report, gap: IntegrityAction = .goOn
    ) {
        self.certain = certain
        self.likelyTwice = likelyTwice
        self.likely = likely
        self.hint = hint
        self.gap = gap
    }

    /// For what people get: certain findings end the app, likely ones of two kinds close what is secret (BSI
    /// TR-03161-1, O.Resi_3 and O.Resi_4).
    public static let release = IntegrityPolicy(certain: .end, likelyTwice: .degrade, likely: .report)

    /// For the program and for whoever develops: everything is told, nothing is stopped.
    public static let reporting = IntegrityPolicy(certain: .report, likelyTwice: .report, likely: .report)

    /// The stricter of both, cell by cell: an administrator can tighten an app's table and never loosen it.
    public func tightened(by other: IntegrityPolicy?) -> IntegrityPolicy {
        guard let other else { return self }
        return IntegrityPolicy(
            certain: max(certain, other.certain), likelyTwice: max(likelyTwice, other.likelyTwice),
            likely: max(likely, other.likely), hint: max(hint, other.hint), gap: max(gap, other.gap))
    }

    /// What follows from a report. The same report gives the same verdict each time.
    public func verdict(on report: IntegrityReport) -> IntegrityVerdict {
        var action = IntegrityAction.goOn
        var reasons: [IntegrityFinding] = []
        let isTwice = Set(report.findings.filter { $0.strength == .likely }.map(\.kind)).count > 1
        for finding in report.findings {
            let next: IntegrityAction =
                switch finding.strength {
                case .certain: certain
                case .likely: isTwice ? max(likely, likelyTwice) : likely
                case .hint: hint
                }
            if next > .goOn { reasons.append(finding) }
            action = max(action, next)
        }
        if !report.gaps.isEmpty { action = max(action, gap) }
        return IntegrityVerdict(action: action, reasons: reasons, report: report)
    }
}

/// What a policy says about a report.
public struct IntegrityVerdict: Hashable, Sendable {
    /// What follows.
    public let action: IntegrityAction
    /// The findings that led to it.
    public let reasons: [IntegrityFinding]
    /// The whole report.
    public let report: IntegrityReport

    fileprivate init(action: IntegrityAction, reasons: [IntegrityFinding], report: IntegrityReport) {
        self.action = action
        self.reasons = reasons
        self.report = report
    }

    /// What unsealing asks for; `nil` where the policy degrades or ends.
    public var clearance: IntegrityClearance? { action < .degrade ? IntegrityClearance() : nil }

    /// What a person reads: the reasons without paths, and what follows.
    public var sentence: String {
        switch action {
        case .goOn: report.summary
        case .report: "\(report.summary) Nothing is closed for it."
        case .degrade: "\(rules) What is secret stays closed on this device."
        case .end: "\(rules) The app ends."
        }
    }

    private var rules: String {
        var seen: Set<IntegrityRule> = []
        let words = reasons.filter { seen.insert($0.rule).inserted }.map(\.rule.summary).joined(separator: " ")
        return words.isEmpty ? "A check could not be made that has to be made." : words
    }
}

/// Proof that a policy looked at a report and lets secrets be opened. Only ``IntegrityVerdict/clearance`` makes one,
/// so that code which opens a secret without the check does not compile.
public struct IntegrityClearance: Hashable, Sendable {
    fileprivate init() {}
}
