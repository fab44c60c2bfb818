internal import PaviseCrypto
internal import PavisePrimitives

extension LabAuthority {
    /// What was counted so far.
    public var counters: AuthorityCounters { core.state.value.ledger.counters }

    /// Every code and token that was given out, oldest first: the canaries to search for.
    public var issuedTokens: [IssuedToken] { core.state.value.ledger.issued }

    /// Whether `token` was given out and later taken back, by itself or with its family.
    public func isRevoked(_ token: String) -> Bool { core.state.value.ledger.isRevoked(token) }

    /// Whether `token` would be accepted now: an access token by the resource, a refresh token by the token endpoint, a
    /// spent one within its grace time too.
    public func accepts(_ token: String) -> Bool {
        let now = core.settle()
        return now.ledger.accepts(token, now.configuration.rotation, at: core.clock.wallSeconds)
    }

    /// Lets every access token expire at once.
    public func expireAccessTokens() {
        core.state.change { state in
            for (name, token) in state.ledger.tokens where !token.isRefresh { state.ledger.tokens[name]?.expires = 0 }
        }
    }

    /// Ends every session, as an administrator would.
    public func revokeEverything() {
        core.state.change { state in
            for number in state.ledger.families.indices { state.ledger.endFamily(number) }
        }
    }

    /// Somebody else uses each refresh token that is good now, and the one that comes of it too, so that no grace time
    /// helps. Where tokens are never replaced, the sessions end in place of that.
    package func spendRefreshTokens() {
        let now = core.clock.wallSeconds
        core.state.change { state in
            for (token, known) in state.ledger.tokens where known.isRefresh && known.spent == nil {
                let configuration = state.configuration(of: state.ledger.families[known.family].grant.client)
                if case .none(repeatsToken: _) = configuration.rotation {
                    state.ledger.endFamily(known.family)
                    continue
                }
                let mint = AuthorityCore.mint(state, now)
                var next: String? = token
                for _ in 0..<2 {
                    guard let spent = next else { break }
                    next = try? state.ledger.refresh(spent, configuration: configuration, at: now, mint: mint)
                        .refreshToken
                }
            }
        }
    }

    /// An id token for `user`, signed with the key of this moment.
    public func sampleIDToken(for user: String = "alice") -> String {
        let now = core.settle()
        let time = core.clock.wallSeconds
        let grant = AuthorityLedger.Grant(
            user: user, scope: "openid", nonce: nil, redirect: "", challenge: nil, expires: time, signedIn: time,
            client: core.state.value.configuration.clientID)
        let token = IdentityToken(
            issuer: now.issuer, clientID: now.configuration.clientID, grant: grant, issuedAt: time,
            lifetime: now.configuration.signedLifetime(IdentityToken.usualLifetime), isRefresh: false,
            namesKeys: now.configuration.namesKeys, audienceIsArray: now.configuration.audienceIsArray)
        core.promise(token.issuedAt + token.lifetime, by: now.keys)
        return token.text(now.keys, fault: now.idTokenFault) ?? ""
    }

    /// Signs with a new key from now on; `keepsOld` says whether the old ones stay published.
    public func rotateKeys(keepsOld: Bool = true) throws(LabFailure) {
        // One transaction: what a request has brought the keys to meanwhile is not undone.
        let failure = core.state.change { state -> CryptoFailure? in
            do throws(CryptoFailure) { try state.keys.rotate(keepsOld: keepsOld) } catch { return error }
            return nil
        }
        if let failure { throw .cryptography("\(failure)") }
    }

    /// Suspends until `condition` holds for the counters.
    ///
    /// - Returns: `false` when it did not hold within `limit`.
    @discardableResult
    public func wait(
        within limit: Duration = .seconds(30), until condition: @escaping @Sendable (AuthorityCounters) -> Bool
    ) async -> Bool {
        let state = core.state
        return await Waiting.done { state.wait(within: limit.milliseconds) { condition($0.ledger.counters) } }
    }

    /// Suspends until a refresh token was replaced `count` times. With ``AuthorityFault/late(_:)`` at the token
    /// endpoint this is the moment between the server's rotation and the client's store.
    @discardableResult
    public func waitForRotation(_ count: Int = 1, within limit: Duration = .seconds(30)) async -> Bool {
        await wait(within: limit) { $0.rotations >= count }
    }
}
