import Testing

@testable import PaviseSession

/// `WWW-Authenticate` by its grammar (RFC 9110 §11.6.1, connections C14).
@Suite struct ChallengeTests {
    private func words(_ field: String) -> [String]? {
        Challenge.parse(field)?.map { challenge in
            let parameters = challenge.parameters.map { "\($0.name)=\($0.value)" }
            return ([challenge.scheme] + (challenge.token.map { ["<\($0)>"] } ?? []) + parameters).joined(
                separator: "|")
        }
    }

    @Test(
        arguments: [
            ("Basic realm=\"x\"", ["basic|realm=x"]), ("Basic", ["basic"]), ("", []), (" , ,", []),
            ("Basic realm=\"a, Bearer b\"", ["basic|realm=a, Bearer b"]),
            ("Basic realm=\"quo\\\"te\", charset=\"UTF-8\"", ["basic|realm=quo\"te|charset=UTF-8"]),
            (
                "Newauth realm=\"apps\", type=1, title=\"Login\", Basic realm=\"simple\"",
                ["newauth|realm=apps|type=1|title=Login", "basic|realm=simple"]
            ),
            ("Negotiate, Basic realm=x", ["negotiate", "basic|realm=x"]),
            ("Negotiate YWJj==, DPoP algs=\"ES256\"", ["negotiate|<YWJj==>", "dpop|algs=ES256"]),
            ("Bearer error = \"invalid_token\" , , Basic", ["bearer|error=invalid_token", "basic"]),
            (",Basic realm=x,", ["basic|realm=x"]), ("A b=c, D e=f, G", ["a|b=c", "d|e=f", "g"]),
        ] as [(String, [String])])
    func `challenges are told apart`(_ field: String, _ wanted: [String]) { #expect(words(field) == wanted) }

    @Test(arguments: [
        "Basic realm=\"", "Basic realm=\"x", "=x", "Basic realm=x y", "Basic \"x\"", "Basic realm=\"a\" b=c",
        "Basic realm=\"\u{7F}\"", "B\u{E4}sic", "Basic realm=\u{0}", String(repeating: "a", count: 8193),
        [String](repeating: "A b=c", count: 65).joined(separator: ","),
    ])
    func `anything else is no field`(_ field: String) { #expect(Challenge.parse(field) == nil) }

    @Test func `a parameter that stands twice has no value`() throws {
        let challenge = try #require(Challenge.parse("Basic realm=a, REALM=b, charset=c")?.first)
        #expect(challenge["realm"] == nil)
        #expect(challenge["charset"] == "c")
    }
}
