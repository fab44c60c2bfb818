// keychain-chaos [--seed N] [--workers N] [--operations N]: what acknowledged writes are worth.
//
// Workers perform random keychain operations, each in a process of its own, on one keychain. They are killed with
// SIGKILL at random moments and started again. At the end a fresh process reads everything: each acknowledged write has
// to be there, nothing twice, nothing damaged; the one operation that a kill cut off may have happened or not.
//
// keychain-chaos points [SCENARIO…] [FAULT…] [--points N]: a fault at N calls of each write, see Points.
// keychain-chaos flips [--every N] [--workers N]: every Nth bit of the files turned around, see Flips.
internal import FaultPoints
internal import Foundation

func number(_ option: String, _ fallback: Int) -> Int {
    guard let index = CommandLine.arguments.firstIndex(of: option), index + 1 < CommandLine.arguments.count else {
        return fallback
    }
    return Int(CommandLine.arguments[index + 1]) ?? fallback
}

func freshHome() throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pavise-chaos-\(UUID().uuidString)").path
    // A home that others may look into is refused.
    try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return path
}

func playChaos() throws -> [String] {
    let seed = number("--seed", Int.random(in: 1...0xFFFF_FFFF))
    let workers = number("--workers", 8)
    let operations = number("--operations", 10_000)
    print("keychain chaos: seed \(seed), \(workers) processes × \(operations) operations")
    let home = try freshHome()
    let start = ContinuousClock.now
    let tally = Chaos(seed: UInt64(seed), workers: workers, operations: operations, home: home).run()
    print(
        "  \(tally.operations) acknowledged, \(tally.kills) kills, \(tally.interrupted) operations cut off, "
            + "\(tally.refused) refused after 10 s, \(tally.problems.count) problems, "
            + "\((ContinuousClock.now - start) / .seconds(1)) s"
    )
    if tally.problems.isEmpty { try FileManager.default.removeItem(atPath: home) } else { print("  kept: \(home)") }
    return tally.problems
}

func playRace() throws -> [String] {
    let home = try freshHome()
    let problems = try Race(racers: number("--workers", 8), accounts: 50, home: home).run()
    print("keychain race: \(number("--workers", 8)) processes add the same 50 items, \(problems.count) problems")
    try FileManager.default.removeItem(atPath: home)
    return problems
}

func playSelfTest() throws -> Bool {
    let home = try freshHome()
    let chaos = Chaos(seed: 1, workers: 4, operations: 100, home: home)
    let isClean = chaos.run().problems.isEmpty
    let isSeen = try chaos.seesLoss()
    print(
        "keychain self-test: clean run \(isClean ? "passes" : "FAILS"), a lost write is \(isSeen ? "seen" : "NOT SEEN")"
    )
    try FileManager.default.removeItem(atPath: home)
    let (isUnfinishedSeen, isUnturnedSeen) = (try seesUnfinishedReader(), try seesUnturnedBits())
    print(
        "keychain self-test: a reader that ends early is \(isUnfinishedSeen ? "seen" : "NOT SEEN"), "
            + "files in which no bit was turned around are \(isUnturnedSeen ? "seen" : "NOT SEEN")")
    return isClean && isSeen && isUnfinishedSeen && isUnturnedSeen
}

func seesUnfinishedReader() throws -> Bool {
    setenv("PAVISE_PLANT", "unfinished", 1)
    defer { unsetenv("PAVISE_PLANT") }
    let folder = try freshHome()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let problems = try Scenario.play("planted", named: ["delete", "kill"], most: 1, folder: folder)
    return problems.contains { $0.hasSuffix("did not come to its end") }
}

func seesUnturnedBits() throws -> Bool {
    setenv("PAVISE_PLANT", "unturned", 1)
    defer { unsetenv("PAVISE_PLANT") }
    return try Flips(workers: 1, step: 200_003).run() == ["no bit that was turned around was noticed"]
}

func playPoints() throws -> [String] {
    let folder = try freshHome()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try Scenario.play(
        "keychain", named: CommandLine.arguments.dropFirst(2), most: number("--points", 12), folder: folder)
}

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "worker": Worker.perform(words.dropFirst().compactMap { Int($0) })
case "race": Worker.race(words.dropFirst().compactMap { Int($0) })
case "share": Worker.share()
case "forget": Worker.forget(Array(words.dropFirst()))
case "self-test": exit(try playSelfTest() ? 0 : 1)
case "flip": FlipWorker.perform(words.dropFirst().compactMap { Int($0) })
case "flips":
    let problems = try Flips(workers: number("--workers", 2), step: number("--every", 97)).run()
    for problem in problems.prefix(50) { print("  PROBLEM: \(problem)") }
    print("keychain flips: \(problems.count) problems")
    exit(problems.isEmpty ? 0 : 1)
case "prepare": PointWorker<Scenario>.prepare(Array(words.dropFirst()))
case "act": PointWorker<Scenario>.act(Array(words.dropFirst()))
case "look": PointWorker<Scenario>.look(Array(words.dropFirst()))
case "points":
    let problems = try playPoints()
    for problem in problems.prefix(200) { print("  PROBLEM: \(problem)") }
    exit(problems.isEmpty ? 0 : 1)
case "list": Worker.list(Array(words.dropFirst()))
default:
    let problems = try playRace() + playChaos()
    for problem in problems.prefix(20) { print("  PROBLEM: \(problem)") }
    exit(problems.isEmpty ? 0 : 1)
}
