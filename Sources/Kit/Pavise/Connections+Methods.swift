public import PaviseManaged
public import PaviseSession
public import PaviseStorage
public import PaviseTransport

/// Why a method is not used.
public enum MethodRefusal: Error, Hashable, Sendable {
    /// The app has no method of this name.
    case unknown(ConnectionDescriptor.Method)
    /// The app does not allow it at this server.
    case notAllowedHere(ConnectionDescriptor.Method, Origin)
    /// An administrator does not allow it.
    case managed(ConnectionDescriptor.Method)
}

extension Connections {
    /// The administrator's rules as they are now.
    func rules() throws(ConnectionFailure) -> ManagedConfiguration? {
        do throws(ManagedFile.Failure) { return try managed.read() } catch { throw .managed(error) }
    }

    /// The order of methods and the limits on them, as an administrator leaves them.
    public func methodRules() throws(ConnectionFailure) -> MethodRules { MethodRules(managed: try rules()?.methods) }

    /// The method of a connection, if it may be used: asked whenever a connection opens (connections C19).
    func method(
        of descriptor: ConnectionDescriptor, _ managed: ManagedConfiguration?
    ) throws(ConnectionFailure) -> any AuthenticationMethod {
        guard let method = methods[descriptor.method] else { throw .method(.unknown(descriptor.method)) }
        let rules = MethodRules(managed: managed?.methods)
        guard rules.allowed?.contains(method.id) ?? true else { throw .method(.managed(method.id)) }
        // Over http the transport refuses each request by itself, and says by which rule: no App Transport Security
        // exception, or a credential that would go out in clear.
        guard descriptor.origin.scheme == .http || rules.allows(method, at: descriptor.origin),
            method.id != .basic || managed?.methods.allowsPassword(at: descriptor.origin) ?? true
        else { throw .method(.notAllowedHere(method.id, descriptor.origin)) }
        return method
    }

    /// Whether a connection of this description may be used, before anything is sent.
    package func check(_ descriptor: ConnectionDescriptor) throws(ConnectionFailure) {
        _ = try method(of: descriptor, try rules())
    }

    /// A method that the server behind `origin` has offered to some connection and that is stronger than `method`:
    /// using the weaker one is a question (connections C15).
    package func stronger(
        than method: ConnectionDescriptor.Method, at origin: Origin
    ) throws(ConnectionsFailure) -> ConnectionDescriptor.Method? {
        let own = methods[method]?.strength.rawValue ?? 0
        return try offered(at: origin).first { methods[$0]?.strength.rawValue ?? .max > own }
    }

    // By connections that are not used just now, too, also where nobody can prove who wrote what they say: it can only
    // ask a person.
    private func offered(at origin: Origin) throws(ConnectionsFailure) -> [ConnectionDescriptor.Method] {
        try list().compactMap { (try? $0.descriptor.get()) ?? $0.unproven }.filter { $0.origin == origin }
            .compactMap(\.strongest)
    }

    /// Asks the server at `origin` how it lets people sign in, and decides (connections C12 to C16).
    ///
    /// Methods that the app or an administrator does not allow there send no question. What any connection of this user
    /// was offered at the same origin counts as known: a weaker method is `MethodChoice.ask(_:insteadOf:)` then.
    ///
    /// ```swift
    /// switch try await connections.chooseMethod(at: origin, client: connection.client) {
    /// case .use(let method): print("the server offers \(method)")
    /// case .ask(let method, insteadOf: let better):
    ///     print("only \(method); a person decides about going without \(better)")
    /// case .refuse, .none, .undecided: print("not now")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - origin: The server, which is its own authority.
    ///   - scopes: What will be asked for. Without `openid` nobody wants to be identified, so that OAuth 2.0 is no
    ///     weakening.
    ///   - client: Judges the server's certificate before a question goes out.
    public func chooseMethod(
        at origin: Origin, scopes: [String] = ["openid"], client: HTTPClient
    ) async throws(ConnectionFailure) -> MethodChoice {
        let managed = try rules()
        var rules = MethodRules(managed: managed?.methods)
        var allowed = Set(methods.all.filter { rules.allows($0, at: origin) }.map(\.id))
        if !(managed?.methods.allowsPassword(at: origin) ?? true) { allowed.remove(.basic) }
        var strongest = try strongest(at: origin)
        if !scopes.contains("openid") {
            allowed.remove(.openIDConnect)
            if strongest == .openIDConnect { strongest = .oauth }
        }
        rules.allowed = allowed
        return await methods.choose(at: origin, by: rules, strongest: strongest, client: client)
    }

    // A method that the app has no more counts as the strongest.
    private func strongest(at origin: Origin) throws(ConnectionFailure) -> ConnectionDescriptor.Method? {
        let known: [ConnectionDescriptor.Method]
        do throws(ConnectionsFailure) { known = try offered(at: origin) } catch { throw .connections(error) }
        return known.max { methods[$0]?.strength.rawValue ?? .max < methods[$1]?.strength.rawValue ?? .max }
    }

    /// Writes down the strongest method that a connection's server has offered; a weaker one changes nothing.
    package func remember(
        _ method: ConnectionDescriptor.Method, of descriptor: ConnectionDescriptor
    ) throws(ConnectionsFailure) {
        let known = descriptor.strongest.flatMap { methods[$0]?.strength.rawValue } ?? 0
        guard let strength = methods[method]?.strength.rawValue, strength > known else { return }
        var changed = descriptor
        changed.strongest = method
        try save(changed)
    }
}

extension MethodRules {
    /// The usual rules, changed by an administrator's.
    init(managed: ManagedMethods?) {
        self.init()
        guard let managed else { return }
        allowed = managed.allowed.map { Set($0.map(ConnectionDescriptor.Method.init(rawValue:))) }
        preferred = managed.preferred.map(ConnectionDescriptor.Method.init(rawValue:)) + preferred
        mayWeaken = managed.mayWeaken
    }
}

extension RefreshPolicy {
    /// The stricter of both in each figure: an administrator may tighten, never loosen (connections C37).
    public func tightened(by managed: ManagedSession?) -> RefreshPolicy {
        guard let managed else { return self }
        var policy = self
        if let seconds = managed.maximumSeconds { policy.absoluteLimit = min(policy.absoluteLimit, .seconds(seconds)) }
        if let seconds = managed.inactivitySeconds { policy.inactivity = min(policy.inactivity, .seconds(seconds)) }
        if let count = managed.rejections { policy.rejectionsUntilEnd = min(policy.rejectionsUntilEnd, count) }
        if managed.forbidsWhileLocked { policy.whileLocked = false }
        return policy
    }
}
