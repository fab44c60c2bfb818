public import PaviseStorage
public import PaviseTransport
public import PaviseVault

/// What a method works with for one connection.
public struct MethodContext: Sendable {
    /// The connection.
    public let descriptor: ConnectionDescriptor
    /// Sends without a credential, or with the one it is given, under the connection's trust policy.
    public let client: HTTPClient
    /// Keeps the method's secrets, sealed with the connection's own key.
    public let vault: TokenVault
    /// Clocks, waiting and chance.
    public let environment: SessionEnvironment
    /// The figures of sessions, as far as an administrator leaves them.
    public let policy: RefreshPolicy
    /// The connection's folder.
    package let folder: String
    /// Where revocations wait; `nil` where none do.
    package let revocations: RevocationStore?
    /// The authorities of the other connections.
    package let others: MixUpGuard
    /// Whether an older Pavise made the connection, whose secrets may not name their origin.
    package let isTakenOver: Bool

    /// A place from its parts.
    package init(
        descriptor: ConnectionDescriptor, client: HTTPClient, vault: TokenVault, environment: SessionEnvironment,
        policy: RefreshPolicy, folder: String, revocations: RevocationStore? = nil, others: MixUpGuard = .none,
        isTakenOver: Bool = false
    ) {
        self.descriptor = descriptor
        self.client = client
        self.vault = vault
        self.environment = environment
        self.policy = policy
        self.folder = folder
        self.revocations = revocations
        self.others = others
        self.isTakenOver = isTakenOver
    }

    /// Where the secret called `kind` of this connection lies.
    ///
    /// - Parameter kind: Letters, digits and `-._`; one kind for each secret of a method.
    public func item(_ kind: String) -> ItemName {
        ItemName(service: "org.pavise.\(kind)", account: descriptor.id.text)
            ?? ItemName(checkedService: "org.pavise.method", descriptor.id.text)
    }
}
