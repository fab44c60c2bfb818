public import PaviseStorage
public import PaviseTransport
public import PaviseVault

/// One way to sign in, with all that belongs to it (connections C11). Methods stand in an explicit list; see
/// ``Methods``.
///
/// A method knows nothing of the other methods: it asks the server what it offers, makes the client that sends requests
/// with its credential, and names the items in which its secrets are stored. ``MethodRules`` chooses the method.
public protocol AuthenticationMethod: Sendable {
    /// Its name, unique in a list.
    var id: ConnectionDescriptor.Method { get }
    /// How much it protects.
    var strength: MethodStrength { get }
    /// Whether it may be used at `origin` at all. Most may; a password only where the product allows it (connections
    /// C17).
    func isAllowed(at origin: Origin) -> Bool
    /// What to ask a server to learn whether it offers the method. The requests carry no credential.
    func questions(for origin: Origin) throws(WebURL.Problem) -> [HTTPRequest]
    /// What the answers say, in the order of the questions.
    func offer(in answers: [MethodResult]) -> MethodOffer
    /// The client that sends with the credential of the connection at `place`, renews it, and signs out.
    func access(at place: MethodContext) -> any AuthorizedClient
    /// Where secrets of the connection lie, so that a removal finds them also when nothing can be opened any more.
    func secrets(at place: MethodContext) -> [ItemName]
}

extension AuthenticationMethod {
    /// Everywhere.
    public func isAllowed(at origin: Origin) -> Bool { true }
}

/// How well a method protects a person's password. Greater is stronger.
public enum MethodStrength: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// A password goes with each request.
    case password = 1
    /// Tokens of limited time; who signed in is not known.
    case token = 2
    /// Tokens, and a signed statement of who signed in.
    case identifiedToken = 3
    /// Bound to a key that never leaves this device.
    case deviceKey = 4

    /// By strength.
    public static func < (one: MethodStrength, other: MethodStrength) -> Bool { one.rawValue < other.rawValue }
}

/// A server's answer to one question, or that there was none.
public typealias MethodResult = Result<HTTPResponse, TransportFailure>

/// What a server says about one method.
public enum MethodOffer: Hashable, Sendable {
    /// It can be used.
    case offered
    /// The server has it not.
    case notOffered
    /// The answer does not say: no answer, an error, a redirect, a page of somebody in between (connections C16).
    case unknown
}
