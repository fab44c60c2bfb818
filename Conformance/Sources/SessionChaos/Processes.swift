internal import Foundation
internal import Pavise
internal import PaviseLab
internal import WorkerProcess

/// Eight processes share one session: whatever they meet together, one of them refreshes and all go on.
struct Processes {
    private static let count = 8
    private static let callers = 125

    let world: World
    let rounds: Int

    func play() async throws -> [String] {
        try await world.signIn("shared")
        let children = try (0..<Self.count).map { _ in
            try WorkerProcess(["caller", world.folder, "shared", "\(Self.callers)"])
        }
        var problems: [String] = []
        for child in children where child.line() != "ready" { problems.append("a process did not start") }
        var requests = 0
        for round in 0..<(problems.isEmpty ? rounds : 0) {
            world.authority.expireAccessTokens()
            let before = world.authority.counters
            for child in children { child.go() }
            for child in children {
                let line = child.line() ?? "end"
                if line != "\(Self.callers) []" { problems.append("round \(round): \(line)") }
            }
            let after = world.authority.counters
            let made = after.tokenRequests - before.tokenRequests
            requests += made
            if made != 1 { problems.append("round \(round): \(made) token requests") }
            if after.revokedFamilies + after.reuseDetections > 0 { problems.append("round \(round): a family ended") }
        }
        for child in children { child.finish() }
        print(
            "session processes: \(Self.count) processes × \(Self.callers) callers, \(rounds) rounds: "
                + "\(requests) token requests")
        return problems
    }
}

/// One of the processes: `caller FOLDER NAME CALLERS`. It asks again for each line of its input.
enum Caller {
    static func perform(_ words: [String]) async -> Never {
        guard words.count == 3, let callers = Int(words[2]),
            let anchor = try? Data(contentsOf: URL(fileURLWithPath: words[0] + "/anchor.der")),
            let connection = try? Wiring().connections(anchor: [UInt8](anchor)).open(words[1])
        else { exit(2) }
        // The record is in memory before the others refresh: what it says is old by then.
        _ = await connection.session?.state
        say("ready")
        while readLine() != nil {
            let result = try? await Crowd.ask(connection, callers, spread: .milliseconds(15))
            say("\(result?.answered ?? 0) \(result?.failures.prefix(2) ?? ["none"])")
        }
        exit(0)
    }

    static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
