import PaviseTransport
import Testing

@testable import PaviseSession

/// oauth T3, T5, T6: what one answer of a token endpoint means.
@Suite struct TokenResponseTests {
    /// The classes without their payload.
    enum Kind: Equatable {
        case granted, definitive, rejected, transient, keyLost, forbidden
    }

    private func judge(_ status: Int, _ body: String, type: String = "application/json") -> TokenResponse {
        TokenResponse(.success(ScriptedServer.response(status, body, type: type)))
    }

    private func kind(_ answer: TokenResponse) -> Kind {
        switch answer {
        case .granted: .granted
        case .definitive: .definitive
        case .rejected: .rejected
        case .transient: .transient
        case .keyLost: .keyLost
        case .forbidden: .forbidden
        }
    }

    @Test(arguments: [
        (200, #"{"access_token":"a","token_type":"Bearer"}"#, Kind.granted),
        (200, #"{"access_token":"a"}"#, .granted), (200, #"{"access_token":""}"#, .transient),
        (200, #"{"access_token":1}"#, .transient), (200, #"{"access_token":null}"#, .transient),
        (200, #"{"access_token":"a\nb"}"#, .transient), (200, #"{"access_token":"a b"}"#, .transient),
        (200, #"{"access_token":"a","access_token":"b"}"#, .transient),
        (200, #"{"access_token":"a","refresh_token":7}"#, .transient), (200, "[]", .transient), (200, "", .transient),
        (201, #"{"access_token":"a","token_type":"Bearer"}"#, .transient),
        (400, #"{"error":"invalid_grant"}"#, .definitive), (401, #"{"error":"invalid_grant"}"#, .definitive),
        (403, #"{"error":"invalid_grant"}"#, .rejected), (500, #"{"error":"invalid_grant"}"#, .transient),
        (400, #"{"error":"invalid_client"}"#, .rejected), (400, "", .rejected), (401, " \r\n", .rejected),
        (400, #"{"error":""}"#, .transient), (400, #"{"error":7}"#, .transient), (400, "{}", .transient),
        (403, "", .transient), (302, "", .transient), (404, "", .transient), (429, "", .transient),
    ])
    func `each answer has one meaning`(_ status: Int, _ body: String, _ wanted: Kind) {
        #expect(kind(judge(status, body)) == wanted)
    }

    @Test func `what was never sent is no word of the server`() {
        #expect(kind(TokenResponse(.failure(.keyLost))) == .keyLost)
        #expect(kind(TokenResponse(.failure(.transport(.managed("Not here."))))) == .forbidden)
        #expect(kind(TokenResponse(.failure(.transport(.unusableRequest("a field"))))) == .transient)
    }

    @Test(
        arguments: [
            (["Retry-After": "Sun, 06 Nov 1994 08:51:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"], 120),
            (["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:51:37 GMT"], 0),
            (["Retry-After": "Sun, 06 Nov 1994 08:51:37 GMT", "Date": "yesterday"], 0),
            (["Retry-After": "Sun, 06 Nov 1994 08:51:37 GMT"], 0), (["Retry-After": "7", "Date": "x"], 7),
        ] as [([String: String], Int64)])
    func `a date is measured by the server's own clock`(_ fields: [String: String], _ wanted: Int64) {
        let response = ScriptedServer.response(503, "", extra: fields)
        // This device believes that it is 2023.
        guard case .transient(_, let wait, _) = TokenResponse(.success(response), wallSeconds: 1_700_000_000) else {
            Issue.record("no passing fault")
            return
        }
        #expect(wait == wanted)
    }

    @Test(arguments: ["text/html", "", "text/json", "application/jsonp", "application/json, text/html"])
    func `only JSON is JSON`(_ type: String) {
        #expect(kind(judge(200, #"{"access_token":"a","token_type":"Bearer"}"#, type: type)) == .transient)
        #expect(kind(judge(400, #"{"error":"invalid_grant"}"#, type: type)) == .transient)
    }

    @Test(arguments: ["application/json", "Application/JSON; charset=utf-8", "application/problem+json"])
    func `JSON goes by several names`(_ type: String) {
        #expect(kind(judge(200, #"{"access_token":"a","token_type":"Bearer"}"#, type: type)) == .granted)
    }

    @Test(
        arguments: [
            (#""expires_in":60"#, 60), (#""expires_in":"60""#, 60), (#""x":1"#, 300), (#""expires_in":null"#, 300),
            (#""expires_in":-5"#, 0), (#""expires_in":1e99"#, 300), (#""expires_in":99999999999"#, 31_536_000),
            (#""expires_in":"soon""#, 300), (#""expires_in":3599.0"#, 3599),
        ] as [(String, Int64)])
    func `lifetimes are bounded`(_ member: String, _ seconds: Int64) throws {
        guard case .granted(let grant) = judge(200, #"{"access_token":"a","token_type":"BEARER","# + member + "}")
        else {
            Issue.record("not granted")
            return
        }
        #expect(grant.lifetime == seconds)
        #expect(grant.hasRightType)
    }

    @Test(arguments: ["mac", "DPoP", "", "null"])
    func `another token type is no bearer`(_ type: String) {
        guard case .granted(let grant) = judge(200, #"{"access_token":"a","token_type":"\#(type)"}"#) else {
            Issue.record("not granted")
            return
        }
        #expect(!grant.hasRightType)
    }

    @Test func `hostile sizes and depths are passing trouble`() {
        let deep =
            #"{"access_token":"a","x":"# + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
            + "}"
        #expect(kind(judge(200, deep)) == .transient)
        #expect(kind(judge(200, #"{"access_token":"\#(String(repeating: "a", count: 100_000))"}"#)) == .transient)
        #expect(kind(judge(200, "\u{FEFF}{\"access_token\":\"a\"}")) == .transient)
    }

    @Test(
        arguments: [
            ("7", 7), ("0", 0), ("-1", nil), ("soon", nil), ("", nil), ("Sun, 06 Nov 1994 08:49:37 GMT", 37),
            ("Sun, 06 Nov 1994 08:48:00 GMT", 0), ("Sun, 99 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49 GMT", nil),
        ] as [(String, Int64?)])
    func `Retry-After is seconds or a date`(_ text: String, _ seconds: Int64?) {
        #expect(RetryAfter.seconds(text, wallSeconds: 784_111_740) == seconds)
    }
}
