import PavisePrimitives
import PaviseTransport
import Testing

@testable import PaviseSession

/// Forms whose parameters are secrets (oauth G3).
@Suite struct FormValueTests {
    @Test(arguments: ["", "plain-._~", "a b+c&d=e%f/?", "naïve", "\u{0}\n\u{7F}"])
    func `a secret is written as a text is`(_ text: String) {
        let form = FormValue.encode([("a b", .text(text)), ("c", .secret(SharedSecret(text)))])
        let bytes = form.bytes.withBytes { span in span.indices.map { span[$0] } }
        #expect(String(decoding: bytes, as: UTF8.self) == FormEncoding.encode([("a b", text), ("c", text)]))
    }

    @Test func `a body that is a secret can be read and replaced, and shows itself nowhere`() throws {
        let place = try WebURL("https://id.example/token")
        var request = HTTPRequest.form(place, [("token", .secret(SharedSecret("canary")))])
        #expect(request.body == Array("token=canary".utf8) && request.hasBody)
        #expect(request.bodyBegins(with: "token=") && !request.bodyBegins(with: "token=canary-"))
        var text = "\(request)"
        dump(request, to: &text)
        #expect(!text.contains("canary"))
        request.body = [0x41]
        #expect(request.body == [0x41] && request.secretBody == nil && request.bodyBegins(with: "A"))
        request.body = nil
        #expect(!request.hasBody && !request.bodyBegins(with: "A"))
    }
}
