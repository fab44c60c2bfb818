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
                "relationships": Self.taxonomies.flatMap { taxonomy in
                    taxonomy.ids(rule).map { id in
                        ["target": ["id": id, "toolComponent": ["name": taxonomy.name]]] as [String: Any]
                    }
                },
            ]
        }
        let notifications: [[String: Any]] =
            result.notAnalysed.map { report in
                notification(
                    "error", report.notAnalysed ?? "PARSE-ERROR", report.file,
                    "not analysed: \(report.notAnalysed ?? "PARSE-ERROR")")
            } + result.skipped.sorted().map { notification("warning", "SKIPPED-FOLDER", $0, "not looked into") }
            + result.reports.flatMap { report in
                (report.gaps ?? []).map { notification("warning", $0, report.file, "not read: \($0)") }
            }
        let driver: [String: Any] = [
            "name": "pavise-audit", "version": "\(Catalogue.version)", "rules": rules,
            "supportedTaxonomies": Self.taxonomies.map { ["name": $0.name] },
        ]
        let run: [String: Any] = [
            "tool": ["driver": driver], "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": [
                "SRCROOT": ["description": ["text": "The folder that was audited; addresses are relative to it."]]
            ],
            "taxonomies": Self.taxonomies.map { taxonomy in
                let ids = Set(Catalogue.rules.flatMap(taxonomy.ids)).sorted()
                var component: [String: Any] = [
                    "name": taxonomy.name, "version": taxonomy.version, "organization": taxonomy.organization,
                    "shortDescription": ["text": taxonomy.title], "taxa": ids.map { ["id": $0] },
                ]
                component["guid"] = taxonomy.guid
                return component
            },
            "invocations": [
                ["executionSuccessful": notifications.isEmpty, "toolExecutionNotifications": notifications]
            ],
            "results": result.all.map(row),
            "properties": ["partial": result.isPartial, "undecided": result.undecided],
        ]
        let log: [String: Any] = [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
        ]
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: log, options: options) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    private struct Taxonomy: Sendable {
        let name: String
        let version: String
        let organization: String
        let title: String
        var guid: String?
        let ids: @Sendable (Rule) -> [String]
    }

    /// What the rules belong to. OWASP publishes MASVS as a taxonomy of SARIF, with this GUID.
    private static let taxonomies = [
        Taxonomy(
            name: "CWE", version: "4.18", organization: "MITRE", title: "Common Weakness Enumeration",
            ids: { ["\($0.cwe)"] }),
        Taxonomy(
            name: "OWASP MASVS", version: "2.1.0", organization: "OWASP",
            title: "Mobile Application Security Verification Standard", guid: "77cf1749-d61e-4cfe-98f7-a217e3b5448c",
            ids: { [$0.masvs] }),
        Taxonomy(
            name: "OWASP MASWE", version: "1.0.0", organization: "OWASP",
            title: "Mobile Application Security Weakness Enumeration", ids: { [$0.maswe] }),
        Taxonomy(
            name: "BSI TR-03161-1", version: "3.0", organization: "BSI",
            title: "Requirements for applications in healthcare, part 1", ids: { $0.tr }),
    ]

    private func notification(_ level: String, _ id: String, _ file: String, _ text: String) -> [String: Any] {
        [
            "level": level, "message": ["text": text], "descriptor": ["id": id],
            "locations": [["physicalLocation": ["artifactLocation": artifact(file)]]],
        ]
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
        if finding.way != nil {
            let steps =
                finding.steps.map { line in ["location": place(finding.file, ["startLine": line])] }
                + (finding.elsewhere ?? []).map { ["location": place($0.file, ["startLine": $0.line])] }
            row["codeFlows"] = [["threadFlows": [["locations": steps]]]]
        }
        if let reason = finding.suppressed {
            row["suppressions"] = [["kind": "inSource", "justification": reason]]
        } else if result.known.contains(finding.identity) {
            row["suppressions"] = [["kind": "external", "justification": "in the baseline"]]
        } else if finding.testCode == true {
            row["suppressions"] = [["kind": "external", "justification": "test code"]]
        } else if let origin = finding.origin {
            row["suppressions"] = [["kind": "external", "justification": "\(origin) code"]]
        }
        return row
    }
}
