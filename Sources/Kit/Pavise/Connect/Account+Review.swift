internal import PaviseStorage
internal import PaviseTransport

extension Account {
    /// Looks at the account's server before a person signs in to it again: one handshake, nothing is sent.
    ///
    /// What was approved for this account counts, so that nobody is asked about the same certificate twice; another one
    /// than the account knows is a question, or refused. ``AppSecurity/review(_:)-(String)`` knows of no account.
    ///
    /// ```swift
    /// let server = try await account.review()
    /// guard case .trusted = server.verdict else { return ask(server) }
    /// _ = try await security.connect(server, as: account.name, clientID: "diary")
    /// ```
    ///
    /// - Returns: The server, for ``AppSecurity/connect(_:as:clientID:options:)`` under the account's ``name``.
    /// - Throws: ``PaviseError``: the server cannot be reached, App Transport Security or an administrator forbids it.
    public func review() async throws(PaviseError) -> ReviewedServer {
        do {
            let connections = app.connections
            let descriptor = try connections.open(name).descriptor
            try connections.check(descriptor, is: connection.descriptor)
            let server = ReviewedServer(
                try WebURL("\(descriptor.origin)"), id: descriptor.id, keeper: try connections.keeper(of: descriptor),
                draft: ServerDraft(), makeClient: connections.makeClient, log: app.log)
            _ = try await server.look(at: descriptor.origin, for: ["server"])
            return server
        } catch {
            throw app.log.told(error)
        }
    }
}
