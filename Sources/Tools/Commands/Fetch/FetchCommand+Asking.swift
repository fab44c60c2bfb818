internal import Pavise

extension FetchCommand {
    /// Does `work` with a connection. A server that is refused in the handshake was sent nothing; where a person may
    /// approve what it shows, the person is asked, and `work` is done once more with the connection opened anew.
    ///
    /// - Throws: What `work` throws; ``CommandFailure`` with status 3 when the server stays refused.
    static func asking<Value>(
        about connection: Connection, in environment: Environment, isSilent: Bool,
        _ work: (Connection) async throws -> Value
    ) async throws -> Value {
        do { return try await work(connection) } catch {
            guard let origin = connection.refusedServer else {
                // A session that has just ended tells its server.
                await connection.session?.settle()
                throw error
            }
            let judge = ServerJudge(
                environment: environment, keeper: connection.servers, fingerprint: nil, isSilent: isSilent)
            _ = try await judge.judge(origin)
        }
        return try await work(try environment.connections.open(connection.descriptor.name))
    }
}
