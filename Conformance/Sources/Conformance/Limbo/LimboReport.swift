internal import Foundation

extension SuiteReport {
    /// Counts the outcomes of a file: the suite's own cases by their pattern, BetterTLS's strict ones and its warnings
    /// apart.
    mutating func add(_ outcomes: [LimboSuite.Outcome], warnings: LimboWarnings) {
        for outcome in outcomes {
            let group = warnings.group(outcome.id)
            figures["\(group).cases", default: 0] += 1
            let isRight = outcome.isAccepted == outcome.isToBeAccepted
            let kind = isRight ? "right" : outcome.isAccepted ? "falseAccepts" : "falseRefusals"
            figures["\(group).\(kind)", default: 0] += 1
            add(outcome.id) { isTurned in
                let isToBeAccepted = outcome.isToBeAccepted != isTurned
                guard outcome.isAccepted != isToBeAccepted else { return .passed }
                if let reason = outcome.explanation { return .expectedOtherwise(reason) }
                return .failed(outcome.isAccepted ? "accepted" : "refused: \(outcome.reason)")
            }
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

    /// `own rfc5280::nc` for the suite's own cases, by the first parts of their ids; `strict` or `warning` for
    /// BetterTLS's.
    func group(_ id: String) -> String {
        guard id.hasPrefix("bettertls::") else {
            let parts = id.split(separator: "::", omittingEmptySubsequences: false)
            return "own " + parts.prefix(parts.count > 2 ? 2 : 1).joined(separator: "::")
        }
        let prefix = "bettertls::nameconstraints::tc"
        guard id.hasPrefix(prefix), let number = Int(id.dropFirst(prefix.count)) else { return "strict" }
        return numbers.contains(number) ? "warning" : "strict"
    }
}
