internal import AuditCore
package import AuditDriver
internal import Foundation

/// Turns an audit into records: one for each requirement, in the order of its standard. Reads no clock and no file.
package struct EvidenceBuilder {
    let result: AuditResult
    let surroundings: Surroundings
    let maker: MakerFile
    let results: [CheckResult]
    let diagnosis: ServerDiagnosis?

    /// What an audit was made of and with.
    package struct Surroundings: Sendable {
        package var subject = EvidenceRecord.Subject()
        package var program = ""
        package var system = ""
        package var libraries = ""
        /// The day that acceptances are judged on, as `2026-11-25`.
        package var day = ""
        /// Source files that no rule reads, by the ending of their name.
        package var otherLanguages: [String: Int] = [:]
        /// Bills of materials, by the order of their names; read for TR-03183-2 alone.
        package var bills: [BillOfMaterials] = []
        package init() {}
    }

    package init(
        _ result: AuditResult, _ surroundings: Surroundings, maker: MakerFile = MakerFile(),
        results: [CheckResult] = [], diagnosis: ServerDiagnosis? = nil
    ) {
        self.result = result
        self.surroundings = surroundings
        self.maker = maker
        self.results = results
        self.diagnosis = diagnosis
    }

    /// `inputs.jsonl`: path, size and SHA-256 of each file, in the order of the paths' bytes.
    package func inputs() -> String {
        struct Line: Encodable {
            let path: String
            let sha256: String
            let size: Int
        }
        let lines = result.reports.map { report in
            Line(path: result.relative(report.file), sha256: report.digest ?? "", size: report.size ?? 0)
        }
        return lines.sorted { Array($0.path.utf8).lexicographicallyPrecedes(Array($1.path.utf8)) }
            .map { CanonicalJSON.text($0) + "\n" }.joined()
    }

    /// A digest of everything that decides what the rules find: their texts and the version of the catalogue.
    package static let rulesDigest: String = {
        let rows = Catalogue.rules.map { rule in
            [rule.id, rule.severity.rawValue, rule.claim, rule.mend, rule.bad, rule.good] + rule.tr
        }
        return CanonicalJSON.digest(rows + [["\(Catalogue.version)"]])
    }()

    package func records(_ set: String) -> [EvidenceRecord] {
        let inputs = inputs()
        let digest = "sha256:" + SHA256.hex(inputs)
        let kinds = self.kinds
        return Requirement.all.filter { $0.set == set }.map { row in
            record(row, .init(count: result.reports.count, digest: digest, list: "inputs.jsonl"), kinds)
        }
    }

    /// The kinds of files of which one was read at least. A list of something else is no Info.plist.
    private var kinds: Set<FileKind> {
        Set(
            result.reports.filter { report in
                report.notAnalysed == nil
                    && (FileKind(path: report.file) != .propertyList || report.facts.contains("information"))
            }.compactMap { FileKind(path: $0.file) })
    }

    /// Why findings are accepted on the day of the evidence, by fingerprint.
    private var accepted: [String: String] {
        let rows = (maker.accepted ?? []).filter { $0.review > surroundings.day }
        return Dictionary(rows.map { ($0.fingerprint, "accepted until \($0.review): \($0.reason) (\($0.owner))") }) {
            first, _ in first
        }
    }

    /// Days on which acceptances ended, by fingerprint.
    var expired: [String: String] {
        let rows = (maker.accepted ?? []).filter { $0.review <= surroundings.day }
        return Dictionary(rows.map { ($0.fingerprint, $0.review) }) { $0 < $1 ? $1 : $0 }
    }

    /// Files that were not analysed, and what was there and was not read.
    var notRead: [String] {
        result.notAnalysed.map { "\(result.relative($0.file)): \($0.notAnalysed ?? "PARSE-ERROR")" } + result.gaps
    }

    private func record(
        _ row: Requirement, _ inputs: EvidenceRecord.Inputs, _ kinds: Set<FileKind>
    ) -> EvidenceRecord {
        let rules = row.rules
        let ids = Set(rules.map(\.id))
        let all = result.all.filter { ids.contains($0.rule) }
        let mine = all.filter { $0.testCode != true }
        let accepted = accepted
        let excused = mine.filter { $0.suppressed != nil || accepted[$0.identity] != nil }
        let open = mine.filter { $0.suppressed == nil && accepted[$0.identity] == nil }
        let own = results.filter { $0.requirement == row.id }
        // Of another standard's row, or of what servers took: it may speak against this one, and is not all that this
        // one asks for.
        let seen = (diagnosis?.checks ?? []).filter { $0.requirement == row.id || row.tr.contains($0.requirement) }
        let near = results.filter { row.tr.contains($0.requirement) } + seen
        let bills = row.set == BillOfMaterials.set ? self.bills(row, accepted) : nil
        let supporting = rules.filter { !$0.isAbsence }
        let ran = supporting.filter { kinds.contains($0.kind) }
        var grounds = Grounds()
        grounds.automation = row.automation
        grounds.verify = row.verify
        grounds.mapped = supporting.count
        grounds.ran = ran.count
        grounds.open = open.count { $0.severity != .note }
        grounds.notes = open.count { $0.severity == .note }
        grounds.suppressed = excused.count
        grounds.notAnalysed = result.notAnalysed.count
        grounds.notLooked = surroundings.otherLanguages.values.reduce(0, +) + result.gaps.count
        grounds.inTests = all.count - mine.count
        grounds.undecided = result.reports.reduce(0) { sum, report in
            (report.undecided ?? [:]).reduce(sum) { ids.contains($1.key) ? $0 + $1.value : $0 }
        }
        grounds.isWhole = row.isScannedWhole
        bills?.add(to: &grounds)
        for check in own {
            let kind = CheckResult.kinds[check.kind] ?? check.kind
            switch outcome(check, inputs.digest) {
            case "agrees": grounds.results[kind] = grounds.results[kind] ?? true
            case "disagrees": grounds.results[kind] = false
            // One that was not run takes the others with it.
            default: grounds.verify.append(Reason.notRun + check.check)
            }
        }
        for check in near where outcome(check, inputs.digest) == "disagrees" {
            grounds.results[CheckResult.kinds[check.kind] ?? check.kind] = false
        }
        let statement = maker.notApplicable?.first { $0.requirement == row.id }
        grounds.notApplicable = statement.map { "\($0.reason) (\($0.person), \($0.date))" }
        let (verdict, reasons) = grounds.judged()
        let scans = rules.map { rule in
            let found = open.contains { $0.rule == rule.id && $0.severity != .note }
            let isRun = kinds.contains(rule.kind)
            return EvidenceRecord.Check(
                id: rule.id, version: "\(Catalogue.version)", kind: "scan",
                outcome: found ? "disagrees" : isRun ? "agrees" : "not run: no such file",
                claim: rule.claim)
        }
        let others = (own + near).map { check in
            let claim = check.claim ?? ""
            return EvidenceRecord.Check(
                id: check.check, version: check.version, kind: check.kind, outcome: outcome(check, inputs.digest),
                claim: check.requirement == row.id ? claim : "For \(check.requirement): \(claim)")
        }
        return EvidenceRecord(
            schema: "pavise-evidence/1",
            requirement: .init(
                standard: row.standard, edition: row.edition, id: row.id, level: row.level, depth: row.depth),
            claim: row.text, checks: scans + (bills?.check.map { [$0] } ?? []) + others, verdict: verdict,
            reason: reasons.map(\.text).joined(separator: Reason.separator), subject: surroundings.subject,
            inputs: inputs,
            tool: .init(
                name: "pavise-audit", version: "\(Catalogue.version)", digest: surroundings.program,
                rules: Self.rulesDigest, libraries: surroundings.libraries, system: surroundings.system),
            findings: (mine.map(place) + (bills?.places ?? [])).sorted { ($0.place, $0.rule) < ($1.place, $1.rule) },
            coverage: .init(
                looked: "\(result.reports.count) files, \(result.lines) lines",
                notLooked: surroundings.otherLanguages.sorted { $0.key < $1.key }.map {
                    "\($0.value) files: .\($0.key)"
                } + result.gaps,
                notAnalysed: result.notAnalysed.count, inTests: all.count - mine.count),
            needs: row.verify.filter { $0 != "static_scan" && grounds.results[$0] == nil },
            references: references(row), leftOut: leftOut(row), digest: nil
        ).sealed()
    }

    /// What the maker says of a row that the app leaves out, and whether that was to be looked at again by now.
    private func leftOut(_ row: Requirement) -> String? {
        guard let own = (maker.leftOut ?? []).first(where: { $0.requirement == row.id }) else { return nil }
        let isDue = own.review <= surroundings.day
        let until = isDue ? "left out, and its review was due on" : "left out until"
        return "\(until) \(own.review): \(own.reason) (\(own.owner), \(own.date))"
    }

    /// The maker's documents, and tags of the row in comments of the source.
    private func references(_ row: Requirement) -> [EvidenceRecord.Reference] {
        let papers = (maker.references ?? []).filter { $0.requirement == row.id }.map {
            EvidenceRecord.Reference(title: $0.title, digest: $0.digest, by: $0.person, signer: maker.signer)
        }
        let tags = result.reports.flatMap { report in
            report.facts.filter { $0.hasPrefix("tag:\(row.id):") }.map { fact in
                EvidenceRecord.Reference(
                    title: "tag in \(result.relative(report.file)):\(fact.split(separator: ":").last ?? "")",
                    digest: report.digest.map { "sha256:" + $0 }, by: nil)
            }
        }
        return papers + tags
    }

    /// What the bills of materials lack of one field.
    private struct BillGrounds {
        var places: [EvidenceRecord.Place] = []
        var check: EvidenceRecord.Check?
        var ran = 0
        var unreadable = 0

        func add(to grounds: inout Grounds) {
            guard check != nil else { return }
            grounds.mapped = 1
            grounds.ran = min(ran, 1)
            grounds.open = places.count { $0.severity == "error" && $0.suppressed == nil }
            grounds.notes = places.count { $0.severity == "note" && $0.suppressed == nil }
            grounds.suppressed = places.count { $0.suppressed != nil }
            grounds.notAnalysed += unreadable
        }
    }

    private func bills(_ row: Requirement, _ accepted: [String: String]) -> BillGrounds {
        var grounds = BillGrounds()
        guard row.verify.contains("static_scan") else { return grounds }
        grounds.ran = surroundings.bills.count
        for bill in surroundings.bills {
            let file = result.relative(bill.file)
            if !bill.isReadable { grounds.unreadable += 1 }
            for defect in bill.defects where "TR-03183-2 " + defect.row == row.id {
                let place = defect.part.isEmpty ? file : "\(file): \(defect.part)"
                let identity = SHA256.hex("\(row.id)|\(place)")
                grounds.places.append(
                    .init(
                        rule: "BILL", place: place, fingerprint: identity,
                        severity: defect.isConditional ? "note" : "error",
                        suppressed: accepted[identity], expired: expired[identity]))
            }
        }
        let isFound = grounds.places.contains { $0.severity == "error" && $0.suppressed == nil }
        grounds.check = .init(
            id: "BILL", version: "\(Catalogue.version)", kind: "scan",
            outcome: isFound ? "disagrees" : surroundings.bills.isEmpty ? "not run: no such file" : "agrees",
            claim: "The bill of materials has this field.")
        return grounds
    }

    private func outcome(_ check: CheckResult, _ inputs: String) -> String {
        guard let own = check.inputs, own != inputs else { return check.outcome }
        return "not run: for other inputs"
    }

    private func place(_ finding: Finding) -> EvidenceRecord.Place {
        .init(
            rule: finding.rule, place: "\(result.relative(finding.file)):\(finding.line)",
            fingerprint: finding.identity, severity: finding.severity.rawValue,
            suppressed: finding.suppressed ?? accepted[finding.identity], expired: expired[finding.identity])
    }
}
