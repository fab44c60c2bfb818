public import PaviseStorage
public import PaviseTransport

/// Which methods may be used, and in which order they are preferred. A value, decided without a network.
public struct MethodRules: Hashable, Sendable {
    /// The only ones; `nil` makes no such limit. Asked before a server is (connections C12).
    public var allowed: Set<ConnectionDescriptor.Method>?
    /// The first ones in this order; then by strength, then by name (connections C13).
    public var preferred: [ConnectionDescriptor.Method]
    /// Whether a person may accept a weaker method than the server once offered. An administrator takes that away.
    public var mayWeaken: Bool

    /// All methods; OpenID Connect, OAuth 2.0, Basic.
    public init(
        allowed: Set<ConnectionDescriptor.Method>? = nil,
        preferred: [ConnectionDescriptor.Method] = [.openIDConnect, .oauth, .basic], mayWeaken: Bool = true
    ) {
        self.allowed = allowed
        self.preferred = preferred
        self.mayWeaken = mayWeaken
    }

    /// Whether `method` may be used at `origin`.
    public func allows(_ method: any AuthenticationMethod, at origin: Origin) -> Bool {
        allowed?.contains(method.id) ?? true && method.isAllowed(at: origin)
    }

    /// Whether `one` goes before `other`: total, whatever the order in which methods are listed.
    func isBefore(_ one: any AuthenticationMethod, _ other: any AuthenticationMethod) -> Bool {
        let (first, second) = (place(one.id), place(other.id))
        if first != second { return first < second }
        if one.strength != other.strength { return one.strength > other.strength }
        return one.id.rawValue < other.id.rawValue
    }

    private func place(_ id: ConnectionDescriptor.Method) -> Int { preferred.firstIndex(of: id) ?? preferred.count }
}
