import PavisePrimitives
import Testing

@testable import PaviseJWT

/// oauth J1, J2, J4: what is a token, and who signed it.
@Suite struct TokenTests {
    private let pen = TokenPen.shared

    @Test func `a good token gives its content`() throws {
        let text = try pen.write(#"{"typ":"JWT","alg":"ES256","kid":"a"}"#, #"{"sub":"alice","n":7,"aud":["x","y"]}"#)
        let token = try CompactToken(text).verified(by: try TokenPen.keys(pen.jwk(#","kid":"a""#)))
        #expect(token.claims?.string("sub") == "alice")
        #expect(token.claims?.integer("n") == 7)
        #expect(token.claims?.strings("aud") == ["x", "y"])
        #expect(token.claims?.strings("n") == nil)
        #expect(token.type == "JWT" && token.keyIdentifier == "a" && token.algorithm == .es256)
        #expect(try CompactToken(text).verified(by: try TokenPen.key(pen.jwk())).payload == token.payload)
    }

    @Test(arguments: [
        "", ".", "..", "a.b", "a.b.c.d", "e30.e30.", "eyJhbGciOiJFUzI1NiJ9.e30=.AA", "eyJhbGciOiJFUzI1NiJ9.e3 0.AA",
        "eyJhbGciOiJFUzI1NiJ9.e30.AB", "eyJhbGciOiJFUzI1NiJ9.e30.A+/A", "eyJhbGciOiJFUzI1NiJ9.e30.AA\n", "W10.e30.AA",
        #"{"protected":"e30","payload":"e30","signature":"AA"}"#, "eyJhbGciOiJFUzI1NiIsImFsZyI6IkVTMjU2In0.e30.AA",
    ])
    func `what is not strictly a token is refused before any key is looked at`(_ text: String) {
        #expect(throws: TokenProblem.self) { try CompactToken(text) }
    }

    @Test(
        arguments: [
            (#"{"alg":"none"}"#, .algorithm), (#"{"alg":"NONE"}"#, .algorithm), (#"{"alg":null}"#, .algorithm),
            (#"{"alg":["ES256"]}"#, .algorithm), (#"{}"#, .algorithm), (#"{"alg":"es256"}"#, .algorithm),
            (#"{"alg":"ES256","crit":["exp"],"exp":1}"#, .criticalHeader),
            (#"{"alg":"ES256","crit":[]}"#, .criticalHeader),
            (#"{"alg":"ES256","b64":false}"#, .criticalHeader), (#"{"alg":"ES256","kid":1}"#, .malformed),
            (#"{"alg":"ES256","typ":{}}"#, .malformed), (#"{"alg":"ES256"} "#, nil),
            (#"[{"alg":"ES256"}]"#, .malformed),
            (#"{"alg":"ES256","jwk":{"kty":"oct","k":""},"jku":"https://evil.example","x5u":"x","x5c":[]}"#, nil),
            (#"{"alg":"ES256","a":[[[[[[[[[[]]]]]]]]]]}"#, .malformed), ("\u{FEFF}{\"alg\":\"ES256\"}", .malformed),
        ] as [(String, TokenProblem?)])
    func `each header has one verdict`(_ header: String, _ problem: TokenProblem?) throws {
        let text = try pen.write(header)
        do {
            _ = try CompactToken(text).verified(by: try TokenPen.key(pen.jwk()))
            #expect(problem == nil)
        } catch let error as TokenProblem {
            #expect(error == problem)
        }
    }

    @Test func `the header does not choose the algorithm`() throws {
        let key = try TokenPen.key(pen.jwk())
        #expect(throws: TokenProblem.algorithm) {
            try CompactToken(try pen.write(#"{"alg":"RS256"}"#)).verified(by: key)
        }
        // The public key as a shared secret: whoever wrote this knows nothing that is secret.
        let text = pen.jwk()
        let head = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8)) + ".e30"
        let secret = try JSONWebKey(secret: Array(text.utf8), algorithm: .hs256)
        guard case .secret = secret.material else {
            Issue.record("the text is no secret")
            return
        }
        let forged = head + "." + Base64URL.encode([UInt8](repeating: 0, count: 32))
        #expect(throws: TokenProblem.algorithm) { try CompactToken(forged).verified(by: key) }
        #expect(throws: TokenProblem.signature) { try CompactToken(forged).verified(by: secret) }
    }

    @Test func `a token of another key's name is not tried`() throws {
        let text = try pen.write(#"{"alg":"ES256","kid":"b"}"#)
        #expect(throws: TokenProblem.noSuchKey) {
            try CompactToken(text).verified(by: try TokenPen.key(pen.jwk(#","kid":"a""#)))
        }
        #expect(throws: TokenProblem.noSuchKey) { try CompactToken(text).verified(by: try TokenPen.keys(pen.jwk())) }
    }

    @Test func `no changed character is accepted`() throws {
        let text = Array(try pen.write().utf8)
        let key = try TokenPen.key(pen.jwk())
        for index in text.indices {
            var changed = text
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let token = try? CompactToken(String(decoding: changed, as: UTF8.self))
            #expect((try? token?.verified(by: key)) == nil, "character \(index)")
        }
        for index in 0...text.count {
            let cut = String(decoding: text[..<index], as: UTF8.self)
            #expect((try? CompactToken(cut).verified(by: key)) == nil || index == text.count)
        }
    }

    @Test(arguments: [63, 65, 0, 128])
    func `an ECDSA signature of another size is none`(_ size: Int) throws {
        let text = try pen.write()
        let head = text.prefix(upTo: text.lastIndex(of: ".") ?? text.endIndex)
        let token = try CompactToken(head + "." + Base64URL.encode([UInt8](repeating: 1, count: size)))
        #expect(throws: TokenProblem.signature) { try token.verified(by: try TokenPen.key(pen.jwk())) }
    }

    @Test func `a token of a mebibyte is refused before it is taken apart`() throws {
        let text = try pen.write(#"{"alg":"ES256"}"#, #"{"a":""# + String(repeating: "x", count: 1 << 20) + "\"}")
        #expect(throws: TokenProblem.tooLong(limit: 16_384)) { try CompactToken(text) }
        #expect(throws: Never.self) { try CompactToken(text, limit: 1 << 21).verified(by: try TokenPen.key(pen.jwk())) }
    }

    @Test(arguments: ["7", "[]", "null", "", #"{"a":1,"a":2}"#, String(repeating: "[", count: 10_000)])
    func `a payload that is no object has no claims`(_ payload: String) throws {
        let token = try CompactToken(try pen.write(#"{"alg":"ES256"}"#, payload)).verified(
            by: try TokenPen.key(pen.jwk()))
        #expect(token.claims == nil)
        #expect(throws: TokenProblem.claims) { try TokenRules(issuer: "i", audience: "a").check(token, at: 0) }
    }

    @Test func `nothing of a token is shown`() throws {
        let token = try CompactToken(try pen.write())
        var text = "\(token)"
        dump(token, to: &text)
        dump(try token.verified(by: try TokenPen.key(pen.jwk())), to: &text)
        #expect(!text.contains("alice"))
    }
}
