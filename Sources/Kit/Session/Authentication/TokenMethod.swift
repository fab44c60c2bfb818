internal import PavisePrimitives
public import PaviseStorage
public import PaviseTransport
public import PaviseVault

/// Signing in with the system's browser and an authorization code: OAuth 2.0, or OpenID Connect, which also tells who
/// signed in.
public struct TokenMethod: AuthenticationMethod {
    /// Its name: `ConnectionDescriptor.Method.openIDConnect` or `ConnectionDescriptor.Method.oauth`.
    public let id: ConnectionDescriptor.Method
    /// As the kind says.
    public let strength: MethodStrength
    private let path: String
    private let members: [String]

    private init(_ id: ConnectionDescriptor.Method, _ strength: MethodStrength, path: String, members: [String]) {
        self.id = id
        self.strength = strength
        self.path = path
        self.members = members
    }

    /// OpenID Connect (Discovery 1.0 §4).
    public static let openIDConnect = TokenMethod(
        .openIDConnect, .identifiedToken, path: "/.well-known/openid-configuration",
        members: ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"])

    /// OAuth 2.0 with metadata (RFC 8414 §3).
    public static let oauth = TokenMethod(
        .oauth, .token, path: "/.well-known/oauth-authorization-server",
        members: ["issuer", "authorization_endpoint", "token_endpoint"])

    /// The metadata.
    public func questions(for origin: Origin) throws(WebURL.Problem) -> [HTTPRequest] {
        var fields = HTTPFields()
        fields.append("Accept", "application/json")
        return [
            HTTPRequest(
                "GET", try WebURL("\(origin)\(path)"), fields: fields, limits: HTTPRequest.Limits(body: 1 << 20))
        ]
    }

    /// Offered where the metadata names what the method needs. Sign-in reads and checks it again, strictly.
    public func offer(in answers: [MethodResult]) -> MethodOffer {
        guard case .success(let response)? = answers.first else { return .unknown }
        guard response.status != 404, response.status != 410 else { return .notOffered }
        guard response.status == 200, let document = response.jsonObject else { return .unknown }
        return members.allSatisfy { document[$0]?.string != nil } ? .offered : .notOffered
    }

    /// The session.
    public func access(at place: MethodContext) -> any AuthorizedClient {
        Session(
            store: Self.store(at: place), client: place.client, environment: place.environment, policy: place.policy)
    }

    /// The session's record, what lies beside it, and what manages a registered client.
    public func secrets(at place: MethodContext) -> [ItemName] {
        [place.item("session"), Self.registration(at: place), Self.hint(at: place), Self.refused(at: place)]
    }

    /// Where the id_token lies: it says at a sign-out, and of a logout token, whose session it is.
    package static func hint(at place: MethodContext) -> ItemName { place.item("hint") }

    /// Where the digest lies of another library's token that the server has called over.
    package static func refused(at place: MethodContext) -> ItemName { place.item("refused") }

    /// Where the token lies that manages the connection's registered client.
    package static func registration(at place: MethodContext) -> ItemName { place.item("registration") }

    /// Where the session's record lies.
    package static func store(at place: MethodContext) -> SessionStore {
        SessionStore(
            vault: place.vault, name: place.item("session"), folder: place.folder, revocations: place.revocations,
            others: place.others)
    }
}
