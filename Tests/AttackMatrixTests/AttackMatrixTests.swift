import Foundation
import PaviseAttackDoors
import PaviseLab
import PavisePrimitives
import Testing

/// What all plays share: the certificates, and the connection of the program.
enum Matrix {
    /// The program: it lies beside the tests.
    static let program: String? = {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard let tests else { return nil }
        let path = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("pavise").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    private static let opened = Task { () throws -> (AttackWorkshop, ProgramDoor?) in
        let workshop = try AttackWorkshop()
        guard let program else { return (workshop, ProgramDoor?.none) }
        return (workshop, try await ProgramDoor(program: program, workshop: workshop))
    }

    /// The workshop, and the door of a name; the program's is `nil` when the program is not beside the tests.
    static func open(_ name: AttackDoorName) async throws -> (AttackWorkshop, (any AttackDoor)?) {
        let (workshop, program) = try await opened.value
        switch name {
        case .client: return (workshop, ClientDoor())
        case .urlSession: return (workshop, URLSessionDoor())
        case .fetch: return (workshop, program)
        }
    }
}

@Suite struct `The attack matrix` {
    @Test(arguments: AttackTable.all, AttackDoorName.allCases)
    func `each control stops its attack at each door`(_ attack: AttackCase, _ name: AttackDoorName) async throws {
        let (workshop, door) = try await Matrix.open(name)
        guard let door else { return }
        let stage = try AttackStage(attack.scene, from: workshop)
        let ends = try await door.play(stage)
        let expected = attack.expectation(at: name)
        let faults = await AttackJudge.faults(of: stage, ends: ends, expected: expected)
        #expect(faults.isEmpty, "\(attack.id) at \(name.rawValue): \(faults)")
    }

    @Test(arguments: AttackTable.all, AttackDoorName.allCases)
    func `without the attack the same scene succeeds`(_ attack: AttackCase, _ name: AttackDoorName) async throws {
        let (workshop, door) = try await Matrix.open(name)
        guard let door else { return }
        let stage = try AttackStage(attack.twin(at: name), from: workshop)
        let ends = try await door.play(stage)
        let faults = await AttackJudge.faults(ofTwin: stage, ends: ends)
        #expect(faults.isEmpty, "\(attack.id) at \(name.rawValue): \(faults)")
    }
}
