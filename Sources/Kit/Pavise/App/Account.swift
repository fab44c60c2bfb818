internal import Foundation
internal import PavisePrimitives
public import PaviseSession
internal import PaviseStorage
public import PaviseTransport

/// One server that a person is, or can be, signed in to.
///
/// ```swift
/// let account = try security.account("work")
/// for await state in account.states { … }
/// let me = try await account.get("/api/me", as: Me.self)
/// _ = try await account.stream("/files/1") { piece in try file.write(contentsOf: piece) }
/// let report = await account.signOut()
/// ```
///
/// The credential goes to the account's own origin and nowhere else. Access tokens are refreshed once for everybody, ahead of
/// their end and after a 401.
public final class Account: Sendable {
    /// The connection below, for what this type does not have.
    public let connection: Connection
    /// The account's name.
    public var name: String { connection.descriptor.name }
    /// The only server that gets the credential.
    public var origin: Origin { connection.descriptor.origin }
    private let watching: Task<Void, Never>?

    init(_ connection: Connection, _ board: NoticeBoard, _ live: LiveSessions) {
        self.connection = connection
        if let session = connection.session { live.add(session) }
        let name = connection.descriptor.name
        guard let session = connection.session else {
            watching = nil
            return
        }
        watching = Task { [weak session] in
            guard let states = await session?.states else { return }
            for await state in states {
                if let notice = SecurityNotice(state, account: name) { board.tell(notice) }
            }
        }
    }

    deinit { watching?.cancel() }

    /// Where the account stands now. No network is asked.
    public var state: AccountState {
        get async {
            guard let session = connection.session else { return await passwordState() }
            return AccountState(await session.state)
        }
    }

    /// The state now, and each later one. No network is asked for the first.
    public var states: AsyncStream<AccountState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AccountState.self, bufferingPolicy: .bufferingNewest(16))
        let task = Task { [connection] in
            guard let session = connection.session else {
                continuation.yield(await passwordState())
                continuation.finish()
                return
            }
            var last: AccountState?
            for await state in await session.states {
                let state = AccountState(state)
                if state != last { continuation.yield(state) }
                last = state
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func passwordState() async -> AccountState {
        guard let basic = connection.basic else { return .signedOut }
        guard connection.environment.gate?.isOpen ?? true else { return .unknown(.appLocked) }
        do throws(SessionFailure) { return try basic.isSignedIn() ? .signedIn : .signedOut } catch {
            return .unknown(error == .locked ? .appLocked : .storeLocked)
        }
    }

    /// Sends a request with the account's credential.
    public func send(_ request: HTTPRequest) async throws(PaviseError) -> HTTPResponse {
        do throws(SessionFailure) { return try await connection.send(request) } catch { throw PaviseError(error) }
    }

    /// Gets a JSON document and reads it as `type`: at most 8 MiB, and only an answer with the status 200 to 299.
    ///
    /// - Parameters:
    ///   - path: The path at the account's server, percent-encoded, with a query where there is one.
    ///   - type: What to read it as.
    public func get<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) async throws(PaviseError)
        -> Value
    {
        try read(try await send(try request("GET", path)), as: type)
    }

    /// Sends `body` as JSON, and reads the answer as `type`.
    ///
    /// - Parameters:
    ///   - body: What to send.
    ///   - path: The path at the account's server.
    ///   - method: `POST`, `PUT` or `PATCH`.
    ///   - type: What to read the answer as.
    public func send<Body: Encodable, Value: Decodable>(
        _ body: Body, to path: String, method: String = "POST", as type: Value.Type = Value.self
    ) async throws(PaviseError) -> Value {
        var request = try request(method, path)
        do { request.body = try [UInt8](JSONEncoder().encode(body)) } catch {
            throw PaviseError(AnswerUnreadable.request)
        }
        request.fields.append("Content-Type", "application/json")
        return try read(try await send(request), as: type)
    }

    /// Gets the body of an answer piece by piece, for what does not fit into memory; the server waits while `receive` runs.
    ///
    /// - Returns: The answer's head.
    /// - Throws: ``PaviseError``; an answer with another status than 200 to 299 is one, and nothing of its body is received.
    public func stream(
        _ path: String, receive: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws(PaviseError) -> HTTPResponse {
        let request = try request("GET", path)
        let answer: HTTPResponse
        do throws(SessionFailure) {
            guard connection.environment.gate?.isOpen ?? true else { throw .locked }
            answer = try await connection.access.stream(
                request, head: { (200...299).contains($0.status) }, receive: receive)
        } catch {
            throw PaviseError(error)
        }
        guard (200...299).contains(answer.status) else { throw PaviseError(AnswerUnreadable.status(answer.status)) }
        return answer
    }

    /// Signs out: wiped here first, also without a network, then taken back at the server. The account's name and server stay.
    public func signOut() async -> SignOutReport { await connection.signOut() }

    private func request(_ method: String, _ path: String) throws(PaviseError) -> HTTPRequest {
        do throws(WebURL.Problem) {
            var request = HTTPRequest(method, try connection.url(path))
            request.fields.append("Accept", "application/json")
            return request
        } catch {
            throw PaviseError(ConnectRefusal.address(error.description))
        }
    }

    private func read<Value: Decodable>(_ answer: HTTPResponse, as type: Value.Type) throws(PaviseError) -> Value {
        guard (200...299).contains(answer.status) else { throw PaviseError(AnswerUnreadable.status(answer.status)) }
        do {
            return try JSONDecoder().decode(type, from: Data(answer.body))
        } catch {
            throw PaviseError(AnswerUnreadable.content)
        }
    }
}

/// Why an answer was not what was asked for. Nothing of its body is in it.
enum AnswerUnreadable: Error, Hashable, Sendable {
    case status(Int)
    case content
    case request
}

/// Where an account stands.
public enum AccountState: Hashable, Sendable {
    /// Nobody can say now: the app lock is closed, or the keychain is. It is not signed out; ask again after an unlock.
    case unknown(UnknownReason)
    /// Nobody is signed in.
    case signedOut
    /// Somebody is signed in.
    case signedIn
    /// Somebody was signed in, and only signing in again helps.
    case needsSignIn(ReloginReason)

    /// Why nobody can say.
    public enum UnknownReason: String, Hashable, Sendable, CaseIterable {
        /// The app lock is closed.
        case appLocked
        /// The keychain is locked, or does not answer.
        case storeLocked
    }

    init(_ state: SessionState) {
        self =
            switch state {
            case .locked: .unknown(.appLocked)
            case .unknown: .unknown(.storeLocked)
            case .signedOut: .signedOut
            case .active, .refreshing, .degraded: .signedIn
            case .reloginNeeded(let reason): .needsSignIn(reason)
            }
    }
}
