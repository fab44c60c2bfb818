/// How often a request that was refused for its proof alone goes out again. A value.
struct DPoPRetries: Sendable {
    /// What one more try may mend.
    enum Reason: Hashable, Sendable {
        /// The server wants another nonce.
        case nonce
        /// A new nonce is wanted, and other requests carried the refused one too.
        case sharedNonce
        /// The proof was refused for its date.
        case clock
    }

    /// The most further tries of a request, after its second, while other requests use up its nonces.
    private static let limit = 4
    private var nonces = 0
    private var clocks = 0

    /// Whether a request that was refused for `reason` goes out once more.
    func allow(_ reason: Reason) -> Bool {
        switch reason {
        case .nonce: nonces == 0
        case .sharedNonce: nonces <= Self.limit
        case .clock: clocks == 0
        }
    }

    /// Counts a refusal.
    mutating func note(_ reason: Reason) {
        if reason == .clock { clocks += 1 } else { nonces += 1 }
    }
}
