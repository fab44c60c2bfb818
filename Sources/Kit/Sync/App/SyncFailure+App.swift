package import Pavise

extension SyncFailure: AppFailure {
    /// The code and what helps, for an app.
    package var appMeaning: (code: PaviseError.Code, recovery: PaviseError.Recovery) {
        switch self {
        case .changed, .busy: (.busy, .retry(after: 1))
        case .unreachable: (.network, .retry(after: 30))
        case .serverError: (.server, .retry(after: 30))
        case .serverBusy(let seconds): (.server, .retry(after: Int64(seconds)))
        case .notTrusted: (.certificateRefused, .askForHelp)
        case .signInNeeded: (.signInNeeded, .signIn)
        case .refused, .listing, .full(.there): (.server, .askForHelp)
        case .full(.here): (.diskFull, .correct)
        case .tooLarge: (.tooLarge, .correct)
        case .journal: (.storage, .askForHelp)
        case .locked: (.deviceLocked, .unlock)
        }
    }

    /// Of a server that is not trusted the session has said why: whether a person may approve it, and that somebody
    /// may be attacking.
    package var appCause: (any Error)? {
        guard case .notTrusted(let failure) = self else { return nil }
        return failure
    }
}
