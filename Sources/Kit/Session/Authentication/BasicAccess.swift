package import PavisePrimitives
public import PaviseTransport
public import PaviseVault

/// A user name and password for one origin (RFC 7617): a method of its own, never chosen by itself, never over plain
/// http.
///
/// The password lies sealed in the vault. It never stands in an address, an argument or a log.
public struct BasicAccess: Sendable {
    /// Why a user name is no user name.
    public enum Problem: Error, Hashable, Sendable {
        /// RFC 7617 §2: a colon would end the name early.
        case colonInName
        /// Empty, or longer than 256 bytes, or with a control character.
        case unusableName
        /// The password is empty or holds a control character.
        case unusablePassword
        /// The origin is not https.
        case withoutTLS
        /// The connection signs in another way.
        case wrongMethod
        /// The connection is another user's (connections C18). Nothing was stored; sign out first, or make another
        /// connection.
        case otherUser
        /// The server refuses this name and password (401). What was stored before stays as it was.
        case refused
        /// The server did not say whether the password is right: it answered with this status. What was stored stays as
        /// it was.
        case notTried(status: Int)
        /// The server was not asked. What was stored before stays as it was.
        case transport(TransportFailure)
        /// The vault.
        case store(VaultFailure)
    }

    let vault: TokenVault
    let name: ItemName
    let client: HTTPClient
    /// The only origin that gets the password.
    public let origin: Origin
    private let acceptsUnbound: Bool
    let gate: (any AccessGate)?

    /// The access that was stored as `name`.
    ///
    /// - Parameters:
    ///   - acceptsUnbound: Whether a password that an older Pavise stored without its origin is one for `origin`: the
    ///     description that names the origin is authentic, and was taken over. It is sealed with the origin at its
    ///     first use.
    ///   - gate: Says whether it may be used now.
    package init(
        vault: TokenVault, name: ItemName, origin: Origin, client: HTTPClient, acceptsUnbound: Bool = false,
        gate: (any AccessGate)? = nil
    ) {
        self.acceptsUnbound = acceptsUnbound
        self.gate = gate
        self.vault = vault
        self.name = name
        self.origin = origin
        self.client = client
    }

    /// Tries a name and password at `address`, and stores them where the server does not refuse them. A wrong password,
    /// another user's, and a server that does not answer change nothing of what is stored.
    ///
    /// - Parameter address: An address that asks for the password. One that asks for none proves nothing.
    package func store(
        user: String, password: borrowing SecretBytes, tryingAt address: WebURL
    ) async throws(Problem) {
        try check(user, password)
        try checkUser(user)
        guard address.origin == origin else { throw .transport(.credentialRefused(address.origin)) }
        let pair = BasicPair(user: user, password: password, for: origin)
        let answer: HTTPResponse
        do throws(TransportFailure) {
            answer = try await client.send(
                HTTPRequest("GET", address),
                with: Authorization(scheme: "Basic", credential: pair.credential, origin: origin))
        } catch {
            throw .transport(error)
        }
        guard answer.status != 401 else { throw .refused }
        guard answer.status < 500 else { throw .notTried(status: answer.status) }
        try store(user: user, password: password)
    }

    /// Stores a name and password, sealed with the origin. Nobody asks the server about them.
    ///
    /// - Throws: ``Problem/otherUser`` where the connection is another user's; nothing is stored then.
    package func store(user: String, password: borrowing SecretBytes) throws(Problem) {
        try check(user, password)
        try checkUser(user)
        let pair = BasicPair(user: user, password: password, for: origin)
        do throws(VaultFailure) {
            try vault.prepare()
            try keep(pair)
        } catch {
            throw .store(error)
        }
    }

    private func check(_ user: String, _ password: borrowing SecretBytes) throws(Problem) {
        guard origin.scheme == .https else { throw .withoutTLS }
        guard !user.contains(":") else { throw .colonInName }
        guard (1...256).contains(user.utf8.count), user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw .unusableName
        }
        let isUsable = password.withBytes { bytes in
            !bytes.isEmpty && bytes.indices.allSatisfy { bytes[$0] >= 0x20 && bytes[$0] != 0x7F }
        }
        guard isUsable else { throw .unusablePassword }
    }

    // What cannot be opened any more belongs to nobody; a store that cannot say stops.
    private func checkUser(_ user: String) throws(Problem) {
        let known: String?
        do throws(VaultFailure) { known = try stored()?.user } catch {
            switch error {
            case .keyLost, .corrupt: return
            default: throw .store(error)
            }
        }
        guard known == nil || known == user else { throw .otherUser }
    }

    private func keep(_ pair: borrowing BasicPair) throws(VaultFailure) {
        let content = pair.encoded(for: origin)
        try content.withBytes { bytes throws(VaultFailure) in try vault.store(bytes, as: name) }
    }

    func authorization(for request: HTTPRequest) throws(SessionFailure) -> Authorization {
        guard request.url.origin == origin, origin.scheme == .https else { throw .foreignOrigin(request.url.origin) }
        guard gate?.isOpen ?? true else { throw .locked }
        return Authorization(scheme: "Basic", credential: try credential(), origin: origin)
    }

    private func credential() throws(SessionFailure) -> SecretBytes {
        guard let pair = try read() else { throw .signedOut }
        guard let sealed = pair.origin else {
            guard acceptsUnbound else { throw .store(.corrupt(.content)) }
            // Where this cannot be written now, it is at the next use.
            try? keep(pair)
            return pair.credential
        }
        // The description may have been changed; what was sealed with the password was not.
        guard sealed == "\(origin)" else { throw .foreignOrigin(origin) }
        return pair.credential
    }

    /// Whether a user name and password are stored. No server is asked.
    package func isSignedIn() throws(SessionFailure) -> Bool {
        if let gate, !gate.isOpen { throw .locked }
        guard let _ = try read() else { return false }
        return true
    }

    private func read() throws(SessionFailure) -> BasicPair? {
        do throws(VaultFailure) { return try stored() } catch { throw .store(error) }
    }

    private func stored() throws(VaultFailure) -> BasicPair? {
        switch try vault.read(name) {
        case .absent: return nil
        case .found(let content): return try BasicPair(decoding: content)
        }
    }
}
