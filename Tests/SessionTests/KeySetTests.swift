import PavisePrimitives
import Testing

@testable import PaviseSession

/// oauth J2, J3: which keys may verify, and which of them does.
@Suite struct KeySetTests {
    private static let modulus = Base64URL.encode([0x80] + [UInt8](repeating: 1, count: 255))
    private static let short = Base64URL.encode([0x80] + [UInt8](repeating: 1, count: 127))

    private func set(_ keys: String) throws -> KeySet {
        try KeySet(try JSONValue.parse(Array(#"{"keys":[\#(keys)]}"#.utf8)))
    }

    private static func key(_ members: String, n: String = modulus, e: String = "AQAB") -> String {
        #"{"kty":"RSA","n":"\#(n)","e":"\#(e)"\#(members)}"#
    }

    @Test(arguments: [
        (key(""), 1), (key(#","kid":"a","use":"sig","alg":"RS256""#), 1), (key(#","use":"enc""#), 0),
        (key(#","alg":"RS512""#), 0), (key(#","key_ops":["sign"]"#), 0), (key("", n: short), 0), (key("", e: "AQ"), 0),
        (key("", e: "Ag"), 0), (key("", n: modulus + "="), 0), (key("", n: "AA" + modulus), 0), (key("", n: "!"), 0),
        (#"{"kty":"EC","crv":"P-256"}"#, 0), ("7", 0), ("null", 0),
    ])
    func `only RSA keys that can verify RS256 count`(_ text: String, _ count: Int) throws {
        #expect(try set(text).keys.count == count)
    }

    @Test func `a name is found once, or not at all`() throws {
        let two = try set(Self.key(#","kid":"a""#) + "," + Self.key(#","kid":"b""#))
        #expect(try two.key(named: "a").identifier == "a")
        #expect(throws: IDTokenProblem.noSuchKey) { try two.key(named: "c") }
        #expect(throws: IDTokenProblem.noSuchKey) { try two.key(named: nil) }
        #expect(try set(Self.key("")).key(named: nil).identifier == nil)
        #expect(throws: IDTokenProblem.unusableKey) {
            try set(Self.key(#","kid":"a""#) + "," + Self.key(#","kid":"a""#))
        }
    }

    @Test(arguments: ["{}", #"{"keys":{}}"#, #"{"keys":null}"#])
    func `anything else is no key set`(_ text: String) throws {
        let document = try JSONValue.parse(Array(text.utf8))
        #expect(throws: IDTokenProblem.keysUnavailable) { try KeySet(document) }
    }

    @Test(arguments: [
        "", "a.b", "a.b.c.d", "e30.e30.", "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJIUzI1NiJ9.e30.AA",
        "eyJhbGciOiJSUzI1NiJ9.e30=.AA", "eyJhbGciOiJSUzI1NiJ9.e3 0.AA", "eyJhbGciOiJSUzI1NiJ9.W10.AA",
        "eyJhbGciOiJSUzI1NiIsImNyaXQiOlsieCJdfQ.e30.AA", "eyJhbGciOiJSUzI1NiJ9.e30.AB",
        "eyJhbGciOiJSUzI1NiIsImFsZyI6Im5vbmUifQ.e30.AA",
    ])
    func `what is not strictly a token is refused before any key is looked at`(_ text: String) {
        #expect(throws: IDTokenProblem.self) { try IDToken(text) }
    }
}
