/// Who plays in a case, and how: a server that is asked, another one that must not get what is not for it, and a
/// client.
public struct AttackScene: Sendable {
    /// The server that the client means.
    public var front = AttackServer()
    /// A server of another origin; `nil` when there is none.
    public var trap: AttackServer?
    /// What the proxy does that the environment names; `nil` when it names none.
    public var proxy: LyingProxy.Lie?
    /// What the client has been told before.
    public var client = AttackClient()
    /// What happens, in order. The last request is the one that is judged; those before it must be answered.
    public var steps: [AttackStep] = [.send(AttackRequest())]

    /// One request to a good server.
    public init() {}

    /// The last request.
    public var request: AttackRequest {
        get {
            for case .send(let request) in steps.reversed() { return request }
            return AttackRequest()
        }
        set {
            let last = steps.lastIndex { step in
                guard case .send = step else { return false }
                return true
            }
            if let last { steps[last] = .send(newValue) }
        }
    }
}

/// One thing that happens.
public enum AttackStep: Sendable {
    /// The client sends a request.
    case send(AttackRequest)
    /// The front server shows another certificate from now on, and all connections are cut.
    case change(AttackCertificate)
    /// The client is told other pins, without a word about the connections that it has.
    case pin([AttackPins])
}

/// A server of a scene.
public struct AttackServer: Sendable {
    /// Answers a request; the places of both servers are known by then.
    public typealias Script = @Sendable (LabRequest, AttackURLs) -> LabResponse

    /// The name by which it is asked. All names lead to loopback.
    public var host = "localhost"
    /// Whether it speaks TLS at all.
    public var isSecure = true
    /// What it shows.
    public var certificate = AttackCertificate()
    /// Versions and suites.
    public var tls = LabTLS()
    /// What it answers.
    public var script: Script = { _, _ in .text("hello") }

    /// A good server of the scene's authority.
    public init() {}

    /// A server without TLS.
    public static var plain: AttackServer {
        var server = AttackServer()
        server.isSecure = false
        return server
    }
}

/// Where the servers of a scene are, as `host:port`.
public struct AttackURLs: Hashable, Sendable {
    /// The server that the client means.
    public let front: String
    /// The other one, or the front server again where there is none.
    public let trap: String
    /// The port of the front server.
    public let frontPort: UInt16
    /// A secret, for the cookie that a server sets.
    public let cookie: String

    /// A text with `{front}`, `{trap}` and `{port}` written out.
    public func filled(_ text: String) -> String {
        text.replacing("{front}", with: front).replacing("{trap}", with: trap).replacing("{port}", with: "\(frontPort)")
    }
}

/// A chain of certificates, right or wrong.
public struct AttackCertificate: Hashable, Sendable {
    /// Which root it goes back to.
    public enum Root: Hashable, Sendable {
        /// The one that clients trust.
        case trusted
        /// One that nobody knows.
        case unknown
        /// One that nobody knows, with the name of the trusted one.
        case namesake
    }

    /// What the server's own certificate says.
    public var leaf = LeafProfile()
    /// The authorities between root and server, from the root downwards.
    public var authorities: [AuthorityProfile] = []
    /// Which root it goes back to.
    public var root = Root.trusted
    /// Whether the server keeps the authorities between to itself.
    public var hidesAuthorities = false
    /// Whether a bit of the signature on the server's own certificate is turned over.
    public var isForged = false
    /// Whether a certificate of an unknown root is sent along, which has no part in the chain.
    public var sendsStranger = false
    /// What the authority says about it in the status answer that the server staples; `nil` staples none.
    public var status: CertificateStatus?

    /// A good certificate from the trusted root.
    public init() {}

    /// The same with its leaf changed.
    public static func leaf(_ change: (inout LeafProfile) -> Void) -> AttackCertificate {
        var certificate = AttackCertificate()
        change(&certificate.leaf)
        return certificate
    }
}
