internal import Foundation
internal import Pavise
internal import PaviseAppLock
internal import PaviseDevice
public import PaviseLab
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport
internal import SecurityFramework

/// An app's account, as `AppSecurity` gives it: under an open app lock, in a home and a keychain of the scene's own.
/// The server is reviewed, and approved where the scene's person did so, as an app does it; an administrator's rules
/// are read from a file.
public struct AttackedAppSecurity: AttackedClient {
    /// Which target.
    public let name = AttackedClientName.appSecurity

    /// The target.
    public init() {}

    /// An app with an account at the scene's server.
    public func session(on stage: AttackStage) async throws -> any AttackedSession {
        let scene = try AppScene(stage)
        return try await scene.run { try await AppSession(scene) }
    }
}

/// The app's home, which goes with the scene.
private final class AppScene: Sendable {
    let stage: AttackStage
    let policy: AttackPolicy
    private let folder: String
    private let environment: SecurityEnvironment

    init(_ stage: AttackStage) throws {
        self.stage = stage
        policy = AttackPolicy(stage: stage)
        let base = FileManager.default.temporaryDirectory.path
        folder = "\(base)/pavise-app-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var environment = SecurityEnvironment(
            home: PaviseHome(path: folder + "/home"), accessGroups: ["org.pavise.attacks"])
        environment.device = DeviceEnvironment(elements: ElementChoice([.software]), places: [])
        self.environment = environment
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await SecurityEnvironment.$override.withValue(environment) { try await body() }
    }

    /// The app, with the scene's root for its only one.
    func app() throws -> AppSecurity {
        var configuration = SecurityConfiguration()
        configuration.managed = try managed()
        configuration.passwordServers = .named
        var parts = SecurityParts()
        parts.home = environment.home
        parts.watchesSystem = false
        let anchors = TrustPolicy.Anchors.only([stage.anchor])
        parts.makeClient = { policy throws(TransportFailure) in
            var policy = policy
            policy.anchors = anchors
            return try Connections.platformClient(policy)
        }
        // A PIN whose stretching costs nothing; all else is the app's lock.
        parts.makeLock = { home, identifier, policy, rules, _ in
            var parts = AppLockParts.platform(sharesUnlock: false, home: home, application: identifier)
            parts.code = PlatformPINKeyDerivation(price: PINKeyDerivationBridge.KDFCost(kibibytes: 8, passes: 1))
            return AppLock.overConnections(of: home, parts, application: identifier, policy: policy, tightened: rules)
        }
        return try AppSecurity(identifier: "org.pavise.attacked", configuration: configuration, parts: parts)
    }

    private func managed() throws -> ManagedFile {
        guard stage.scene.client.isDenied else { return .none }
        let path = folder + "/managed.json"
        // pavise:ignore STORE-FILE An administrator's file of the scene: it denies a key that everybody may know.
        try Data(#"{"denied": {"keys": ["\#(stage.pin(.front))"]}}"#.utf8).write(to: URL(fileURLWithPath: path))
        return ManagedFile(path: path)
    }
}

private struct AppSession: AttackedSession {
    private let scene: AppScene
    private let app: AppSecurity
    private let isUsable: Bool
    private var stage: AttackStage { scene.stage }
    private var origin: Origin { scene.policy.origin }

    init(_ scene: AppScene) async throws {
        self.scene = scene
        app = try scene.app()
        try await app.lock.setPIN("482913")
        isUsable = try await Self.addAccount(to: app, scene)
    }

    // The name and password are kept without a try: the scene counts what its servers hear.
    private static func addAccount(to app: AppSecurity, _ scene: AppScene) async throws -> Bool {
        let origin = scene.policy.origin
        let secure = Origin(scheme: .https, host: origin.host, port: origin.port)
        let stage = scene.stage
        var credential = stage.canaries.credential
        if stage.scene.request.hasBrokenCredential { credential += "\r\nX-Injected: yes" }
        let connections = app.connections
        let server = try await approved(in: app, scene)
        let approvals =
            if let server { await server.keeper.policy.approvals } else { try await scene.policy.approvals() }
        let descriptor = ConnectionDescriptor(
            id: try server?.id ?? .random(), name: "lab", origin: secure, method: .basic, approvals: approvals,
            pins: pins(stage.scene.client.pins, scene), created: TimeSource.system.wallSeconds)
        let connection = try connections.add(descriptor, servers: server?.draft.content)
        do {
            try connection.store(user: "ada", password: SecretBytes(copying: Array(credential.utf8).span))
        } catch {
            guard stage.scene.request.hasBrokenCredential else { throw error }
            return false
        }
        guard origin != secure else { return true }
        // Nobody can store a password for http. The worst that can be there is one in an account that leads to
        // http later.
        var made = connection.descriptor
        made = ConnectionDescriptor(
            id: made.id, name: made.name, origin: origin, method: .basic, approvals: made.approvals, pins: made.pins,
            created: made.created)
        try connections.save(made)
        return true
    }

    // The server, where the scene's person approved its certificate.
    private static func approved(in app: AppSecurity, _ scene: AppScene) async throws -> ReviewedServer? {
        guard scene.stage.scene.client.hasApproved else { return nil }
        let server = try await app.review("\(scene.policy.origin)")
        try await server.approve()
        return server
    }

    private static func pins(_ pins: [AttackPins], _ scene: AppScene) -> [Pin] {
        pins.filter { $0.hosts.contains(scene.policy.origin.host) }.flatMap(\.leaf)
            .compactMap { Pin(scene.stage.pin($0)) }
    }

    func use(_ pins: [AttackPins]) async throws {
        try await scene.run {
            var changed = try app.account("lab").connection.descriptor
            changed.pins = Self.pins(pins, scene)
            try app.connections.save(changed)
        }
    }

    func send(_ request: AttackRequest) async -> AttackEnd {
        guard isUsable else { return .stopped(.unusable, words: "the password cannot be kept") }
        guard let url = try? WebURL(stage.address(of: request)) else {
            return .stopped(.unusable, words: "the address")
        }
        var message = HTTPRequest(request.method, url, body: request.body.map { Array(stage.canaries.filled($0).utf8) })
        message.limits.idle = .seconds(10)
        for field in request.fields {
            guard message.fields.append(field.name, stage.canaries.filled(field.value)) else {
                return .stopped(.unusable, words: "the field \(field.name)")
            }
        }
        let whole = message
        return await scene.run {
            do throws(PaviseError) {
                return try await end(of: app.account("lab").send(whole))
            } catch {
                return AttackEnd(error)
            }
        }
    }

    // An account follows nothing: the app gets the redirect and has to decide.
    private func end(of answer: HTTPResponse) -> AttackEnd {
        if (300...399).contains(answer.status), answer.status != 304 {
            return .stopped(.redirect, words: "status \(answer.status)")
        }
        return .answer(status: answer.status, body: String(decoding: answer.body, as: UTF8.self))
    }
}

extension AttackEnd {
    /// How a request of an account ended.
    fileprivate init(_ error: PaviseError) {
        switch error.underlying {
        case SessionFailure.transport(let failure): self.init(failure)
        case SessionFailure.foreignOrigin: self = .stopped(.credential, words: "\(error.underlying)")
        case let failure as TransportFailure: self.init(failure)
        default: self = .stopped(.noAnswer, words: "\(error.underlying)")
        }
    }
}
