/// A change of a connection's server that a person should be told of, and that needs no decision.
public enum ServerNotice: Hashable, Sendable {
    /// The server got another key, and an authority that vouched before (or the policy) vouches for it.
    case renewed(Origin, ServerTrustState.Note)
    /// What the server showed could not be kept: the next change of its certificate may go unnoticed. The words say
    /// why.
    case notKept(Origin, String)
}
