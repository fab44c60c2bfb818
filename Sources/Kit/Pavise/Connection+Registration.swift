public import PaviseSession
internal import PaviseStorage
public import PaviseVault

extension Connection {
    /// Keeps what is needed to delete the client of this connection at its authority, sealed; the client that it
    /// replaces is deleted there. Call it after the sign-in; ``Connections/remove(_:)`` has the client deleted in the
    /// end.
    ///
    /// - Parameter registration: What ``Connections/register(at:by:name:scopes:port:address:isDevice:)`` gave.
    /// - Throws: Why it could not be kept, or why nobody can say whether there is an older one. Nothing was changed
    /// then.
    public func keep(_ registration: ClientRegistration) async throws(VaultFailure) {
        let item = TokenMethod.registration(at: place)
        let old = try ClientRegistration.Management.read(in: place.vault, as: item)
        try place.vault.prepare()
        if let management = registration.management {
            try management.store(in: place.vault, as: item)
        } else if old != nil {
            try place.vault.erase(item)
        }
        _ = await old?.delete(through: client, within: policy.revocation, sleep: environment.sleep)
    }

    /// Deletes a client that nobody signed in with, as far as the authority lets it. It never fails: such a client is
    /// worth nothing.
    ///
    /// - Parameter registration: What ``Connections/register(at:by:name:scopes:port:address:isDevice:)`` gave.
    public func giveUp(_ registration: ClientRegistration) async {
        _ = await registration.management?.delete(
            through: client, within: policy.revocation, sleep: environment.sleep)
    }

    /// What is needed to delete the client of this connection at its authority; `nil` where it was not registered.
    ///
    /// - Throws: Where nobody can say whether it was.
    func registration() throws(VaultFailure) -> ClientRegistration.Management? {
        guard session != nil else { return nil }
        return try .read(in: place.vault, as: TokenMethod.registration(at: place))
    }
}
