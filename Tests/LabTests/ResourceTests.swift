import PaviseLab
import PavisePrimitives
import Testing

/// Tokens for chosen servers (RFC 8707).
@Suite struct ResourceTests {
    private static let files = "https://files.example/"
    private static let mail = "https://mail.example/"
    // As a form has them.
    private static let encodedFiles = "https%3A%2F%2Ffiles.example%2F"
    private static let encodedMail = "https%3A%2F%2Fmail.example%2F"
    private static let elsewhere = "https%3A%2F%2Fother.example%2F"

    let client: AuthorityClient

    init() throws {
        var configuration = AuthorityConfiguration()
        configuration.resources = [Self.files, Self.mail]
        configuration.accessTokenForm = .jwt
        client = AuthorityClient(
            authority: try LabAuthority.start(try CertificateAuthority().issue(), configuration: configuration))
    }

    private func exchange(_ code: String, _ resources: [String]) throws -> RawClient.Answer {
        try client.token(
            "grant_type=authorization_code&code=\(code)&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback"
                + "&code_verifier=\(client.verifier)" + resources.map { "&resource=\($0)" }.joined())
    }

    private func refresh(_ token: String?, _ resources: [String]) throws -> RawClient.Answer {
        try client.token(
            "grant_type=refresh_token&refresh_token=\(token ?? "")" + resources.map { "&resource=\($0)" }.joined())
    }

    /// The servers that an answer's access token names.
    private func audience(_ answer: RawClient.Answer) throws -> [String] {
        let parts = try AuthorityClient.tokens(answer).access.split(separator: ".").map(String.init)
        try #require(parts.count == 3, "\(answer.body)")
        let claims = try JSONValue.parse(try #require(Base64URL.decode(parts[1])))
        let named = try #require(claims["aud"])
        return named.string.map { [$0] } ?? (named.array ?? []).compactMap(\.string)
    }

    @Test func `a token is for the servers that were named`() throws {
        // By the sign-in, by the token request, by both, by nobody.
        let bySignIn = try exchange(try client.code(["resource": Self.encodedFiles]), [])
        #expect(try audience(bySignIn) == [Self.files])
        #expect(try audience(try exchange(try client.code(), [Self.encodedMail])) == [Self.mail])
        let both = "\(Self.encodedFiles)&resource=\(Self.encodedMail)"
        #expect(try audience(try exchange(try client.code(["resource": both]), [])) == [Self.files, Self.mail])
        let narrower = try exchange(try client.code(["resource": both]), [Self.encodedMail])
        #expect(try audience(narrower) == [Self.mail])
        #expect(try audience(try exchange(try client.code(), [])) == ["lab-api"])
        // Each refresh may name another one of them; without a name it is for all.
        let token = try AuthorityClient.tokens(narrower).refresh
        let again = try refresh(token, [Self.encodedFiles])
        #expect(try audience(again) == [Self.files])
        #expect(try audience(try refresh(try AuthorityClient.tokens(again).refresh, [])) == [Self.files, Self.mail])
    }

    @Test func `a token for another server opens nothing here`() throws {
        let authority = client.authority
        // RFC 9068 §4: by the claim, and by what the authority knows of a token without claims.
        for form in [AuthorityConfiguration.AccessTokenForm.jwt, .opaque] {
            authority.configuration.accessTokenForm = form
            let foreign = try AuthorityClient.tokens(try exchange(try client.code(), [Self.encodedFiles]))
            let answer = try client.call(foreign.access)
            #expect(answer.status == 401, "\(answer.body)")
            #expect(answer.field("WWW-Authenticate") == #"Bearer realm="lab", error="invalid_token""#)
            #expect(try client.call(foreign.access, client.path(.userinfo)).status == 200)
            #expect(try client.call(try client.signIn().access).status == 200)
        }
        // The resource by its own address, alone and beside another one.
        let own = authority.address(.api)
        authority.configuration.resources.append(own)
        let encoded = own.replacing(":", with: "%3A").replacing("/", with: "%2F")
        for named in [[encoded], [Self.encodedFiles, encoded]] {
            let tokens = try AuthorityClient.tokens(try exchange(try client.code(), named))
            #expect(try client.call(tokens.access).status == 200)
        }
        #expect(authority.counters.refusedCalls == 2)
    }

    @Test func `another server is refused, and nothing is used up`() throws {
        let code = try client.code(["resource": Self.encodedFiles])
        for wrong in [Self.encodedMail, Self.elsewhere] {
            let answer = try exchange(code, [wrong])
            #expect(answer.status == 400 && answer.body.contains(#""error":"invalid_target""#), "\(answer.body)")
        }
        let good = try exchange(code, [Self.encodedFiles])
        #expect(good.status == 200)
        let token = try AuthorityClient.tokens(good).refresh
        #expect(try refresh(token, [Self.encodedMail]).body.contains("invalid_target"))
        #expect(try audience(try refresh(token, [])) == [Self.files])
        // What the sign-in named counts too where no server of that name is known.
        let unknown = try exchange(try client.code(["resource": Self.elsewhere]), [])
        #expect(unknown.status == 400 && unknown.body.contains("invalid_target"), "\(unknown.body)")
        #expect(client.authority.counters.reuseDetections == 0 && client.authority.counters.revokedFamilies == 0)
    }

    @Test func `the token of a device is for the servers that it named`() throws {
        let begun = try client.http.post(
            client.path(.device), "scope=api&client_id=pavise-lab&resource=\(Self.encodedFiles)",
            to: client.authority.server)
        let secret = try JSONValue.parse(Array(begun.body.utf8))["device_code"]?.string ?? ""
        try client.authority.approveDevice(try #require(client.authority.deviceCodes.first))
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=\(secret)"
        #expect(try client.token(form + "&resource=\(Self.encodedMail)").body.contains("invalid_target"))
        #expect(try audience(try client.token(form)) == [Self.files])
    }
}
