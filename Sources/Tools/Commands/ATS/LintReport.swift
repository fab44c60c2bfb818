internal import PavisePrimitives
internal import PaviseTransport

/// What the linter found, as text, as JSON and as SARIF.
struct LintReport {
    /// One file and its findings.
    struct File {
        let path: String
        let findings: [ATSLintFinding]

        init(_ found: PropertyListSearch.Found) {
            path = found.path
            switch found.content {
            case .success(let list): findings = ATSLint.findings(in: list)
            case .failure(let problem):
                findings = [ATSLintFinding(.unreadable, line: problem.line, path: [], problem.description)]
            }
        }
    }

    let files: [File]

    /// Whether there is more than hints.
    var isSerious: Bool { files.contains { $0.findings.contains { $0.rule.severity != .info } } }

    private var data: JSONValue {
        let all = files.flatMap { file in
            file.findings.map { finding -> JSONValue in
                .fields([
                    "rule": .string(finding.rule.rawValue), "severity": .string(finding.rule.severity.rawValue),
                    "file": .string(file.path), "line": finding.line.map { .integer($0) } ?? .null,
                    "keyPath": .string(finding.keyPath), "text": .string(finding.text),
                    "alternative": finding.alternative.map { .string($0) } ?? .null,
                    "needsJustification": .bool(finding.needsJustification),
                ])
            }
        }
        return .fields(["findings": .array(all)])
    }

    /// Text for people, and the object for programs.
    var report: Report {
        var report = Report(data: data)
        for file in files where !file.findings.isEmpty {
            report.add(.heading(file.path))
            for finding in file.findings {
                let place = finding.line.map { "\($0): " } ?? ""
                let line = "  \(place)\(finding.rule.severity.rawValue) \(finding.rule.rawValue)  \(finding.keyPath)"
                report.add(finding.rule.severity == .error ? .failure(line) : .line(line))
                report.add(.line("      \(finding.text)"))
                if let alternative = finding.alternative { report.add(.line("      → \(alternative)")) }
            }
        }
        let count = { (severity: ATSLintRule.Severity) in
            files.reduce(0) { $0 + $1.findings.count { $0.rule.severity == severity } }
        }
        let summary =
            "\(files.count.counting("file")): \(count(.error).counting("error")), "
            + "\(count(.warning).counting("warning")), \(count(.info).counting("hint"))"
        report.add(isSerious ? .line(summary) : .success(summary))
        return report
    }

    /// The log for code hosts.
    var sarif: JSONValue {
        SARIF(
            rules: ATSLintRule.allCases.map {
                SARIF.Rule(id: $0.rawValue, summary: $0.summary, level: SARIF.Level($0.severity))
            },
            results: files.flatMap { file in
                file.findings.map { finding in
                    SARIF.Result(
                        rule: finding.rule.rawValue, level: SARIF.Level(finding.rule.severity),
                        text: [finding.keyPath + ":", finding.text, finding.alternative].compactMap { $0 }
                            .joined(separator: " "), place: SARIF.reference(file.path), line: finding.line)
                }
            }
        ).log
    }
}

extension SARIF.Level {
    /// The level of a severity: a hint is a note.
    init(_ severity: ATSLintRule.Severity) {
        self =
            switch severity {
            case .error: .error
            case .warning: .warning
            case .info: .note
            }
    }
}
