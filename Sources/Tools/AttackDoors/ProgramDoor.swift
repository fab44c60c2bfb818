internal import Foundation
public import PaviseLab
internal import PavisePrimitives
internal import PaviseStorage
internal import PaviseTransport

/// The program, `pavise fetch`: each request is a process of its own. One connection is made by `pavise connect`; for each
/// scene its description is written anew with the scene's server, pins and approvals.
public final class ProgramDoor: AttackDoor {
    /// Which door.
    public let name = AttackDoorName.fetch
    let runner: ProgramRunner
    private let home: PaviseHome
    private let folder: String

    /// Connects.
    ///
    /// - Parameters:
    ///   - program: The path of `pavise`.
    ///   - workshop: Whose root is the machine's only one for the program, and whose secret is the password.
    /// - Throws: ``ProgramDoorFailure`` when the program does not connect, or what the system says.
    public init(program: String, workshop: AttackWorkshop) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("pavise-door-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        home = PaviseHome(path: folder + "/home")
        runner = ProgramRunner(program: program, home: home.path, roots: folder + "/roots.pem")
        try Data(workshop.anchorPEM.utf8).write(to: URL(fileURLWithPath: folder + "/roots.pem"))
        let stage = try AttackStage(AttackScene(), from: workshop)
        defer { stage.end() }
        let words = ["connect", "https://\(stage.places.front)", "--basic", "ada", "--name", "lab"]
        let run = try await runner.run(words, input: workshop.canaries.credential + "\n")
        guard run.status == 0 else { throw ProgramDoorFailure(words: run.messages) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The program with the scene's connection.
    public func visitor(on stage: AttackStage) async throws -> any AttackVisitor {
        let visitor = ProgramVisitor(
            stage: stage, policy: AttackPolicy(stage: stage), runner: runner, folder: ConnectionsFolder(home: home))
        try await visitor.use(stage.scene.client.pins)
        return visitor
    }
}

/// The program did not do what the matrix needs before it can begin.
public struct ProgramDoorFailure: Error, Hashable, Sendable {
    /// What it printed.
    public let words: String
}

private struct ProgramVisitor: AttackVisitor {
    let stage: AttackStage
    let policy: AttackPolicy
    let runner: ProgramRunner
    let folder: ConnectionsFolder

    /// Writes the connection's description: it knows keys of the server itself, and nothing of authorities, ends and whole
    /// certificates.
    func use(_ pins: [AttackPins]) async throws {
        let old = try folder.find("lab")
        let keys = pins.filter { $0.hosts.contains(policy.origin.host) }.flatMap(\.leaf)
        try folder.save(
            ConnectionDescriptor(
                id: old.id, name: old.name, origin: policy.origin, method: .basic,
                approvals: try await policy.approvals(), pins: keys.compactMap { Pin(stage.pin($0)) },
                created: old.created))
    }

    func send(_ request: AttackRequest) async -> AttackEnd {
        var words = ["fetch", "lab", address(of: request), "--json", "--method=\(request.method)"]
        if let body = request.body { words += ["--data", stage.canaries.filled(body)] }
        for field in request.fields { words += ["--header", "\(field.name): \(stage.canaries.filled(field.value))"] }
        guard let run = try? await runner.run(words, input: "") else {
            return .stopped(.noAnswer, words: "the program did not start")
        }
        return run.end
    }

    private func address(of request: AttackRequest) -> String {
        request.address == nil ? request.path : stage.address(of: request)
    }
}
