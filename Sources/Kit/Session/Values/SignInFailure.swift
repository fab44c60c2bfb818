public import PavisePrimitives
public import PaviseVault

/// Why nobody was signed in. Nothing was stored.
public enum SignInFailure: Error, Hashable, Sendable {
    /// The authority's metadata.
    case discovery(DiscoveryFailure)
    /// The authority does not say that it checks S256, and that was demanded (oauth A3).
    case withoutPKCE
    /// The authority does not take pushed requests, and that was demanded (RFC 9126).
    case withoutPushing
    /// The authority has no grant for devices without a browser (RFC 8628).
    case withoutDeviceGrant
    /// The authority takes no client secret, neither with HTTP Basic nor in a form. It was not sent.
    case clientSecretNotTaken
    /// No client was registered.
    case registration(RegistrationProblem)
    /// The client secret is empty, too long, or not visible ASCII.
    case unusableClientSecret
    /// The listener for the callback could not start or failed.
    case listener(SystemFailure)
    /// Another sign-in waits at the same ``RedirectReceiver``. Wait for its end, or cancel it.
    case redirectInUse
    /// The browser could not be opened; the reason.
    case browser(String)
    /// No callback came in time.
    case timeout
    /// The callback was refused.
    case callback(CallbackProblem)
    /// The token endpoint refused the code; its OAuth error, or `invalid_grant`.
    case refused(code: String)
    /// The endpoint for tokens, pushed requests or devices gave no usable answer. `trust`: its certificate was refused
    /// and nothing was sent, which is also a security event.
    case unavailable(DegradedReason)
    /// The token type is not Bearer; or it is, where a token that is bound to a key was asked for.
    case tokenType
    /// The authority binds no tokens to a key (RFC 9449), and that was demanded or was so before.
    case withoutBinding
    /// The id_token is not what it must be.
    case identity(IDTokenProblem)
    /// The connection belongs to another user. Remove it first, or sign in as the same user.
    case otherUser
    /// The session could not be stored.
    case store(VaultFailure)
    /// The kernel gave no random bytes.
    case entropy(EntropyFailure)
    /// The connection signs in another way.
    case wrongMethod
    /// The caller gave up.
    case cancelled
}

/// What the caller of a successful sign-in should know.
public enum SignInWarning: Hashable, Sendable {
    /// The authority does not say that it checks S256: state and nonce carry the burden (oauth A3).
    case proofKeyNotAdvertised
    /// Fewer scopes were granted than asked for (oauth T4).
    case narrowerScope(asked: [String], granted: [String])
    /// More scopes were granted than asked for; the others are not used.
    case broaderScope(asked: [String], granted: [String])
    /// The server gave no refresh token: the session ends with its first access token.
    case noRefreshToken
    /// The server lists no revocation endpoint: signing out cannot end the tokens there.
    case noRevocation
    /// The secret of the client that was registered ends at this time, in seconds since 1970 (RFC 7591 §3.2.1): with it
    /// ends the session, unless another client is registered before.
    case clientSecretEnds(at: Int64)
    /// What deletes the client that was registered could not be kept: it stays at the authority when the account goes.
    case registrationNotKept
}
