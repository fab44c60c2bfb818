/// When an issuer's keys are fetched. A value: it has no clock and no network.
struct KeyFreshness: Hashable, Sendable {
    /// Why keys are wanted.
    enum Need: Hashable, Sendable {
        /// To look at the keys at all.
        case first
        /// Those that are known do not fit a token.
        case unknownKey
    }

    /// The shortest time between two fetches for unknown keys, in milliseconds.
    static let pause: Int64 = 60_000
    /// After so many milliseconds a set is fetched anew before it is used: the issuer may have withdrawn a key.
    static let lifetime: Int64 = 3_600_000

    /// After so many milliseconds without a fetch that worked, the keys are believed no more. One that the issuer has
    /// withdrawn would otherwise check tokens for as long as somebody keeps its server away.
    static let believed: Int64 = 24 * lifetime

    private var fetched: Int64?
    private var refetched: Int64?

    /// Whether to fetch now.
    ///
    /// - Parameter now: Milliseconds since the system started.
    func fetches(_ need: Need, at now: Int64) -> Bool {
        switch need {
        case .first: fetched.map { Self.passed($0, now) >= Self.lifetime } ?? true
        case .unknownKey: refetched.map { Self.passed($0, now) >= Self.pause } ?? true
        }
    }

    /// Whether what came with the last fetch that worked may still be used, where no newer set can be had.
    ///
    /// - Parameter now: Milliseconds since the system started.
    func believes(at now: Int64) -> Bool { fetched.map { Self.passed($0, now) < Self.believed } ?? false }

    /// Notes a fetch. One that failed counts as well where it is about unknown keys.
    mutating func fetched(_ need: Need, worked: Bool, at now: Int64) {
        if need == .unknownKey { refetched = now }
        if worked { fetched = now }
    }

    // The clock since boot does not go back; where it does, a fetch is allowed, and nothing old is believed.
    private static func passed(_ since: Int64, _ now: Int64) -> Int64 {
        let (time, overflow) = now.subtractingReportingOverflow(since)
        return overflow || time < 0 ? .max : time
    }
}
