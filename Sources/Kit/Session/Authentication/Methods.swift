public import PaviseStorage
public import PaviseTransport

/// The methods of an app, in an explicit list.
///
/// ```swift
/// let methods = Methods([TokenMethod.openIDConnect, TokenMethod.oauth, mine])
/// ```
public struct Methods: Sendable {
    /// All of them. Of two with one name the first counts.
    public let all: [any AuthenticationMethod]

    /// A list. Its order has no say in what is chosen.
    public init(_ methods: [any AuthenticationMethod]) { all = methods }

    /// OpenID Connect and OAuth 2.0; no password.
    public static let standard = Methods([TokenMethod.openIDConnect, TokenMethod.oauth])

    /// These, and passwords where `hosts` says.
    public func withPasswords(at hosts: PasswordMethod.Hosts) -> Methods { Methods(all + [PasswordMethod(at: hosts)]) }

    /// The method called `id`.
    public subscript(id: ConnectionDescriptor.Method) -> (any AuthenticationMethod)? { all.first { $0.id == id } }

    /// Asks a server which of the allowed methods it offers.
    ///
    /// A method that is not allowed sends no question. No question carries a credential, none follows a redirect, and
    /// `client` decides about the server's certificate first: a server that is not trusted answers nothing.
    ///
    /// - Parameters:
    ///   - origin: The server.
    ///   - rules: Which methods are allowed.
    ///   - client: The connection's client, with its trust policy.
    /// - Returns: Each allowed method, and what the server says about it.
    public func detect(
        at origin: Origin, by rules: MethodRules, client: HTTPClient
    ) async -> [(method: any AuthenticationMethod, offer: MethodOffer)] {
        var found: [(method: any AuthenticationMethod, offer: MethodOffer)] = []
        for method in all where rules.allows(method, at: origin) {
            var answers: [MethodResult] = []
            for question in (try? method.questions(for: origin)) ?? [] {
                answers.append(await Self.ask(question, at: origin, client))
            }
            found.append((method, method.offer(in: answers)))
        }
        return found
    }

    /// Detects and decides. See ``MethodChoice``.
    public func choose(
        at origin: Origin, by rules: MethodRules, strongest: ConnectionDescriptor.Method? = nil,
        client: HTTPClient
    ) async -> MethodChoice {
        MethodChoice.decide(await detect(at: origin, by: rules, client: client), rules, strongest: strongest)
    }

    private static func ask(_ question: HTTPRequest, at origin: Origin, _ client: HTTPClient) async -> MethodResult {
        guard question.url.origin == origin else { return .failure(.credentialRefused(question.url.origin)) }
        do throws(TransportFailure) { return .success(try await client.send(question)) } catch {
            return .failure(error)
        }
    }
}
