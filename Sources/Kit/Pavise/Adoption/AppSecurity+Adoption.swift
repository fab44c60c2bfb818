internal import PavisePrimitives
internal import PaviseSession
internal import PaviseStorage
internal import PaviseVault

extension AppSecurity {
    /// Takes over a session that another library left, so that nobody has to sign in because the app changes to
    /// Pavise.
    ///
    /// The old item is read, its refresh token sealed as the account's, the session proved by one refresh, and only
    /// then the old item goes. Killed at any step, the session is there afterwards: call it again at the next start, it
    /// goes on where it stopped. Servers are judged as in a sign-in. An account of this server that is signed in
    /// already is proved, and the old item goes; the name of another server's account is taken.
    ///
    /// ```swift
    /// let old = ForeignSession.auth0(service: "org.example.diary")
    /// let report = try await security.adopt(old, at: server, as: "work", clientID: "diary")
    /// if case .adopted = report.outcome { show(report.account) }
    /// ```
    ///
    /// A token that the server has called over is not sent again: only another one in the old item is tried.
    ///
    /// A server that spends a refresh token and whose answer is lost on the way may end the session, as in any refresh
    /// (RFC 9700 §4.14.2).
    ///
    /// - Parameters:
    ///   - session: Where the other library left it.
    ///   - server: What ``review(_:)-(String)`` gave, trusted or approved.
    ///   - name: The account's name.
    ///   - clientID: The client identifier that the session was made with: the authority compares it.
    ///   - options: Issuer, scopes and client secret, as they were. Tokens of another library are bound to no key of
    ///     ours: with `DPoPPolicy.always`, and for an account whose tokens were bound before, they are not taken.
    /// - Returns: What was found, and what became of it.
    /// - Throws: ``PaviseError``: the app or the keychain is locked, a server is refused, a name is taken. Nothing of
    ///   the old item has changed then.
    public func adopt(
        _ session: ForeignSession, at server: ReviewedServer, as name: String, clientID: String,
        options: SignInOptions = SignInOptions()
    ) async throws(PaviseError) -> AdoptionReport {
        do {
            try lock.check()
            let item: ForeignItem
            switch try session.find() {
            case .nothing: return AdoptionReport(.nothingFound)
            case .several(let accounts): return AdoptionReport(.several(accounts))
            case .item(let found): item = found
            }
            guard let token = item.token else { return AdoptionReport(.unreadable) }
            AdoptionStep.reached(.found)
            // A kill may have left one whose description is there and whose sign-in never came to its end.
            try connections.finishRemovals()
            guard let existing = try connections.descriptor(named: name) else {
                return try await prove(seal(token, server, name, clientID, options), item, item.mark(clientID))
            }
            // A session at another server, or of another authority, proves nothing about this token.
            try Connector.check(existing, server.url.origin, existing.method, options)
            let account = try self.account(name, options: options)
            switch await account.state {
            case .signedOut: return AdoptionReport(.signedOut, account)
            // The other library may have gone on with a newer token: an older version of the app ran.
            case .needsSignIn(let reason):
                // The very same one is over: a start of the app is no reason to spend it again.
                guard !account.connection.hasRefused(item.mark(clientID)) else {
                    return AdoptionReport(.ended(reason), account)
                }
                return try await prove(seal(token, server, name, clientID, options), item, item.mark(clientID))
            case .signedIn, .unknown: break
            }
            return try await prove(account, item, nil)
        } catch {
            throw log.told(error)
        }
    }

    private func seal(
        _ token: SharedSecretBytes, _ server: ReviewedServer, _ name: String, _ clientID: String,
        _ options: SignInOptions
    ) async throws(PaviseError) -> Account {
        var options = options
        options.adopted = token
        options.registersClient = false
        let account = try await connect(server, as: name, clientID: clientID, options: options)
        AdoptionStep.reached(.completed)
        return account
    }

    // A sealed session has no access token before its first refresh, so that one to lend is the proof.
    //
    // `mark` names the item's token where it is what was sealed just now. What a session that was there before hears
    // from its server says nothing of the item: the other library may have gone on with a newer token.
    private func prove(
        _ account: Account, _ item: ForeignItem, _ mark: [UInt8]?
    ) async throws -> AdoptionReport {
        guard let session = account.connection.session else { throw SignInFailure.wrongMethod }
        do throws(SessionFailure) { _ = try await session.accessToken() } catch {
            switch error {
            case .unavailable(let reason, _): return AdoptionReport(.waiting(reason), account)
            case .reloginNeeded(let reason):
                // These two alone say that the token is no longer good; others may pass with other settings.
                if let mark, [.invalidGrant, .lostRotation].contains(reason) {
                    account.connection.noteRefused(mark)
                }
                return AdoptionReport(.ended(reason), account)
            default: throw error
            }
        }
        AdoptionStep.reached(.proved)
        let isRemoved = try item.remove()
        AdoptionStep.reached(.removed)
        return AdoptionReport(.adopted, account, isOldItemRemoved: isRemoved)
    }
}

/// The steps of an adoption, each durable before the next begins: a test kills its process at each.
package enum AdoptionStep: String, CaseIterable, Sendable, Codable {
    /// The old item was read.
    case found
    /// The account's folder is there, with the mark that its sign-in has not succeeded.
    case made
    /// The refresh token is sealed.
    case sealed
    /// The mark is gone.
    case completed
    /// The refresh's answer is sealed.
    case proved
    /// The old item is gone.
    case removed

    @TaskLocal package static var observer: @Sendable (AdoptionStep) -> Void = { _ in }

    static func reached(_ step: AdoptionStep) { observer(step) }
}
