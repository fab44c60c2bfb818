/// A redirect that was reported and not followed (connections C22 to C27).
public struct RedirectReport: Hashable, Sendable {
    /// What speaks against following it.
    public enum Concern: Hashable, Sendable {
        /// The target is another scheme, host or port: no credential may go there.
        case otherOrigin
        /// From https to http: refused, always.
        case downgrade
        /// `Location` is missing, stands twice, or is no http or https URL.
        case unusableTarget
    }

    /// The status that asked for it: 301, 302, 303, 307 or 308.
    public let status: Int
    /// The address that answered.
    public let from: WebURL
    /// The address it names; `nil` when that is unusable.
    public let target: WebURL?
    /// Empty for a target of the same origin.
    public let concerns: Set<Concern>

    /// A report from its parts.
    public init(status: Int, from: WebURL, target: WebURL?, concerns: Set<Concern>) {
        self.status = status
        self.from = from
        self.target = target
        self.concerns = concerns
    }
}
