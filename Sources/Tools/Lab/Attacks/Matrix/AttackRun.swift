/// What came out of one case at one door.
public struct AttackRow: Sendable {
    /// The case.
    public let attack: AttackCase
    /// The door.
    public let door: AttackDoorName
    /// What is wrong after the attack; empty when the control stopped it.
    public let faults: [String]
    /// What is wrong without the attack; empty when the same scene succeeds.
    public let twinFaults: [String]

    /// Whether the control stopped the attack, and nothing but the attack.
    public var isStopped: Bool { faults.isEmpty && twinFaults.isEmpty }
}

/// Plays cases at doors, several at a time.
public struct AttackRun: Sendable {
    private let workshop: AttackWorkshop
    private let doors: [any AttackDoor]
    private let width: Int

    /// A run.
    ///
    /// - Parameters:
    ///   - workshop: Makes the certificates.
    ///   - doors: Where to play.
    ///   - width: How many plays there are at a time.
    public init(_ workshop: AttackWorkshop, doors: [any AttackDoor], width: Int = 4) {
        self.workshop = workshop
        self.doors = doors
        self.width = width
    }

    /// Plays `cases`.
    ///
    /// - Returns: A row for each case and door, in their order.
    public func play(_ cases: [AttackCase]) async -> [AttackRow] {
        var usual: [AttackDoorName: [String]] = [:]
        for door in doors { usual[door.name] = await twinFaults(AttackScene(), door) }
        let pairs = cases.flatMap { attack in doors.map { (attack, $0) } }
        let shared = usual
        return await withTaskGroup(of: (Int, AttackRow).self) { group in
            var rows = [AttackRow?](repeating: nil, count: pairs.count)
            for (index, (attack, door)) in pairs.enumerated() {
                if index >= width, let (done, row) = await group.next() { rows[done] = row }
                group.addTask { (index, await row(attack, door, usual: shared[door.name] ?? [])) }
            }
            for await (done, row) in group { rows[done] = row }
            return rows.compactMap { $0 }
        }
    }

    private func row(_ attack: AttackCase, _ door: any AttackDoor, usual: [String]) async -> AttackRow {
        let twin = if let scene = attack.twin(at: door.name) { await twinFaults(scene, door) } else { usual }
        return AttackRow(attack: attack, door: door.name, faults: await faults(attack, door), twinFaults: twin)
    }

    private func faults(_ attack: AttackCase, _ door: any AttackDoor) async -> [String] {
        do {
            let stage = try AttackStage(attack.scene, from: workshop)
            let ends = try await door.play(stage)
            return await AttackJudge.faults(of: stage, ends: ends, expected: attack.expectation(at: door.name))
        } catch {
            return ["the scene could not be played: \(error)"]
        }
    }

    private func twinFaults(_ scene: AttackScene, _ door: any AttackDoor) async -> [String] {
        do {
            let stage = try AttackStage(scene, from: workshop)
            let ends = try await door.play(stage)
            return await AttackJudge.faults(ofTwin: stage, ends: ends)
        } catch {
            return ["without the attack: the scene could not be played: \(error)"]
        }
    }
}
