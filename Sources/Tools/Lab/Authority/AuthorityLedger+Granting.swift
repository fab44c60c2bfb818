/// Makes the text of a token; the ledger knows nothing of randomness or signatures.
struct TokenMint: Sendable {
    /// Gets what the token is for, at which servers, and when it ends.
    var accessToken: @Sendable (AuthorityLedger.Grant, _ audience: [String], _ expires: Int64) -> String
    var refreshToken: @Sendable () -> String
    /// The servers that the next access token is for; none where nobody named one.
    var audience: [String] = []
}

extension AuthorityLedger {
    /// Exchanges a code; one that comes twice ends the family of its first use (RFC 6749 §4.1.2).
    mutating func redeem(
        code: String, redirect: String, proves: (String?) -> Bool, configuration: AuthorityConfiguration, at now: Int64,
        mint: TokenMint
    ) throws(Refusal) -> GrantedTokens {
        guard let (grant, used) = codes[code] else { throw Refusal(code: "invalid_grant", reason: "unknown code") }
        guard grant.client == configuration.clientID else {
            throw Refusal(code: "invalid_grant", reason: "the code of another client")
        }
        if let used {
            counters.codeReplays += 1
            endFamily(used)
            throw Refusal(code: "invalid_grant", reason: "code used twice")
        }
        guard grant.expires > now else { throw Refusal(code: "invalid_grant", reason: "code expired") }
        guard grant.redirect == redirect else { throw Refusal(code: "invalid_grant", reason: "other redirect_uri") }
        guard proves(grant.challenge) else {
            counters.wrongVerifiers += 1
            throw Refusal(code: "invalid_grant", reason: "wrong verifier")
        }
        try checkBeginning(grant, configuration.limits, at: now)
        codes[code]?.family = families.count
        counters.codeExchanges += 1
        return begin(grant, configuration, at: now, mint: mint)
    }

    /// Begins a family with its first tokens.
    mutating func begin(
        _ grant: Grant, _ configuration: AuthorityConfiguration, at now: Int64, mint: TokenMint
    ) -> GrantedTokens {
        families.append(Family(grant: grant, lastUse: now))
        let number = families.count - 1
        return issue(
            in: number, refreshToken: register(mint.refreshToken(), number, configuration, now), configuration, now,
            mint, isRefresh: false)
    }

    /// Exchanges a refresh token as the rotation says.
    mutating func refresh(
        _ token: String, configuration: AuthorityConfiguration, at now: Int64, mint: TokenMint
    ) throws(Refusal) -> GrantedTokens {
        counters.refreshRequests += 1
        guard let known = tokens[token], known.isRefresh else {
            throw Refusal(code: "invalid_grant", reason: "unknown refresh token")
        }
        // RFC 6749 §6: "issued to the authenticated client".
        guard families[known.family].grant.client == configuration.clientID else {
            throw Refusal(code: "invalid_grant", reason: "the refresh token of another client")
        }
        if let ending = families[known.family].ending {
            throw Refusal(code: "invalid_grant", reason: ending.rawValue)
        }
        if let spent = known.spent {
            let answer = try answerAgain(spent, known.family, configuration, at: now, mint: mint)
            families[known.family].lastUse = now
            return answer
        }
        guard family(of: token, isRefresh: true, at: now) != nil else {
            throw Refusal(code: "invalid_grant", reason: "the refresh token expired or was revoked")
        }
        families[known.family].lastUse = now
        counters.refreshes += 1
        families[known.family].generation += 1
        if case .none(let repeats) = configuration.rotation {
            return issue(
                in: known.family, refreshToken: repeats ? token : nil, configuration, now, mint, isRefresh: true)
        }
        let next = register(mint.refreshToken(), known.family, configuration, now)
        let answer = issue(in: known.family, refreshToken: next, configuration, now, mint, isRefresh: true)
        tokens[token]?.spent = (now, answer)
        counters.rotations += 1
        return answer
    }

    // Whoever has used the successor has had the answer: the spent token comes from somebody else then.
    private func isRepeated(
        _ spent: (at: Int64, answer: GrantedTokens), _ rotation: AuthorityConfiguration.Rotation, at now: Int64
    ) -> Bool {
        guard case .grace(let seconds) = rotation, now - spent.at <= seconds else { return false }
        return spent.answer.refreshToken.flatMap { tokens[$0]?.spent } == nil
    }

    /// Whether `token` would be taken now, whatever it is for.
    func accepts(_ token: String, _ rotation: AuthorityConfiguration.Rotation, at now: Int64) -> Bool {
        guard let known = tokens[token], !known.isRevoked, !families[known.family].isOver else { return false }
        if let spent = known.spent { return isRepeated(spent, rotation, at: now) }
        return known.expires > now
    }

    // The same tokens, with the time that is left to them. Where the access token is over, or the request names other
    // servers than its answer was for, another one comes beside the same refresh token.
    private mutating func answerAgain(
        _ spent: (at: Int64, answer: GrantedTokens), _ family: Int, _ configuration: AuthorityConfiguration,
        at now: Int64, mint: TokenMint
    ) throws(Refusal) -> GrantedTokens {
        guard isRepeated(spent, configuration.rotation, at: now) else {
            counters.reuseDetections += 1
            if configuration.rotation != .refusing { endFamily(family) }
            throw Refusal(code: "invalid_grant", reason: "refresh token used twice")
        }
        counters.graceAnswers += 1
        var answer = spent.answer
        guard self.family(of: answer.accessToken, isRefresh: false, at: now) != nil,
            let known = tokens[answer.accessToken], known.audience == mint.audience
        else {
            return issue(
                in: family, refreshToken: answer.refreshToken, configuration, now, mint, isRefresh: true)
        }
        answer.lifetime = known.expires - now
        answer.issuedAt = now
        return answer
    }

    private mutating func register(
        _ token: String, _ family: Int, _ configuration: AuthorityConfiguration, _ now: Int64
    ) -> String {
        let expires = end(now + configuration.refreshTokenLifetime, in: family, configuration.limits)
        tokens[token] = Token(family: family, isRefresh: true, expires: expires)
        issued.append(IssuedToken(kind: .refresh, value: token))
        return token
    }

    private mutating func issue(
        in family: Int, refreshToken: String?, _ configuration: AuthorityConfiguration, _ now: Int64, _ mint: TokenMint,
        isRefresh: Bool
    ) -> GrantedTokens {
        let grant = families[family].grant
        let expires = end(now + configuration.accessLifetime, in: family, configuration.limits)
        let access = mint.accessToken(grant, mint.audience, expires)
        tokens[access] = Token(family: family, isRefresh: false, expires: expires, audience: mint.audience)
        issued.append(IssuedToken(kind: .access, value: access))
        return GrantedTokens(
            accessToken: access, refreshToken: refreshToken, lifetime: expires - now,
            scope: grant.scope, grant: grant, issuedAt: now, isRefresh: isRefresh)
    }
}
