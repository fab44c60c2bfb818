internal import AuditCore

/// One page without script and outside address, fit for printing.
package struct HTMLReport {
    let result: AuditResult
    package init(_ result: AuditResult) { self.result = result }

    package func text() -> String {
        let rows = result.open.map { finding in
            let rule = Catalogue.byID[finding.rule]
            let ids =
                rule.map {
                    "CWE-\($0.cwe), \($0.maswe), \($0.masvs), MASTG: \($0.mastgText), \($0.tr.joined(separator: ", "))"
                } ?? ""
            return """
                <tr><td>\(finding.severity.rawValue)</td><td>\(Self.escaped(finding.rule))<br>\(ids)</td>
                <td>\(Self.escaped(result.relative(finding.file))):\(finding.line)<br><code>\(Self.escaped(finding.excerpt))</code>\(Self.way(finding))</td>
                <td>\(Self.escaped(finding.message)). \(Self.escaped(rule?.mend ?? ""))</td></tr>
                """
        }
        let missing = result.notAnalysed.map { report in
            "<li>\(Self.escaped(result.relative(report.file))): \(report.notAnalysed ?? "PARSE-ERROR")</li>"
        }
        let suppressed = result.all.filter { $0.suppressed != nil }.map { finding in
            """
            <li>\(Self.escaped(result.relative(finding.file))):\(finding.line) \(Self.escaped(finding.rule)): \
            \(Self.escaped(finding.suppressed ?? ""))</li>
            """
        }
        let gaps = (result.gaps + result.idle.map { "suppresses nothing: " + $0 }).map {
            "<li>\(Self.escaped($0))</li>"
        }
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Audit</title><style>
            @page{size:A4;margin:15mm}body{font:11pt sans-serif}table{border-collapse:collapse;width:100%}
            td,th{border:1px solid #888;padding:4px;vertical-align:top;text-align:left}thead{display:table-header-group}
            tr{page-break-inside:avoid}code{word-break:break-all}
            </style></head><body><h1>Audit</h1>
            <p>\(result.reports.count) files, \(result.lines) lines. Not analysed: \(missing.count).
            In test code: \(result.all.count { $0.testCode == true }); in vendored or generated code: \
            \(result.all.count { $0.origin != nil }); in the baseline: \(result.known.count).\
            \(result.isPartial ? " Only files changed since the commit were looked at." : "")</p>
            \(Self.list("Not analysed", missing))\(Self.list("Not read", gaps))\(Self.list("Suppressed", suppressed))
            <table><thead><tr><th>Severity</th><th>Rule</th><th>Place</th><th>What and how to mend it</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table></body></html>
            """
    }

    private static func way(_ finding: Finding) -> String {
        finding.way.map { "<br>" + escaped($0) } ?? ""
    }

    private static func list(_ title: String, _ rows: [String]) -> String {
        rows.isEmpty ? "" : "<h2>\(title)</h2><ul>\(rows.joined(separator: "\n"))</ul>"
    }

    /// The text as HTML's text.
    package static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"", with: "&quot;")
    }
}
