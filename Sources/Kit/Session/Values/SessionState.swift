public import PaviseVault

/// Where a session stands.
public enum SessionState: Hashable, Sendable {
    /// The store cannot say: locked, denied or corrupt. Nothing is written, deleted or announced meanwhile.
    case unknown(VaultFailure)
    /// The app lock is closed: no token is lent, and none is in memory. The session goes on after an unlock.
    case locked
    /// There is no session. Sign in.
    case signedOut
    /// Signed in.
    case active
    /// Signed in, and a refresh is on its way; callers that need a new token wait for it.
    case refreshing
    /// Signed in, but something keeps failing. An unexpired access token is still used, retries go on.
    case degraded(DegradedReason)
    /// The session ended. Only signing in again helps; local data was kept.
    case reloginNeeded(ReloginReason)
}

/// Why a session cannot refresh at the moment, although it has not ended.
public enum DegradedReason: String, Hashable, Sendable, CaseIterable {
    /// The server is not reached: no network, no name, no answer in time.
    case network
    /// The server answers with errors, or with something that is no OAuth answer.
    case server
    /// The server's certificate is refused: also a security event.
    case trust
    /// The server refuses this client (`invalid_client` and the like), or the stored endpoints are those of another
    /// connection's authority, which gets no token. The settings are wrong.
    case configuration
    /// The store takes no writes.
    case storage
}

/// Why a session ended.
public enum ReloginReason: String, Hashable, Sendable, CaseIterable {
    /// The server rotated the refresh token and the answer never reached the store.
    case lostRotation
    /// The key that opens the stored session is gone.
    case keyLost
    /// The server says that the refresh token is no longer good.
    case invalidGrant
    /// The server refused as many times in a row as ``RefreshPolicy/rejectionsUntilEnd`` says, without saying that the
    /// token is bad.
    case rejected
    /// The longest time since signing in has passed.
    case absoluteLimit
    /// The session was not used for too long.
    case inactivity
    /// The server announced that the session was ended elsewhere.
    case revoked
    /// A refresh answered for another user or issuer, or with another token type.
    case identityMismatch
    /// The access token ended and the server gave no refresh token.
    case expired
}
