internal import PavisePrimitives
internal import PaviseStorage
internal import PaviseTransport
internal import PaviseVault
internal import SecurityFramework

extension Connections {
    /// The app's client identities.
    package var identities: IdentityStore {
        IdentityStore(home: home, owner: identityOwner, time: environment.time)
    }

    /// A client that shows the connection's identity to the servers that may ask for it. The identity is looked for
    /// each time, so that a renewed one is shown from the next opening on.
    func identifying(
        _ client: HTTPClient, as descriptor: ConnectionDescriptor
    ) throws(ConnectionFailure) -> HTTPClient {
        guard let name = descriptor.identity else { return client }
        do {
            let shared = try identities.find(name)
            let certificates = try (descriptor.identityOrigins ?? [descriptor.origin]).map { origin in
                try ClientCertificate(shared.identity, intermediates: shared.intermediates, for: origin)
            }
            return try client.showing(certificates)
        } catch {
            throw ConnectionFailure(identity: error)
        }
    }
}

extension ConnectionFailure {
    fileprivate init(identity error: any Error) {
        switch error {
        case let problem as ClientCertificate.Problem: self = .identity(problem)
        case let failure as VaultFailure: self = .keychain(failure)
        case let failure as TransportFailure: self = .transport(failure)
        default: self = .identity(.damaged)
        }
    }
}
