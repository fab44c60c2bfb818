/// What the lab's authority counted since it started.
public struct AuthorityCounters: Hashable, Sendable {
    /// Requests at the token endpoint, answered or not.
    public var tokenRequests = 0
    /// Authorization requests that were pushed.
    public var pushedRequests = 0
    /// Clients that were registered.
    public var registrations = 0
    /// Registered clients that were deleted.
    public var deregistrations = 0
    /// Token and resource requests that were refused for their proof of possession or its nonce.
    public var refusedProofs = 0
    /// Devices whose attestation key became known, or was shown again.
    public var enrolments = 0
    /// Quotes that were believed.
    public var quotes = 0
    /// Assertions of App Attest that were believed.
    public var assertions = 0
    /// Requests of sign-ins that showed an attested device.
    public var attestedRequests = 0
    /// Enrolments, quotes, assertions and requests that were refused for their evidence.
    public var refusedAttestations = 0
    /// Codes that were exchanged.
    public var codeExchanges = 0
    /// Codes that came a second time.
    public var codeReplays = 0
    /// Exchanges that were refused because the verifier does not fit.
    public var wrongVerifiers = 0
    /// Requests to refresh that reached the rules, whether granted or refused.
    public var refreshRequests = 0
    /// Refreshes that were granted anew.
    public var refreshes = 0
    /// Refresh tokens that were replaced.
    public var rotations = 0
    /// Spent refresh tokens that got the same answer again within the grace time.
    public var graceAnswers = 0
    /// Spent refresh tokens that were presented again outside of it.
    public var reuseDetections = 0
    /// Families that ended by reuse, replay or revocation.
    public var revokedFamilies = 0
    /// Sessions that ended because nobody used them for too long.
    public var idleEnds = 0
    /// Sessions that ended because their longest time was over.
    public var maximumEnds = 0
    /// Requests at the revocation endpoint that were worked on.
    public var revocations = 0
    /// Revocations that came with a proof of possession by the token's key.
    public var provedRevocations = 0
    /// Sessions that were ended at the logout page.
    public var logouts = 0
    /// Requests for the signing keys.
    public var keyRequests = 0
    /// Calls of the protected resource with a good token.
    public var grantedCalls = 0
    /// Calls of the protected resource that were answered 401.
    public var refusedCalls = 0

    /// All zero.
    public init() {}
}

/// A token that the lab's authority gave out: a canary to search for.
public struct IssuedToken: Hashable, Sendable {
    /// What it is for.
    public enum Kind: Hashable, Sendable {
        /// A code of a sign-in.
        case code
        /// An access token.
        case access
        /// A refresh token.
        case refresh
        /// An id token.
        case identity
    }

    /// What it is for.
    public let kind: Kind
    /// The token itself.
    public let value: String
}
