public import PaviseSession

/// Why an answer was not what was asked for. Nothing of its body is in it.
enum AnswerUnreadable: Error, Hashable, Sendable {
    case status(Int)
    case content
    case request
}

/// Where an account stands.
public enum AccountState: Hashable, Sendable {
    /// Nobody can say now: the app lock is closed, or the keychain is. It is not signed out; ask again after an unlock.
    case unknown(UnknownReason)
    /// Nobody is signed in.
    case signedOut
    /// Somebody is signed in.
    case signedIn
    /// Somebody was signed in, and only signing in again helps.
    case needsSignIn(ReloginReason)

    /// Why nobody can say.
    public enum UnknownReason: String, Hashable, Sendable, CaseIterable {
        /// The app lock is closed.
        case appLocked
        /// The keychain is locked, or does not answer.
        case storeLocked
        /// What is kept about the account is damaged, or was changed by somebody else: waiting does not help. It stays
        /// as it is, and opening the account says more.
        case storeDamaged
        /// A later version of Pavise wrote what is kept about the account: update the app.
        case storeNewer

        init(_ code: PaviseError.Code) {
            self =
                switch code {
                case .appLocked: .appLocked
                case .damaged: .storeDamaged
                case .newerVersion: .storeNewer
                default: .storeLocked
                }
        }
    }

    init(_ state: SessionState) {
        self =
            switch state {
            case .locked: .unknown(.appLocked)
            case .unknown: .unknown(.storeLocked)
            case .signedOut: .signedOut
            case .active, .refreshing, .degraded: .signedIn
            case .reloginNeeded(let reason): .needsSignIn(reason)
            }
    }
}
