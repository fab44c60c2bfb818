import PaviseCrypto
import PaviseLab
import PavisePrimitives

/// A plain client of the lab's authority: it believes everything and shows what came back.
struct AuthorityClient {
    let authority: LabAuthority
    let http = RawClient()
    let verifier = "0123456789-0123456789-0123456789-0123456789"

    struct Tokens: Hashable {
        var access = ""
        var refresh: String?
        var identity: String?
    }

    /// The address that a browser would open.
    func address(_ changes: [String: String?] = [:]) -> String {
        var parameters: [String: String?] = [
            "client_id": "pavise-lab", "response_type": "code", "redirect_uri": "http%3A%2F%2F127.0.0.1%3A9%2Fcallback",
            "state": "s1", "nonce": "n1", "scope": "openid%20api", "code_challenge_method": "S256",
            "code_challenge": Base64URL.encode(Hash.digest(.sha256, Array(verifier.utf8))),
        ]
        for (name, value) in changes { parameters[name] = value }
        let pairs = parameters.sorted { $0.key < $1.key }.compactMap { name, value in value.map { "\(name)=\($0)" } }
        return authority.address(.authorize) + "?" + pairs.joined(separator: "&")
    }

    /// Pushes the request, and gives its name.
    func push() throws -> String {
        let query = address().split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
        let answer = try http.post(path(.par), query, to: authority.server)
        return try JSONValue.parse(Array(answer.body.utf8))["request_uri"]?.string ?? ""
    }

    /// The address that a browser would open after a push.
    func address(pushed name: String, as client: String = "pavise-lab") -> String {
        authority.address(.authorize) + "?client_id=\(client)&request_uri=\(name)"
    }

    /// The code that a sign-in gives.
    func code(_ changes: [String: String?] = [:]) throws -> String {
        Self.code(in: try authority.approve(address(changes)))
    }

    /// The code in a callback's address.
    static func code(in callback: String) -> String {
        callback.split(separator: "?").last?.split(separator: "&").first { $0.hasPrefix("code=") }
            .map { String($0.dropFirst(5)) } ?? ""
    }

    func exchange(_ code: String, verifier: String? = nil) throws -> RawClient.Answer {
        let redirect = "redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback"
        let proof = "code_verifier=\(verifier ?? self.verifier)"
        return try token("grant_type=authorization_code&code=\(code)&\(redirect)&\(proof)")
    }

    func refresh(_ token: String) throws -> RawClient.Answer {
        try self.token("grant_type=refresh_token&refresh_token=\(token)")
    }

    func token(_ form: String) throws -> RawClient.Answer {
        try http.post(path(.token), form + "&client_id=pavise-lab", to: authority.server)
    }

    func revoke(_ token: String) throws -> RawClient.Answer {
        try http.post(path(.revoke), "token=\(token)&client_id=pavise-lab", to: authority.server)
    }

    func signIn() throws -> Tokens { try Self.tokens(try exchange(try code())) }

    func call(_ token: String, _ path: String = "/api/x") throws -> RawClient.Answer {
        try http.get(path, from: authority.server, fields: ["Authorization: Bearer \(token)"])
    }

    /// The path of an endpoint as its address names it.
    func path(_ endpoint: AuthorityEndpoint) -> String {
        String(
            authority.address(endpoint).dropFirst(
                authority.server.address("", host: authority.configuration.host).count))
    }

    static func tokens(_ answer: RawClient.Answer) throws -> Tokens {
        let value = try JSONValue.parse(Array(answer.body.utf8))
        return Tokens(
            access: value["access_token"]?.string ?? "", refresh: value["refresh_token"]?.string,
            identity: value["id_token"]?.string)
    }
}
