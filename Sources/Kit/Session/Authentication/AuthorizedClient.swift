public import PaviseTransport
internal import PaviseVault

/// Sends requests with a connection's credential, whatever kind that is.
public protocol AuthorizedClient: Sendable {
    /// Sends `request` with the credential and collects the answer. Only the connection's own origin gets it.
    func send(_ request: HTTPRequest) async throws(SessionFailure) -> HTTPResponse

    /// Sends `request` with the credential and lends the body piece by piece. See `HTTPClient`.
    func stream(
        _ request: HTTPRequest, head: @escaping @Sendable (HTTPResponse) throws -> Bool,
        receive: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws(SessionFailure) -> HTTPResponse

    /// Ends the access: here first, then at the server where there is something to end.
    func signOut() async -> SignOutReport
}

/// One whose answers' bodies are read at the caller's own pace.
package protocol PulledBodyAccess: AuthorizedClient {
    /// Sends `request` with the credential and returns as soon as the head is there.
    func open(_ request: HTTPRequest) async throws(SessionFailure) -> (HTTPResponse, BodyStream)
}

extension Session: PulledBodyAccess {}

extension BasicAccess: PulledBodyAccess {
    /// Sends `request` with the password and returns as soon as the head is there.
    package func open(_ request: HTTPRequest) async throws(SessionFailure) -> (HTTPResponse, BodyStream) {
        let credential = try authorization(for: request)
        do throws(TransportFailure) {
            return try await client.open(request, with: credential)
        } catch {
            throw .transport(error)
        }
    }
}

extension BasicAccess: AuthorizedClient {
    /// Sends `request` with the password. A 401 is an answer like any other: nothing can be refreshed.
    public func send(_ request: HTTPRequest) async throws(SessionFailure) -> HTTPResponse {
        let credential = try authorization(for: request)
        do throws(TransportFailure) {
            return try await client.send(request, with: credential)
        } catch {
            throw .transport(error)
        }
    }

    /// Sends `request` with the password and lends the body piece by piece.
    public func stream(
        _ request: HTTPRequest, head: @escaping @Sendable (HTTPResponse) throws -> Bool,
        receive: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws(SessionFailure) -> HTTPResponse {
        let credential = try authorization(for: request)
        do throws(TransportFailure) {
            return try await client.stream(request, with: credential, head: head, receive: receive)
        } catch {
            throw .transport(error)
        }
    }

    /// Erases the password. A server has nothing to revoke.
    public func signOut() async -> SignOutReport {
        client.forgetCookies(of: [origin])
        do throws(VaultFailure) {
            try vault.erase(name)
            return SignOutReport(localFailure: nil, revocation: .nothing)
        } catch {
            return SignOutReport(localFailure: error, revocation: .nothing)
        }
    }
}
