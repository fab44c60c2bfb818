// session-chaos [PART…] [--runs N] [--rounds N] [--times N] [--faults N] [--connections N]: what a session is worth.
//
// Everything is real but the internet: TLS, the keychain, the element's key, processes, SIGKILL. The authority is the
// lab's.
//   storm a thousand callers around the instant at which a refresh completes; cancellations, lost answers, failed
//   stores processes eight processes that share one session kills SIGKILL at each step of a refresh, with a grace
//   window at the authority and without faults a thousand passing faults: none of them may sign anybody out flood ten
//   thousand callbacks at a sign-in's listener, and the true one among them
internal import Foundation

#if canImport(Glibc)
internal import Glibc
#endif

func number(_ option: String, _ fallback: Int) -> Int {
    guard let index = CommandLine.arguments.firstIndex(of: option), index + 1 < CommandLine.arguments.count else {
        return fallback
    }
    return Int(CommandLine.arguments[index + 1]) ?? fallback
}

/// One part: its name, and what it finds wrong.
let parts: [(name: String, play: (World) async throws -> [String])] = [
    ("storm", { try await Storm(world: $0, runs: number("--runs", 200)).play() }),
    ("processes", { try await Processes(world: $0, rounds: number("--rounds", 50)).play() }),
    ("kills", { try await Kills(world: $0, times: number("--times", 10)).play() }),
    ("faults", { try await Faults(world: $0, count: number("--faults", 1000)).play() }),
    ("flood", { try await Flood(world: $0, connections: number("--connections", 10_000)).play() }),
]

let words = Array(CommandLine.arguments.dropFirst())
if words.first == "caller" { await Caller.perform(Array(words.dropFirst())) }
if words.first == "flooder" { Flooder.perform(Array(words.dropFirst())) }
if words.first == "doomed" { await Doomed.perform(Array(words.dropFirst())) }

setenv("PAVISE_TPM", "none", 0)
setenv("PAVISE_APP_ID", "org.pavise.chaos", 1)
var failed = false
for part in parts where !parts.contains(where: { words.contains($0.name) }) || words.contains(part.name) {
    let world = try World()
    let start = ContinuousClock.now
    let problems = try await part.play(world)
    print("session \(part.name): \(problems.count) problems, \((ContinuousClock.now - start) / .seconds(1)) s")
    for problem in problems.prefix(20) { print("  PROBLEM: \(problem)") }
    failed = failed || !problems.isEmpty
    world.close()
}
exit(failed ? 1 : 0)
