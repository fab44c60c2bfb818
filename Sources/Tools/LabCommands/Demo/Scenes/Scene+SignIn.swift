internal import Pavise
internal import PaviseLab
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseTransport

extension Scene {
    static let signIn = Scene(
        number: 2, title: "Sign-in with code and PKCE",
        attack: "a callback with a foreign state arrives first; a stolen code is exchanged with another verifier",
        control: "state compared before anything else; the verifier proves who asked (RFC 7636)"
    ) { stage in
        let oauth = try stage.oauth()
        // The attacker's callback comes before the true one.
        let statuses = Recorder()
        let browser = AddressReader { (address) throws(BrowserFailure) in
            do {
                let callback = try oauth.approve(address.description)
                statuses.append(try LabPerson.visit(replacingState(in: callback)))
                statuses.append(try LabPerson.visit(callback))
            } catch {
                throw BrowserFailure("\(error)")
            }
        }
        let account = try await stage.signedIn(at: oauth, browser: browser)
        try require(statuses.all == [404, 200], "expected 404 for the foreign state, then 200; saw \(statuses.all)")
        try require(oauth.counters.codeExchanges == 1, "expected one exchange, saw \(oauth.counters.codeExchanges)")
        try await requireAnswer(of: account, "after signing in")

        try await refusesWrongVerifier(stage, oauth)
        return [
            "foreign state: answered 404, no token request; the true callback still completed",
            "code with another verifier: the authority answered invalid_grant, no token was given",
        ]
    }

    // The thief has the code from the browser, but not the verifier that never left the process.
    private static func refusesWrongVerifier(_ stage: Stage, _ oauth: LabAuthority) async throws {
        let stolen = try oauth.approve(
            url(oauth.address(.authorize)).appending(query: [
                ("response_type", "code"), ("client_id", "pavise-lab"),
                ("redirect_uri", "http://127.0.0.1:49152/callback"),
                ("scope", "openid"), ("state", "s"), ("nonce", "n"),
                ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"), ("code_challenge_method", "S256"),
            ]).description)
        let code = FormEncoding.decode(try url(stolen).query ?? "")?.first { $0.name == "code" }?.value ?? ""
        let form = FormEncoding.encode([
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", "http://127.0.0.1:49152/callback"),
            ("client_id", "pavise-lab"), ("code_verifier", String(repeating: "x", count: 43)),
        ])
        var fields = HTTPFields()
        fields.append("Content-Type", "application/x-www-form-urlencoded")
        let request = HTTPRequest("POST", try url(oauth.address(.token)), fields: fields, body: Array(form.utf8))
        let response = try await stage.attacker().send(request)
        let words = String(decoding: response.body, as: UTF8.self)
        try require(response.status == 400 && words.contains("invalid_grant"), "a wrong verifier was not refused")
        try require(oauth.counters.wrongVerifiers == 1, "the authority did not see the wrong verifier")
    }

    private static func replacingState(in callback: String) -> String {
        callback.split(separator: "&").map {
            $0.hasPrefix("state=") || $0.contains("?state=") ? changed($0) : String($0)
        }
        .joined(separator: "&")
    }

    private static func changed(_ pair: Substring) -> String {
        guard let mark = pair.lastIndex(of: "=") else { return String(pair) }
        return pair[...mark] + "Zm9yZWlnbi1zdGF0ZS1vZi1hbi1hdHRhY2tlci0wMDAwMDA"
    }
}
