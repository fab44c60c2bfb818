internal import Foundation
internal import WorkerProcess

/// Goes through every call that a write makes: each is the place of a kill, of a loss of power, of a full and of a
/// broken disk. Afterwards a reader sees what was there before the write or what is there after it, nothing else.
public final class Points<Scenario: PointScenario> {
    /// What came of it.
    public struct Tally {
        /// How many points were tried.
        public var points = 0
        /// What was otherwise than it has to be.
        public var problems: [String] = []
    }

    /// How many points of one scenario and fault are tried; the rest is left out evenly.
    let most: Int
    /// Of a fault with at most so many points, all are tried.
    let whole: Int
    let folder: String
    /// Of all runs so far.
    public private(set) var tally = Tally()

    /// - Parameter folder: Where the homes of the runs lie.
    public init(most: Int, whole: Int, folder: String) {
        self.most = most
        self.whole = whole
        self.folder = folder
    }

    /// Runs every fault at the points of `scenario`.
    public func run(_ scenario: Scenario, _ faults: [Fault]) throws -> [String] {
        let template = "\(folder)/\(scenario.rawValue)"
        try FileManager.default.createDirectory(
            atPath: template, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard try WorkerProcess(["prepare", scenario.rawValue], home: "\(template)/home").finish() == .done else {
            tally.problems.append("\(scenario.rawValue): could not be prepared")
            return []
        }
        let before = try look(try copy(template, "before"))
        let whole = try copy(template, "after")
        let clean = try act(scenario, .none, 0, whole)
        let after = try look(whole)
        for problem in before.problems + after.problems {
            tally.problems.append("\(scenario.rawValue) without any fault: \(problem)")
        }
        guard clean.status == 0, before.seen != after.seen else {
            tally.problems.append(
                "\(scenario.rawValue): status \(clean.status ?? -1) without any fault, or nothing changed")
            return []
        }
        return try faults.map { fault in
            try "\(fault) \(each(fault, of: scenario, template, before: before.seen, after: after.seen))"
        }
    }

    /// What one process said.
    struct Account {
        var status: Int32?
        var hit = ""
        var calls = 0
        var seen: [String] = []
        var problems: [String] = []
        var isComplete = false
    }

    private func each(
        _ fault: Fault, of scenario: Scenario, _ template: String, before: [String], after: [String]
    ) throws -> Int {
        // A count without a fault tells how many calls there are; one more shows that the last was reached.
        let home = try copy(template, "count")
        let counting = fault.countsChanges ? Fault.none : fault
        let counted = try act(scenario, counting, .max / 2, home)
        // Of a write that ended before it was counted, one call would be tried and all others passed over.
        guard counted.status == 0 else {
            tally.problems.append("\(scenario.rawValue) \(fault): the count did not come to its end")
            return 0
        }
        let calls = counted.calls
        let step = calls < whole ? 1 : max(1, (calls + 1) / most)
        var points = 0
        for number in stride(from: 1, through: calls + 1, by: step) {
            let place = "\(scenario.rawValue) \(fault) at call \(number)"
            let home = try copy(template, "run")
            let account = try act(scenario, fault, number, home)
            // Where the first call is not met, none is: all that follows would be a write without a fault.
            if fault == .kill, number == 1, account.status != nil {
                tally.problems.append("\(place): nobody was killed, \(calls) calls were counted")
            }
            let left = fault == .power ? try afterPowerLoss(home) : home
            judge(account, scenario, fault, place, before: before, after: after)
            let seen = try look(left)
            let expected = possible(account, scenario, fault, before: before, after: after)
            if !expected.contains(seen.seen) {
                let sight = Self.describe(seen.seen, before: before, after: after)
                tally.problems.append("\(place) (\(account.hit)), status \(account.status ?? 0): \(sight)")
            }
            for problem in seen.problems { tally.problems.append("\(place) (\(account.hit)): \(problem)") }
            points += 1
        }
        tally.points += points
        return points
    }

    // What the process that met an error said itself, and saw afterwards.
    private func judge(
        _ account: Account, _ scenario: Scenario, _ fault: Fault, _ place: String, before: [String], after: [String]
    ) {
        if fault == .short, account.status != 0 {
            tally.problems.append("\(place) (\(account.hit)): status \(account.status ?? -1) for a write that goes on")
        }
        guard fault.error != 0 else { return }
        guard account.isComplete, let status = account.status else {
            return tally.problems.append("\(place): the process did not come to its end")
        }
        let place = "\(place) (\(account.hit)), status \(status)"
        if status != 0, !Scenario.statuses(of: fault, at: account.hit).contains(status) {
            tally.problems.append("\(place): not the right status")
        }
        if !possible(account, scenario, fault, before: before, after: after).contains(account.seen) {
            let sight = Self.describe(account.seen, before: before, after: after)
            tally.problems.append("\(place): then the same process sees \(sight)")
        }
        for problem in account.problems { tally.problems.append("\(place): \(problem)") }
    }

    // An acknowledgement and a refusal are final, unless the call that failed comes after the change. A cut-off write
    // may have happened. So may a refused one on a disk that takes nothing more, not even the word that it failed.
    private func possible(
        _ account: Account, _ scenario: Scenario, _ fault: Fault, before: [String], after: [String]
    ) -> [[String]] {
        guard let status = account.status else { return [before, after] }
        if status == 0 { return [after] }
        let mayBeDone = fault.isLasting || scenario.isInTwoSteps || Scenario.mayBeDone(after: account.hit)
        return mayBeDone ? [before, after] : [before]
    }

    private static func describe(_ seen: [String], before: [String], after: [String]) -> String {
        if seen == before { return "the old state" }
        if seen == after { return "the new state" }
        return "neither: \(seen.filter { !before.contains($0) }.prefix(3))"
    }

    private func act(_ scenario: Scenario, _ fault: Fault, _ number: Int, _ home: String) throws -> Account {
        var words = ["act", scenario.rawValue, fault.rawValue, "\(number)"]
        if fault == .power {
            let shadow = "\(folder)/shadow"
            try? FileManager.default.removeItem(atPath: shadow)
            try FileManager.default.createDirectory(
                atPath: shadow, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            words.append(shadow)
        }
        return try account(words, home)
    }

    // What a fresh process sees. One that ends early has not shown that the next write works.
    private func look(_ home: String) throws -> Account {
        var seen = try account(["look"], home)
        if !seen.isComplete { seen.problems.append("the reader did not come to its end") }
        return seen
    }

    private func account(_ words: [String], _ home: String) throws -> Account {
        let child = try WorkerProcess(words, home: "\(home)/home")
        var account = Account()
        while let line = child.line() {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            let rest = parts.count > 1 ? parts[1] : ""
            switch parts.first {
            case "end": account.status = Int32(rest)
            case "hit": account.hit = rest
            case "calls": account.calls = Int(rest) ?? 0
            case "see": account.seen.append(rest)
            case "problem": account.problems.append(rest)
            case "complete": account.isComplete = true
            default: break
            }
        }
        child.finish()
        return account
    }

    private func copy(_ template: String, _ name: String) throws -> String {
        let target = "\(folder)/\(name)"
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.copyItem(atPath: template, toPath: target)
        return target
    }

    private func afterPowerLoss(_ home: String) throws -> String {
        let target = "\(folder)/left"
        try? FileManager.default.removeItem(atPath: target)
        try PowerLoss(shadow: "\(folder)/shadow").leave(of: home, as: target)
        return target
    }
}
