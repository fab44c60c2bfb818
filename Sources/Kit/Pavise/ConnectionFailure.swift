internal import PaviseManaged
public import PavisePrimitives
public import PaviseStorage
public import PaviseTransport
public import PaviseVault

/// Why a connection is not ready.
public enum ConnectionFailure: Error, Hashable, Sendable {
    /// The list of connections: unknown or taken name, damage, file system.
    case connections(ConnectionsFailure)
    /// The client could not be made.
    case transport(TransportFailure)
    /// The administrator's rules cannot be used. Nothing is sent without them.
    case managed(ManagedFile.Failure)
    /// Its method of signing in is forbidden, or not known by its name. Nothing is sent; removing works.
    case method(MethodRefusal)
    /// What is known of the connection's servers cannot be read or kept. Nothing of it is used.
    case servers(ServersFailure)
    /// Its client identity cannot be shown. Nothing is sent without it; removing works.
    case identity(ClientCertificate.Problem)
    /// The keychain does not say now whether there is its client identity.
    case keychain(VaultFailure)
}

/// Why the record of a connection's servers cannot be used.
public enum ServersFailure: Error, Hashable, Sendable {
    /// It is not what was written, or a later version wrote it.
    case damaged(ServerTrustDamage)
    /// It is not the newest record that Pavise wrote. Nothing of it is used; remove the connection, or put the record
    /// back.
    case file(ConnectionFileDamage)
    /// The keychain does not say now whether it is authentic.
    case keychain(VaultFailure)
    /// Another process is writing it.
    case busy
    /// The file system.
    case system(SystemFailure)

    init(_ error: any Error) {
        switch error {
        case let damage as ServerTrustDamage: self = .damaged(damage)
        case let failure as SystemFailure: self = .system(failure)
        case let failure as ConnectionFileFailure: self.init(failure)
        default: self = .damaged(.unreadable)
        }
    }

    private init(_ failure: ConnectionFileFailure) {
        switch failure {
        case .damaged(let damage): self = .file(damage)
        case .withoutKey, .unauthenticated, .entropy: self = .file(.altered)
        case .keychain(let failure): self = .keychain(failure)
        case .busy: self = .busy
        case .system(let failure): self = .system(failure)
        }
    }
}
