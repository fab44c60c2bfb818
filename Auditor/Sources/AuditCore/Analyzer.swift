package import Foundation
internal import SwiftParser
internal import SwiftSyntax

/// One file in, one report out. Reads no comment but suppressions.
package enum Analyzer {
    package static func analyze(_ data: Data, file: String) -> FileReport {
        let bytes = [UInt8](data)
        if let kind = FileKind(path: file), kind != .swift {
            return PropertyListAnalyzer(bytes, file: file, kind: kind).report()
        }
        let count = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        if let reason = SourceGuard.refusal(bytes) { return FileReport(file: file, lines: count, notAnalysed: reason) }
        let text = String(decoding: bytes, as: UTF8.self)
        let tree = Parser.parse(source: text)
        let pass = Pass(tree: tree, text: text)
        pass.run(tree)
        let isTest = Self.isTest(file, text)
        let suppressions = suppressions(pass.lines)
        let findings = pass.findings.map { finding in
            var finding = finding
            finding.file = file
            finding.testCode = isTest ? true : nil
            finding.suppressed = (suppressions[finding.line] ?? []).first { $0.rule == finding.rule }?.reason
            return finding
        }
        return FileReport(
            file: file, lines: count, parseErrors: tree.hasError,
            findings: findings.sorted { ($0.line, $0.column, $0.rule) < ($1.line, $1.column, $1.rule) },
            notAnalysed: nil, facts: isTest ? [] : pass.uses.map { "uses:\($0.key):\($0.value)" }.sorted())
    }

    private static func isTest(_ file: String, _ text: String) -> Bool {
        let parts = file.split(separator: "/").dropLast()
        let folders: Set = ["Tests", "Mocks", "__tests__", "Fixtures", "Preview Content", "UITests"]
        return parts.contains { folders.contains(String($0)) || $0.hasSuffix("Tests") }
            || text.contains("import XCTest")
            || text.contains("import Testing")
    }

    /// `// pavise:ignore RULE reason` on the line, or on the line before. Without a reason it says nothing.
    private static func suppressions(_ lines: [Substring]) -> [Int: [(rule: String, reason: String)]] {
        var result: [Int: [(rule: String, reason: String)]] = [:]
        for (index, line) in lines.enumerated() where line.utf8.count < 400 {
            guard let range = line.range(of: "pavise:ignore ") else { continue }
            let parts = line[range.upperBound...].split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { continue }
            for number in [index + 1, index + 2] {
                result[number, default: []].append((String(parts[0]), String(parts[1])))
            }
        }
        return result
    }
}
