internal import Foundation
internal import Pavise
internal import PaviseLab
internal import WorkerProcess

/// SIGKILL at each step of a refresh, then a fresh process's view (session/BAR2, §6).
struct Kills {
    let world: World
    let times: Int

    func play() async throws -> [String] {
        try await world.signIn("bystander")
        var problems: [String] = []
        for rotation in [AuthorityConfiguration.Rotation.grace(seconds: 10), .strict] {
            var configuration = world.authority.configuration
            configuration.rotation = rotation
            world.authority.configuration = configuration
            try await world.signIn("doomed")
            var lost = 0
            for point in CrashPoint.allCases {
                for number in 1...times {
                    let outcome = try await one(point, number, rotation)
                    if outcome == "lost" { lost += 1 }
                    if let problem = judge(outcome, point, rotation) {
                        problems.append("\(rotation), \(point) \(number): \(problem)")
                    }
                    if outcome != "kept" { try await world.signIn("doomed") }
                }
            }
            print(
                "session kills: \(rotation), \(CrashPoint.allCases.count) steps × \(times): "
                    + "\(lost) sessions lost, each told apart as a lost answer")
        }
        return problems + (try await bystanders())
    }

    /// `kept`, `lost`, or what is wrong.
    private func one(_ point: CrashPoint, _ number: Int, _ rotation: AuthorityConfiguration.Rotation) async throws
        -> String
    {
        let authority = world.authority
        let before = authority.counters
        let gate = LabGate()
        if point == .requestSent { authority.fail(.token, with: .silence, times: 1) }
        if point == .rotated { authority.fail(.token, with: .late(gate), times: 1) }
        let child = try WorkerProcess(["doomed", world.folder, "doomed", point.rawValue, "\(number)"])
        if point == .requestSent { await authority.wait { $0.tokenRequests > before.tokenRequests } }
        if point == .rotated { await authority.waitForRotation(before.rotations + 1) }
        if point == .requestSent || point == .rotated { child.kill() }
        guard child.finish() == .killed else { return "the process was not killed" }
        authority.heal()
        gate.open()
        return await look()
    }

    // What the next process finds: it asks for a token as an app does at its start, and uses it.
    private func look() async -> String {
        do {
            let connection = try world.connections().open("doomed")
            let status = try await connection.send(HTTPRequest("GET", connection.url("/api/me"))).status
            return status == 200 ? "kept" : "status \(status)"
        } catch SessionFailure.reloginNeeded(.lostRotation) {
            return "lost"
        } catch {
            return "\(error)"
        }
    }

    private func judge(
        _ outcome: String, _ point: CrashPoint, _ rotation: AuthorityConfiguration.Rotation
    ) -> String? {
        switch outcome {
        case "kept": nil
        case "lost" where rotation == .strict && point.isLossy: nil
        default: outcome
        }
    }

    // Nothing else is lost: the other session answers, both connections are there.
    private func bystanders() async throws -> [String] {
        let connections = try world.connections()
        var problems: [String] = []
        let bystander = try connections.open("bystander")
        if try await bystander.send(HTTPRequest("GET", bystander.url("/api/me"))).status != 200 {
            problems.append("the other session was lost")
        }
        let names = try connections.list().compactMap { try? $0.descriptor.get().name }
        if Set(names) != ["bystander", "doomed"] { problems.append("connections: \(names)") }
        return problems
    }
}
