internal import Foundation
internal import PaviseTransport
internal import Synchronization

/// What the requests of one configuration go through.
struct BoundClient: Sendable {
    let client: HTTPClient
    let redirects: RedirectPolicy
    let consent: RedirectConsent?

    /// The same with somebody who is asked about servers; unchanged for nobody.
    func asking(_ inquirer: (any ServerInquirer)?) -> BoundClient {
        guard let inquirer else { return self }
        return BoundClient(client: client.asking(inquirer), redirects: redirects, consent: consent)
    }
}

extension HTTPClient {
    /// The address that is asked for in the place of `url`: with https where its host wants that.
    func loaded(_ url: WebURL) -> WebURL { upgraded(HTTPRequest("GET", url)).url }

    /// The same for an error about a request to `url`.
    func loaded(_ url: URL?) -> URL? {
        guard let url, let named = try? WebURL(url.absoluteString) else { return url }
        let place = loaded(named)
        return place == named ? url : URL(string: place.description)
    }
}

/// Which class of protocol belongs to which bound.
///
/// Foundation makes protocols from a class and gives them nothing else, so every configuration needs a class of its
/// own. Classes cannot be made at run time, but instances of a generic class can: `TaggedURLProtocol<Zero>`,
/// `TaggedURLProtocol<One<Zero>>` and so on, one for each number, written in binary so that the types stay small.
///
/// Nothing here ever goes away, so what is asked for again gets the class that it has: code that makes a session for
/// each request would fill the memory.
final class ProtocolClassRegistry: Sendable {
    static let shared = ProtocolClassRegistry()

    private struct Key: Hashable {
        let client: ObjectIdentifier
        let redirects: RedirectPolicy
    }
    private struct State {
        var clients: [ObjectIdentifier: BoundClient] = [:]
        // Of those that ask nobody: closures cannot be compared.
        var numbers: [Key: Int] = [:]
        var next = 1
    }
    private let state = Mutex(State())

    /// A class whose requests go through `bound`.
    func add(_ bound: BoundClient) -> AnyClass {
        let key =
            bound.consent == nil ? Key(client: ObjectIdentifier(bound.client), redirects: bound.redirects) : nil
        let number = state.withLock { state -> Int in
            if let key, let known = state.numbers[key] { return known }
            defer { state.next += 1 }
            if let key { state.numbers[key] = state.next }
            return state.next
        }
        let tag = tag(number)
        let made: AnyClass = protocolClass(tag)
        state.withLock { $0.clients[ObjectIdentifier(made)] = bound }
        return made
    }

    /// The bound of a class; `nil` for one that was not made here.
    func bound(of made: AnyClass) -> BoundClient? { state.withLock { $0.clients[ObjectIdentifier(made)] } }
}

// Functions of the file, because the compiler opens a type for a generic function only.
private func tag(_ number: Int) -> Any.Type {
    guard number > 0 else { return Zero.self }
    let rest = tag(number / 2)
    return number.isMultiple(of: 2) ? even(rest) : odd(rest)
}

private func even<Rest>(_ rest: Rest.Type) -> Any.Type { Even<Rest>.self }
private func odd<Rest>(_ rest: Rest.Type) -> Any.Type { Odd<Rest>.self }
private func protocolClass<Tag>(_ tag: Tag.Type) -> AnyClass { TaggedURLProtocol<Tag>.self }

private enum Zero {}
private enum Even<Rest> {}
private enum Odd<Rest> {}

/// The protocol class of one configuration.
private final class TaggedURLProtocol<Tag>: PaviseURLProtocol {}
