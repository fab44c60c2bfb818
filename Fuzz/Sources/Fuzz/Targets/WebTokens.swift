internal import PaviseCrypto
internal import PaviseJWT
internal import PavisePrimitives

@testable internal import PaviseSession

extension FuzzTarget {
    static let webTokens = [webKeys, webToken, identityClaims]

    private static let point =
        #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#

    private static let webKeys = FuzzTarget(
        text: "web-keys",
        seeds: [
            "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"1\",\"n\":\"\(Base64URL.encode([UInt8](repeating: 0xC3, count: 256)))\",\"e\":\"AQAB\"}]}",
            "{\"keys\":[\(point)]}",
            "{\"keys\":[{\"kty\":\"oct\",\"alg\":\"HS256\",\"k\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}]}",
            "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\",\"use\":\"sig\"}]}",
        ]
    ) { text in
        let all = Set(TokenAlgorithm.allCases)
        guard let keys = try? JSONWebKeySet(json: Array(text.utf8), accepting: all) else { return }
        require(Set(keys.keys.map(\.algorithm.isSymmetric)).count <= 1, "secrets beside public keys")
        let names = keys.keys.compactMap(\.identifier)
        require(Set(names).count == names.count, "two keys of one name")
        for key in keys.keys { require((key.thumbprint == nil) == key.algorithm.isSymmetric, "a secret's thumbprint") }
    }

    // A key that signed nothing: whatever comes, no token is its.
    private static let webToken = FuzzTarget(
        text: "web-token",
        seeds: [
            "\(Base64URL.encode(Array("{\"alg\":\"ES256\",\"kid\":\"1\",\"typ\":\"JWT\"}".utf8))).e30.\(Base64URL.encode([UInt8](repeating: 1, count: 64)))",
            "\(Base64URL.encode(Array("{\"alg\":\"HS256\",\"crit\":[\"x\"]}".utf8))).e30.AAAA", "..", "a.b.c",
        ]
    ) { text in
        guard let token = try? CompactToken(text), let key = try? JSONWebKey(json: Array(point.utf8)) else { return }
        // The one token of this key that is published.
        guard !text.hasSuffix("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
        else { return }
        require((try? token.verified(by: key)) == nil, "a token that nobody signed")
    }

    // Claims are read after the signature; here the fuzzer signs them itself.
    private static let identityClaims = FuzzTarget(
        text: "id-token-claims",
        seeds: [
            #"{"iss":"i","aud":["c"],"exp":2000000000,"iat":1,"sub":"s","nonce":"n","at_hash":"x","azp":"c"}"#,
            #"{"iss":"i","aud":"c","exp":9223372036854775807,"iat":-9223372036854775808,"sub":"","auth_time":1}"#,
        ]
    ) { text in
        let secret = [UInt8](repeating: 7, count: 32)
        guard let key = try? JSONWebKey(secret: secret, algorithm: .hs256) else { return }
        let input =
            Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8)) + "." + Base64URL.encode(Array(text.utf8))
        let code = Base64URL.encode(HMAC.sha256(key: secret.span, Array(input.utf8)))
        guard let token = try? CompactToken(input + "." + code).verified(by: key) else { return }
        let rules = IDTokenRules(
            issuer: "i", clientID: "c", nonce: nil, accessToken: SharedSecretBytes("a"), maximumAge: 60)
        if let subject = try? rules.subject(of: token, at: 1_790_000_000) {
            require(!subject.isEmpty, "nobody is signed in")
        }
    }
}
