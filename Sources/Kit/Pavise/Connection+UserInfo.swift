public import PaviseSession

extension Connection {
    /// Asks the authority about the person who is signed in: name, e-mail address and what else the scopes allow.
    ///
    /// ```swift
    /// let person = try await connection.userInfo()
    /// print(person.name ?? person.subject)
    /// ```
    ///
    /// See `Session.userInfo(at:)` for what is checked. Two requests where the metadata is not given, none of which
    /// holds up others. Nothing is kept.
    ///
    /// - Parameter authority: What ``authority()`` found; asked for when it is not given.
    public func userInfo(at authority: AuthorizationServer? = nil) async throws(UserInfoFailure) -> UserInfo {
        guard let session else { throw .wrongMethod }
        let server: AuthorizationServer
        do throws(SignInFailure) {
            server = if let authority { authority } else { try await self.authority() }
            try checkServers(of: server)
        } catch {
            throw .authority(error)
        }
        return try await session.userInfo(at: server)
    }
}
