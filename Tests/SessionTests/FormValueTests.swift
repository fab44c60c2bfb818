import PavisePrimitives
import PaviseTransport
import Testing

@testable import PaviseSession

/// Forms whose parameters are secrets (oauth G3).
@Suite struct FormValueTests {
    @Test(arguments: ["", "plain-._~", "a b+c&d=e%f/?", "naïve", "\u{0}\n\u{7F}"])
    func `a secret is written as a text is`(_ text: String) {
        let form = FormValue.encode([("a b", .text(text)), ("c", .secret(SharedSecretBytes(text)))])
        let bytes = form.bytes.withBytes { span in Array(span) }
        #expect(String(decoding: bytes, as: UTF8.self) == FormEncoding.encode([("a b", text), ("c", text)]))
    }

    @Test func `whatever is worth stealing goes into a form as a secret, and never as a text`() {
        let canary = SharedSecretBytes("canary")
        let forms = [
            TokenForm.refresh(canary), TokenForm.device(canary), TokenForm.revocation(canary, hint: "refresh_token"),
            TokenForm.exchange(canary, verifier: canary, redirect: "http://127.0.0.1/", [("resource", "a")]),
            TokenForm.client("app", ClientAuthentication(.post, secret: canary)),
        ]
        var secrets: [String] = []
        for (name, value) in forms.joined() {
            switch value {
            case .secret: secrets.append(name)
            case .text(let text): #expect(text != "canary", "\(name) is a text")
            }
        }
        #expect(secrets == ["refresh_token", "device_code", "token", "code", "code_verifier", "client_secret"])
    }

    @Test func `a body that is a secret can be read and replaced, and shows itself nowhere`() throws {
        let place = try WebURL("https://id.example/token")
        var request = HTTPRequest.form(place, [("token", .secret(SharedSecretBytes("canary")))])
        #expect(request.secretBody != nil)
        #expect(request.body == Array("token=canary".utf8) && request.hasBody)
        var text = "\(request)"
        dump(request, to: &text)
        #expect(!text.contains("canary"))
        request.body = [0x41]
        #expect(request.body == [0x41] && request.secretBody == nil)
        request.body = nil
        #expect(!request.hasBody)
    }

    @Test func `a form's answer is kept as a secret, and read as any other`() throws {
        let place = try WebURL("https://id.example/token")
        #expect(HTTPRequest.form(place, []).isAnswerSecret && !HTTPRequest("GET", place).isAnswerSecret)
        let text = #"{"access_token":"canary-a","refresh_token":"canary-r","token_type":"Bearer","expires_in":60}"#
        let plain = ScriptedServer.response(200, text, type: "application/json")
        var kept = HTTPResponse(status: 200, fields: plain.fields, body: [])
        kept.secretBody = SharedSecretBytes(SecretBytes(utf8: text))
        for response in [plain, kept] {
            guard case .granted(let grant) = TokenResponse(.success(response)) else {
                Issue.record("no grant")
                continue
            }
            #expect(
                grant.accessToken.text == "canary-a" && grant.refreshToken?.text == "canary-r" && grant.lifetime == 60)
        }
        #expect(kept.body == plain.body && kept.jsonObject?["access_token"] == "")
        var shown = "\(kept) \(String(describing: kept.partedObject))"
        dump(kept, to: &shown)
        #expect(!shown.contains("canary"))
        kept.secretBody = SharedSecretBytes(SecretBytes(utf8: #"{"error":"invalid_grant"}"#))
        guard case .granted = TokenResponse(.success(kept)) else { return }
        Issue.record("an error was a grant")
    }
}
