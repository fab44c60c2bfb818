public import PaviseTransport
public import PaviseVault

/// Why a session gave no access token or sent no request. No case holds a secret.
public enum SessionFailure: Error, Hashable, Sendable {
    /// The app lock is closed. Nothing was sent; ask again after an unlock.
    case locked
    /// Nobody is signed in.
    case signedOut
    /// The session ended. Sign in again; local data was kept.
    case reloginNeeded(ReloginReason)
    /// The session was replaced or ended while the caller waited. Start over with the new one.
    case sessionChanged
    /// The access token expired and no new one can be had now. The session lives on; try again in `retryIn` seconds.
    case unavailable(DegradedReason, retryIn: Int64)
    /// The store cannot say: locked, denied, corrupt.
    case store(VaultFailure)
    /// More refreshes than a healthy server ever needs. Try again in half a minute.
    case tooManyRefreshes
    /// The address belongs to another origin than the session: no token goes there.
    case foreignOrigin(Origin)
    /// The request itself failed; the session has nothing to do with it.
    case transport(TransportFailure)
    /// The caller's task was cancelled. Other callers and the refresh go on.
    case cancelled
}

extension SessionFailure: CustomStringConvertible {
    /// One sentence that says what to do next.
    public var description: String {
        switch self {
        case .locked: "The app is locked. Unlock it first; nothing was sent."
        case .signedOut: "Nobody is signed in. Sign in first."
        case .reloginNeeded(let reason): "Sign in again: \(reason.sentence). Local data was kept."
        case .sessionChanged: "The session was ended or replaced meanwhile. Try again."
        case .unavailable(let reason, let seconds):
            "\(reason.sentence) You stay signed in; try again in \(max(1, seconds)) s."
        case .store(let failure): failure.description
        case .tooManyRefreshes:
            "The server keeps refusing fresh tokens, or ends them within seconds. Try again in half a minute."
        case .foreignOrigin(let origin): "\(origin) is not the server of this connection; no token is sent there."
        case .transport(let failure): failure.sentence
        case .cancelled: "Cancelled."
        }
    }
}

extension DegradedReason {
    /// What is the matter, as a sentence.
    public var sentence: String {
        switch self {
        case .network: "The sign-in server cannot be reached."
        case .server: "The sign-in server is out of order."
        case .trust: "The sign-in server's certificate is refused."
        case .configuration: "The sign-in server refuses this client."
        case .storage: "The session cannot be stored."
        }
    }
}

extension ReloginReason {
    /// Why, as the middle of a sentence.
    public var sentence: String {
        switch self {
        case .lostRotation: "the server's last answer was lost and it does not accept the old token"
        case .keyLost: "the key of the stored session is gone"
        case .invalidGrant: "the server ended the session"
        case .rejected: "the server refused too many times in a row"
        case .absoluteLimit: "the longest session time has passed"
        case .inactivity: "the session was not used for too long"
        case .revoked: "the session was ended elsewhere"
        case .identityMismatch: "the server answered for another user"
        case .expired: "the access token ended and there is no refresh token"
        }
    }
}
