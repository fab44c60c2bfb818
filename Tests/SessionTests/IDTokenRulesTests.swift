import PaviseCrypto
import PaviseJWT
import PavisePrimitives
import Testing

@testable import PaviseSession

/// oauth J5: the claims of an id_token that a lab authority does not get wrong by itself.
@Suite struct IDTokenRulesTests {
    private static let good = #""iss":"i","aud":"c","exp":1000,"iat":900,"sub":"alice""#
    private static let both = #""iss":"i","aud":["c","d"],"exp":1000,"iat":900,"sub":"alice""#
    // The left half of the SHA-256 of "token".
    private static let right = Base64URL.encode(Hash.digest(.sha256, Array("token".utf8)).prefix(16))
    private static let wrong = Base64URL.encode([UInt8](repeating: 1, count: 16))

    @Test(
        arguments: [
            (good, nil, nil), (both, nil, .audience), (both + #","azp":"c""#, nil, nil),
            (both + #","azp":"d""#, nil, .audience), (good + #","azp":"d""#, nil, .audience),
            (good + #","azp":7"#, nil, .audience), (good + #","azp":"c""#, nil, nil),
            (good + #","at_hash":"\#(right)""#, nil, nil), (good + #","at_hash":"\#(wrong)""#, nil, .accessTokenHash),
            (good + #","at_hash":7"#, nil, .accessTokenHash), (good, 60, .authenticationAge),
            (good + #","auth_time":900"#, 60, nil), (good + #","auth_time":829"#, 60, .authenticationAge),
            (good + #","auth_time":"900""#, 60, .authenticationAge), (good + #","auth_time":900.25"#, 60, nil),
            (good + #","auth_time":829.75"#, 60, .authenticationAge),
            (good + #","auth_time":1e400"#, 60, .authenticationAge),
            (good + #","auth_time":-9223372036854775808"#, 60, .authenticationAge),
            (good.replacing("alice", with: ""), nil, .subject), (good.replacing("\"alice\"", with: "7"), nil, .subject),
        ] as [(String, Int64?, IDTokenProblem?)])
    func `each id_token has one verdict`(_ claims: String, _ age: Int64?, _ problem: IDTokenProblem?) throws {
        let rules = IDTokenRules(
            issuer: "i", clientID: "c", nonce: nil, accessToken: SharedSecretBytes("token"), maximumAge: age)
        let token = try Self.token("{\(claims)}")
        do throws(IDTokenProblem) {
            #expect(try rules.subject(of: token, at: 950) == "alice")
            #expect(problem == nil)
        } catch {
            #expect(error == problem)
        }
    }

    // Verified, so that only the claims decide.
    private static func token(_ claims: String) throws -> VerifiedToken {
        let secret = [UInt8](repeating: 7, count: 32)
        let input = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        let code = Base64URL.encode(HMAC.sha256(key: secret.span, Array(input.utf8)))
        return try CompactToken(input + "." + code).verified(by: try JSONWebKey(secret: secret, algorithm: .hs256))
    }
}
