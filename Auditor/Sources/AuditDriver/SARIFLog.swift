internal import AuditCore
internal import Foundation

/// SARIF 2.1.0. Addresses are relative to SRCROOT; values are masked.
package struct SARIFLog {
    let result: AuditResult
    package init(_ result: AuditResult) { self.result = result }

    package func text() -> String {
        let rules: [[String: Any]] = Catalogue.rules.map { rule in
            [
                "id": rule.id, "shortDescription": ["text": rule.claim], "help": ["text": rule.mend],
                "defaultConfiguration": ["level": rule.severity.rawValue],
                "properties": [
                    "tags": ["external/cwe/cwe-\(rule.cwe)", rule.maswe, rule.masvs] + rule.mastg + rule.tr
                ],
            ]
        }
        let notifications: [[String: Any]] = result.notAnalysed.map { report in
            [
                "level": "error", "message": ["text": "not analysed: \(report.notAnalysed ?? "PARSE-ERROR")"],
                "descriptor": ["id": report.notAnalysed ?? "PARSE-ERROR"],
                "locations": [["physicalLocation": ["artifactLocation": artifact(report.file)]]],
            ]
        }
        let driver: [String: Any] = [
            "name": "pavise-audit", "version": "\(Catalogue.version)", "informationUri": "https://example.org/pavise",
            "rules": rules,
        ]
        let run: [String: Any] = [
            "tool": ["driver": driver], "columnKind": "utf16CodeUnits",
            "invocations": [
                ["executionSuccessful": result.notAnalysed.isEmpty, "toolExecutionNotifications": notifications]
            ],
            "results": result.all.map(row),
        ]
        let log: [String: Any] = [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
        ]
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: log, options: options) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    private func artifact(_ file: String) -> [String: Any] {
        let path = result.relative(file).addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
        return ["uri": path, "uriBaseId": "SRCROOT"]
    }

    private func place(_ file: String, _ region: [String: Any]) -> [String: Any] {
        ["physicalLocation": ["artifactLocation": artifact(file), "region": region]]
    }

    /// The expression; a rule that names a whole line has no columns.
    private func region(_ finding: Finding) -> [String: Any] {
        guard let endLine = finding.endLine, let endColumn = finding.endColumn else {
            return ["startLine": finding.line]
        }
        return [
            "startLine": finding.line, "startColumn": finding.column, "endLine": endLine, "endColumn": endColumn,
        ]
    }

    private func row(_ finding: Finding) -> [String: Any] {
        var row: [String: Any] = [
            "ruleId": finding.rule, "level": finding.severity.rawValue, "message": ["text": finding.message],
            "locations": [place(finding.file, region(finding))],
            "partialFingerprints": ["pavise/v1": finding.identity],
        ]
        if finding.steps.count > 1 {
            let steps = finding.steps.map { line in ["location": place(finding.file, ["startLine": line])] }
            row["codeFlows"] = [["threadFlows": [["locations": steps]]]]
        }
        if let reason = finding.suppressed {
            row["suppressions"] = [["kind": "inSource", "justification": reason]]
        } else if result.known.contains(finding.identity) {
            row["suppressions"] = [["kind": "external", "justification": "in the baseline"]]
        }
        return row
    }
}
