internal import Foundation
internal import Pavise
internal import PavisePrimitives
internal import PaviseTransport

@testable internal import PaviseSession

extension FuzzTarget {
    static let session = [
        tokenAnswer, metadata, callback, loopbackRequest, sessionRecord, retryAfter, challenge, registration,
        secretMembers,
        redirectAddress, foreignSession,
    ]

    // Items of other libraries: archives, property lists and JSON that another program wrote.
    private static let foreignSession = FuzzTarget(
        "foreign-session",
        seeds: {
            let archive = """
                <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$top</key><dict>\
                <key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict><key>$objects</key><array>\
                <string>$null</string><dict><key>refreshToken</key><dict><key>CF$UID</key><integer>2</integer></dict>\
                </dict><string>r</string></array></dict></plist>
                """
            let binary = try PropertyListSerialization.data(
                fromPropertyList: ["$archiver": "NSKeyedArchiver", "$objects": ["$null", "r"], "$top": ["root": 1]],
                format: .binary, options: 0)
            return [
                Array(archive.utf8), [UInt8](binary), Array(#"{"refreshToken":"r"}"#.utf8),
                Array(#"{"secret":"r"}"#.utf8),
                Array(#"{"rawValue":"{\"refresh_token\":\"r\"}"}"#.utf8),
                Array(#"{"userPoolOnly":{"signedInData":{"cognitoUserPoolTokens":{"refreshToken":"r"}}}}"#.utf8),
            ]
        },
        run: { bytes in
            for token in ForeignSession.refreshTokens(in: bytes) {
                require((1...65_536).contains(token.utf8.count), "a token of \(token.utf8.count) bytes")
                require(token.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a token that is no token")
            }
        })

    private static let challenge = FuzzTarget(
        text: "challenge",
        seeds: ["Basic realm=\"a, b\", Bearer error=x", "Negotiate YWJj==, Digest qop=\"auth\"", ",Basic,"]
    ) { text in
        guard let challenges = Challenge.parse(text) else { return }
        require(challenges.count <= Challenge.limit.parts, "more challenges than the limit")
        for challenge in challenges {
            require(challenge.scheme == challenge.scheme.lowercased() && !challenge.scheme.isEmpty, "a scheme")
            require(challenge.token == nil || challenge.parameters.isEmpty, "a token and parameters")
        }
    }

    // The first byte chooses the status, the rest is the body.
    private static let tokenAnswer = FuzzTarget(
        "token-answer",
        seeds: {
            [
                """
                0{\"access_token\":\"a\",\"refresh_token\":\"r\",\"expires_in\":3600,\"scope\":\"a \
                b\",\"token_type\":\"Bearer\"}
                """,
                "1{\"error\":\"invalid_grant\"}", "2{\"error\":\"invalid_client\"}", "3", "4<html>",
                "0{\"access_token\":1}",
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            guard let first = bytes.first else { return }
            let status = [200, 400, 401, 403, 429, 500, 503, 201][Int(first) % 8]
            var fields = HTTPFields()
            fields.append("Content-Type", "application/json")
            let body = Array(bytes.dropFirst())
            let answer = TokenResponse(.success(HTTPResponse(status: status, fields: fields, body: body)))
            switch answer {
            case .granted: require(status == 200, "a grant with status \(status)")
            case .definitive: require(status == 400 || status == 401, "the end of a session with status \(status)")
            case .rejected, .transient, .keyLost, .forbidden: break
            }
        })

    private static let metadata = FuzzTarget(
        text: "metadata",
        seeds: [
            """
            {"issuer":"https://id.example","authorization_endpoint":"https://id.example//auth","token_endpoint":\
            "https://id.example/token","jwks_uri":"https://id.example/keys","scopes_supported":["openid"],\
            "code_challenge_methods_supported":["S256"],"revocation_endpoint":null}
            """
        ]
    ) { text in
        guard let document = try? JSONValue.parse(Array(text.utf8)) else { return }
        guard let server = try? AuthorizationServer(document, issuer: "https://id.example") else { return }
        require(server.tokenEndpoint.origin.scheme == .https, "tokens without TLS")
    }

    private static let registration = FuzzTarget(
        text: "registration",
        seeds: [
            """
            {"client_id":"made","redirect_uris":["http://127.0.0.1/callback"],"token_endpoint_auth_method":"none",\
            "registration_client_uri":"https://id.example/register/made","registration_access_token":"t"}
            """,
            """
            {"client_id":"made","redirect_uris":["http://127.0.0.1/callback"],"client_secret":"s",\
            "token_endpoint_auth_method":"client_secret_basic","client_secret_expires_at":0}
            """,
        ]
    ) { text in
        let hidden: Set = ["client_secret", "registration_access_token"]
        guard let document = try? JSONValue.parse(Array(text.utf8), hiding: hidden),
            let url = try? WebURL("https://id.example/register")
        else { return }
        let asked = ClientMetadata(
            name: "n", redirects: ["http://127.0.0.1/callback"], scopes: [], authentication: "none")
        guard let made = try? ClientRegistration(document, asked: asked, at: url, usual: .basic) else { return }
        require((1...256).contains(made.clientID.utf8.count), "a client without a name")
        require(made.management.map { $0.address.origin == url.origin } ?? true, "a token for another origin")
        require(made.secret.map(ClientAuthentication.isSecret) ?? true, "a secret that is none")
    }

    // The strict reading is one, whether members are kept apart or not.
    private static let secretMembers = FuzzTarget(
        text: "secret-members",
        seeds: [
            #"{"a":"\u0041\n\ud83d\ude00","b":["x",{"a":"y"}],"c":1}"#, #"{"a":"","b":"\"\\\/"}"#,
            #"{"a":"x","a":"y"}"#,
        ]
    ) { text in
        let plain = try? JSONValue.parse(Array(text.utf8))
        let parted = try? JSONValue.parse(Array(text.utf8), hiding: ["a", "b"])
        require((plain == nil) == (parted == nil), "read in one way only")
        guard let plain, let parted else { return }
        for name in ["a", "b"] {
            let secret = parted.secrets[name].map { box in
                box.bytes.withBytes { span in String(decoding: Array(span), as: UTF8.self) }
            }
            require(secret == plain[name]?.string, "another text than the plain one")
            require(secret == nil || parted.value[name] == "", "a secret that stayed in the value")
        }
        require(plain["c"] == parted.value["c"], "another value")
    }

    private static let redirectAddress = FuzzTarget(
        text: "redirect-address",
        seeds: ["https://app.example.org/in", "org.example.app:/in", "org.example.app://a/in/", "https://a.b/%2e"]
    ) { text in
        guard let address = try? RedirectAddress(text) else { return }
        require(address.description == text && text.utf8.count <= 512, "another address")
        require(!text.contains { "?#@%\\".contains($0) }, "an address with more than an address")
        require(address.query(of: text) == "" && address.query(of: text + "?a=b") == "a=b", "its own answer")
        require(address.query(of: text + "x") == nil && address.query(of: "x" + text) == nil, "another's answer")
    }

    private static let callback = FuzzTarget(
        text: "callback",
        seeds: ["state=x&code=y", "error=access_denied&state=x", "state=x&state=x", "iss=https%3A%2F%2Fid.example"]
    ) { query in
        guard let server = try? WebURL("https://id.example/") else { return }
        let authority = AuthorizationServer(
            issuer: "https://id.example", authorizationEndpoint: server, tokenEndpoint: server)
        let begun = try? AuthorizationAttempt(
            at: authority, clientID: "c", redirect: "http://127.0.0.1:1/", scopes: ["openid"])
        guard let attempt = begun else { return require(false, "there is no sign-in to answer") }
        require((try? attempt.accept(query, from: .loopback)) == nil, "a callback that did not know the state")
    }

    private static let loopbackRequest = FuzzTarget(
        "loopback-request",
        seeds: {
            [
                "GET /?code=a HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n",
                "GET / HTTP/1.1\r\n",
            ]
            .map { Array($0.utf8) }
        },
        run: { bytes in
            guard case .get(let target, let host) = LoopbackRequest(bytes, limit: 8192) else { return }
            require(target.hasPrefix("/") && !host.contains("\r\n"), "a request that ran over its line")
        })

    private static let sessionRecord = FuzzTarget(
        "session-record",
        seeds: {
            let now = ClockReading(wall: 1_790_000_000_000, continuous: 1000, boot: "boot")
            let url = try WebURL("https://id.example/token")
            var record = SessionRecord(
                generation: 1, epoch: 2,
                server: TokenServer(
                    issuer: "https://id.example", clientID: "c", tokenEndpoint: url, revocationEndpoint: url),
                resource: url.origin, access: SharedSecretBytes("a"), refresh: SharedSecretBytes("r"),
                scopes: ["openid", "files"],
                identity: .init(issuer: "i", subject: "s"), lifetime: 3600, received: now, start: now, age: 5,
                aged: now,
                rejections: 1, ending: nil, pending: nil)
            let plain = record.encoded()
            record.pending = .init(generation: 1, digest: [1, 2, 3], moment: now, owner: 9, isInherited: true)
            record.ending = .signedOut
            var confidential = record
            confidential.server = TokenServer(
                issuer: "https://id.example", clientID: "c", tokenEndpoint: url,
                authentication: ClientAuthentication(.post, secret: SharedSecretBytes("s")))
            return [plain, record.encoded(), confidential.encoded()]
        },
        run: { bytes in
            guard let record = try? SessionRecord(decoding: bytes) else { return }
            guard let again = try? SessionRecord(decoding: record.encoded()) else {
                return require(false, "a record does not read its own bytes")
            }
            require(again.encoded() == record.encoded(), "a record has two forms")
        })

    private static let retryAfter = FuzzTarget(
        text: "retry-after",
        seeds: ["120", "Sun, 06 Nov 1994 08:49:37 GMT", "99999999999999999999", "-1", "Thu, 31 Dec 9999 23:59:60 GMT"]
    ) { text in
        guard let seconds = RetryAfter.seconds(text, wallSeconds: 1_790_000_000) else { return }
        require(seconds >= 0, "a wait into the past")
    }
}
