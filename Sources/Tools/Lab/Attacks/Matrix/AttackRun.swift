/// What came out of one case at one target.
public struct AttackRow: Sendable {
    /// The case.
    public let attack: AttackCase
    /// The target.
    public let target: AttackedClientName
    /// What is wrong after the attack; empty when the control stopped it.
    public let faults: [String]
    /// What is wrong without the attack; empty when the same scene succeeds.
    public let twinFaults: [String]

    /// Whether the control stopped the attack, and nothing but the attack.
    public var isStopped: Bool { faults.isEmpty && twinFaults.isEmpty }
}

/// Plays cases at targets, several at a time.
public struct AttackRun: Sendable {
    private let workshop: AttackFixtures
    private let targets: [any AttackedClient]
    private let width: Int

    /// A run.
    ///
    /// - Parameters:
    ///   - workshop: Makes the certificates.
    ///   - targets: Where to play.
    ///   - width: How many plays there are at a time.
    public init(_ workshop: AttackFixtures, targets: [any AttackedClient], width: Int = 4) {
        self.workshop = workshop
        self.targets = targets
        self.width = width
    }

    /// Plays `cases`.
    ///
    /// - Returns: A row for each case and target, in their order.
    public func play(_ cases: [AttackCase]) async -> [AttackRow] {
        var usual: [AttackedClientName: [String]] = [:]
        for target in targets { usual[target.name] = await twinFaults(AttackScene(), target) }
        let pairs = cases.flatMap { attack in targets.map { (attack, $0) } }
        let shared = usual
        return await withTaskGroup(of: (Int, AttackRow).self) { group in
            var rows = [AttackRow?](repeating: nil, count: pairs.count)
            for (index, (attack, target)) in pairs.enumerated() {
                if index >= width, let (done, row) = await group.next() { rows[done] = row }
                group.addTask { (index, await row(attack, target, usual: shared[target.name] ?? [])) }
            }
            for await (done, row) in group { rows[done] = row }
            return rows.compactMap { $0 }
        }
    }

    private func row(_ attack: AttackCase, _ target: any AttackedClient, usual: [String]) async -> AttackRow {
        let twin = if let scene = attack.twin(at: target.name) { await twinFaults(scene, target) } else { usual }
        return AttackRow(attack: attack, target: target.name, faults: await faults(attack, target), twinFaults: twin)
    }

    private func faults(_ attack: AttackCase, _ target: any AttackedClient) async -> [String] {
        do {
            let stage = try AttackStage(attack.scene, from: workshop)
            let ends = try await target.play(stage)
            return await AttackJudge.faults(of: stage, ends: ends, expected: attack.expectation(at: target.name))
        } catch {
            return ["the scene could not be played: \(error)"]
        }
    }

    private func twinFaults(_ scene: AttackScene, _ target: any AttackedClient) async -> [String] {
        do {
            let stage = try AttackStage(scene, from: workshop)
            let ends = try await target.play(stage)
            return await AttackJudge.faults(ofTwin: stage, ends: ends)
        } catch {
            return ["without the attack: the scene could not be played: \(error)"]
        }
    }
}
