package import AuditCore
internal import Foundation

/// What all workers said, merged.
package struct AuditResult {
    package private(set) var reports: [FileReport]
    package let root: String
    package let seconds: Double
    /// Identities of findings that were accepted before.
    package var known: Set<String> = []
    /// Only changed files were looked at: what is absent from all files is not judged, and the report says so.
    package let isPartial: Bool
    /// Folders that were not looked into, and source files of languages that no rule reads.
    package var skipped: [String] = []
    package var otherLanguages: [String: Int] = [:]

    package init(reports: [FileReport], root: String, seconds: Double, isPartial: Bool = false) {
        self.isPartial = isPartial
        self.reports = reports
        self.root = root
        self.seconds = seconds
        dropPurposes()
        if !isPartial {
            weighLogs()
            addMissingReasons()
            addForgottenProtection()
            addPlainStores()
            addAbsences()
        }
        nameFindings()
        markForeignCode()
    }

    /// Findings in code that others publish or a program writes; a secret there is the app's all the same.
    private mutating func markForeignCode() {
        for index in reports.indices {
            guard let origin = ForeignCode.origin(of: relative(reports[index].file)) else { continue }
            for place in reports[index].findings.indices
            where !reports[index].findings[place].rule.hasPrefix("SECRET-") {
                reports[index].findings[place].origin = origin
            }
        }
    }

    /// The pass over all files: APIs that need a reason and have none in any privacy manifest of the tree.
    /// Only where the tree holds an app or a manifest: a package's reasons may stand in its user's manifest.
    private mutating func addMissingReasons() {
        let facts = reports.flatMap(\.facts)
        guard facts.contains("application") || facts.contains("manifest"), let rule = Catalogue.byID["PRIVACY-MANIFEST"]
        else { return }
        // Apple asks for reasons on its devices, not on the Mac.
        if facts.contains("for-mac"), !facts.contains("for-devices") { return }
        var given = Set(facts.filter { $0.hasPrefix("reason:") }.map { String($0.dropFirst(7)) })
        for index in reports.indices {
            for fact in reports[index].facts where fact.hasPrefix("uses:") {
                let parts = fact.split(separator: ":")
                guard parts.count == 3, let line = Int(parts[2]), given.insert(String(parts[1])).inserted else {
                    continue
                }
                var finding = Finding(
                    rule: rule.id, severity: rule.severity, file: reports[index].file, line: line,
                    message: "no privacy manifest gives a reason for \(parts[1])",
                    excerpt: String(parts[1]), identity: SHA256.hex("\(rule.id)|\(parts[1])"))
                finding.suppressed = reports[index].ignored(rule.id, at: line)
                reports[index].findings.append(finding)
            }
        }
    }

    /// Protections of files that Linux forgets, in files that say nothing of Linux while another one of their package
    /// does, or its manifest.
    private mutating func addForgottenProtection() {
        guard let rule = Catalogue.byID["FILE-UNPROTECTED"] else { return }
        let manifests = reports.map(\.file).filter { $0.hasSuffix("/Package.swift") }
        let folders = manifests.map { String($0.dropLast("Package.swift".count)) }.sorted { $0.count > $1.count }
        func folder(of file: String) -> String? { folders.first { file.hasPrefix($0) } }
        let forLinux = Set(reports.filter { $0.facts.contains("linux") }.compactMap { folder(of: $0.file) })
        for index in reports.indices {
            guard let own = folder(of: reports[index].file), forLinux.contains(own) else { continue }
            for fact in reports[index].facts where fact.hasPrefix("forgets:") {
                guard let (region, identity) = Region.read(fact) else { continue }
                reports[index].findings.append(
                    Finding(
                        rule: rule.id, severity: .warning, file: reports[index].file, region: region,
                        message: FileReport.forgottenProtection, steps: [region.line], excerpt: "",
                        identity: identity))
            }
        }
    }

    /// Databases that one file opens without a key, and another one gives a person's data: each file's first, while no
    /// file has a key for one.
    private mutating func addPlainStores() {
        guard let rule = Catalogue.byID["STORE-NO-KEY"], reports.contains(where: { $0.facts.contains("stores") }),
            !reports.contains(where: { $0.facts.contains { $0.hasPrefix("has:storekey:") } })
        else { return }
        // The first place is told; where the same store is opened elsewhere is a note.
        var isTold = false
        for index in reports.indices {
            for fact in reports[index].facts where fact.hasPrefix("opens:") {
                guard let (region, identity) = Region.read(fact) else { continue }
                reports[index].findings.append(
                    Finding(
                        rule: rule.id, severity: isTold ? .note : rule.severity, file: reports[index].file,
                        region: region, message: FileReport.plainStore, steps: [region.line], excerpt: "",
                        identity: identity))
                isTold = true
            }
        }
    }

    /// A purpose that is empty in the property list and stands in the translations is given.
    private mutating func dropPurposes() {
        let given = Set(reports.flatMap(\.facts).filter { $0.hasPrefix("purpose:") }.map { String($0.dropFirst(8)) })
        guard !given.isEmpty else { return }
        for index in reports.indices {
            reports[index].findings.removeAll { $0.rule == "PRIVACY-PURPOSE" && given.contains($0.excerpt) }
        }
    }

    /// What other files know of values that are logged, and of loggers.
    private mutating func weighLogs() {
        let evidence = LogEvidence(reports.flatMap(\.facts))
        for index in reports.indices {
            for fact in reports[index].facts {
                guard let answer = evidence.answer(fact) else { continue }
                for place in reports[index].findings.indices {
                    let finding = reports[index].findings[place]
                    guard finding.rule == "LOG-SENSITIVE", finding.line == answer.line,
                        finding.column == answer.column
                    else { continue }
                    reports[index].findings[place].severity = answer.severity
                }
            }
        }
    }

    /// What an app needs and no file of it names, told at the first file that needs it.
    private mutating func addAbsences() {
        guard reports.contains(where: { $0.facts.contains("application") }) else { return }
        let facts = Set(reports.flatMap(\.facts))
        let isForMac = facts.contains("for-mac") && !facts.contains("for-devices")
        for (id, needs, answer) in FileReport.absences {
            // On a Mac there is no picture in a switcher, and a keyboard is no other maker's program.
            if isForMac, ["SCREEN-COVER", "FIELD-KEYBOARDS"].contains(id) { continue }
            guard let rule = Catalogue.byID[id],
                !reports.contains(where: { $0.facts.contains { $0.hasPrefix(answer) } }),
                let index = reports.firstIndex(where: { $0.facts.contains { $0.hasPrefix(needs) } }),
                let line = reports[index].facts.first(where: { $0.hasPrefix(needs) })?.split(separator: ":").last
                    .flatMap({ Int($0) })
            else { continue }
            var finding = Finding(
                rule: id, severity: rule.severity, file: reports[index].file, line: line,
                message: rule.claim, excerpt: "", identity: SHA256.hex(id))
            finding.suppressed = reports[index].ignored(id, at: line)
            reports[index].findings.append(finding)
        }
    }

    /// Adds the relative path to each identity, and a number to findings that are alike in one declaration.
    private mutating func nameFindings() {
        for index in reports.indices {
            var counts: [String: Int] = [:]
            let path = relative(reports[index].file)
            for place in reports[index].findings.indices {
                let own = reports[index].findings[place].identity
                counts[own, default: 0] += 1
                reports[index].findings[place].identity = SHA256.hex("\(path)|\(own)|\(counts[own, default: 1])")
            }
        }
    }

    package var lines: Int { reports.reduce(0) { $0 + $1.lines } }
    package var notAnalysed: [FileReport] { reports.filter { $0.notAnalysed != nil || $0.parseErrors } }
    /// Files that hold nothing a rule speaks about.
    package var plain: Int { reports.count { $0.isPlain == true } }
    package var all: [Finding] { reports.flatMap(\.findings) }
    package var open: [Finding] {
        all.filter {
            $0.suppressed == nil && $0.testCode != true && $0.origin == nil && !known.contains($0.identity)
        }
    }

    /// What was there and not read, though every file was analysed: `WHAT: why`, in the order of the names.
    package var gaps: [String] {
        skipped.map { "\(relative($0)): SKIPPED-FOLDER" }.sorted()
            + reports.flatMap { report in (report.gaps ?? []).map { "\(relative(report.file)): \($0)" } }
    }

    /// Suppressions that suppress nothing.
    package var idle: [String] {
        reports.flatMap { report in (report.idle ?? []).map { "\(relative(report.file)):\($0)" } }
    }

    /// Lines of the baseline that fit no finding.
    package var stale: Int { known.subtracting(all.map(\.identity)).count }

    /// How many values could not be followed to a judgement.
    package var undecided: Int { reports.reduce(0) { $0 + ($1.undecided ?? [:]).values.reduce(0, +) } }

    package func relative(_ file: String) -> String {
        file.hasPrefix(root) && !root.isEmpty ? String(file.dropFirst(root.count)) : file
    }

    /// 0: nothing above the limit and everything analysed. 1: findings, or something was not analysed.
    package func status(failOn: Severity) -> Int32 {
        let order: [Severity] = [.note, .warning, .error]
        let limit = order.firstIndex(of: failOn) ?? 1
        let isBad = open.contains { (order.firstIndex(of: $0.severity) ?? 0) >= limit }
        return isBad || !notAnalysed.isEmpty ? 1 : 0
    }

    package func text() -> String {
        var result = ""
        for finding in open {
            let way = finding.way.map { "   way: \(Printable.text($0))\n" } ?? ""
            let rule = Catalogue.byID[finding.rule]
            let file = Printable.text(relative(finding.file))
            let message = Printable.text(finding.message)
            result += """
                \(file):\(finding.line):\(finding.column): \(finding.severity.rawValue): \(message) [\(finding.rule)]
                   \(Printable.text(finding.excerpt))
                \(way)   mend: \(rule?.mend ?? "")


                """
        }
        for report in notAnalysed {
            let file = Printable.text(relative(report.file))
            result += "\(file): not analysed: \(report.notAnalysed ?? "PARSE-ERROR")\n"
        }
        for gap in gaps {
            result += "\(Printable.text(gap).replacing(": ", with: ": not read: ", maxReplacements: 1))\n"
        }
        for idle in idle { result += "suppresses nothing: \(Printable.text(idle))\n" }
        let counts = [Severity.error, .warning, .note].map { level in
            "\(open.count { $0.severity == level }) \(level.rawValue)"
        }
        let suppressed = all.filter { $0.suppressed != nil }
        for finding in suppressed {
            let file = Printable.text(relative(finding.file))
            let reason = Printable.text(finding.suppressed ?? "")
            result += "\(file):\(finding.line): \(finding.rule) suppressed: \(reason)\n"
        }
        result += """
            \(reports.count) files (\(plain) with nothing that a rule speaks about), \(lines) lines in \(String(format: "%.1f", seconds)) s: \(counts.joined(separator: ", ")); \
            \(suppressed.count) suppressed, \(all.count { $0.testCode == true }) in test code, \(all.count { $0.origin != nil }) in vendored or generated code, \
            \(known.count) in the baseline (\(stale) of them found no more), \(undecided) values not decided, \
            \(otherLanguages.values.reduce(0, +)) files of languages that are not read, \(notAnalysed.count) files not analysed.
            """
        if isPartial { result += "\nOnly files changed since the commit were looked at." }
        return result
    }

    package func json() -> String {
        struct Output: Encodable {
            let schema = "pavise-audit/1"
            let files: Int
            let lines: Int
            let plain: Int
            let findings: [Finding]
            let notAnalysed: [String: String]
            let partial: Bool
            let gaps: [String]
            let idle: [String]
            let undecided: Int
            let staleBaseline: Int
            let otherLanguages: [String: Int]
        }
        let missing = notAnalysed.map { (relative($0.file), $0.notAnalysed ?? "PARSE-ERROR") }
        let findings = all.map { finding in
            var finding = finding
            finding.file = relative(finding.file)
            return finding
        }
        let output = Output(
            files: reports.count, lines: lines, plain: plain, findings: findings,
            notAnalysed: Dictionary(missing) { first, _ in first }, partial: isPartial, gaps: gaps, idle: idle,
            undecided: undecided, staleBaseline: stale, otherLanguages: otherLanguages)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(output) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}

extension Finding {
    /// The lines that the value went through, those of other files last; `nil` where there is one alone.
    package var way: String? {
        let others = (elsewhere ?? []).map { "\($0.file):\($0.line)" }
        guard steps.count + others.count > 1 else { return nil }
        return "lines " + (steps.map(String.init) + others).joined(separator: " → ")
    }
}
