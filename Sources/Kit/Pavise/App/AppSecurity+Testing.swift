internal import PaviseStorage
internal import PaviseVault

extension AppSecurity {
    /// Destroys the keys of all accounts in the secure element, as a device that lost them would. For tests.
    package func destroyKeys() throws {
        for id in try connections.identifiers() { try connections.vault(of: id).destroyKey() }
    }
}
