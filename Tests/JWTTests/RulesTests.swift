import Testing

@testable import PaviseJWT

/// oauth J5, RFC 7519 §4.1: what claims must say.
@Suite struct RulesTests {
    private static let good = #""iss":"i","aud":"a","exp":1000,"iat":900"#

    @Test(
        arguments: [
            (good, 950, nil), (good, 1059, nil), (good, 1060, .expired), (good, 600, nil), (good, 599, .notYetValid),
            (#""iss":"i","aud":["b","a"],"exp":1000,"iat":900,"nbf":950"#, 950, nil),
            (#""iss":"i","aud":["b"],"exp":1000,"iat":900"#, 950, .audience),
            (#""iss":"i","aud":["a",1],"exp":1000,"iat":900"#, 950, .audience),
            (#""iss":"i","exp":1000,"iat":900"#, 950, .audience), (#""aud":"a","exp":1000,"iat":900"#, 950, .issuer),
            (#""iss":"I","aud":"a","exp":1000,"iat":900"#, 950, .issuer),
            (#""iss":"i/","aud":"a","exp":1000,"iat":900"#, 950, .issuer),
            (#""iss":"i","aud":"a","iat":900"#, 950, .expired),
            (#""iss":"i","aud":"a","exp":"1000","iat":900"#, 950, .expired),
            (#""iss":"i","aud":"a","exp":1000"#, 950, .notYetValid),
            (good + #","nbf":1251"#, 950, .notYetValid), (good + #","nbf":1250"#, 950, nil),
            (good + #","nbf":"900""#, 950, .notYetValid),
            (#""iss":"i","aud":"a","exp":9223372036854775807,"iat":-9223372036854775808"#, 950, nil),
            (#""iss":"i","aud":"a","exp":-9223372036854775808,"iat":9"#, 950, .expired),
            (good, .max, .expired), (good, .min, .notYetValid),
            (#""iss":"i","aud":"a","exp":1000.9,"iat":899.5,"nbf":900.25"#, 1059, nil),
            (#""iss":"i","aud":"a","exp":1000.9,"iat":900"#, 1060, .expired),
            (#""iss":"i","aud":"a","exp":1000,"iat":1251.5"#, 950, .notYetValid),
            (#""iss":"i","aud":"a","exp":1e400,"iat":900"#, 950, .expired),
            (#""iss":"i","aud":"a","exp":1000,"iat":900,"nbf":1e400"#, 950, .notYetValid),
        ] as [(String, Int64, TokenProblem?)])
    func `each set of claims has one verdict`(_ claims: String, _ now: Int64, _ problem: TokenProblem?) throws {
        #expect(try verdict(claims, TokenRules(issuer: "i", audience: "a"), now) == problem)
    }

    @Test(
        arguments: [("at+jwt", nil), ("application/AT+JWT", nil), ("JWT", .type), (nil, .type)]
            as [(String?, TokenProblem?)])
    func `the type of an access token is looked at when it is demanded`(
        _ type: String?, _ problem: TokenProblem?
    ) throws {
        let header = type.map { #"{"alg":"ES256","typ":"\#($0)"}"# } ?? #"{"alg":"ES256"}"#
        let rules = TokenRules(issuer: "i", audience: "a", type: "at+jwt")
        #expect(try verdict(Self.good, rules, 950, header: header) == problem)
    }

    private func verdict(
        _ claims: String, _ rules: TokenRules, _ now: Int64, header: String = #"{"alg":"ES256"}"#
    ) throws -> TokenProblem? {
        let text = try TokenPen.shared.write(header, "{\(claims)}")
        let token = try CompactToken(text).verified(by: try TokenPen.key(TokenPen.shared.jwk()))
        do throws(TokenProblem) {
            try rules.check(token, at: now)
            return nil
        } catch {
            return error
        }
    }
}
