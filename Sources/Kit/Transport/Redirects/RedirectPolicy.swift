/// How a client handles redirects. By default none is followed (connections C22 to C27).
///
/// ```swift
/// let outcome = try await client.send(request, following: .sameOrigin)
/// for hop in outcome.hops { print(hop.status, hop.from, hop.to ?? "nowhere") }
/// ```
public struct RedirectPolicy: Hashable, Sendable {
    /// How far a client goes by itself.
    public enum Following: Hashable, Sendable {
        /// Nowhere: the answer with the redirect is the result.
        case report
        /// To the same scheme, host and port, and from http to https on the same host and path.
        case sameOrigin
        /// As ``sameOrigin``; for another origin a person or a configuration is asked first.
        case withConsent
    }

    /// How far a client goes by itself.
    public var following: Following
    /// The most redirects of one request. Default 5 (connections C24).
    public var limit: Int
    /// The only origins that a redirect may lead to; `nil` makes no such limit. Consent does not lift it (connections
    /// C29).
    public var allowedOrigins: Set<Origin>?

    /// A policy from its parts.
    public init(_ following: Following = .report, limit: Int = 5, allowedOrigins: Set<Origin>? = nil) {
        self.following = following
        self.limit = limit
        self.allowedOrigins = allowedOrigins
    }

    /// Follows nothing.
    public static let report = RedirectPolicy(.report)
    /// Follows within the origin.
    public static let sameOrigin = RedirectPolicy(.sameOrigin)
    /// Follows within the origin, and elsewhere after a question.
    public static let withConsent = RedirectPolicy(.withConsent)
}

/// Why a redirect was not followed.
public enum RedirectStop: Hashable, Sendable {
    /// The policy follows nothing.
    case reported
    /// Another origin, and the policy stays within the first one.
    case otherOrigin(Origin)
    /// Another origin, and the answer to the question was no.
    case consentRefused(Origin)
    /// The origin is not among those that the policy allows.
    case originNotAllowed(Origin)
    /// From https to http: refused, always.
    case downgrade
    /// App Transport Security refuses the target.
    case refusedByATS(Origin)
    /// `Location` is missing, doubled or no address that Pavise uses.
    case unusableTarget
    /// The method or the body must not be sent again by itself: a POST after 301 or 302, a body to another origin.
    case notRepeatable(method: String)
    /// The same method and address came before.
    case loop(WebURL)
    /// More redirects than the policy allows.
    case tooMany(limit: Int)
    /// The target showed another key than the one that was consented to; its answer was thrown away.
    case certificateChanged(Origin)
}
