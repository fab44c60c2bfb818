internal import PaviseCrypto
internal import PavisePrimitives

/// The servers of one scene, running, and the secrets that must not go astray.
public final class AttackStage: Sendable {
    /// What is played.
    public let scene: AttackScene
    /// The server that is asked.
    public let front: LabServer
    /// The other one.
    public let trap: LabServer?
    /// The proxy between; `nil` when the environment names none.
    public let proxy: LyingProxy?
    /// Where they are.
    public let places: AttackURLs
    /// The secrets.
    public let canaries: AttackCanaries
    /// The certificate of the trusted root, DER.
    public let anchor: [UInt8]
    /// The front server's identity at the beginning.
    public let identity: ServerIdentity?
    private let trapIdentity: ServerIdentity?
    private let workshop: AttackFixtures

    /// Starts the servers.
    ///
    /// - Throws: ``LabFailure`` when a certificate cannot be made or a port cannot be had.
    public init(_ scene: AttackScene, from workshop: AttackFixtures) throws(LabFailure) {
        self.scene = scene
        self.workshop = workshop
        anchor = workshop.anchor
        canaries = workshop.canaries
        identity = scene.front.isSecure ? try workshop.identity(scene.front.certificate) : nil
        front = try LabServer.start(identity, tls: scene.front.tls) { _ in .silence }
        var other: ServerIdentity?
        if let server = scene.trap {
            if server.isSecure { other = try workshop.identity(server.certificate) }
            trap = try LabServer.start(other, tls: server.tls) { _ in .silence }
        } else {
            trap = nil
        }
        trapIdentity = other
        let tunnelEnd = scene.proxy == .otherServer ? trap?.port ?? front.port : front.port
        if let lie = scene.proxy { proxy = try LyingProxy(lie, to: tunnelEnd) } else { proxy = nil }
        let frontPlace = "\(scene.front.host):\(front.port)"
        let places = AttackURLs(
            front: frontPlace, trap: trap.map { "\(scene.trap?.host ?? ""):\($0.port)" } ?? frontPlace,
            frontPort: front.port, cookie: canaries.cookie)
        self.places = places
        let script = scene.front.script
        front.answer { script($0, places) }
        if let trap, let script = scene.trap?.script { trap.answer { script($0, places) } }
    }

    /// The variables of the environment.
    public var variables: [String: String] {
        proxy.map { ["https_proxy": "http://127.0.0.1:\($0.port)"] } ?? [:]
    }

    /// The address of a request.
    public func address(of request: AttackRequest) -> String {
        if let address = request.address { return places.filled(address) }
        return "\(scene.front.isSecure ? "https" : "http")://\(places.front)\(request.path)"
    }

    /// SHA-256 of the SubjectPublicKeyInfo that a demand means, base64.
    public func pin(_ key: AttackPins.Key) -> String {
        switch key {
        case .front: identity?.pin ?? Self.nobody
        case .trap: trapIdentity?.pin ?? Self.nobody
        case .root: workshop.rootPin
        case .stranger: workshop.strangerPin
        case .nobody: Self.nobody
        }
    }

    /// The front server shows another certificate, and all its connections are cut.
    public func change(_ certificate: AttackCertificate) throws(LabFailure) {
        try front.use(try workshop.identity(certificate), tls: scene.front.tls)
        front.dropConnections()
    }

    /// The other server shows a fresh key of the trusted root.
    public func changeTrap() throws(LabFailure) {
        guard let trap, let server = scene.trap else { return }
        try trap.use(try workshop.identity(server.certificate), tls: server.tls)
        trap.dropConnections()
    }

    /// Ends the servers.
    public func end() {
        front.stop()
        trap?.stop()
    }

    private static let nobody = Base64.encode([UInt8](repeating: 7, count: 32))
}

/// The secrets of a workshop's scenes. Each stands in the clear nowhere but where it belongs.
public struct AttackCanaries: Hashable, Sendable {
    /// The bearer token, or the password.
    public let credential: String
    /// The value of the application's cookie, and of those that a server sets.
    public let cookie: String
    /// What a body holds, and a field of the application's own.
    public let content: String

    /// Fresh ones.
    public init() {
        let mark = String(UInt64.random(in: .min ... .max), radix: 36)
        credential = "canary-credential-\(mark)"
        cookie = "canary-cookie-\(mark)"
        content = "canary-content-\(mark)"
    }

    /// A text with `{cookie}` and `{content}` written out.
    public func filled(_ text: String) -> String {
        text.replacing("{cookie}", with: cookie).replacing("{content}", with: content)
    }

    var all: [String] { [credential, cookie, content] }
}
