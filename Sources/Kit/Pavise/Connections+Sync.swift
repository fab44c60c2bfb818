package import PaviseProtectedStorage
package import PaviseStorage

extension Connections {
    /// The protected container of a connection, in which a synchronisation keeps its journal and contents.
    package func container(of connection: Connection) throws(StorageFailure) -> ProtectedContainer {
        try folder.protectedContainer(of: connection.descriptor.id)
    }
}
