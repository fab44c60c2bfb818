/// What has to be known about the revocation of a server's certificates. Nothing is ever fetched: the server staples an answer
/// to its handshake, and the app may give lists.
public struct RevocationPolicy: Hashable, Sendable {
    /// How much has to be known.
    public enum Demand: Hashable, Sendable, CaseIterable {
        /// What an answer or a list calls revoked is refused; nobody can approve it. Without either, nothing is.
        case soft
        /// Each certificate below the anchor needs a good answer, or a list that is current and does not name it. An answer
        /// that is stapled speaks for the server's own certificate alone, so those above need lists.
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

    /// What is known to be revoked is refused.
    public static let soft = RevocationPolicy()
    /// What is not known to be good is refused.
    public static let hard = RevocationPolicy(.hard)
}
