internal import PaviseCrypto
public import PavisePrimitives

/// An OAuth 2.0 and OpenID Connect authority on loopback, with a protected resource, that fails on demand.
///
/// ```swift
/// let authority = try LabAuthority.start(identity)
/// // … the client under test begins to sign in and shows its authorization address …
/// let callback = try authority.approve(address)            // what the browser would be sent to
/// authority.fail(.token, with: .status(500), times: 2)     // the next two token requests fail
/// await authority.wait { $0.rotations == 1 }               // a refresh token was replaced
/// print(callback, authority.isRevoked(token))
/// ```
///
/// Implements authorization code with PKCE, refresh with three kinds of rotation, revocation, metadata, signing keys
/// and user information (RFC 6749, 7009, 7636, 8414, 9207; OpenID Connect Core and Discovery). It is strict where a
/// client could be wrong, and wrong where a test says so.
public final class LabAuthority: Sendable {
    let core: AuthorityCore
    /// The server below, with its own counters and requests.
    public let server: LabServer
    /// The same authority on another port, where each client has to show a certificate; `nil` without one.
    public let certificateServer: LabServer?

    /// The records of each person, behind the authority's tokens at `/api/records/NAME`.
    public var records: RecordServer { core.records }

    /// The files of everybody, behind the authority's tokens at `/api/dav`.
    public var files: DAVServer { core.files }

    /// The push service, behind the authority's tokens at `/api/push`.
    public var pushService: PushServer { core.pushService }

    private init(core: AuthorityCore, server: LabServer, certificateServer: LabServer?) {
        self.core = core
        self.server = server
        self.certificateServer = certificateServer
    }

    /// Starts an authority.
    ///
    /// - Parameters:
    ///   - identity: The server's certificate; `nil` makes an authority without TLS, which clients must refuse.
    ///   - people: The root, DER, that a client's certificate must lead to: starts a second server that demands one,
    ///     and that the metadata names for clients with a certificate (RFC 8705 §5).
    ///   - clock: What "now" means for the lifetime of tokens.
    ///   - port: 0 lets the system choose one.
    ///   - tls: Versions and suites that the server offers.
    ///   - configuration: How the authority behaves.
    public static func start(
        _ identity: ServerIdentity?, people: [UInt8]? = nil,
        configuration: AuthorityConfiguration = AuthorityConfiguration(),
        clock: TimeSource = .system, tls: LabTLS = LabTLS(), port: UInt16 = 0
    ) throws(LabFailure) -> LabAuthority {
        let core = try LabFailure.translating { () throws(CryptoFailure) in
            AuthorityCore(
                configuration: configuration, clock: clock, keys: try .initial(), attester: try AttesterKey())
        }
        let server = try LabServer.start(identity, tls: tls, port: port) { core.answer($0) }
        var second: LabServer?
        if let people {
            var tls = tls
            tls.clientAuthority = people
            second = try LabServer.start(identity, tls: tls) { core.answer($0) }
        }
        core.state.change { [second] in
            $0.base = server.address("", host: configuration.host)
            $0.certificateBase = second?.address("", host: configuration.host)
        }
        return LabAuthority(core: core, server: server, certificateServer: second)
    }

    /// The issuer, for example `https://127.0.0.1:4711`.
    public var issuer: String { core.state.value.issuer }

    /// The address of an endpoint as the metadata names it; for `api` and `basic` the address ends with a slash.
    public func address(_ endpoint: AuthorityEndpoint) -> String { core.state.value.address(endpoint) }

    /// Signs a person in and gives the address that the browser is sent to.
    ///
    /// - Parameters:
    ///   - authorizationAddress: The whole address that the client wanted to open.
    ///   - user: The person's name.
    /// - Throws: ``LabFailure/request(_:)`` when the request is not one that the authority accepts.
    public func approve(_ authorizationAddress: String, as user: String = "alice") throws(LabFailure) -> String {
        try core.approve(authorizationAddress, as: user)
    }

    /// Lets something go wrong at an endpoint.
    ///
    /// Faults of one endpoint happen in the order they were set, each `times` times; `nil` is until ``heal()``.
    public func fail(_ endpoint: AuthorityEndpoint, with fault: AuthorityFault, times: Int? = nil) {
        core.state.change { $0.faults[endpoint, default: []].append((fault, times)) }
    }

    /// Ends all faults, also those of callbacks and id tokens.
    public func heal() {
        core.state.change {
            $0.faults = [:]
            $0.callbackFault = nil
            $0.idTokenFault = nil
        }
    }

    /// Whether each request ends without an answer, also where there is no endpoint; ``heal()`` has no part in it.
    package var isUnreachable: Bool {
        get { core.state.value.isUnreachable }
        set { core.state.change { $0.isUnreachable = newValue } }
    }

    /// What goes wrong with every answer that travels through the browser.
    public var callbackFault: CallbackFault? {
        get { core.state.value.callbackFault }
        set { core.state.change { $0.callbackFault = newValue } }
    }

    /// What goes wrong with every id token.
    public var idTokenFault: IDTokenFault? {
        get { core.state.value.idTokenFault }
        set { core.state.change { $0.idTokenFault = newValue } }
    }

    /// How it behaves; a change holds from the next request on.
    public var configuration: AuthorityConfiguration {
        get { core.state.value.configuration }
        set { core.state.change { $0.configuration = newValue } }
    }

    /// Ends the server with all its threads. Also happens when the last reference goes away.
    public func stop() {
        server.stop()
        certificateServer?.stop()
    }
}
