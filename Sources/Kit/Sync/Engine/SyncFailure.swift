public import PaviseSession
internal import PaviseTransport

/// Why something of a synchronisation did not happen. No case holds content or a credential.
public enum SyncFailure: Error, Hashable, Sendable {
    /// What is there is not what was expected: somebody else was faster. It is looked at again, and nothing was
    /// overwritten.
    case changed
    /// Nobody answers, or not yet. Whether a write arrived is not known; the next run asks.
    case unreachable(String)
    /// The server answered, with an error of its own: a status of 500 to 599. Whether a write was done is not known.
    /// One file may have caused it, or all may fail: the others are tried (sync/SY16).
    case serverError(Int)
    /// The server is busy, and asks to be left alone for so many seconds, at most a day (RFC 9110 §10.2.3).
    case serverBusy(seconds: Int)
    /// The server, or that of the sign-in, is not trusted: its certificate, its TLS, or a rule of an administrator's.
    /// Nothing was sent to it, and a person or an administrator has to decide.
    case notTrusted(SessionFailure)
    /// The session has ended: sign in again. What waits stays.
    case signInNeeded
    /// The server or the file system refuses this; in words.
    case refused(String)
    /// A listing cannot be trusted: it ended early, has errors in it, or names what it was not asked for.
    case listing(String)
    /// There is no room for this, here or there.
    case full(SyncSide)
    /// The content is larger than this way of synchronising holds in memory, in bytes.
    case tooLarge(limit: Int)
    /// The journal cannot be read or written: everything stops, since nothing could be proven afterwards (sync/SY16).
    case journal(String)
    /// Another process synchronises this connection.
    case busy
    /// The device or the app lock is closed: nothing was done, and what waits stays.
    case locked
}

extension SyncFailure {
    /// Whether a lock of ours may stand although its answer said otherwise, or never came.
    var mayLeaveLock: Bool {
        switch self {
        case .changed: true
        default: mayPass
        }
    }

    /// Whether the same request may succeed a little later.
    var mayPass: Bool {
        switch self {
        case .unreachable, .serverError, .serverBusy: true
        // A connection that is cut in the handshake looks the same as a server that speaks no TLS of ours.
        case .notTrusted(.transport(.tls)): true
        default: false
        }
    }

    /// Whether nothing goes to the server before somebody has decided: another try is none, and of what the server can
    /// do it says nothing.
    var needsDecision: Bool {
        if case .notTrusted = self { !mayPass } else { false }
    }

    /// Whether it says something of one item alone, so that the others go on.
    var isOfOneItem: Bool {
        switch self {
        case .refused, .tooLarge: true
        default: false
        }
    }

    /// Whether it may be of one of several files that are sent together.
    var concernsSome: Bool {
        switch self {
        case .refused, .tooLarge, .serverError, .full(.there): true
        default: false
        }
    }
}
