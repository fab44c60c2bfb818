public import PaviseStorage
public import PaviseTransport
public import PaviseVault

/// HTTP Basic: a user name and a password with each request, over https only (RFC 7617). Off unless a product allows
/// it.
public struct PasswordMethod: AuthenticationMethod {
    /// Where passwords may be used.
    public enum Hosts: Hashable, Sendable {
        /// Nowhere.
        case none
        /// At the product's own servers.
        case only(Set<Origin>)
        /// Wherever the person names the method herself, as with a command line.
        case named
    }

    /// `ConnectionDescriptor.Method.basic`.
    public let id = ConnectionDescriptor.Method.basic
    /// The weakest.
    public let strength = MethodStrength.password
    private let hosts: Hosts

    /// A method that is allowed at `hosts`.
    public init(at hosts: Hosts = .none) { self.hosts = hosts }

    /// Over https, at the hosts that were named.
    public func isAllowed(at origin: Origin) -> Bool {
        guard origin.scheme == .https else { return false }
        return switch hosts {
        case .none: false
        case .only(let origins): origins.contains(origin)
        case .named: true
        }
    }

    /// The root, without a credential.
    public func questions(for origin: Origin) throws(WebURL.Problem) -> [HTTPRequest] {
        [HTTPRequest("GET", try WebURL("\(origin)/"), limits: HTTPRequest.Limits(body: 65_536))]
    }

    /// Offered where a 401 asks for it; a 401 that asks for something else says no. Any other answer does not say.
    public func offer(in answers: [MethodResult]) -> MethodOffer {
        guard case .success(let response)? = answers.first, response.status == 401 else { return .unknown }
        let challenges = response.fields.all("WWW-Authenticate").flatMap { Challenge.parse($0) ?? [] }
        guard !challenges.isEmpty else { return .unknown }
        return challenges.contains { $0.scheme == "basic" } ? .offered : .notOffered
    }

    /// The password.
    public func access(at place: MethodContext) -> any AuthorizedClient {
        BasicAccess(
            vault: place.vault, name: place.item("password"), origin: place.descriptor.origin, client: place.client,
            acceptsUnbound: place.isTakenOver, gate: place.environment.gate)
    }

    /// The password.
    public func secrets(at place: MethodContext) -> [ItemName] { [place.item("password")] }
}
