internal import PaviseLog
public import PavisePrivacy
internal import PaviseSession
internal import PaviseStorage
internal import PaviseVault

extension AppSecurity {
    /// Keeps the push tokens of the accounts from now on: sends each to its server after the person's action, and takes
    /// it back there at a sign-out, a removal, a wipe, and when a logout token ends the session
    /// (``Account/endSession(by:)``). Say it once, at each start of the app; what an earlier process left to do is done
    /// then, and again whenever the app comes to the front.
    ///
    /// An account that needs a new sign-in for another reason keeps its token: a refresh that is refused says nothing
    /// of what the person wants.
    ///
    /// ```swift
    /// // Once, at each start:
    /// try await security.followPush(services)
    /// // In didRegisterForRemoteNotificationsWithDeviceToken:
    /// try await security.pushRegistered(as: token)
    /// // In the handler of a switch:
    /// let isAllowed = try await account.wantPush(UserAction())
    /// ```
    ///
    /// What is to be done is in the keychain before it is done, sealed, and survives the account: a server that is not
    /// reached is told later. It is waited for at most as long as for a revocation (`RefreshPolicy.revocation`).
    /// `PushKey` is forgotten when no account wants notices any more.
    ///
    /// - Parameter services: What the app does for the account of this name, which may be gone when its server has to
    ///   forget a token. `delete` is for that account's registration alone.
    /// - Throws: ``PaviseError`` where the keychain is locked or cannot be written: call again after an unlock. Where
    ///   what is kept of one account is damaged, the others have had their turn.
    public func followPush(
        _ services: @escaping @Sendable (_ account: String) -> any PushServices
    ) async throws(PaviseError) {
        do throws(VaultFailure) {
            try await pushTokens.follow(services) { [weak self] row in await self?.isOver(row) ?? false }
        } catch {
            throw log.told(error)
        }
    }

    /// The system gave this device token, the first or another one: all accounts that want notices are registered with
    /// it, and the one before is taken back.
    ///
    /// - Parameter bytes: As the system gave them, or as the server takes them.
    public func pushRegistered(as bytes: [UInt8]) async throws(PaviseError) {
        do throws(VaultFailure) { try await pushTokens.came(bytes) } catch { throw log.told(error) }
    }

    // For certain: where nobody can say, the account keeps its token.
    private func isOver(_ row: PushTokens.Row) async -> Bool {
        guard let all = try? connections.list() else { return false }
        guard all.contains(where: { $0.id == row.id }) else { return true }
        guard let account = try? account(row.name), account.connection.descriptor.id == row.id else { return false }
        switch await account.state {
        case .signedOut, .needsSignIn(.revoked): return true
        case .unknown, .signedIn, .needsSignIn: return false
        }
    }
}

extension Account {
    /// The person wants push notices of this account: asks the system, and registers the token as soon as there is one.
    ///
    /// - Parameter action: What she did to be asked: a switch made for it.
    /// - Returns: Whether the system allows them; `false` too before ``AppSecurity/followPush(_:)``.
    public func wantPush(_ action: UserAction) async throws(PaviseError) -> Bool {
        let row = PushTokens.Row(id: connection.descriptor.id, name: name)
        do throws(VaultFailure) {
            return try await app.pushTokens.want(row, action)
        } catch {
            throw app.log.told(error)
        }
    }

    /// The person wants none any more: the server forgets the token.
    public func refusePush() async throws(PaviseError) {
        do throws(VaultFailure) {
            try await app.pushTokens.refuse(connection.descriptor.id)
        } catch {
            throw app.log.told(error)
        }
    }

    /// Whether the person wants push notices of this account.
    public func isPushWanted() async throws(PaviseError) -> Bool {
        do throws(VaultFailure) {
            return try await app.pushTokens.isWanted(connection.descriptor.id)
        } catch {
            throw app.log.told(error)
        }
    }
}

extension AppParts {
    /// Takes the token of this account back. What cannot be written now is seen at the next start: nobody is signed in.
    func endPush(of id: ConnectionID) async { try? await pushTokens.signOut { $0.id == id } }
}
