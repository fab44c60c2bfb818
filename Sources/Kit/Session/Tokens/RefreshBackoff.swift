internal import PavisePrimitives

/// How long a session waits after a refresh that failed: exponential back-off with full jitter (SR8).
struct RefreshBackoff {
    let policy: RefreshPolicy
    /// Failures in a row, the last one included.
    let failures: Int
    /// In 0..<1, for the jitter.
    let chance: Double

    /// The pause in milliseconds: anything between nothing and base × 2^n, at most the cap. Rejections stay a second
    /// apart (§5), and a server's `Retry-After`, in seconds, is waited for. A degraded session tries at the cap's
    /// interval, a tenth more or less.
    func pause(retryAfter: Int64?, isRejection: Bool) -> Int64 {
        let cap = Self.bounded(policy.backoffCap)
        let ceiling = min(cap, Self.bounded(policy.backoffBase) << Int64(min(failures - 1, 16)))
        let steady = Int64(Double(cap) * (0.9 + 0.2 * chance))
        let drawn = failures >= policy.failuresUntilDegraded && !isRejection ? steady : Int64(Double(ceiling) * chance)
        let asked = Self.bounded(min(.seconds(retryAfter ?? 0), policy.retryAfterCap))
        return max(isRejection ? max(1000, drawn) : drawn, asked)
    }

    // Milliseconds, at most a century: with these every sum of the machine stays within 64 bits, whatever a policy and
    // a server say.
    private static func bounded(_ duration: Duration) -> Int64 {
        min(max(0, duration.milliseconds), 36_525 * 86_400_000)
    }
}
