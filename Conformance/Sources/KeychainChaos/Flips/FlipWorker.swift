internal import Foundation
internal import PavisePrimitives
internal import WorkerProcess

/// Turns bits around, one after the other, and reads.
enum FlipWorker {
    /// `IN-LOG FIRST STEP`: every `STEP`th bit from `FIRST` on, of all files, or of the log alone where items are in
    /// it.
    static func perform(_ numbers: [Int]) {
        guard numbers.count == 3, let path = ProcessInfo.processInfo.environment["PAVISE_HOME"] else { exit(2) }
        let home = PaviseHome(path: path)
        guard FlipStore.make(home, inLog: numbers[0]) else { exit(1) }
        let store = FlipStore(home)
        var position = numbers[1]
        let files = store.files.filter { numbers[0] == 0 || $0.key.hasSuffix("-wal") }
        for (name, content) in files.sorted(by: { $0.key < $1.key }) {
            let tally = flips(name, content.count * 8, store, &position, numbers[2])
            print("file \(name) \(tally.flips) \(tally.refused)")
        }
        store.restore()
        let intact = FlipProbe.all.allSatisfy { $0.run() == .right }
        print(intact ? "complete" : "problem the whole files do not read any more")
    }

    private static func flips(
        _ name: String, _ bits: Int, _ store: FlipStore, _ position: inout Int, _ step: Int
    ) -> (flips: Int, refused: Int) {
        var tally = (flips: 0, refused: 0)
        // Bits of one block are read by the same calls: what saw the last one is asked first.
        var witness: FlipProbe?
        var block = (number: -1, unseen: 0)
        while position < bits {
            if position / blockBits != block.number { block = (position / blockBits, 0) }
            store.restore(flipping: isUnturned ? nil : position, of: name)
            let probes = block.unseen < 8 ? FlipProbe.all : FlipProbe.some(position)
            let seen = isSeen(by: &witness, probes, "\(name) bit \(position)")
            tally.flips += 1
            tally.refused += seen ? 1 : 0
            block.unseen += seen ? 0 : 1
            position += step
        }
        position -= bits
        return tally
    }

    // For the self-test: every file stays as it was.
    private static let isUnturned = ProcessInfo.processInfo.environment["PAVISE_PLANT"] == "unturned"

    /// The smallest sector of a disk: records and pages begin at multiples of it.
    private static let blockBits = 512 * 8

    /// Whether any way of reading refuses. Without a refusal every value has to be right.
    private static func isSeen(by witness: inout FlipProbe?, _ probes: [FlipProbe], _ place: String) -> Bool {
        if let probe = witness, probe.run() == .refused { return true }
        witness = nil
        for probe in probes {
            switch probe.run() {
            case .right: continue
            // The last one: an item is read faster than the list.
            case .refused: witness = probe
            case .problem(let text): print("problem \(place): \(text)")
            }
        }
        return witness != nil
    }
}

/// Several workers share the bits of a keychain.
struct Flips {
    let workers: Int
    /// Every how many bits one is turned around.
    let step: Int

    /// - Returns: What went wrong.
    func run() throws -> [String] {
        var problems: [String] = []
        var noticed = 0
        for inLog in [0, 2] {
            let homes = try (0..<workers).map { _ in try freshHome() }
            let children = try homes.enumerated().map { number, home in
                try WorkerProcess(["flip", "\(inLog)", "\(number * step)", "\(step * workers)"], home: "\(home)/home")
            }
            var tally: [String: (flips: Int, refused: Int)] = [:]
            for child in children {
                var isComplete = false
                while let line = child.line() {
                    let parts = line.split(separator: " ").map(String.init)
                    if parts.first == "problem" { problems.append(String(line.dropFirst(8))) }
                    isComplete = isComplete || line == "complete"
                    guard parts.count == 4, parts[0] == "file", let flips = Int(parts[2]), let refused = Int(parts[3])
                    else { continue }
                    let name = parts[1].hasPrefix("device/keys/") ? "device/keys/*" : parts[1]
                    let old = tally[name] ?? (0, 0)
                    tally[name] = (old.flips + flips, old.refused + refused)
                }
                if child.finish() != .done || !isComplete { problems.append("a worker did not come to its end") }
            }
            noticed += tally.values.reduce(0) { $0 + $1.refused }
            for home in homes { try FileManager.default.removeItem(atPath: home) }
            print("keychain flips, \(inLog) items in the log: " + Self.words(tally))
        }
        // Where nothing is ever refused, nobody has read what was turned around.
        if noticed == 0 { problems.append("no bit that was turned around was noticed") }
        return problems
    }

    private static func words(_ tally: [String: (flips: Int, refused: Int)]) -> String {
        tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.flips) bits, \($0.value.refused) refused" }
            .joined(separator: "; ")
    }
}
