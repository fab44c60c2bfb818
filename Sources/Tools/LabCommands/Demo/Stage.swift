internal import Foundation
internal import PaviseLab
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework
internal import Synchronization

/// What one scene is played on: a home of its own, an authority of its own, and every server it starts. Nothing
/// outlives it.
final class Stage: Sendable {
    /// The folder that holds all state of the scene, as `PAVISE_HOME` would.
    let home: PaviseHome
    /// Signs the certificates of honest servers.
    let authority: CertificateAuthority
    /// The path of the program `pavise-lab`, for scenes that kill a process; `nil` where it cannot be found.
    let program: String?
    private let servers = Mutex<[LabServer]>([])

    /// The name under which the scene, and every child of it, reaches the keychain.
    static let applicationID = "org.pavise.demo"

    /// The keychain's surroundings for a home.
    static func environment(_ home: PaviseHome) -> SecurityEnvironment {
        SecurityEnvironment(home: home, accessGroups: [applicationID])
    }

    init(program: String?) throws {
        let path = FileManager.default.temporaryDirectory.path + "/pavise-demo-\(UUID().uuidString)"
        try DurableFile.makeDirectory(path)
        home = PaviseHome(path: path)
        authority = try CertificateAuthority(hasIntermediate: true)
        let anchor = authority.anchor
        try DurableFile.write(anchor.span, to: Self.anchorFile(in: home))
        self.program = program
    }

    /// Starts a server that answers every request alike. It ends with the scene.
    func server(
        _ identity: ServerIdentity?, tls: LabTLS = LabTLS(),
        _ handler: @escaping LabServer.Handler = { _ in .text("welcome") }
    ) throws -> LabServer {
        let server = try LabServer.start(identity, tls: tls, handler: handler)
        servers.withLock { $0.append(server) }
        return server
    }

    /// Starts an OAuth authority over TLS. It ends with the scene.
    func oauth(
        _ configuration: AuthorityConfiguration = AuthorityConfiguration(), clock: TimeSource = .system
    ) throws -> LabAuthority {
        let oauth = try LabAuthority.start(try authority.issue(), configuration: configuration, clock: clock)
        servers.withLock { $0.append(oauth.server) }
        return oauth
    }

    /// A client of an attacker's own, who trusts the scene's authority like everybody here.
    func attacker() throws -> HTTPClient { try HTTPClient(policy: TrustPolicy(anchors: .only([authority.anchor]))) }

    /// Ends every server and removes the home.
    func close() {
        for server in servers.withLock({ $0 }) { server.stop() }
        try? FileManager.default.removeItem(atPath: home.path)
    }
}
