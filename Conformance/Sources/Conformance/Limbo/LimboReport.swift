internal import Foundation

extension SuiteReport {
    /// Counts the outcomes of a file: the suite's own cases, BetterTLS's strict ones and its warnings apart.
    mutating func add(_ outcomes: [LimboSuite.Outcome], warnings: LimboWarnings) {
        for outcome in outcomes {
            let group = warnings.group(outcome.id)
            figures["\(group).cases", default: 0] += 1
            guard outcome.isAccepted != outcome.isToBeAccepted else {
                passed += 1
                figures["\(group).right", default: 0] += 1
                continue
            }
            figures["\(group).\(outcome.isAccepted ? "falseAccepts" : "falseRefusals")", default: 0] += 1
            guard let rule = LimboExpectation.rule(outcome.id), rule.isAccepted == outcome.isAccepted else {
                unexpected[outcome.id] = outcome.isAccepted ? "accepted" : "refused: \(outcome.reason)"
                continue
            }
            expected[outcome.id] = rule.reason
        }
    }
}

/// Which cases of BetterTLS are warnings: a list beside the file says so, `apple-mode.json`. Without it none is.
struct LimboWarnings {
    private let numbers: Set<Int>

    init(beside path: String) {
        let file = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("apple-mode.json")
        let object = (try? Data(contentsOf: file)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
        let list = (object as? [String: Any])?["betterTLSWarningOnly"] as? [String: Any]
        numbers = Set(list?["testcases"] as? [Int] ?? [])
    }

    /// `own`, `strict` or `warning`.
    func group(_ id: String) -> String {
        guard id.hasPrefix("bettertls::") else { return "own" }
        let prefix = "bettertls::nameconstraints::tc"
        guard id.hasPrefix(prefix), let number = Int(id.dropFirst(prefix.count)) else { return "strict" }
        return numbers.contains(number) ? "warning" : "strict"
    }
}
