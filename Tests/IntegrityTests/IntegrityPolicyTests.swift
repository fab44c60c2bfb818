import Foundation
import PaviseIntegrity
import TestSupport
import Testing

/// The policy is a table: every combination has an answer, and tightening never loosens (IN10, IN12, IN13).
@Suite struct IntegrityPolicyTests {
    private static let rules: [IntegrityRule] = [.debuggerAttached, .libraryElsewhere, .root]

    // Every report of up to two findings.
    private static var reports: [IntegrityReport] {
        let single = rules.flatMap { rule in IntegrityStrength.allCases.map { IntegrityFinding(rule, $0, "x") } }
        let pairs = single.flatMap { one in single.map { [one, $0] } }
        let gaps = [[], [IntegrityGap(.code, "x")]]
        return ([[]] + single.map { [$0] } + pairs).flatMap { findings in
            gaps.map { IntegrityReport(checks: [], findings: findings, gaps: $0) }
        }
    }

    private static var policies: [IntegrityPolicy] {
        let all = IntegrityAction.allCases
        return all.flatMap { certain in
            all.flatMap { twice in
                all.map { IntegrityPolicy(certain: certain, likelyTwice: twice, likely: $0, hint: .goOn, gap: $0) }
            }
        } + [.release, .reporting]
    }

    @Test func `a stricter finding never leads to less, and a tightened policy never to less than either`() {
        for policy in Self.policies {
            for other in [IntegrityPolicy.release, .reporting, Self.policies[37]] {
                let tight = policy.tightened(by: other)
                for report in Self.reports {
                    let action = tight.verdict(on: report).action
                    #expect(action >= policy.verdict(on: report).action && action >= other.verdict(on: report).action)
                }
            }
        }
        #expect(IntegrityPolicy.release.tightened(by: nil) == .release)
        #expect(IntegrityPolicy.release.tightened(by: .reporting) == .release)
    }

    @Test(
        arguments: [
            ([], IntegrityAction.goOn), ([(.debuggerAttached, .certain)], .end), ([(.root, .hint)], .report),
            ([(.libraryElsewhere, .likely)], .report),
            ([(.libraryElsewhere, .likely), (.preloadVariable, .likely)], .report),
            ([(.libraryElsewhere, .likely), (.capabilities, .likely)], .degrade),
            ([(.root, .hint), (.kernelTainted, .hint)], .report),
        ] as [([(IntegrityRule, IntegrityStrength)], IntegrityAction)])
    func `the table for releases`(_ found: [(IntegrityRule, IntegrityStrength)], _ expected: IntegrityAction) {
        let findings = found.map { IntegrityFinding($0.0, $0.1, "x") }
        let verdict = IntegrityPolicy.release.verdict(on: IntegrityReport(checks: [], findings: findings))
        #expect(verdict.action == expected)
        #expect((verdict.clearance == nil) == (expected >= .degrade))
        #expect(IntegrityPolicy.reporting.verdict(on: verdict.report).action <= .report)
    }

    @Test func `code that makes its own clearance does not compile`() throws {
        let good = """
            import PaviseIntegrity
            func open(_ clearance: IntegrityClearance) {}
            let verdict = IntegrityPolicy.release.verdict(on: DeviceIntegrity.check())
            if let clearance = verdict.clearance { open(clearance) }
            """
        #expect(try CompilerCheck.errors(in: good).isEmpty)
        for bad in ["open(IntegrityClearance())", "open(IntegrityVerdict(action: .goOn).clearance!)"] {
            #expect(try !CompilerCheck.errors(in: good + "\n" + bad).isEmpty)
        }
    }

    @Test func `no sentence promises more than that nothing was found`() {
        var said = IntegrityRule.allCases.map(\.summary)
        for report in Self.reports {
            said.append(report.summary)
            said += Self.policies.map { $0.verdict(on: report).sentence }
        }
        for word in ["secure", "safe", "clean", "trusted", "genuine", "untampered", "protected"] {
            #expect(!said.contains { $0.lowercased().contains(word) }, "\(word)")
        }
    }

    @Test func `IN13: no help, message or document calls a device or an app secure`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let things = "device|machine|phone|computer|app|gerät"
        let words = "secure|safe|clean|trusted|genuine|untampered|uncompromised|sicher|sauber|unverändert"
        // A sentence may go on in the next line.
        let claim = try NSRegularExpression(
            pattern: "\\b(\(things))\\s+(is|was|ist|war)\\s+((now|jetzt)\\s+)?(\(words))\\b", options: .caseInsensitive)
        var read = 0
        for folder in ["Tests/CommandsTests/Snapshots", "Documentation", "Sources/Kit/Pavise/Errors", "Sources/Tools"] {
            let files = try #require(
                FileManager.default.enumerator(
                    at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil))
            for case let file as URL in files where ["txt", "md", "swift"].contains(file.pathExtension) {
                read += 1
                let text = try String(contentsOf: file, encoding: .utf8)
                let found = claim.matches(in: text, range: NSRange(text.startIndex..., in: text))
                let said = found.compactMap { Range($0.range, in: text).map { String(text[$0]) } }
                #expect(said.isEmpty, "\(file.lastPathComponent)")
            }
        }
        #expect(read > 200)
        let planted = "Nothing was found: your device is\nsecure."
        #expect(claim.numberOfMatches(in: planted, range: NSRange(planted.startIndex..., in: planted)) == 1)
    }

    @Test func `each rule has a sentence, a source and a date`() {
        for rule in IntegrityRule.allCases {
            #expect(rule.summary.hasSuffix(".") && !rule.source.isEmpty && rule.date.contains(/^20\d\d-\d\d$/))
        }
    }
}
