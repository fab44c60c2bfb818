package import Foundation
internal import SwiftParser
internal import SwiftSyntax

/// One file in, one report out. Reads no comment but suppressions and requirement tags.
package enum Analyzer {
    ///
    /// - Parameter foreign: What other files' functions do, when the file is read again for the calls of them: then its
    ///   findings are those alone that these functions bring, and what is far from the calls is left out.
    package static func analyze(
        _ data: Data, file: String, root: String = "", names: NameTable = NameTable(), foreign: ForeignCalls? = nil
    ) -> FileReport {
        // What a folder above the root is called says nothing.
        let below = file.hasPrefix(root) ? String(file.dropFirst(root.count)) : file
        let bytes = [UInt8](data)
        let digest = SHA256.hex(bytes)
        if let kind = FileKind(path: file), kind != .swift {
            var report =
                switch kind {
                case .project: ProjectAnalyzer.report(bytes, file: file)
                case .resource: ResourceAnalyzer.report(bytes, file: file, below: below)
                default: PropertyListAnalyzer(bytes, file: file, below: below, kind: kind).report()
                }
            report.digest = digest
            report.size = bytes.count
            return report
        }
        return analyzeSource(bytes, file, below, digest, names, foreign.map(ForeignTable.init))
    }

    private static func analyzeSource(
        _ bytes: [UInt8], _ file: String, _ below: String, _ digest: String, _ names: NameTable,
        _ foreign: ForeignTable?
    ) -> FileReport {
        let lines = LineTable(bytes)
        if let reason = SourceGuard.refusal(bytes) {
            return FileReport(file: file, lines: lines.count, notAnalysed: reason, digest: digest, size: bytes.count)
        }
        names.trim()
        var vocabulary = SourceVocabulary(bytes, names, foreign)
        let isTest = Self.isTest(below, vocabulary)
        guard vocabulary.concernsRules || vocabulary.isOdd || bytes.count < leastPlain else {
            var report = FileReport(file: file, lines: lines.count, notAnalysed: nil, digest: digest, size: bytes.count)
            report.isPlain = true
            let wide = isTest ? [] : facts(vocabulary, vocabulary.categories, lines, bytes, file)
            report.facts = wide + ignored(wide, Suppressions(bytes, lines))
            if !isTest { report.outline = vocabulary.outline(isRead: { _ in false }, restIsRead: false, asked: [:]) }
            return report
        }
        let empty = vocabulary.isOdd || bytes.count < leastPlain ? [] : vocabulary.bodies.empty
        let shortened = PlainBodies.without(bytes, empty)
        // The parser copies the bytes before this returns.
        let tree = unsafe (shortened ?? bytes).withUnsafeBufferPointer { unsafe Parser.parse(source: $0) }
        let pass = Pass(tree: tree, lines: lines, names: names)
        pass.isForLinux = vocabulary.isForLinux
        pass.isForAppleAlone = !vocabulary.imports.isDisjoint(with: appleModules)
        pass.importsLog = importsLog(vocabulary)
        pass.hasOtherTokens = vocabulary.hasOtherTokens
        pass.asksForLeaks = vocabulary.asksForLeaks
        pass.isTool = vocabulary.readsCommandLine || vocabulary.imports.contains("ArgumentParser")
        let categories = vocabulary.isOdd ? PrivacyReasons.uses(tree) : vocabulary.categories
        pass.keepsKey = categories["has:storekey"] != nil
        pass.importsSQLite = vocabulary.imports.contains("SQLite")
        pass.foreign = foreign
        // What nobody writes by hand has no functions that other files are judged by.
        pass.summarizes = !isTest && !vocabulary.isOdd
        pass.run(tree)
        let suppressions = Suppressions(bytes, lines)
        let findings = pass.findings.filter { foreign == nil || $0.elsewhere != nil }.map { finding in
            var finding = finding
            finding.file = file
            finding.testCode = isTest ? true : nil
            finding.suppressed = suppressions.reason(finding.rule, finding.line)
            return finding
        }
        let wide = isTest ? [] : facts(vocabulary, categories, lines, bytes, file)
        var report = FileReport(
            file: file, lines: lines.count, parseErrors: tree.hasError,
            findings: findings.sorted { ($0.line, $0.column, $0.rule) < ($1.line, $1.column, $1.rule) },
            notAnalysed: nil,
            facts: isTest ? [] : wide + ignored(wide, suppressions) + undecided(pass, suppressions),
            digest: digest, size: bytes.count)
        report.gaps = pass.isSpent ? ["BUDGET"] : nil
        report.undecided = pass.undecidedItems > 0 && !isTest ? ["KEYCHAIN-NO-CLASS": pass.undecidedItems] : nil
        if pass.summarizes {
            if foreign == nil {
                let starts = Set(empty.map(\.lowerBound))
                report.outline = vocabulary.outline(
                    isRead: { !starts.contains($0.lowerBound) }, restIsRead: true, asked: pass.asked)
            }
            let wrappers = pass.wrappers { suppressions.reason($0, $1) != nil }
            report.wrappers = wrappers.isEmpty ? nil : wrappers
        }
        let idle = suppressions.idle
        report.idle = idle.isEmpty ? nil : idle
        return report
    }

    /// Below so many bytes the parser costs nothing, and says what is wrong with a file that concerns no rule too.
    private static let leastPlain = 1_000

    /// What the whole package is asked about: its privacy manifest, its mechanisms, and whether it is for Linux.
    private static func facts(
        _ vocabulary: SourceVocabulary, _ categories: [String: Int], _ lines: LineTable, _ bytes: [UInt8],
        _ file: String
    ) -> [String] {
        func manifest(_ text: StaticString) -> Bool {
            file.hasSuffix("/Package.swift") && !ByteSearch.places(of: text, in: bytes).isEmpty
        }
        let isManifest = manifest(".linux")
        return categories.map { ($0.key.hasPrefix("has:") ? "" : "uses:") + "\($0.key):\(lines.line($0.value))" }
            .sorted() + (vocabulary.isForLinux || isManifest ? ["linux"] : [])
            + (manifest(".macOS(") ? ["for-mac"] : []) + (manifest(".iOS(") ? ["for-devices"] : [])
            + vocabulary.types.sorted() + RequirementTag.facts(bytes, lines)
            + (importsLog(vocabulary) ? vocabulary.systemLogs.sorted().map { "syslog:" + $0 } : [])
    }

    /// Why a place at which the lack of something would be told needs none of it.
    private static func ignored(_ facts: [String], _ suppressions: Suppressions) -> [String] {
        facts.flatMap { fact -> [String] in
            let parts = fact.split(separator: ":")
            guard parts.count == 3, let line = Int(parts[2]) else { return [] }
            let lacks = FileReport.absences.filter { fact.hasPrefix($0.needs) }.map(\.rule)
            let rules = parts[0] == "uses" ? ["PRIVACY-MANIFEST"] : lacks
            return rules.compactMap { rule in
                suppressions.reason(rule, line).map { "ignored:\(rule):\(line):\($0)" }
            }
        }
    }

    /// What other files decide: protections that Linux would forget, databases without a key.
    private static func undecided(_ pass: Pass, _ suppressions: Suppressions) -> [String] {
        typealias Place = (region: Region, identity: String)
        func facts(_ places: [Place], _ rule: String, _ word: String) -> [String] {
            places.filter { suppressions.reason(rule, $0.region.line) == nil }
                .map { "\(word):\($0.region.fact):\($0.identity)" }
        }
        return facts(pass.forgotten, "FILE-UNPROTECTED", "forgets")
            + facts(pass.undecidedStores, "STORE-NO-KEY", "opens")
            + pass.quiet.sorted().map { "quiet:" + $0 } + pass.questions
            + (pass.storesPersonal ? ["stores"] : []) + (pass.keepsKey ? ["has:storekey:1"] : [])
    }

    private static let appleModules: Set = [
        "UIKit", "SwiftUI", "AppKit", "WatchKit", "CryptoKit", "CoreData", "SwiftData", "CloudKit", "StoreKit",
    ]

    private static func importsLog(_ vocabulary: SourceVocabulary) -> Bool {
        vocabulary.imports.contains("os") || vocabulary.imports.contains("OSLog")
    }

    private static func isTest(_ file: String, _ vocabulary: SourceVocabulary) -> Bool {
        TestCode.isPlace(file) || vocabulary.imports.contains("XCTest") || vocabulary.imports.contains("Testing")
    }
}
