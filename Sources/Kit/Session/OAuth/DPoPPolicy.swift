/// Whether tokens are bound to a key of this device (DPoP, RFC 9449).
public enum DPoPPolicy: String, Hashable, Sendable, CaseIterable {
    /// Where the authority offers it. A connection whose tokens were bound once is not bound to less without a word.
    case automatic = "auto"
    /// Always; where the authority does not offer it nobody is signed in.
    case always
    /// Never: for a resource server that does not know the scheme `DPoP`.
    case never
}

extension DPoPPolicy {
    /// What to do at a server that offers it or not.
    ///
    /// - Parameter wasBound: Whether tokens of this connection were bound before.
    /// - Returns: Whether to bind.
    /// - Throws: ``SignInFailure/withoutBinding``.
    package func decide(offered: Bool, wasBound: Bool) throws(SignInFailure) -> Bool {
        switch self {
        case .never: return false
        case .automatic where !offered && !wasBound: return false
        case .automatic, .always:
            guard offered else { throw .withoutBinding }
            return true
        }
    }
}
