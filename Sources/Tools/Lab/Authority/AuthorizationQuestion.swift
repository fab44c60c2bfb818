/// A request at the authorization endpoint, checked (RFC 6749 §4.1.1).
struct AuthorizationQuestion: Sendable {
    let client: String
    let redirect: String
    let state: String?
    let nonce: String?
    let scope: String
    let challenge: String?
    let proofKey: String?
    /// The first level that was asked for (`acr_values`).
    let level: String?
    /// The servers that the tokens are to be for; there may be several (RFC 8707 §2).
    let resources: [String]

    /// Why a request is refused, and whether the client may be told by redirect.
    struct Refusal: Error {
        let reason: String
    }

    init(_ parameters: [LabRequest.Field], _ configuration: AuthorityConfiguration) throws(Refusal) {
        func value(_ name: String) throws(Refusal) -> String? {
            let values = parameters.filter { $0.name == name }.map(\.value)
            guard values.count <= 1 else { throw Refusal(reason: "\(name) stands twice") }
            return values.first
        }
        guard try value("client_id") == configuration.clientID else { throw Refusal(reason: "unknown client_id") }
        guard let redirect = try value("redirect_uri"), Self.accepts(redirect, configuration.redirects) else {
            throw Refusal(reason: "redirect_uri is not registered")
        }
        guard try value("response_type") == "code" else { throw Refusal(reason: "response_type is not code") }
        let challenge = try value("code_challenge")
        if configuration.checksVerifier {
            guard try value("code_challenge_method") == "S256", challenge?.utf8.count == 43 else {
                throw Refusal(reason: "no S256 challenge")
            }
        }
        client = configuration.clientID
        self.redirect = redirect
        self.challenge = challenge
        state = try value("state")
        nonce = try value("nonce")
        proofKey = try value("dpop_jkt")
        level = try value("acr_values")?.split(separator: " ").first.map(String.init)
        resources = parameters.filter { $0.name == "resource" }.map(\.value)
        scope = try value("scope") ?? ""
        guard configuration.knows(scope) else { throw Refusal(reason: "unknown scope") }
    }

    // RFC 8252 §7.3: any port of the loopback addresses, any path.
    private static func accepts(_ redirect: String, _ registered: [String]) -> Bool {
        registered.contains(redirect) || LoopbackRedirect(redirect)?.port != nil
    }

    /// The address that brings the answer back, right or wrong in one chosen way.
    func callback(code: String, issuer: String?, fault: CallbackFault?) -> String {
        var pairs = [("code", code), ("state", state ?? ""), ("iss", issuer ?? "")].filter { !$0.1.isEmpty }
        func drop(_ name: String) { pairs.removeAll { $0.0 == name } }
        func replace(_ name: String, _ value: String) {
            drop(name)
            pairs.append((name, value))
        }
        var mark = redirect.contains("?") ? "&" : "?"
        switch fault {
        case nil: break
        case .wrongState: replace("state", "forged")
        case .missingState: drop("state")
        case .doubledState: pairs.append(("state", state ?? ""))
        case .wrongIssuer: replace("iss", "https://attacker.example")
        case .missingIssuer: drop("iss")
        case .doubledIssuer: pairs.append(("iss", issuer ?? ""))
        case .doubledCode: pairs.append(("code", code))
        case .missingCode: drop("code")
        case .accessDenied:
            drop("code")
            pairs.append(("error", "access_denied"))
        case .tokenInQuery, .tokenInFragment:
            pairs += [("access_token", "planted"), ("token_type", "Bearer")]
            if fault == .tokenInFragment { mark = "#" }
        }
        return redirect + mark + LabForm.encode(pairs)
    }
}
