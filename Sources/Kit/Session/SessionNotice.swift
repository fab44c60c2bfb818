internal import PaviseVault

/// The message for a person whose session needs attention: what happened, and what to do. All such texts are made here.
public struct SessionNotice: Hashable, Sendable {
    /// What the person can do.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// Sign in again.
        case signIn
        /// Wait, or try again.
        case tryAgain
        /// Unlock the device, or the app.
        case unlock
        /// Tell whoever runs the app or the server.
        case askForHelp
    }

    /// One line for a title.
    public let title: String
    /// One or two sentences.
    public let message: String
    /// What the person can do.
    public let action: Action
    /// Whether the session is over. Where it is not, the person stays signed in.
    public let isEnd: Bool
}

extension SessionState {
    /// What to show; `nil` where there is nothing to say.
    public var notice: SessionNotice? {
        switch self {
        case .active, .refreshing, .signedOut: nil
        case .locked:
            SessionNotice(
                title: "Locked", message: "The app is locked. Unlock it to go on.", action: .unlock, isEnd: false)
        case .unknown(let failure):
            SessionNotice(
                title: "Locked", message: failure.description,
                action: failure.isPassing ? .unlock : .askForHelp, isEnd: false)
        case .degraded(let reason): reason.notice
        case .reloginNeeded(let reason): reason.notice
        }
    }
}

extension DegradedReason {
    var notice: SessionNotice {
        let action: SessionNotice.Action =
            switch self {
            case .network, .server, .storage: .tryAgain
            case .trust, .configuration: .askForHelp
            }
        return SessionNotice(
            title: "Not up to date", message: "\(sentence) You stay signed in.", action: action, isEnd: false)
    }
}

extension ReloginReason {
    /// The notice for this end.
    var notice: SessionNotice {
        let title =
            switch self {
            case .inactivity, .expired: "Signed out after a long pause"
            case .absoluteLimit: "Time to sign in again"
            case .rejected, .invalidGrant, .revoked: "The server ended your session"
            case .lostRotation: "The connection broke at a bad moment"
            case .keyLost: "This device's key is gone"
            case .identityMismatch: "The server answered for somebody else"
            }
        let action: SessionNotice.Action = self == .identityMismatch ? .askForHelp : .signIn
        return SessionNotice(
            title: title, message: "Sign in again: \(sentence). Your data on this device was kept.", action: action,
            isEnd: true)
    }
}
