internal import AuditCore
internal import AuditDriver

/// One page for people: no script, no outside address, fit for printing. English or German; the rows' sentences and the
/// rules' are English in both.
package struct EvidenceReport {
    let records: [EvidenceRecord]
    let families: [String]
    let german: Bool
    let notAnalysed: [String]

    package init(_ records: [EvidenceRecord], notAnalysed: [String], german: Bool) {
        self.records = records
        self.german = german
        self.notAnalysed = notAnalysed
        let rows = Dictionary(Requirement.all.map { ($0.id, $0.family) }) { first, _ in first }
        families = records.map { rows[$0.requirement.id] ?? "" }
    }

    private func say(_ english: String, _ other: String) -> String { german ? other : english }
    private func safe(_ text: String) -> String { HTMLReport.escaped(text) }

    private func word(_ verdict: Verdict) -> String {
        switch verdict {
        case .contradicted: say("contradicted", "widersprochen")
        case .supported: say("supported", "gestützt")
        case .notAssessed: say("not assessed", "nicht beurteilt")
        case .notApplicable: say("not applicable", "nicht anwendbar")
        }
    }

    package func text() -> String {
        guard let first = records.first else { return "" }
        let title = say("Evidence", "Nachweise") + ": " + safe(first.requirement.standard)
        let counts = Verdict.allCases.map { verdict in
            "<li>\(word(verdict)): \(records.count { $0.verdict == verdict })</li>"
        }
        let others =
            first.coverage.notLooked.map { "<li>\(safe($0))</li>" } + notAnalysed.map { "<li>\(safe($0))</li>" }
        return """
            <!doctype html>
            <html lang="\(german ? "de" : "en")"><head><meta charset="utf-8"><title>\(title)</title><style>
            @page{size:A4;margin:15mm}body{font:10pt/1.4 sans-serif;max-width:190mm;margin:auto;color:#000;background:#fff}
            table{border-collapse:collapse;width:100%;margin:0 0 8mm}td,th{border:1px solid #777;padding:4px;vertical-align:top;
            text-align:left}thead{display:table-header-group}tr{break-inside:avoid}code{overflow-wrap:anywhere;font-size:9pt}
            h2{break-after:avoid}.c{border-left:4px solid #000;font-weight:bold}
            </style></head><body><h1>\(title)</h1>
            <p>\(safe(first.requirement.edition)). \(subject(first.subject))</p>
            <p>\(say(
                "This page is evidence and no verdict of a laboratory. The standard’s own text decides; its rows are told here in other words.",
                "Diese Seite ist ein Nachweis und kein Urteil einer Prüfstelle. Maßgeblich ist der Text der Norm; die Zeilen stehen hier auf Englisch und in anderen Worten."
            ))</p>
            <h2>\(say("What was looked at", "Was betrachtet wurde"))</h2>
            <p>\(safe(first.coverage.looked)). \(say("Not looked at, or not analysed:", "Nicht betrachtet oder nicht analysiert:"))</p>
            <ul>\(others.isEmpty ? "<li>\(say("nothing of the kinds that are read", "nichts von den gelesenen Arten"))</li>" : others.joined())</ul>
            <ul>\(counts.joined())</ul>
            \(contradicted())
            \(all())
            \(register())
            \(repeated(first))
            </body></html>

            """
    }

    /// Which app, and which state of its source: without that nobody can repeat it.
    private func subject(_ subject: EvidenceRecord.Subject) -> String {
        let build = subject.build.map { "(\($0))" }
        let name = safe([subject.name, subject.version, build].compactMap(\.self).joined(separator: " "))
        guard let commit = subject.commit else { return name }
        let changes = say(", and changes that it does not hold", " und Änderungen, die er nicht enthält")
        return "\(name). Commit <code>\(safe(commit))</code>\(subject.dirty == true ? changes : "")"
    }

    private func contradicted() -> String {
        let rows = records.filter { $0.verdict == .contradicted }
        guard !rows.isEmpty else { return "" }
        return "<h2>\(say("Contradicted", "Widersprochen"))</h2>"
            + rows.map { record in
                let places = record.findings.filter { $0.severity != "note" && $0.suppressed == nil }.map { finding in
                    """
                    <li><code>\(safe(finding.place))</code> \(safe(finding.rule)) \
                    <code>\(finding.fingerprint.prefix(12))</code>\(ended(finding))</li>
                    """
                }
                let tests = record.checks.filter { $0.kind != "scan" && $0.outcome == "disagrees" }.map { check in
                    "<li>\(safe(check.kind)) \(safe(check.id)): \(safe(outcome(check.outcome)))</li>"
                }
                return """
                    <h3>\(safe(record.requirement.id))</h3><p>\(safe(record.claim))</p>
                    <ul>\((places + tests).joined())</ul>

                    """
            }.joined()
    }

    private func ended(_ finding: EvidenceRecord.Place) -> String {
        guard let day = finding.expired else { return "" }
        return " " + say("(the acceptance ended on \(safe(day)))", "(die Hinnahme endete am \(safe(day)))")
    }

    /// What was left out on purpose: suppressed and accepted findings, each once, rows that do not concern the app, and
    /// those that it leaves out.
    private func register() -> String {
        var told: Set<String> = []
        var lines = records.flatMap(\.findings).filter { told.insert($0.fingerprint).inserted }.compactMap { finding in
            finding.suppressed.map {
                "<li><code>\(safe(finding.place))</code> \(safe(finding.rule)): \(safe($0))</li>"
            }
        }
        lines += records.filter { $0.verdict == .notApplicable }.map {
            "<li>\(safe($0.requirement.id)): \(safe($0.reason))</li>"
        }
        lines += records.compactMap { record in
            record.leftOut.map { "<li>\(safe(record.requirement.id)): \(safe($0))</li>" }
        }
        let none = "<li>" + say("nothing", "nichts") + "</li>"
        let title = say("Register of what was left out on purpose", "Verzeichnis des bewusst Ausgenommenen")
        return "<h2>\(title)</h2><ul>\(lines.isEmpty ? none : lines.joined(separator: "\n"))</ul>"
    }

    private func all() -> String {
        var result = "<h2>\(say("All rows", "Alle Zeilen"))</h2>"
        var index = 0
        while index < records.count {
            let family = families[index]
            let end = families[index...].firstIndex { $0 != family } ?? records.count
            if !family.isEmpty { result += "<h3>\(safe(family))</h3>" }
            result += """
                <table><thead><tr><th>\(say("Row", "Zeile"))</th><th>\(say("In other words", "In anderen Worten"))</th>
                <th>\(say("Verdict", "Urteil"))</th><th>\(say("Grounds", "Gründe"))</th></tr></thead><tbody>

                """
            result += records[index..<end].map(row).joined()
            result += "</tbody></table>\n"
            index = end
        }
        return result
    }

    private func row(_ record: EvidenceRecord) -> String {
        let checks = record.checks.map { "\(safe($0.id)): \(safe(outcome($0.outcome)))" }.joined(separator: "<br>")
        let excused = record.findings.compactMap { finding in
            finding.suppressed.map { "<br><code>\(safe(finding.place))</code> \(safe(finding.rule)): \(safe($0))" }
        }
        let papers = record.references.map { reference in
            "<br>\(say("Maker’s document, no proof", "Unterlage des Herstellers, kein Beweis")): \(safe(reference.title))"
                + signature(reference)
        }
        let leftOut = record.leftOut.map { "<br>" + safe($0) } ?? ""
        let levels = (record.requirement.level + [record.requirement.depth]).filter { !$0.isEmpty }
        return """
            <tr><td>\(safe(record.requirement.id))<br>\(safe(levels.joined(separator: ", ")))</td><td>\(safe(record.claim))</td>
            <td\(record.verdict == .contradicted ? " class=\"c\"" : "")>\(word(record.verdict))</td>
            <td>\(safe(reasons(record)))<br>\(checks)\(excused.joined())\(leftOut)\(papers.joined())</td></tr>

            """
    }

    private func signature(_ reference: EvidenceRecord.Reference) -> String {
        guard let key = reference.signer else { return "" }
        return " (\(say("signed with the key", "signiert mit dem Schlüssel")) <code>\(safe(key))</code>)"
    }

    private func outcome(_ text: String) -> String {
        guard german else { return text }
        switch text {
        case "agrees": return "stimmt überein"
        case "disagrees": return "widerspricht"
        default: return "nicht ausgeführt"
        }
    }

    // The record keeps the English reasons; the German ones are found by their beginnings.
    private func reasons(_ record: EvidenceRecord) -> String {
        guard german else { return record.reason }
        return record.reason.components(Reason.separator).map(Translation.german).joined(separator: Reason.separator)
    }

    private func repeated(_ first: EvidenceRecord) -> String {
        let set = Requirement.all.first { $0.id == first.requirement.id }?.set ?? "…"
        return """
            <h2>\(say("How to repeat it", "Wie es wiederholt wird"))</h2>
            <p><code>pavise-audit evidence \(say("FOLDER", "ORDNER")) --standard \(safe(set)) --out …</code></p>
            <ul><li>\(say("Inputs", "Eingaben")): \(first.inputs.count), <code>\(safe(first.inputs.digest))</code></li>
            <li>\(say("Program", "Programm")): \(safe(first.tool.name)) \(safe(first.tool.version)), <code>\(safe(first.tool.digest))</code></li>
            <li>\(say("Rules", "Regeln")): <code>\(safe(first.tool.rules))</code></li>
            <li>\(say("Libraries", "Bibliotheken")): <code>\(safe(first.tool.libraries))</code></li>
            <li>\(say("System", "System")): \(safe(first.tool.system))</li></ul>
            """
    }
}

extension String {
    func components(_ separator: String) -> [String] { split(separator: separator).map(String.init) }
}

/// The German of a record's reasons.
package enum Translation {
    package static func german(_ text: String) -> String {
        let number = Int(text.prefix { $0.isNumber })
        let plain: [Reason] = [.noRule, .ruleGap, .noFile, .partial, .person]
        if let same = plain.first(where: { $0.text == text }) { return same.text(german: true) }
        if let number {
            let counted: [Reason] = [
                .findings(number), .notes(number), .suppressed(number), .notAnalysed(number), .notLooked(number),
                .inTests(number), .undecided(number),
            ]
            if let same = counted.first(where: { $0.text == text }) { return same.text(german: true) }
        }
        if text.hasPrefix("all "), let count = Int(text.dropFirst(4).prefix { $0.isNumber }) {
            return Reason.agrees(count).text(german: true)
        }
        let kinds = ["static_scan", "kit_test", "app_test", "server_probe", "human"]
        for kind in kinds where Reason.disagrees(kind).text == text { return Reason.disagrees(kind).text(german: true) }
        if text.hasPrefix("not given: ") {
            let names = text.dropFirst(11).components(", ")
            let found = names.map { name in
                kinds.first { Reason.missing([$0]).text == "not given: \(name)" } ?? name
            }
            return Reason.missing(found).text(german: true)
        }
        return text
    }
}

extension Substring {
    fileprivate func components(_ separator: String) -> [String] { split(separator: separator).map(String.init) }
}
