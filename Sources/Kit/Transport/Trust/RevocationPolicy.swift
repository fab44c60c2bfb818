/// What has to be known about the revocation of a server's certificates. Nothing is ever fetched: the server staples an
/// answer to its handshake, and the app may give lists. Apple's systems let an app read neither: there a demand beyond
/// ``soft`` without lists refuses each server with ``TrustFailure/revocationUnknown``, which a person can approve.
public struct RevocationPolicy: Hashable, Sendable {
    /// How much has to be known.
    public enum Demand: Hashable, Sendable, CaseIterable {
        /// What an answer or a list calls revoked is refused; nobody can approve it. Without either, nothing is.
        case soft
        /// Each certificate below the anchor needs a good answer, or a list that is current and does not name it. An
        /// answer that is stapled speaks for the server's own certificate alone, so those above need lists.
        case hard
    }

    /// How much has to be known.
    public var demand: Demand
    /// Revocation lists, DER, at most 32. One that cannot be read says nothing.
    public var lists: [[UInt8]]

    /// A policy from its parts.
    public init(_ demand: Demand = .soft, lists: [[UInt8]] = []) {
        self.demand = demand
        self.lists = lists
    }

    /// What fails where a platform reads neither stapled answers nor an app's lists, as Apple's systems do: a demand
    /// that nobody can serve is not met. Without one the system's own check is all there is.
    package var unservedFailures: [TrustFailure] {
        demand == .hard || !lists.isEmpty ? [.revocationUnknown] : []
    }

    /// What is known to be revoked is refused.
    public static let soft = RevocationPolicy()
    /// What is not known to be good is refused.
    public static let hard = RevocationPolicy(.hard)
}
