internal import PavisePrimitives

/// What has to come out of a case: accepted, with a value where there is one, or refused.
struct WycheproofVerdict {
    let isValid: Bool
    let value: [UInt8]
    private let isDecision: Bool

    /// - Parameter isTurned: The opposite of what is published.
    init(_ entry: WycheproofCase, _ player: WycheproofPlayer, isTurned: Bool) {
        value = player.wanted(entry)
        isDecision = entry.result == "acceptable"
        isValid = (isDecision ? player.takesAcceptable(value) : entry.result == "valid") != isTurned
    }

    /// How the case came out.
    func outcome(_ entry: WycheproofCase, _ player: WycheproofPlayer, _ outcome: WycheproofOutcome) -> CaseOutcome {
        switch (outcome, isValid) {
        case (.notOffered(let reason), _): return .notOffered(reason)
        case (.gave(let found), true) where found == value: return .passed
        case (.refused, false): return .passed
        case (.gave, true): return .failed("another value: \(entry.comment)")
        case (.gave, false), (.refused, true): break
        }
        if let reason = player.expectation(entry, isValid) { return .expectedOtherwise(reason) }
        let decision = isDecision ? ", otherwise than decided" : ""
        return .failed("\(isValid ? "refused" : "accepted")\(decision): \(entry.comment)")
    }
}
