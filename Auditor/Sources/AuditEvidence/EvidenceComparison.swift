/// What changed from one bundle to another: verdicts, findings, coverage, the program.
package struct EvidenceComparison {
    package private(set) var lines: [String] = []

    package init(_ old: [EvidenceRecord], _ new: [EvidenceRecord]) {
        let before = Dictionary(old.map { ($0.requirement.id, $0) }) { first, _ in first }
        let after = Set(new.map(\.requirement.id))
        if let first = old.first, let second = new.first {
            say("edition", first.requirement.edition, second.requirement.edition)
            say("rules", first.tool.rules, second.tool.rules)
            say("program", first.tool.digest, second.tool.digest)
            say("libraries", first.tool.libraries, second.tool.libraries)
            say("system", first.tool.system, second.tool.system)
            say("subject", Self.text(first.subject), Self.text(second.subject))
            say("inputs", first.inputs.digest, second.inputs.digest)
            say("looked at", first.coverage.looked, second.coverage.looked)
            say("not analysed", "\(first.coverage.notAnalysed)", "\(second.coverage.notAnalysed)")
            say(
                "not looked at", first.coverage.notLooked.joined(separator: ", "),
                second.coverage.notLooked.joined(separator: ", "))
        }
        // Each record holds what was compared above.
        let isOther = !lines.isEmpty
        for record in new {
            let id = record.requirement.id
            guard let was = before[id] else {
                lines.append("\(id): new, \(record.verdict.rawValue)")
                continue
            }
            let known = lines.count
            say("\(id): verdict", was.verdict.rawValue, record.verdict.rawValue)
            if was.verdict == record.verdict { say("\(id): reason", was.reason, record.reason) }
            checks(id, was, record)
            say("\(id): references", Self.text(was.references), Self.text(record.references))
            say("\(id): left out", was.leftOut ?? "", record.leftOut ?? "")
            findings(id, was, record)
            // A claim in other words, another version of a check, another person: the record is not what it was.
            if !isOther, lines.count == known, was.digest != record.digest {
                lines.append("\(id): the words of its record, or versions in it")
            }
        }
        for record in old where !after.contains(record.requirement.id) {
            lines.append("\(record.requirement.id): gone")
        }
    }

    private mutating func say(_ what: String, _ old: String, _ new: String) {
        if old != new { lines.append("\(what): \(old.isEmpty ? "nothing" : old) → \(new.isEmpty ? "nothing" : new)") }
    }

    private static func text(_ subject: EvidenceRecord.Subject) -> String {
        [subject.name, subject.version, subject.build, subject.commit, subject.dirty == true ? "changed" : nil]
            .compactMap { $0 }.joined(separator: " ")
    }

    private static func text(_ references: [EvidenceRecord.Reference]) -> String {
        references.map { "\($0.title) \($0.digest ?? "") \($0.signer ?? "")" }.joined(separator: ", ")
    }

    /// Checks by id; a test may have several results, which are told together.
    private mutating func checks(_ id: String, _ old: EvidenceRecord, _ new: EvidenceRecord) {
        func outcomes(_ record: EvidenceRecord) -> [String: String] {
            Dictionary(record.checks.map { ("\($0.kind) \($0.id)", $0.outcome) }) { $0 + ", " + $1 }
        }
        let (before, after) = (outcomes(old), outcomes(new))
        for name in Set(before.keys).union(after.keys).sorted() {
            say("\(id): \(name)", before[name] ?? "", after[name] ?? "")
        }
    }

    private mutating func findings(_ id: String, _ old: EvidenceRecord, _ new: EvidenceRecord) {
        let known = Set(old.findings.map(\.fingerprint))
        let kept = Set(new.findings.map(\.fingerprint))
        for finding in new.findings where !known.contains(finding.fingerprint) {
            lines.append("\(id): new finding \(finding.rule) \(finding.place)")
        }
        for finding in old.findings where !kept.contains(finding.fingerprint) {
            lines.append("\(id): finding gone \(finding.rule) \(finding.place)")
        }
        let earlier = Dictionary(old.findings.map { ($0.fingerprint, $0) }) { first, _ in first }
        for finding in new.findings {
            guard let was = earlier[finding.fingerprint] else { continue }
            if was.suppressed != finding.suppressed {
                lines.append("\(id): suppression changed \(finding.rule) \(finding.place)")
            }
            say("\(id): severity of \(finding.rule) \(finding.place)", was.severity, finding.severity)
        }
    }
}
