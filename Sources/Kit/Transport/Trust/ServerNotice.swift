/// What happened to a server of a connection and is worth a line, without being a question.
public enum ServerNotice: Hashable, Sendable {
    /// The server got another key, and an authority that vouched before (or the policy) vouches for it.
    case renewed(Origin, ServerTrustState.Note)
    /// What the server showed could not be kept: the next change of its certificate may go unnoticed. The words say
    /// why.
    case notKept(Origin, String)
}
