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
                <td>\(Self.escaped(result.relative(finding.file))):\(finding.line)<br><code>\(Self.escaped(finding.excerpt))</code></td>
                <td>\(Self.escaped(finding.message)). \(Self.escaped(rule?.mend ?? ""))</td></tr>
                """
        }
        let missing = result.notAnalysed.map { report in
            "<li>\(Self.escaped(result.relative(report.file))): \(report.notAnalysed ?? "PARSE-ERROR")</li>"
        }
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Audit</title><style>
            @page{size:A4;margin:15mm}body{font:11pt sans-serif}table{border-collapse:collapse;width:100%}
            td,th{border:1px solid #888;padding:4px;vertical-align:top;text-align:left}thead{display:table-header-group}
            tr{page-break-inside:avoid}code{word-break:break-all}
            </style></head><body><h1>Audit</h1>
            <p>\(result.reports.count) files, \(result.lines) lines. Not analysed: \(missing.count).</p>
            <ul>\(missing.joined(separator: "\n"))</ul>
            <table><thead><tr><th>Severity</th><th>Rule</th><th>Place</th><th>What and how to mend it</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table></body></html>
            """
    }

    /// The text as HTML's text.
    package static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"", with: "&quot;")
    }
}
