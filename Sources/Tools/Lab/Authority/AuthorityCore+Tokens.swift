internal import PaviseCrypto
internal import PavisePrimitives

extension AuthorityCore {
    /// The token endpoint (RFC 6749 §3.2).
    func token(_ request: LabRequest) -> LabResponse {
        guard request.method == "POST" else { return LabResponse(status: 405) }
        guard let client = client(of: request) else {
            return .json(AuthorityFault.text("invalid_client"), status: 401)
        }
        // A session goes on with its refresh token: what was attested is the sign-in.
        if request.form("grant_type") != "refresh_token", let refused = withoutAttestation(request, of: client) {
            return refused
        }
        let now = clock.wallSeconds
        let thumbprint: String?
        do throws(ProofCheck.Refusal) {
            thumbprint = try proof(request, at: state.value.address(.token))
        } catch {
            state.change { $0.ledger.counters.refusedProofs += 1 }
            return .json(AuthorityFault.text(error.rawValue), status: 400)
        }
        let outcome: Result<AuthorityLedger.GrantedTokens, AuthorityLedger.Refusal> = state.change { state in
            let mint = Self.mint(state, now)
            let configuration = state.configuration(of: client)
            let certificate = configuration.bindsTokensToCertificates ? Self.certificateThumbprint(request) : nil
            do throws(AuthorityLedger.Refusal) {
                try state.ledger.checkCertificate(of: request.form("refresh_token"), certificate)
                let before = state.ledger.families.count
                let granted = try state.ledger.grant(request, configuration, thumbprint, at: now, mint: mint)
                for number in before..<state.ledger.families.count {
                    state.ledger.families[number].certificate = certificate
                }
                if configuration.accessTokenForm == .jwt, let key = state.keys.current {
                    state.keys.promise(granted.issuedAt + granted.lifetime - state.since, by: key.id)
                }
                return .success(granted)
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let answer): return .json(text(of: answer, isBound: thumbprint != nil))
        case .failure(let refusal): return .json(AuthorityFault.text(refusal.code, refusal.reason), status: 400)
        }
    }

    /// The revocation endpoint: an unknown token is as good as revoked (RFC 7009 §2.2).
    func revoke(_ request: LabRequest) -> LabResponse {
        guard request.method == "POST" else { return LabResponse(status: 405) }
        guard let client = client(of: request) else {
            return .json(AuthorityFault.text("invalid_client"), status: 401)
        }
        guard let token = request.form("token") else {
            return .json(AuthorityFault.text("invalid_request"), status: 400)
        }
        do throws(ProofCheck.Refusal) {
            try checkProof(ofRevocation: request, of: token)
        } catch {
            state.change { $0.ledger.counters.refusedProofs += 1 }
            return .json(AuthorityFault.text(error.rawValue), status: 400)
        }
        let refusal: AuthorityLedger.Refusal? = state.change { state in
            do throws(AuthorityLedger.Refusal) {
                try state.ledger.revoke(
                    token, by: client, endsSession: state.configuration.endsSessionWithAccessToken)
                return nil
            } catch {
                return error
            }
        }
        guard let refusal else { return LabResponse(status: 200) }
        return .json(AuthorityFault.text(refusal.code, refusal.reason), status: 400)
    }

    private func text(of answer: AuthorityLedger.GrantedTokens, isBound: Bool) -> String {
        let now = state.value
        let configuration = now.configuration
        let wantsIdentity = answer.grant.scope.split(separator: " ").contains("openid")
        let identity =
            wantsIdentity && (!answer.isRefresh || configuration.refreshesIDToken) ? idToken(answer, now) : nil
        let fields = JSONValue.fields([
            "access_token": .string(answer.accessToken),
            "token_type": .string(configuration.offersProof ? (isBound ? "DPoP" : "Bearer") : configuration.tokenType),
            "expires_in": configuration.tellsLifetime ? .integer(answer.lifetime) : nil,
            "refresh_token": answer.refreshToken.map { .string($0) },
            "scope": .string(answer.scope),
            "id_token": identity.map { .string($0) },
        ])
        return fields.text
    }

    /// What was signed with the key of this moment is good until `end`: the key stays published as long.
    func promise(_ end: Int64, by keys: SigningKeys) {
        guard let key = keys.current else { return }
        state.change { $0.keys.promise(end - $0.since, by: key.id) }
    }

    private func idToken(_ answer: AuthorityLedger.GrantedTokens, _ now: AuthorityState) -> String? {
        let token = IdentityToken(
            issuer: now.issuer, clientID: answer.grant.client, grant: answer.grant, issuedAt: answer.issuedAt,
            lifetime: now.configuration.signedLifetime(IdentityToken.usualLifetime),
            isRefresh: answer.isRefresh, namesKeys: now.configuration.namesKeys,
            audienceIsArray: now.configuration.audienceIsArray)
        guard let text = token.text(now.keys, fault: now.idTokenFault) else { return nil }
        promise(token.issuedAt + token.lifetime, by: now.keys)
        state.change { $0.ledger.issued.append(IssuedToken(kind: .identity, value: text)) }
        return text
    }

    static func mint(_ state: AuthorityState, _ now: Int64) -> TokenMint {
        let configuration = state.configuration
        let issuer = state.issuer
        let key = state.keys.current
        return TokenMint(
            accessToken: { grant, audience, expires in
                let name = TokenText.fresh("access", configuration.canary)
                guard configuration.accessTokenForm == .jwt, let key else { return name }
                // RFC 9068 §3: without a server's name, one of the authority's own.
                let servers = audience.isEmpty ? [AuthorityState.ownResource] : audience
                let named: JSONValue =
                    servers.count == 1 ? .string(servers[0]) : .array(servers.map { .string($0) })
                let claims = JSONValue.fields([
                    "iss": .string(issuer), "sub": .string(grant.user), "aud": named, "jti": .string(name),
                    "client_id": .string(grant.client), "scope": .string(grant.scope), "iat": .integer(now),
                    "exp": .integer(expires),
                ])
                return SignedToken.make(key, type: "at+jwt", claims: claims)
            },
            refreshToken: { TokenText.fresh("refresh", configuration.canary) })
    }
}

extension AuthorityLedger {
    /// What a token request asks for, granted or refused.
    mutating func grant(
        _ request: LabRequest, _ configuration: AuthorityConfiguration, _ thumbprint: String?, at now: Int64,
        mint: TokenMint
    ) throws(Refusal) -> GrantedTokens {
        func need(_ name: String) throws(Refusal) -> String {
            let values = request.formParameters.filter { $0.name == name }
            guard values.count == 1, let value = values.first?.value else {
                throw Refusal(code: "invalid_request", reason: "\(name) is missing or stands twice")
            }
            return value
        }
        let asked = request.formParameters.filter { $0.name == "resource" }.map(\.value)
        var mint = mint
        switch try need("grant_type") {
        case "authorization_code":
            let verifier = request.form("code_verifier")
            let code = try need("code")
            mint.audience = try audience(asked, of: codes[code]?.grant.resources, configuration)
            try checkBinding(ofCode: code, to: thumbprint)
            let answer = try redeem(
                code: code, redirect: try need("redirect_uri"),
                proves: { !configuration.checksVerifier || Self.proves(verifier, $0) },
                configuration: configuration, at: now, mint: mint)
            families[families.count - 1].thumbprint = thumbprint
            return answer
        case "urn:ietf:params:oauth:grant-type:device_code":
            let device = try need("device_code")
            mint.audience = try audience(asked, of: devices[device]?.resources, configuration)
            let answer = try redeem(device: device, configuration: configuration, at: now, mint: mint)
            families[families.count - 1].thumbprint = thumbprint
            return answer
        case "refresh_token":
            let token = try need("refresh_token")
            let granted = tokens[token].map { families[$0.family].grant.resources }
            mint.audience = try audience(asked, of: granted, configuration)
            try checkBinding(of: token, to: thumbprint)
            return try refresh(token, configuration: configuration, at: now, mint: mint)
        default: throw Refusal(code: "unsupported_grant_type", reason: "unknown grant_type")
        }
    }

    // RFC 8707 §2.2: of the servers that the sign-in named, those that the request names, or all of them. Nothing is
    // used up by a wrong one.
    private func audience(
        _ asked: [String], of granted: [String]?, _ configuration: AuthorityConfiguration
    ) throws(Refusal) -> [String] {
        let granted = granted ?? []
        guard (asked + granted).allSatisfy({ configuration.resources.contains($0) }) else {
            throw Refusal(code: "invalid_target", reason: "unknown resource")
        }
        guard granted.isEmpty || asked.allSatisfy({ granted.contains($0) }) else {
            throw Refusal(code: "invalid_target", reason: "the sign-in did not name this resource")
        }
        return asked.isEmpty ? granted : asked
    }

    /// RFC 7636 §4.6: the challenge is the hash of the verifier, which has 43 to 128 unreserved characters.
    static func proves(_ verifier: String?, _ challenge: String?) -> Bool {
        guard let verifier, let challenge, (43...128).contains(verifier.utf8.count) else { return false }
        return Base64URL.encode(Hash.digest(.sha256, Array(verifier.utf8))) == challenge
    }
}
