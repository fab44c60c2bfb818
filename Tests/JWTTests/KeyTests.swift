import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseJWT

/// oauth J2, J3: which keys may check tokens, and which of them does.
@Suite struct KeyTests {
    private static let modulus = Base64URL.encode([0x80] + [UInt8](repeating: 1, count: 255))
    private static let short = Base64URL.encode([0x80] + [UInt8](repeating: 1, count: 127))
    private static let secret = Base64URL.encode([UInt8](repeating: 7, count: 32))

    private static func rsa(_ members: String = "", n: String = modulus, e: String = "AQAB") -> String {
        #"{"kty":"RSA","n":"\#(n)","e":"\#(e)"\#(members)}"#
    }

    @Test(
        arguments: [
            (rsa(), nil), (rsa(#","kid":"a","use":"sig","alg":"RS256","key_ops":["verify"]"#), nil),
            (rsa(#","use":"enc""#), .use), (rsa(#","use":7"#), .malformed), (rsa(#","key_ops":["sign"]"#), .use),
            (rsa(#","key_ops":"verify""#), .malformed), (rsa(#","alg":"ES256""#), .algorithm),
            (rsa(#","alg":"none""#), .algorithm), (rsa(#","alg":"HS256""#), .algorithm),
            (rsa(#","kid":1"#), .malformed), (rsa(#","d":"AQ""#), .privateHalf), (rsa(#","k":"AQ""#), .privateHalf),
            (rsa(n: short), .weakRSA), (rsa(e: "AQ"), .weakRSA), (rsa(e: "Ag"), .weakRSA),
            (rsa(n: "AA" + modulus), .weakRSA), (rsa(n: modulus + "="), .malformed), (rsa(n: "!"), .malformed),
            (#"{"kty":"EC","crv":"P-256"}"#, .malformed), (#"{"kty":"EC","crv":"secp256k1"}"#, .algorithm),
            (#"{"kty":"EC","crv":"P-256","x":"AQ","y":"AQ"}"#, .point), (#"{"kty":"OKP","crv":"X25519"}"#, .algorithm),
            (#"{"kty":"OKP","crv":"Ed25519","x":"AQ"}"#, .point), (#"{"kty":"oct","k":"\#(secret)"}"#, .algorithm),
            (#"{"kty":"oct","k":"\#(secret)","alg":"HS256"}"#, nil),
            (#"{"kty":"oct","k":"\#(secret)","alg":"HS512"}"#, .shortSecret),
            (#"{"kty":"oct","k":"","alg":"HS256"}"#, .shortSecret), (#"{"kty":"AKP","alg":"RS256"}"#, .kind),
            (#"{"kty":"RSA","kty":"RSA"}"#, .malformed), ("{}", .malformed), ("7", .malformed), ("", .malformed),
        ] as [(String, JSONWebKeyProblem?)])
    func `each key has one verdict`(_ text: String, _ problem: JSONWebKeyProblem?) {
        do {
            _ = try TokenPen.key(text)
            #expect(problem == nil)
        } catch {
            #expect(error == problem)
        }
    }

    @Test func `a key of the broken generator is refused`() throws {
        // 65537 is a power of itself modulo every prime.
        var modulus = [UInt8](repeating: 0, count: 256)
        modulus[0] = 0x80
        #expect(RSAStrength.isEnough(modulus: modulus.dropLast() + [3], exponent: [1, 0, 1]))
        #expect(!RSAStrength.isEnough(modulus: Self.powerOfGenerator, exponent: [1, 0, 1]))
    }

    // 65537^127 has 2033 bits; times 65537 again 2049: a product of two numbers that the broken generator could give.
    private static let powerOfGenerator: [UInt8] = (0..<128).reduce(into: [1]) { number, _ in
        var carry = 0
        for index in number.indices.reversed() {
            let value = Int(number[index]) * 65_537 + carry
            number[index] = UInt8(value & 255)
            carry = value >> 8
        }
        while carry > 0 {
            number.insert(UInt8(carry & 255), at: 0)
            carry >>= 8
        }
    }

    @Test func `a name is found once, or not at all`() throws {
        let two = try TokenPen.keys(Self.rsa(#","kid":"a""#), Self.rsa(#","kid":"b""#))
        #expect(try two.key(named: "a", for: .rs256).identifier == "a")
        #expect(throws: TokenProblem.noSuchKey) { try two.key(named: "c", for: .rs256) }
        #expect(throws: TokenProblem.noSuchKey) { try two.key(named: nil, for: .rs256) }
        #expect(throws: TokenProblem.algorithm) { try two.key(named: "a", for: .es256) }
        let mixed = try TokenPen.keys(Self.rsa(), TokenPen.shared.jwk())
        #expect(try mixed.key(named: nil, for: .es256).algorithm == .es256)
        #expect(throws: JSONWebKeyProblem.duplicateName) {
            try TokenPen.keys(Self.rsa(#","kid":"a""#), TokenPen.shared.jwk(#","kid":"a""#))
        }
        // Also where one of the two cannot be used, and where the keys do not come from a document.
        #expect(throws: JSONWebKeyProblem.duplicateName) {
            try TokenPen.keys(Self.rsa(#","kid":"a""#, n: Self.short), TokenPen.shared.jwk(#","kid":"a""#))
        }
        let key = try TokenPen.key(TokenPen.shared.jwk(#","kid":"a""#))
        #expect(throws: JSONWebKeyProblem.duplicateName) { try JSONWebKeySet([key, key]) }
    }

    @Test func `a set keeps what it can use, and no secret beside public keys`() throws {
        let keys = try TokenPen.keys(
            Self.rsa(#","use":"enc""#), Self.rsa(#","alg":"RS512""#), Self.rsa(n: Self.short), "7", "null",
            TokenPen.shared.jwk(#","d":"AQ""#), Self.rsa())
        #expect(keys.keys.count == 1)
        #expect(throws: JSONWebKeyProblem.mixedSet) {
            try TokenPen.keys(Self.rsa(), #"{"kty":"oct","k":"\#(Self.secret)","alg":"HS256"}"#)
        }
        #expect(throws: JSONWebKeyProblem.tooManyKeys) {
            try JSONWebKeySet(.fields(["keys": .array([JSONValue](repeating: 7, count: 101))]), accepting: [.rs256])
        }
    }

    @Test func `an RSA key without a name of its algorithm is for the only one that is accepted`() throws {
        #expect(try TokenPen.keys(Self.rsa(), accepting: [.rs512, .es256]).keys.first?.algorithm == .rs512)
        #expect(try TokenPen.keys(Self.rsa(), accepting: [.rs512, .ps256]).keys.isEmpty)
    }

    @Test(arguments: ["{}", #"{"keys":{}}"#, #"{"keys":null}"#, "", "[]"])
    func `anything else is no key set`(_ text: String) {
        #expect(throws: JSONWebKeyProblem.malformed) {
            try JSONWebKeySet(json: Array(text.utf8), accepting: [.rs256])
        }
    }

    @Test(.enabled(if: Vectors.has("jose"), "no vectors in PAVISE_VECTORS: jose"))
    func `the thumbprint of RFC 7638 section 3,1 comes out`() throws {
        let vectors = try JSONValue.parse(try Vectors.read("jose/inline_vectors.json"))
        let vector = vectors["rfc7638_3_1"]
        #expect(try JSONWebKey(vector?["jwk"] ?? .null).thumbprint == vector?["thumbprint"]?.string)
    }

    @Test func `a secret has no thumbprint and shows nothing`() throws {
        let key = try JSONWebKey(secret: [UInt8](repeating: 7, count: 32), algorithm: .hs256)
        #expect(key.thumbprint == nil)
        var text = "\(key)"
        dump(key, to: &text)
        #expect(!text.contains("7"))
        #expect(throws: JSONWebKeyProblem.algorithm) { try JSONWebKey(secret: [], algorithm: .rs256) }
    }
}
