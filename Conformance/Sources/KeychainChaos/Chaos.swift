internal import Foundation
internal import Synchronization
internal import WorkerProcess

/// Several workers at once, killed at random and started again, until each has done its plan.
final class Chaos: Sendable {
    struct Tally {
        var operations = 0
        var kills = 0
        var interrupted = 0
        /// Writes that were refused after ten seconds.
        var refused = 0
        var problems: [String] = []
    }

    let seed: UInt64
    let workers: Int
    let operations: Int
    let home: String
    private let models: Mutex<[Int: Model]> = Mutex([:])
    private let tally = Mutex(Tally())

    init(seed: UInt64, workers: Int, operations: Int, home: String) {
        self.seed = seed
        self.workers = workers
        self.operations = operations
        self.home = home
    }

    func run() -> Tally {
        guard (try? WorkerProcess(["share"], home: home).finish()) == .done else {
            problem("the shared item could not be added")
            return self.tally.withLock { $0 }
        }
        let group = DispatchGroup()
        for worker in 0..<workers {
            group.enter()
            Thread.detachNewThread {
                self.supervise(worker)
                group.leave()
            }
        }
        group.wait()
        verify()
        let tally = tally.withLock { $0 }
        if tally.refused * 1000 > workers * operations { problem("\(tally.refused) writes never had their turn") }
        return self.tally.withLock { $0 }
    }

    /// Takes one acknowledged item away behind the models' back and compares again, then the one that all share: the
    /// run is worth nothing if either is not seen.
    ///
    /// - Returns: Whether it was seen.
    func seesLoss() throws -> Bool {
        let items = models.withLock { models in
            models.flatMap { worker, model in
                (0..<Plan.accounts).map { (Plan(seed: seed, worker: worker).service, "account-\($0)") }
                    .filter { !model.contents(of: $0.1).contains(nil) }
            }
        }
        guard let item = items.first else { return false }
        return try [item, (Plan.shared, Plan.shared)].allSatisfy { service, account in
            guard try WorkerProcess(["forget", service, account], home: home).finish() == .done else { return false }
            let before = tally.withLock { $0.problems.count }
            verify()
            // What was lost before is told again, and one more.
            return tally.withLock { $0.problems.count } > before + (service == Plan.shared ? 1 : 0)
        }
    }

    /// Drives one worker through its whole plan.
    private func supervise(_ worker: Int) {
        var model = Model()
        var random = SplitMix(state: seed ^ UInt64(worker + 1) << 40)
        var next = 0
        while next < operations {
            let before = next
            next = life(of: worker, from: next, lines: Int(random.next() % 500), pause: random.next() % 3000, &model)
            guard next > before || tally.withLock({ $0.problems.count < 20 }) else { break }
        }
        models.withLock { $0[worker] = model }
    }

    /// One life of a worker: from its start to its end or to the kill after `lines` lines and `pause` microseconds.
    ///
    /// - Returns: The number of the first operation that the next life performs.
    private func life(of worker: Int, from start: Int, lines: Int, pause: UInt64, _ model: inout Model) -> Int {
        let words = ["worker", "\(seed)", "\(worker)", "\(start)", "\(operations)"]
        guard let child = try? WorkerProcess(words, home: home) else {
            problem("a worker did not start")
            return operations
        }
        let plan = Plan(seed: seed, worker: worker)
        var next = start
        var begun: Int?
        var seen = 0
        while let line = child.line() {
            seen += 1
            if line.hasPrefix("begin ") { begun = Int(line.dropFirst(6)) }
            if line.hasPrefix("end ") {
                acknowledge(line, plan, &model)
                next = (begun ?? next) + 1
                begun = nil
            }
            if seen == lines {
                usleep(UInt32(pause))
                child.kill()
            }
        }
        let whole = child.finish() == .done
        if whole { return operations }
        if let begun {
            if !plan.operation(begun).isShared { model.interrupt(plan.operation(begun)) }
            next = begun + 1
        }
        tally.withLock { tally in
            tally.kills += seen >= lines ? 1 : 0
            tally.interrupted += begun == nil ? 0 : 1
        }
        if seen < lines { problem("worker \(worker) ended by itself at operation \(next)") }
        return next
    }

    private func acknowledge(_ line: String, _ plan: Plan, _ model: inout Model) {
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let number = Int(parts[1]) else { return problem("unreadable: \(line)") }
        let operation = plan.operation(number)
        let answer = Answer(String(parts[2]))
        tally.withLock { tally in
            tally.operations += 1
            tally.refused += answer == .busy ? 1 : 0
        }
        if operation.isShared {
            if !isOfShared(answer, operation.kind) {
                problem("shared item, operation \(plan.worker).\(number): \(answer)")
            }
        } else if let text = model.acknowledge(operation, answer) {
            problem("worker \(plan.worker), operation \(number): \(text)")
        }
    }

    // It is always there, with what it held at first or what some worker's plan writes to it.
    private func isOfShared(_ answer: Answer, _ kind: Operation.Kind) -> Bool {
        switch (kind, answer) {
        case (.update, .done(nil)), (.update, .busy): return true
        case (.read, .done(let value?)):
            guard value != Plan.first else { return true }
            guard (0..<workers).contains(value.worker), (0..<operations).contains(value.number) else { return false }
            let writing = Plan(seed: seed, worker: value.worker).operation(value.number)
            return writing.isShared && writing.kind == .update
        default: return false
        }
    }

    /// Compares what a fresh process finds with every model.
    private func verify() {
        let services = (0..<workers).map { Plan(seed: seed, worker: $0).service } + [Plan.shared]
        guard let child = try? WorkerProcess(["list"] + services, home: home) else {
            return problem("the reader did not start")
        }
        var found: [String: [String: Answer]] = [:]
        var complete = false
        while let line = child.line() {
            complete = line == "complete"
            let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
            guard parts.count == 4, parts[0] == "item" else {
                if !complete { problem("reader: \(line)") }
                continue
            }
            let old = found[parts[1], default: [:]].updateValue(Answer(parts[3]), forKey: parts[2])
            if old != nil { problem("\(parts[1]) \(parts[2]) is there twice") }
        }
        if child.finish() != .done || !complete { problem("the reader did not come to its end") }
        models.withLock { models in
            for (worker, model) in models { compare(model, Plan(seed: seed, worker: worker).service, found) }
        }
        let shared = found[Plan.shared] ?? [:]
        guard shared.count == 1, let answer = shared[Plan.shared], isOfShared(answer, .read) else {
            return problem("shared items: \(shared)")
        }
    }

    private func compare(_ model: Model, _ service: String, _ found: [String: [String: Answer]]) {
        for index in 0..<Plan.accounts {
            let account = "account-\(index)"
            let content: Value?
            switch found[service]?[account] {
            case nil: content = nil
            case .done(let value?): content = value
            case let answer?:
                problem("\(service) \(account): \(answer)")
                continue
            }
            guard !model.contents(of: account).contains(content) else { continue }
            problem("\(service) \(account) holds \(content.map(String.init(describing:)) ?? "nothing")")
        }
    }

    private func problem(_ text: String) {
        tally.withLock { $0.problems.append(text) }
    }
}
