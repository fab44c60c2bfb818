public import PaviseStorage
public import PaviseTransport

/// Why a connection is not ready.
public enum ConnectionFailure: Error, Hashable, Sendable {
    /// The list of connections: unknown or taken name, damage, file system.
    case connections(ConnectionsFailure)
    /// The client could not be made.
    case transport(TransportFailure)
}
