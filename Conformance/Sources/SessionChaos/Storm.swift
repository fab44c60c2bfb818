internal import Pavise
internal import PaviseLab
internal import Synchronization

/// A thousand callers in one process, over TLS, spread across the instant at which the refresh completes
/// (session/BAR1).
struct Storm {
    /// What goes wrong meanwhile.
    enum Trouble: String, CaseIterable {
        case nothing, cancellations, journalFailsOnce, storeFailsOnce, answerLost
    }

    let world: World
    let runs: Int

    func play() async throws -> [String] {
        var configuration = world.authority.configuration
        configuration.rotation = .grace(seconds: 10)
        world.authority.configuration = configuration
        try await world.signIn("storm")
        var problems: [String] = []
        for trouble in Trouble.allCases {
            let count = trouble == .nothing ? runs : max(1, runs / 10)
            var requests = 0
            var answers = 0
            for run in 0..<count {
                let (made, result, found) = try await one(run, trouble)
                requests += made
                answers += result.answered
                problems += found.map { "\(trouble) run \(run): \($0)" }
            }
            print("session storm: \(trouble), \(count) runs: \(requests) token requests, \(answers) answers")
        }
        return problems
    }

    private func one(_ run: Int, _ trouble: Trouble) async throws -> (Int, Crowd.Result, [String]) {
        let connection = try world.connections(wiring(trouble)).open("storm")
        world.authority.expireAccessTokens()
        let before = world.authority.counters
        let gate = LabGate()
        // What the authority loses, it has done: the same token again within its grace gets the same answer.
        world.authority.fail(.token, with: trouble == .answerLost ? .lostAnswer : .late(gate), times: 1)
        // The answer leaves while callers still arrive: some before it, some at that instant, some after.
        let authority = world.authority
        let opening = Task {
            await authority.waitForRotation(before.rotations + 1)
            try? await Task.sleep(for: .milliseconds(run % 8))
            gate.open()
        }
        let result = try await Crowd.ask(
            connection, 1000, spread: .milliseconds(10 + run % 30), cancelling: trouble == .cancellations ? 3 : nil)
        await opening.value
        await connection.session?.settle()
        let after = world.authority.counters
        world.authority.heal()
        let requests = after.tokenRequests - before.tokenRequests
        return (requests, result, judge(requests, before, after, result, trouble))
    }

    private func judge(
        _ requests: Int, _ before: AuthorityCounters, _ after: AuthorityCounters, _ result: Crowd.Result,
        _ trouble: Trouble
    ) -> [String] {
        var problems: [String] = []
        if requests != (trouble == .answerLost ? 2 : 1) { problems.append("\(requests) token requests, \(after)") }
        if after.rotations - before.rotations != 1 {
            problems.append("\(after.rotations - before.rotations) rotations")
        }
        if after.revokedFamilies + after.reuseDetections > 0 { problems.append("a family was revoked") }
        if result.answered + result.cancelled != 1000 || trouble != .cancellations && result.answered != 1000 {
            problems.append("\(result.answered) answers, \(result.cancelled) cancelled; \(result.failures.prefix(2))")
        }
        return problems
    }

    private func wiring(_ trouble: Trouble) -> Wiring {
        var wiring = Wiring()
        let failing: Int? =
            switch trouble {
            case .journalFailsOnce: 1
            case .storeFailsOnce: 2
            default: nil
            }
        guard let failing else { return wiring }
        wiring.hook = Hook { (step) throws(VaultFailure) in
            if step == .willWrite(failing) { throw .system(status: -36) }
        }
        return wiring
    }
}
