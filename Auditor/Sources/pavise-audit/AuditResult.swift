internal import AuditCore
internal import Foundation

/// What all workers said, merged.
struct AuditResult {
    let reports: [FileReport]
    let root: String
    let seconds: Double
    /// Identities of findings that were accepted before.
    var known: Set<String> = []

    var lines: Int { reports.reduce(0) { $0 + $1.lines } }
    var notAnalysed: [FileReport] { reports.filter { $0.notAnalysed != nil || $0.parseErrors } }
    var all: [Finding] { reports.flatMap(\.findings) }
    var open: [Finding] { all.filter { $0.suppressed == nil && $0.testCode != true && !known.contains($0.identity) } }

    func relative(_ file: String) -> String {
        file.hasPrefix(root) && !root.isEmpty ? String(file.dropFirst(root.count)) : file
    }

    /// 0: nothing above the limit and everything analysed. 1: findings, or something was not analysed.
    func status(failOn: Severity) -> Int32 {
        let order: [Severity] = [.note, .warning, .error]
        let limit = order.firstIndex(of: failOn) ?? 1
        let isBad = open.contains { (order.firstIndex(of: $0.severity) ?? 0) >= limit }
        return isBad || !notAnalysed.isEmpty ? 1 : 0
    }

    func text() -> String {
        var result = ""
        for finding in open {
            let way =
                finding.steps.count > 1
                ? "   way: lines " + finding.steps.map(String.init).joined(separator: " → ") + "\n" : ""
            let rule = Catalogue.byID[finding.rule]
            result += """
                \(relative(finding.file)):\(finding.line):\(finding.column): \(finding.severity.rawValue): \(finding.message) [\(finding.rule)]
                   \(finding.excerpt)
                \(way)   mend: \(rule?.mend ?? "")


                """
        }
        for report in notAnalysed {
            result += "\(relative(report.file)): not analysed: \(report.notAnalysed ?? "PARSE-ERROR")\n"
        }
        let counts = [Severity.error, .warning, .note].map { level in
            "\(open.count { $0.severity == level }) \(level.rawValue)"
        }
        let suppressed = all.filter { $0.suppressed != nil }
        for finding in suppressed {
            result +=
                "\(relative(finding.file)):\(finding.line): \(finding.rule) suppressed: \(finding.suppressed ?? "")\n"
        }
        result += """
            \(reports.count) files, \(lines) lines in \(String(format: "%.1f", seconds)) s: \(counts.joined(separator: ", ")); \
            \(suppressed.count) suppressed, \(all.count { $0.testCode == true }) in test code, \(known.count) in the baseline, \
            \(notAnalysed.count) files not analysed.
            """
        return result
    }

    func json() -> String {
        struct Output: Encodable {
            let schema = "pavise-audit/1"
            let files: Int
            let lines: Int
            let findings: [Finding]
            let notAnalysed: [String: String]
        }
        let missing = notAnalysed.map { (relative($0.file), $0.notAnalysed ?? "PARSE-ERROR") }
        let findings = all.map { finding in
            var finding = finding
            finding.file = relative(finding.file)
            return finding
        }
        let output = Output(
            files: reports.count, lines: lines, findings: findings,
            notAnalysed: Dictionary(missing) { first, _ in first })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(output) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}
