package import PavisePrimitives
public import PaviseTransport
internal import Synchronization

/// One attempt to sign in, with a verifier, a state and a nonce of its own. It accepts one callback.
public final class AuthorizationAttempt: Sendable {
    /// Who brings the callback.
    public enum Delivery: Hashable, Sendable {
        /// The operating system: a claimed address, a custom scheme, an authentication session. One wrong state ends
        /// the attempt.
        case system
        /// A loopback listener, where any local program can call. A wrong state is turned away and the attempt stays
        /// open.
        case loopback
    }

    /// What a good callback gives: all that the token request needs.
    package struct Code: Sendable {
        package let code: SharedSecretBytes
        package let verifier: SharedSecretBytes
        package let redirect: String
    }

    private enum Condition {
        case open(SharedSecretBytes)
        case closed
    }

    /// The address to open in the system's browser. It holds a challenge and no secret.
    public let url: WebURL
    /// Where the callback comes to.
    public let redirect: String
    /// The nonce that the id_token must repeat; `nil` when none was sent.
    package let nonce: String?
    /// The request's parameters: a challenge and no verifier.
    package let parameters: [(String, String)]
    private let state: String
    private let server: AuthorizationServer
    private let condition: Mutex<Condition>

    /// Prepares an attempt.
    ///
    /// - Parameter extra: Further parameters of extensions, for example `resource` (RFC 8707).
    /// - Throws: `EntropyFailure`; without random bytes nobody signs in.
    package init(
        at server: AuthorizationServer, clientID: String, redirect: String, scopes: [String],
        extra: [(String, String)] = [], entropy: Entropy = .kernel
    ) throws(EntropyFailure) {
        let proof = try ProofKey(entropy: entropy)
        state = try ProofKey.randomText(entropy)
        nonce = scopes.contains("openid") ? try ProofKey.randomText(entropy) : nil
        self.server = server
        self.redirect = redirect
        condition = Mutex(.open(proof.verifier))
        var pairs = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirect), ("state", state),
            ("code_challenge", proof.challenge), ("code_challenge_method", "S256"),
        ]
        if !scopes.isEmpty { pairs.append(("scope", scopes.joined(separator: " "))) }
        if let nonce { pairs.append(("nonce", nonce)) }
        pairs += extra
        parameters = pairs
        url = server.authorizationEndpoint.appending(query: pairs)
    }

    /// Judges a callback's query. `state` is compared first, in constant time, before anything else is looked at; with
    /// the right state the attempt is used up, whatever the rest says.
    package func accept(_ query: String, from delivery: Delivery) throws(CallbackProblem) -> Code {
        let isOpen = condition.withLock { condition in
            if case .open = condition { true } else { false }
        }
        guard isOpen else { throw .alreadyUsed }
        guard query.utf8.count <= 8192, !query.contains("#"), let pairs = FormEncoding.decode(query) else {
            throw turnedAway(.malformed, delivery)
        }
        let values = { (name: String) in pairs.filter { $0.name == name }.map(\.value) }
        guard values("state").count == 1, ConstantTime.equal(values("state")[0], state) else {
            throw turnedAway(.otherState, delivery)
        }
        guard let verifier = close() else { throw .alreadyUsed }
        let code = try judge(values)
        return Code(code: SharedSecretBytes(code), verifier: verifier, redirect: redirect)
    }

    /// Gives the attempt up; its verifier is gone.
    package func abandon() { _ = close() }

    private func turnedAway(_ problem: CallbackProblem, _ delivery: Delivery) -> CallbackProblem {
        if delivery == .system { abandon() }
        return problem
    }

    private func close() -> SharedSecretBytes? {
        condition.withLock { condition in
            guard case .open(let verifier) = condition else { return nil }
            condition = .closed
            return verifier
        }
    }

    private func judge(_ values: (String) -> [String]) throws(CallbackProblem) -> String {
        guard ["access_token", "id_token", "token_type"].allSatisfy({ values($0).isEmpty }) else {
            throw .tokenInAnswer
        }
        let issuers = values("iss")
        guard issuers.count <= 1, issuers.allSatisfy({ $0 == server.issuer }) else { throw .otherIssuer }
        guard !issuers.isEmpty || !server.advertisesIssuer else { throw .issuerMissing }
        if let error = values("error").first { throw .refused(code: Self.printable(error)) }
        let codes = values("code")
        guard codes.count == 1, (1...4096).contains(codes[0].utf8.count) else { throw .codeMissing }
        return codes[0]
    }

    // An error code is shown to a person: short, visible ASCII.
    private static func printable(_ code: String) -> String {
        String(decoding: code.utf8.prefix(64).filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
    }
}

extension AuthorizationAttempt: CustomStringConvertible, CustomReflectable {
    /// Neither state nor verifier.
    public var description: String { "sign-in attempt at \(server.issuer)" }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
