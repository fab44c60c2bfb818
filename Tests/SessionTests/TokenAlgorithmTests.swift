import Pavise
import PaviseCrypto
import PaviseJWT
import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import TestSupport
import Testing

@testable import PaviseSession

/// How an id_token may be signed: what `SignIn.Request.tokenAlgorithms` names, and nothing else (oauth J1). A
/// connection names what its authority's metadata lists.
@Suite struct TokenAlgorithmTests {
    @Test(arguments: [TokenAlgorithm.rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256])
    func `an id_token is taken where its algorithm is named, and refused where it is not`(
        _ algorithm: TokenAlgorithm
    ) async throws {
        let world = try LabWorld()
        let (authority, pen) = (world.authority, try IDTokenPen(algorithm))
        authority.fail(.jwks, with: .answer(.json(try pen.keys())))
        func subject(accepting algorithms: Set<TokenAlgorithm>) async throws(SignInFailure) -> String? {
            let success = try await world.signIn(
                change: { $0.tokenAlgorithms = algorithms },
                opened: { page in
                    guard let token = try? pen.token(for: page, issuer: authority.issuer) else { return }
                    authority.fail(.token, with: .member("id_token", token), times: 1)
                })
            return success.subject
        }
        let others = Set(TokenAlgorithm.allCases).subtracting([algorithm])
        await #expect(throws: SignInFailure.identity(.algorithm)) { try await subject(accepting: others) }
        #expect(try world.record == nil)
        #expect(authority.counters.keyRequests == 0)
        #expect(try await subject(accepting: [algorithm]) == "alice")
        #expect(try await subject(accepting: [algorithm, .edDSA]) == "alice")
    }

    @Test(
        arguments: [
            (nil, [.rs256]), (["RS256"], [.rs256]), (["RS512"], [.rs256]),
            (["ES256", "none", "HS256", "RS384"], [.es256]),
            (["RS256", "PS256", "ES256", "EdDSA", "ES512"], [.rs256, .ps256, .es256, .edDSA]),
        ] as [([String]?, Set<TokenAlgorithm>)])
    func `an authority's metadata says which count, of four`(_ listed: [String]?, _ read: Set<TokenAlgorithm>) throws {
        let document = JSONValue.fields([
            "issuer": "https://id.example", "authorization_endpoint": "https://id.example/a",
            "token_endpoint": "https://id.example/t",
            "id_token_signing_alg_values_supported": listed.map { .array($0.map { .string($0) }) },
        ])
        let server = try AuthorizationServer(document, issuer: "https://id.example")
        #expect(server.tokenAlgorithms == read && server.forClientCertificates.tokenAlgorithms == read)
    }

    @Test(arguments: [["ES256"], ["RS256"]])
    func `a connection signs in with what its authority lists, and with nothing else`(_ listed: [String]) async throws {
        var configuration = AuthorityConfiguration()
        configuration.tokenAlgorithms = listed
        let world = try LabWorld(configuration)
        let (authority, pen, client) = (world.authority, try IDTokenPen(.es256), world.client)
        authority.fail(.jwks, with: .answer(.json(try pen.keys())))
        let folder = try TemporaryFolder()
        let (store, key) = (MemoryStore(), MemoryKey())
        let connections = Connections(
            home: PaviseHome(path: folder.path + "/home"), makeClient: { _ in client },
            makeVault: { _ in TokenVault(store: store, key: key) })
        let connection = try connections.add(
            "work", origin: try WebURL(authority.issuer).origin, clientID: "pavise-lab", scopes: ["openid", "api"])
        let browser = AddressReader { (url) throws(BrowserFailure) in
            do {
                let token = try pen.token(for: url.description, issuer: authority.issuer)
                authority.fail(.token, with: .member("id_token", token), times: 1)
                _ = try LabBrowser.open(try authority.approve(url.description))
            } catch {
                throw BrowserFailure("\(error)")
            }
        }
        guard listed == ["ES256"] else {
            await #expect(throws: SignInFailure.identity(.algorithm)) {
                try await connection.signIn(browser: browser, binding: .never)
            }
            return
        }
        #expect(try await connection.signIn(browser: browser, binding: .never).subject == "alice")
    }

    @Test func `a logout token counts where its algorithm is the authority's, and ends nothing where it is not`()
        async throws
    {
        let world = try LabWorld()
        let (authority, pen) = (world.authority, try IDTokenPen(.es256))
        authority.fail(.jwks, with: .answer(.json(try pen.keys())))
        let endpoint = try WebURL(authority.address(.jwks))
        let now = TimeSource.system.wallSeconds
        let session = KnownSession(issuer: authority.issuer, subject: "alice", sessionID: nil, issued: now - 60)
        let verifier = LogoutVerifier(clientID: "pavise-lab", client: world.client, time: .system)
        let text = try pen.logoutToken(of: "alice", issuer: authority.issuer)
        await #expect(throws: LogoutTokenProblem.token(.algorithm)) {
            try await verifier.ends(session, by: text, keysAt: endpoint, accepting: [.rs256])
        }
        #expect(try await verifier.ends(session, by: text, keysAt: endpoint, accepting: [.rs256, .es256]))
        // A moment may have a fraction (RFC 7519 §2).
        let fine = try pen.logoutToken(of: "alice", issuer: authority.issuer, named: "2", fraction: ".25")
        #expect(try await verifier.ends(session, by: fine, keysAt: endpoint, accepting: [.es256]))
    }

    // Without it, no logout token could be about the session.
    @Test func `a session is known by its id_token, also where the moment of that has a fraction`() {
        let claims = #"{"iss":"https://issuer.example","sub":"alice","iat":1900000000.75}"#
        let text = "e30." + Base64URL.encode(Array(claims.utf8)) + ".c2ln"
        let known = KnownSession(idToken: SharedSecretBytes(text))
        #expect(known?.issued == 1_900_000_000 && known?.subject == "alice")
    }

    @Test func `RS256 alone is named unless somebody names another one`() throws {
        let resource = try WebURL("https://files.example/").origin
        #expect(SignIn.Request(clientID: "pavise-lab", resource: resource).tokenAlgorithms == [.rs256])
    }
}

/// Signs id_tokens as an authority does that has chosen one algorithm.
private struct IDTokenPen: Sendable {
    private let algorithm: TokenAlgorithm
    private let rsa: RSAPrivateKey
    private let curve: ECPrivateKey

    init(_ algorithm: TokenAlgorithm) throws {
        self.algorithm = algorithm
        rsa = try RSAPrivateKey(generating: 2048)
        curve = try ECPrivateKey(generating: .p256)
    }

    /// The public key as it is published.
    func keys() throws -> String {
        let key = try algorithm == .es256 ? curveKey : rsaKey()
        return JSONValue.fields(["keys": .array([key])]).text
    }

    private var curveKey: JSONValue {
        let point = curve.publicKey.x963
        return .fields([
            "kty": "EC", "crv": "P-256", "kid": "one", "alg": .string(algorithm.rawValue),
            "x": .string(Base64URL.encode(point[1..<33])), "y": .string(Base64URL.encode(point[33...])),
        ])
    }

    private func rsaKey() throws -> JSONValue {
        let (modulus, exponent) = (try rsa.publicKey.modulus(), try rsa.publicKey.exponent())
        return .fields([
            "kty": "RSA", "kid": "one", "alg": .string(algorithm.rawValue),
            "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent)),
        ])
    }

    /// The token of alice, for the sign-in that begins at `page`.
    func token(for page: String, issuer: String) throws -> String {
        let query = FormEncoding.decode(String(page.split(separator: "?").last ?? "")) ?? []
        let nonce = query.first { $0.name == "nonce" }?.value
        let now = TimeSource.system.wallSeconds
        return try sign(
            "JWT",
            .fields([
                "iss": .string(issuer), "sub": "alice", "aud": "pavise-lab", "iat": .integer(now),
                "exp": .integer(now + 300), "nonce": nonce.map { .string($0) },
            ]))
    }

    /// The word that the session of `subject` is over.
    func logoutToken(
        of subject: String, issuer: String, named name: String = "1", fraction: String = ""
    ) throws -> String {
        let now = TimeSource.system.wallSeconds
        return try sign(
            LogoutTokenRules.type,
            .fields([
                "iss": .string(issuer), "sub": .string(subject), "aud": "pavise-lab",
                "iat": .number("\(now)\(fraction)"), "exp": .number("\(now + 120)\(fraction)"), "jti": .string(name),
                "events": .object([.init(LogoutTokenRules.event, .object([]))]),
            ]))
    }

    private func sign(_ type: String, _ claims: JSONValue) throws -> String {
        let header = JSONValue.fields(["alg": .string(algorithm.rawValue), "typ": .string(type), "kid": "one"])
        let input = [header, claims].map { Base64URL.encode(Array($0.text.utf8)) }.joined(separator: ".")
        return input + "." + Base64URL.encode(try signature(over: Array(input.utf8)))
    }

    private func signature(over input: [UInt8]) throws -> [UInt8] {
        let hash: HashFunction =
            switch algorithm {
            case .rs384, .ps384: .sha384
            case .rs512, .ps512: .sha512
            default: .sha256
            }
        let digest = Hash.digest(hash, input)
        switch algorithm {
        case .es256: return ECDSASignature.raw(der: try curve.sign(digest: digest), curve: .p256) ?? []
        case .ps256, .ps384, .ps512: return try rsa.sign(digest: digest, padding: .pss(hash))
        default: return try rsa.sign(digest: digest, padding: .pkcs1(hash))
        }
    }
}
