internal import PaviseSession
internal import PaviseTransport
internal import PaviseVault

extension Connection {
    /// Runs a sign-in with a binding to a key of this connection's own, where `binding` and the authority
    /// say so.
    ///
    /// The key is fresh unless a session that lives is bound to it. It goes again when nobody is signed in.
    func bound(
        _ binding: DPoPPolicy, at server: AuthorizationServer,
        _ signIn: (DPoPBinding?, SessionStore) async throws(SignInFailure) -> SignIn.Success
    ) async throws(SignInFailure) -> SignIn.Success {
        guard let store else { throw .wrongMethod }
        guard try binding.decide(offered: server.bindsTokens && store.bindingKey != nil, wasBound: try wasBound(store))
        else {
            return try await signIn(nil, store)
        }
        do throws(SignInFailure) {
            return try await signIn(try await freshBinding(store), store)
        } catch {
            // What could not be destroyed now goes with the next sign-in, before a key is made.
            try? await store.abandonBindingKey()
            throw error
        }
    }

    /// Whether tokens of this connection were bound before.
    func wasBound(_ store: SessionStore) throws(SignInFailure) -> Bool {
        do throws(VaultFailure) { return try store.wasBound() } catch { throw .store(error) }
    }

    private func freshBinding(_ store: SessionStore) async throws(SignInFailure) -> DPoPBinding {
        do throws(VaultFailure) {
            return try DPoPBinding(key: try await store.prepareBindingKey(), environment: environment)
        } catch {
            throw .store(error)
        }
    }
}
