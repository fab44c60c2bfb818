// storage-chaos [SCENARIO…] [FAULT…] [--points N] [--whole N]: a fault at N calls of each write of protected storage,
// or at all of them where there are no more than --whole: files, erasable files, databases, schema steps, new keys,
// images, settings, removals.
internal import FaultPoints
internal import Foundation

let words = Array(CommandLine.arguments.dropFirst())
setenv("PAVISE_TPM", "none", 0)
switch words.first {
case "prepare": PointWorker<Scenario>.prepare(Array(words.dropFirst()))
case "act": PointWorker<Scenario>.act(Array(words.dropFirst()))
case "look": PointWorker<Scenario>.look(Array(words.dropFirst()))
default:
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pavise-chaos-\(UUID().uuidString)").path
    func number(_ option: String, _ fallback: Int) -> Int {
        words.firstIndex(of: option).flatMap { words.dropFirst($0 + 1).first }.flatMap { Int($0) } ?? fallback
    }
    let problems = try Scenario.play(
        "storage", named: words, most: number("--points", 12), whole: number("--whole", 0), folder: folder)
    try FileManager.default.removeItem(atPath: folder)
    for problem in problems.prefix(200) { print("  PROBLEM: \(problem)") }
    exit(problems.isEmpty ? 0 : 1)
}
