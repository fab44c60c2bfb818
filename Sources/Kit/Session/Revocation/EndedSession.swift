internal import PaviseTransport
package import PaviseVault

/// What is left of a session that ended on this device: enough to take its tokens back at the server, in memory only.
package struct EndedSession: Sendable {
    /// Why the tokens or their key are still on this device.
    package internal(set) var failure: VaultFailure?
    /// The tokens; `nil` when there were none to read.
    let tokens: SessionRecord?
    /// Sends to the revocation endpoint.
    let sender: TokenSender
    /// The entry in the queue of revocations; `nil` where none was made.
    var ticket: UInt64?

    /// Gathers it, while the key that the tokens are bound to is there.
    ///
    /// - Parameter binding: Proves possession of the tokens' key; `nil` where they have none, or it is gone.
    init(
        of tokens: SessionRecord?, after failure: VaultFailure? = nil, client: HTTPClient, binding: DPoPBinding?
    ) {
        self.failure = failure
        guard let tokens, tokens.binding != nil, let address = tokens.server.revocationEndpoint else {
            self.tokens = tokens
            sender = TokenSender(client)
            return
        }
        guard let binding, (try? binding.check()) != nil else {
            // The key is gone or cannot be used: a bound token is not shown to anybody as a bearer.
            var bare = tokens
            bare.access = nil
            self.tokens = bare
            sender = TokenSender(client)
            return
        }
        self.tokens = tokens
        sender = TokenSender(client, prepared: RevocationProofs(binding, at: address, showing: tokens.access))
    }
}
