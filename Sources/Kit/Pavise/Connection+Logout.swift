package import PavisePrimitives
package import PaviseSession
internal import PaviseTransport
package import PaviseVault

extension Connection {
    /// Keeps the id_token of a sign-in, sealed: a sign-out at the authority and a logout token ask whose session it is.
    /// One that cannot be kept is none: the authority asks the person then, and no logout token fits.
    func keepHint(_ token: SharedSecretBytes?) {
        let item = TokenMethod.hint(at: place)
        guard let token else { return forgetHint() }
        do throws(VaultFailure) {
            try token.withBytes { span throws(VaultFailure) in try place.vault.store(span, as: item) }
        } catch {
            forgetHint()
        }
    }

    func forgetHint() { try? place.vault.erase(TokenMethod.hint(at: place)) }

    /// The id_token of the session; `nil` where none was kept.
    package func hint() throws(VaultFailure) -> SharedSecretBytes? {
        guard session != nil, case .found(let token) = try place.vault.read(TokenMethod.hint(at: place)) else {
            return nil
        }
        return SharedSecretBytes(token)
    }

    /// Signs out as ``signOut()`` does, and then ends the session that the browser has with the authority (OpenID
    /// Connect RP-Initiated Logout 1.0), where the authority has a page for it.
    package func signOut(
        in browser: any Browser, receiver: RedirectReceiver?, patience: Duration
    ) async -> SignOutReport {
        // Before the wipe: afterwards it is gone.
        let hint = (try? self.hint()) ?? nil
        var report = await signOut()
        guard report.localFailure == nil, session != nil else { return report }
        let server: AuthorizationServer
        do throws(SignInFailure) { server = try await authority() } catch {
            // Whether it has a page nobody can say now.
            report.authorityPage = .notConfirmed
            return report
        }
        guard let endpoint = server.endSessionEndpoint else {
            report.authorityPage = .notOffered
            return report
        }
        // The id_token says who the person is, and nothing of one authority goes to another.
        guard !place.others.have(endpoint, of: server.issuer) else {
            report.authorityPage = .notConfirmed
            return report
        }
        let question = AuthorityLogout.Question(
            endpoint: endpoint, clientID: descriptor.clientID ?? "pavise", hint: hint)
        report.authorityPage = await AuthorityLogout(browser: browser).run(
            question, receiver: receiver, port: descriptor.redirectPort, patience: patience)
        return report
    }
}

/// Takes the logout tokens that reach an account (OpenID Connect Back-Channel Logout 1.0), each once.
actor LogoutInbox {
    private let connection: Connection
    private let verifier: LogoutVerifier
    private var authority: AuthorizationServer?
    // What was judged and could not be carried out: it counts once, and may be handed in again.
    private var unfinished: (text: String, session: KnownSession)?

    init(_ connection: Connection) {
        self.connection = connection
        verifier = LogoutVerifier(
            clientID: connection.descriptor.clientID ?? "pavise", client: connection.client,
            time: connection.environment.time)
    }

    /// Ends the session that `text` is about.
    ///
    /// - Returns: `false` for the token of another session.
    /// - Throws: Also where the session could not be ended: nothing has changed then.
    func take(_ text: String) async throws -> Bool {
        guard connection.environment.gate?.isOpen ?? true else { throw SessionFailure.locked }
        try LogoutVerifier.check(text)
        guard let known = try kept() else { return false }
        if unfinished?.text != text || unfinished?.session != known {
            let (server, keys) = try await judge()
            let isEnd = try await verifier.ends(known, by: text, keysAt: keys, accepting: server.tokenAlgorithms)
            guard isEnd else { return false }
        }
        unfinished = (text, known)
        // The keys may have taken their time. Who signed in again meanwhile has another session.
        guard try kept() == known else {
            unfinished = nil
            return false
        }
        let isEnded = try await connection.session?.endedElsewhere() ?? false
        unfinished = nil
        if (try? kept()) == known { connection.forgetHint() }
        return isEnded
    }

    // The session whose id_token lies here now.
    private func kept() throws -> KnownSession? { try connection.hint().flatMap { KnownSession(idToken: $0) } }

    // Whose word counts, and where its keys lie; asked for once.
    private func judge() async throws -> (AuthorizationServer, keys: WebURL) {
        let server = if let authority { authority } else { try await connection.authority() }
        guard let keys = server.keysEndpoint else { throw LogoutTokenProblem.token(.keysUnavailable) }
        authority = server
        return (server, keys)
    }
}
