internal import PavisePrimitives
internal import PaviseStorage

/// What `pavise storage check` found, as text, as JSON and as SARIF.
struct StorageReport {
    let folder: String
    let found: StorageCheck.Report

    /// Whether something lies where it must not.
    var isFinding: Bool { found.findings.contains { $0.rule.severity != .note } }

    private var data: JSONValue {
        .fields([
            "folder": .string(folder), "files": .integer(found.files), "bytes": .integer(found.bytes),
            "findings": .array(
                found.findings.map { finding in
                    .fields([
                        "rule": .string(finding.rule.rawValue), "severity": .string(finding.rule.severity.rawValue),
                        "path": .string(finding.path), "line": finding.line.map { .integer($0) } ?? .null,
                        "detail": .string(finding.detail), "remedy": .string(finding.rule.remedy),
                    ])
                }),
        ])
    }

    /// Text for people, and the object for programs.
    var report: Report {
        var report = Report(data: data)
        for rule in StorageRule.allCases {
            let findings = found.findings.filter { $0.rule == rule }
            guard !findings.isEmpty else { continue }
            report.add(.heading("\(rule.rawValue)  \(rule.summary)"))
            for finding in findings {
                let place = finding.path + (finding.line.map { ":\($0)" } ?? "")
                let line = "  \(place)  \(finding.detail)"
                report.add(rule.severity == .error ? .failure(line) : .line(line))
            }
            report.add(.line("  → \(rule.remedy)"))
        }
        let count = found.findings.count
        let summary = "\(found.files.counting("file")), \(count.counting("finding"))"
        report.add(count == 0 ? .success(summary) : .line(summary))
        return report
    }

    /// The log for code hosts.
    var sarif: JSONValue {
        SARIF(
            rules: StorageRule.allCases.map {
                SARIF.Rule(id: $0.rawValue, summary: $0.summary, level: SARIF.Level($0.severity))
            },
            results: found.findings.map { finding in
                SARIF.Result(
                    rule: finding.rule.rawValue, level: SARIF.Level(finding.rule.severity),
                    text: "\(finding.rule.summary) \(finding.detail). \(finding.rule.remedy)",
                    place: SARIF.reference(finding.path), line: finding.line)
            }
        ).log
    }
}

extension SARIF.Level {
    /// The level of a severity.
    init(_ severity: StorageRule.Severity) {
        self =
            switch severity {
            case .error: .error
            case .warning: .warning
            case .note: .note
            }
    }
}
