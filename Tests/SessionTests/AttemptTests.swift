import PavisePrimitives
import PaviseTransport
import Testing

@testable import PaviseSession

/// oauth A1 to A6: one attempt, one callback.
@Suite struct AttemptTests {
    private func server(issuer: Bool = true) throws -> AuthorizationServer {
        AuthorizationServer(
            issuer: "https://id.example", authorizationEndpoint: try WebURL("https://id.example//auth?tenant=1"),
            tokenEndpoint: try WebURL("https://id.example/token"), advertisesIssuer: issuer)
    }

    private func attempt(issuer: Bool = true) throws -> AuthorizationAttempt {
        try AuthorizationAttempt(
            at: try server(issuer: issuer), clientID: "app", redirect: "http://127.0.0.1:5/callback",
            scopes: ["openid", "api"])
    }

    private func parameter(_ name: String, of attempt: AuthorizationAttempt) -> String {
        FormEncoding.decode(attempt.url.query ?? "")?.first { $0.name == name }?.value ?? ""
    }

    @Test func `the request is for a code with an S256 challenge and nothing else`() throws {
        let attempt = try attempt()
        #expect(attempt.url.description.hasPrefix("https://id.example//auth?tenant=1&response_type=code&"))
        #expect(parameter("code_challenge_method", of: attempt) == "S256")
        #expect(parameter("code_challenge", of: attempt).utf8.count == 43)
        #expect(parameter("scope", of: attempt) == "openid api")
        #expect(parameter("nonce", of: attempt) == attempt.nonce)
    }

    @Test func `the challenge of RFC 7636 appendix B comes out`() {
        let proof = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `ten thousand verifiers never repeat and keep to the alphabet`() throws {
        var seen: Set<String> = []
        for _ in 0..<10_000 {
            let text = try ProofKey.randomText(.kernel)
            #expect(text.utf8.count == 43)
            seen.insert(text)
        }
        #expect(seen.count == 10_000)
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(seen.allSatisfy { $0.allSatisfy(alphabet.contains) })
    }

    @Test(
        arguments: [
            ("code=c&state=S", nil, CallbackProblem.issuerMissing),
            ("code=c&state=S&iss=https%3A%2F%2Fid.example", nil, nil),
            ("code=c&state=S&iss=https%3A%2F%2Fid.example%2F", nil, .otherIssuer),
            ("code=c&state=S&iss=https%3A%2F%2Fid.example&iss=https%3A%2F%2Fid.example", nil, .otherIssuer),
            ("error=access_denied&state=S&iss=https%3A%2F%2Fevil.example", nil, .otherIssuer),
            ("error=access_denied&state=S", nil, .issuerMissing),
            ("code=c&state=S", false, nil), ("code=c&state=S&iss=https%3A%2F%2Fevil.example", false, .otherIssuer),
            ("error=access_denied&state=S", false, .refused(code: "access_denied")),
            ("code=c&state=S&access_token=t", false, .tokenInAnswer), ("id_token=t&state=S", false, .tokenInAnswer),
            ("code=c&code=d&state=S", false, .codeMissing), ("state=S", false, .codeMissing),
            ("code=&state=S", false, .codeMissing),
            ("code=c", false, .otherState), ("code=c&state=S&state=S", false, .otherState),
            ("code=c&state=x", false, .otherState),
            ("error=access_denied&state=x", false, .otherState), ("code=%zz&state=S", false, .malformed),
            ("", false, .otherState),
        ] as [(String, Bool?, CallbackProblem?)])
    func `each callback has one verdict`(_ query: String, _ issuer: Bool?, _ wanted: CallbackProblem?) throws {
        let attempt = try attempt(issuer: issuer ?? true)
        let text = query.replacing("state=S", with: "state=" + parameter("state", of: attempt))
        let verdict = Result { () throws(CallbackProblem) in try attempt.accept(text, from: .system) }
        switch verdict {
        case .success(let code): #expect(wanted == nil && code.code.text == "c")
        case .failure(let problem): #expect(problem == wanted)
        }
        // Whatever the verdict: the system delivers once, and the verifier is gone.
        let good = "code=c&iss=https%3A%2F%2Fid.example&state=" + parameter("state", of: attempt)
        #expect(throws: CallbackProblem.alreadyUsed) { try attempt.accept(good, from: .system) }
    }

    @Test func `on loopback a wrong state leaves the attempt open, the right one closes it`() throws {
        let attempt = try attempt(issuer: false)
        for wrong in ["code=x&state=wrong", "code=x", "%%%", String(repeating: "a", count: 9000)] {
            #expect(throws: CallbackProblem.self) { try attempt.accept(wrong, from: .loopback) }
        }
        let good = "code=c&state=" + parameter("state", of: attempt)
        #expect(try attempt.accept(good, from: .loopback).code.text == "c")
        #expect(throws: CallbackProblem.alreadyUsed) { try attempt.accept(good, from: .loopback) }
    }

    @Test func `an attempt shows neither state nor verifier`() throws {
        let attempt = try attempt()
        var text = "\(attempt) \(String(reflecting: attempt))"
        dump(attempt, to: &text)
        #expect(!text.contains(parameter("state", of: attempt)))
    }

    @Test(arguments: [
        ("GET /callback?code=1 HTTP/1.1\r\nHost: 127.0.0.1:5\r\n\r\n", true),
        ("GET /callback HTTP/1.1\r\nHost: 127.0.0.1:5\r\nHost: 127.0.0.1:5\r\n\r\n", false),
        ("GET /callback HTTP/1.0\r\nHost: 127.0.0.1:5\r\n\r\n", false), ("GET /callback HTTP/1.1\r\n\r\n", false),
        ("POST /callback HTTP/1.1\r\nHost: a\r\n\r\n", false), ("GET  /callback HTTP/1.1\r\nHost: a\r\n\r\n", false),
        ("GET http://a/callback HTTP/1.1\r\nHost: a\r\n\r\n", false), ("\r\n\r\n", false), ("GET\r\n\r\n", false),
        ("GET /callback HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", false),
        ("GET /callback HTTP/1.1\r\nHost a\r\n\r\n", false), ("GET /\u{0}callback HTTP/1.1\r\nHost: a\r\n\r\n", true),
    ])
    func `a request head is a GET for a host, or nothing`(_ text: String, _ isGet: Bool) {
        let request = LoopbackRequest(Array(text.utf8), limit: 8192)
        if case .get = request { #expect(isGet) } else { #expect(!isGet && request == .unusable) }
    }

    @Test func `a head that never ends is incomplete, then unusable`() {
        #expect(LoopbackRequest(Array("GET /".utf8), limit: 100) == .incomplete)
        #expect(LoopbackRequest([UInt8](repeating: 65, count: 101), limit: 100) == .unusable)
    }
}
