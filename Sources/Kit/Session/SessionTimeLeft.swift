internal import PavisePrimitives

/// How long a session can still last, for an app that warns before the session ends by itself.
public struct SessionTimeLeft: Hashable, Sendable {
    /// Until the person has to sign in again whatever happens.
    public let untilMaximum: Duration
    /// Until the session ends unless it is refreshed before.
    public let untilInactive: Duration

    /// The one that comes first.
    public var next: ReloginReason { untilMaximum <= untilInactive ? .absoluteLimit : .inactivity }
}

extension SessionRecord {
    /// How long this record's session can last, by trusted time.
    func timeLeft(_ policy: RefreshPolicy, at now: ClockReading) -> SessionTimeLeft {
        func left(_ limit: Duration, _ passed: Int64) -> Duration {
            max(.zero, limit - .milliseconds(min(passed, limit.milliseconds)))
        }
        return SessionTimeLeft(
            untilMaximum: left(policy.absoluteLimit, age(at: now)),
            untilInactive: left(policy.inactivity, idle(at: now)))
    }
}

extension Session {
    /// How long the session can last; `nil` when nobody is signed in or the store cannot say.
    public var timeLeft: SessionTimeLeft? {
        if machine == nil { try? load() }
        guard let record, record.ending == nil else { return nil }
        return record.timeLeft(policy, at: now)
    }
}
