/// One redirect, followed or not: what a person sees and what a log keeps (connections C22, C25).
public struct HopRecord: Hashable, Sendable {
    /// Who said that the hop may be taken.
    public enum Consent: Hashable, Sendable {
        /// It stays within the origin, or only adds TLS.
        case notNeeded
        /// Asked for, and given.
        case given
        /// Asked for, and not given.
        case refused
        /// Never asked: the hop was stopped by a rule.
        case notAsked
    }

    /// Counted from 1.
    public let number: Int
    /// 301, 302, 303, 307 or 308.
    public let status: Int
    /// The address that answered.
    public let from: WebURL
    /// The address it names; `nil` when that is unusable.
    public let to: WebURL?
    /// The method of the request that was redirected.
    public let methodBefore: String
    /// The method of the next request; `nil` when there is none.
    public let methodAfter: String?
    /// Whether the body goes along.
    public let keepsBody: Bool
    /// Whether scheme, host and port stay the same.
    public let isSameOrigin: Bool
    /// Whether the hop only goes from http to https on the same host and path.
    public let isUpgrade: Bool
    /// What App Transport Security says about the target; `nil` without a target.
    public let ats: ATSDecision?
    /// The connection that carried the redirect, with the key of its certificate.
    public let connection: ConnectionFacts
    /// Whether the first request's credentials go along: never to another origin, and never again after one.
    public let carriesCredentials: Bool
    /// Who said yes.
    public internal(set) var consent: Consent
    /// What the target's handshake showed before the question; `nil` for a hop that needed none.
    public internal(set) var target: ServerInspection?
    /// Why it was not followed; `nil` for a hop that was.
    public internal(set) var stop: RedirectStop?
}

/// A response, and the redirects that led to it.
public struct FollowedResponse: Sendable {
    /// The last answer; a redirect that was not followed is one too.
    public let response: HTTPResponse
    /// Every redirect in its order; the last one may not have been followed.
    public let hops: [HopRecord]

    /// Why the last redirect was not followed; `nil` when the answer is no redirect.
    public var stop: RedirectStop? { hops.last?.stop }
}
