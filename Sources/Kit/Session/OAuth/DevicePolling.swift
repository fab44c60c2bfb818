internal import PavisePrimitives

/// How a device waits for the person (RFC 8628 §3.5). A value: it has no clock and no network.
struct DevicePolling: Hashable, Sendable {
    /// What to do after an answer.
    enum Step: Hashable, Sendable {
        /// Ask again after so many seconds.
        case wait(Int64)
        /// Stop: the person refused, or the server says so.
        case refused(code: String)
        /// Stop: the code is too old.
        case expired
        /// Stop: the server's certificate is refused. Nothing was sent.
        case untrusted
        /// Stop: the key that the tokens were to be bound to is gone.
        case keyLost
        /// Stop: an administrator's rules let nothing be sent any more.
        case forbidden
    }

    /// Seconds between two questions.
    private(set) var interval: Int64
    /// When the code ends, in milliseconds of a clock that only goes on.
    let end: Int64

    /// - Parameters:
    ///   - interval: What the server asked for; 5 s when it named none. At most as long as any code is waited for.
    ///   - end: When the code ends.
    init(interval: Int64?, end: Int64) {
        self.interval = min(max(1, interval ?? 5), DeviceCode.longest)
        self.end = end
    }

    /// What follows an answer that grants nothing, at this moment.
    mutating func next(after answer: TokenResponse, at now: Int64) -> Step {
        var pause: Int64 = 0
        switch answer {
        case .rejected("authorization_pending"): break
        case .rejected("slow_down"): interval = min(interval + 5, DeviceCode.longest)
        case .rejected("expired_token"): return .expired
        case .rejected(let code): return .refused(code: code)
        case .definitive: return .refused(code: "invalid_grant")
        case .transient(.trust, _, _): return .untrusted
        case .keyLost: return .keyLost
        case .forbidden: return .forbidden
        // RFC 8628 §3.5: a server that cannot be reached is asked less and less often, down to once in a minute, or as
        // seldom as it asked for.
        case .transient(_, let retryAfter, _):
            interval = max(interval, min(interval * 2, 60))
            // RFC 6585 §4, RFC 9110 §10.2.3: a server that has too much to do says when it wants to be asked again.
            pause = min(max(0, retryAfter ?? 0), DeviceCode.longest)
        case .granted: break
        }
        pause = max(pause, interval)
        return now + pause * 1000 < end ? .wait(pause) : .expired
    }
}
