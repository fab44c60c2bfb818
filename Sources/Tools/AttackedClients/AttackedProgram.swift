internal import Foundation
internal import Pavise
public import PaviseLab
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport
internal import SecurityFramework
internal import Synchronization

/// The program, `pavise fetch`: each request is a process of its own. `pavise connect` makes a few connections; for
/// each scene a free one is made anew in the program's own keychain, with the scene's server, pins and approvals.
public final class AttackedProgram: AttackedClient {
    /// Which target.
    public let name = AttackedClientName.fetch
    private let runner: ProgramRunner
    private let home: PaviseHome
    private let folder: String
    private let free: Mutex<[String]>

    /// Connects.
    ///
    /// - Parameters:
    ///   - program: The path of `pavise`.
    ///   - workshop: Whose root is the machine's only one for the program, and whose secret is the password.
    ///   - width: How many scenes may be played at a time.
    /// - Throws: ``ProgramClientFailure`` when the program does not connect, or what the system says.
    public init(program: String, workshop: AttackFixtures, width: Int = 4) async throws {
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent("pavise-client-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        home = PaviseHome(path: folder + "/home")
        runner = ProgramRunner(program: program, home: home.path, roots: folder + "/roots.pem")
        free = Mutex([])
        try Data(workshop.anchorPEM.utf8).write(to: URL(fileURLWithPath: folder + "/roots.pem"))
        let stage = try AttackStage(AttackScene(), from: workshop)
        defer { stage.end() }
        for number in 0..<width {
            let name = "lab\(number)"
            let words = ["connect", "https://\(stage.places.front)", "--basic", "ada", "--name", name]
            let run = try await runner.run(words, input: workshop.canaries.credential + "\n")
            guard run.status == 0, !run.hasCrashed else { throw ProgramClientFailure(words: run.messages) }
            free.withLock { $0.append(name) }
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The program with the scene's connection.
    public func session(on stage: AttackStage) async throws -> any AttackedSession {
        guard let name = free.withLock({ $0.popLast() }) else {
            throw ProgramClientFailure(words: "All connections are in use: fewer scenes at a time.")
        }
        let session = ProgramSession(
            stage: stage, name: name, runner: runner, home: home,
            giveBack: { [weak self] in self?.free.withLock { $0.append(name) } })
        try await session.use(stage.scene.client.pins)
        return session
    }
}

/// The program did not do what the matrix needs before it can begin.
public struct ProgramClientFailure: Error, Hashable, Sendable {
    /// What it printed.
    public let words: String
}

private final class ProgramSession: AttackedSession {
    private let stage: AttackStage
    private let policy: AttackPolicy
    private let name: String
    private let runner: ProgramRunner
    private let home: PaviseHome
    private let giveBack: @Sendable () -> Void

    init(
        stage: AttackStage, name: String, runner: ProgramRunner, home: PaviseHome,
        giveBack: @escaping @Sendable () -> Void
    ) {
        self.stage = stage
        self.name = name
        self.runner = runner
        self.home = home
        self.giveBack = giveBack
        policy = AttackPolicy(stage: stage)
    }

    deinit { giveBack() }

    /// Makes the connection anew, as the program would: it knows keys of the server itself, and nothing of authorities,
    /// ends and whole certificates. A description that was only written over would not be authentic.
    func use(_ pins: [AttackPins]) async throws {
        let keys = pins.filter { $0.hosts.contains(policy.origin.host) }.flatMap(\.leaf)
        let approvals = try await policy.approvals()
        let secure = Origin(scheme: .https, host: policy.origin.host, port: policy.origin.port)
        let surroundings = SecurityEnvironment(
            home: home, accessGroups: [ProgramRunner.applicationID], lock: LockSwitch(following: home))
        try SecurityEnvironment.$override.withValue(surroundings) {
            let connections = Connections(home: home, methods: .standard.withPasswords(at: .named))
            if let old = try connections.list().first(where: { (try? $0.descriptor.get().name) == name }) {
                _ = try connections.remove(damaged: old.id)
            }
            let pins = keys.compactMap { Pin(stage.pin($0)) }
            let connection = try connections.add(
                name, origin: secure, method: .basic, approvals: approvals, pins: pins)
            try connection.store(
                user: "ada", password: SecretBytes(copying: Array(stage.canaries.credential.utf8).span))
            guard policy.origin != secure else { return }
            // Nobody can store a password for http. The worst that can be there is one in a connection that leads to
            // http later.
            let made = connection.descriptor
            try connections.save(
                ConnectionDescriptor(
                    id: made.id, name: name, origin: policy.origin, method: .basic, approvals: approvals, pins: pins,
                    created: made.created))
        }
    }

    func send(_ request: AttackRequest) async -> AttackEnd {
        var words = ["fetch", name, address(of: request), "--json", "--method=\(request.method)"]
        if let body = request.body { words += ["--data", stage.canaries.filled(body)] }
        for field in request.fields { words += ["--header", "\(field.name): \(stage.canaries.filled(field.value))"] }
        guard let run = try? await runner.run(words, input: "", variables: stage.variables) else {
            return .stopped(.crash, words: "the program did not start")
        }
        return run.end
    }

    private func address(of request: AttackRequest) -> String {
        request.address == nil ? request.path : stage.address(of: request)
    }
}
