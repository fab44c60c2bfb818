internal import Foundation
internal import WorkerProcess

/// Several processes add the same accounts at the same time: for each, exactly one may succeed (KC68).
struct Race {
    let racers: Int
    let accounts: Int
    let home: String

    /// - Returns: What went wrong.
    func run() throws -> [String] {
        let children = try (0..<racers).map { _ in try WorkerProcess(["race", "0", "\(accounts)"], home: home) }
        for child in children { _ = child.line() }
        for child in children { child.go() }
        var winners = [Int](repeating: 0, count: accounts)
        var problems: [String] = []
        for child in children {
            while let line = child.line() {
                let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
                guard parts.count == 3, let number = Int(parts[1]) else { continue }
                switch Answer(parts[2]) {
                case .done: winners[number] += 1
                case .duplicate: continue
                case let answer: problems.append("account \(number): \(answer)")
                }
            }
            if child.finish() != .done { problems.append("a racer did not come to its end") }
        }
        for (number, count) in winners.enumerated() where count != 1 {
            problems.append("account \(number) was added \(count) times")
        }
        return problems
    }
}
