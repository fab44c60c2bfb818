internal import Foundation
internal import PavisePrimitives
public import PaviseProtectedStorage
public import PaviseSession
public import PaviseStorage
public import PaviseTransport
internal import PaviseVault

/// One server that a person is, or can be, signed in to.
///
/// ```swift
/// let account = try security.account("work")
/// for await state in account.states { show(state) }
/// let me = try await account.get("/api/me", as: Me.self)
/// for try await bytes in account.stream("/files/1") { take(bytes) }
/// let file = try await account.download("/files/1", to: account.files, protection: .complete)
/// let report = await account.signOut()
/// ```
///
/// The credential goes to the account's own origin and nowhere else. Access tokens are refreshed once for everybody,
/// ahead of their end and after a 401.
public final class Account: Sendable {
    /// The connection below, for what this type does not have.
    public let connection: Connection
    /// The account's name.
    public var name: String { connection.descriptor.name }
    /// The only server that gets the credential.
    public var origin: Origin { connection.descriptor.origin }
    /// What should be known beside the success of the sign-in that gave this value: fewer rights than asked for, no way
    /// to end the tokens at the server, a session that ends with its first access token. Empty for a value that came of
    /// no sign-in.
    public let signInWarnings: [SignInWarning]
    let app: AppParts
    private let options: SignInOptions
    private let worksWhileLocked: Bool
    let images = AccountImages()
    private let logouts: LogoutInbox
    private let watching: Task<Void, Never>?

    /// - Parameters:
    ///   - warnings: Of the sign-in that made it.
    ///   - worksWhileLocked: Whether its session stands under the permission in the place of the lock. What happens to
    ///     it is then told by the account's other value.
    init(
        _ connection: Connection, _ app: AppParts, _ options: SignInOptions = SignInOptions(),
        warnings: [SignInWarning] = [], worksWhileLocked: Bool = false
    ) {
        self.connection = connection
        signInWarnings = warnings
        self.worksWhileLocked = worksWhileLocked
        self.app = app
        self.options = options
        logouts = LogoutInbox(connection)
        guard let session = connection.session else {
            watching = nil
            return
        }
        app.live.add(session, of: connection.descriptor.name)
        guard !worksWhileLocked else {
            watching = nil
            return
        }
        let name = connection.descriptor.name
        let origin = connection.descriptor.origin
        let limits = LimitWatch(
            account: name, board: app.board, policy: connection.policy, sleep: connection.environment.sleep)
        watching = Task { [weak session, app, board = app.board] in
            guard let states = await session?.states else { return }
            var before: SessionState?
            var looking: Task<Void, Never>?
            defer { looking?.cancel() }
            for await state in states {
                if state == .active {
                    looking?.cancel()
                    looking = Task { [weak session] in await limits.follow { [weak session] in session } }
                }
                app.record(state, after: before, at: origin)
                before = state
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
    ///
    /// Where the server wants a stronger or more recent sign-in (RFC 9470), the person is asked once, and the request
    /// goes on once.
    public func send(_ request: HTTPRequest) async throws(PaviseError) -> HTTPResponse {
        try await answered(request, by: { $0 }) { [connection] request throws(SessionFailure) in
            try await connection.send(request)
        }
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
            throw app.log.told(AnswerUnreadable.request)
        }
        request.fields.append("Content-Type", "application/json")
        return try read(try await send(request), as: type)
    }

    /// The body of an answer, piece by piece, for what does not fit into memory: see ``AccountBytes``.
    ///
    /// An answer with another status than 200 to 299 is an error, and nothing of its body is given out.
    ///
    /// - Parameters:
    ///   - path: The path at the account's server, percent-encoded, with a query where there is one.
    ///   - limit: The most bytes that the caller wants; more are an error.
    public func stream(_ path: String, limit: Int = 1 << 40) -> AccountBytes {
        AccountBytes(
            open: { () async throws(PaviseError) in
                let (answer, body) = try await self.open(try self.bulk(path))
                guard (200...299).contains(answer.status) else {
                    throw self.app.log.told(AnswerUnreadable.status(answer.status))
                }
                return body
            }, isOpen: { [gate = connection.environment.gate] in gate?.isOpen ?? true },
            told: { [log = app.log] error in log.told(error) }, limit: limit)
    }

    /// Downloads into a sealed file. Nothing lies on the disk in clear, and the file appears when all of it is there.
    ///
    /// A connection that breaks is made anew, and goes on where it stopped, where the server names the version (a
    /// strong `ETag`); the fifth break in a row without a byte further is the error. A download that ends with an
    /// error, at the app lock, or with the process leaves nothing and begins anew the next time.
    ///
    /// ```swift
    /// let file = try await account.download("/files/1", to: account.files, protection: .complete)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path at the account's server, percent-encoded.
    ///   - files: Where to: ``files``, or ``AppSecurity/files``.
    ///   - protection: When the file can be read.
    ///   - name: What the file is called, sealed; after the path unless given.
    ///   - progress: Called for each piece, on any thread.
    /// - Returns: The file.
    public func download(
        _ path: String, to files: ProtectedFiles, protection: ProtectionClass, named name: String? = nil,
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(PaviseError) -> StoredFileID {
        let download = SealedDownload(
            open: { request throws(PaviseError) in try await self.open(request) }, environment: connection.environment,
            request: try bulk(path), files: files, protection: protection, name: name ?? SealedDownload.name(of: path),
            progress: progress)
        do { return try await download.run() } catch { throw app.log.told(error) }
    }

    /// Signs out: wiped here first, also without a network, then taken back at the server. The account's files,
    /// databases and the app's caches go; its name and server stay. Every other value of this account that the same
    /// ``AppSecurity`` gave is signed out, too.
    ///
    /// - Parameter closesBrowserSession: Whether the session that the browser has with the authority is ended too
    ///   (OpenID Connect RP-Initiated Logout 1.0): the authority's page opens last, in the browser of
    ///   ``SignInOptions/browser``, and is waited for two minutes at most. The address of that page holds the id_token.
    ///   `SignOutReport.authorityPage` says what came of it. Without it whoever uses this browser next may sign in
    ///   with one click.
    public func signOut(closesBrowserSession: Bool = false) async -> SignOutReport {
        app.live.beginEnd()
        app.caches.empty()
        images.close()
        // Beside it: no server of notices holds the wipe up, and no page of the authority the notices.
        async let pushEnd: Void = app.endPush(of: connection.descriptor.id)
        var failure: VaultFailure?
        do throws(VaultFailure) {
            try app.connections.folder.removeStorage(of: connection.descriptor.id)
        } catch {
            failure = error
        }
        var report =
            await closesBrowserSession
            ? connection.signOut(in: options.browser, receiver: options.receiver, patience: .seconds(120))
            : connection.signOut()
        if report.localFailure == nil, let failure { report.localFailure = failure }
        await tellOthers()
        await pushEnd
        app.record(.signedOut, at: origin, failure: report.localFailure)
        return report
    }

    // The session ended here: the other values of the account hold its tokens, too.
    private func tellOthers() async { await app.live.startOver(of: name, but: connection.session) }

    /// Takes a logout token of the account's authority (OpenID Connect Back-Channel Logout 1.0), as the app's own
    /// server hands it on, for example with a notification. Where it is about this account's session, the session ends
    /// here: ``states`` tells ``AccountState/needsSignIn(_:)`` with the reason `revoked`, and local data is kept.
    ///
    /// A token ends a session once, and none that began after it. Its signature is checked with the keys that the
    /// authority publishes. While the app is locked nothing can be checked: hand it in after the unlock.
    ///
    /// - Parameter message: The token, at most 16 KiB.
    /// - Returns: Whether it ended this account's session; `false` where it is about another one.
    /// - Throws: ``PaviseError`` with the code ``PaviseError/Code/forged`` for anything but a logout token of this
    ///   authority for this app, or one that came before.
    public func endSession(by message: String) async throws(PaviseError) -> Bool {
        do {
            let isEnded = try await logouts.take(message)
            if isEnded { await tellOthers() }
            if isEnded { await app.endPush(of: connection.descriptor.id) }
            return isEnded
        } catch {
            throw app.log.told(error)
        }
    }

    /// The account for background work that goes on while the app lock is closed, where the app permits that: see
    /// `RefreshPolicy.whileLocked`, which ``SecurityConfiguration/session`` has.
    ///
    /// Everything else stays closed: this account's own requests, files, databases. It never shows a page, so a server
    /// that wants another sign-in is answered by an error. When the permission goes, for example by an administrator's
    /// rules, it sends nothing any more.
    ///
    /// ```swift
    /// let background = try account.whileLocked()
    /// return try await background.get("/api/count", as: Int.self)
    /// ```
    ///
    /// - Throws: ``PaviseError`` with the code ``PaviseError/Code/appLocked`` where nobody permits it, whether the lock
    ///   is open or not.
    public func whileLocked() throws(PaviseError) -> Account {
        var options = options
        options.answersStepUp = false
        do {
            guard let connection = try app.connections.openWhileLocked(name), connection.session != nil else {
                throw SessionFailure.locked
            }
            try app.connections.check(connection.descriptor, is: self.connection.descriptor)
            return Account(connection, app, options, worksWhileLocked: true)
        } catch {
            throw app.log.told(error)
        }
    }

    // Streams and downloads may take as long as they take; silence ends them.
    private func bulk(_ path: String) throws(PaviseError) -> HTTPRequest {
        var request = try request("GET", path, accepting: "*/*")
        request.limits.total = .seconds(86_400)
        return request
    }

    private func open(_ request: HTTPRequest) async throws(PaviseError) -> (HTTPResponse, BodyStream) {
        try await answered(request, by: { $0.0 }) { [connection] request throws(SessionFailure) in
            guard connection.environment.gate?.isOpen ?? true else { throw .locked }
            if let access = connection.access as? any PulledBodyAccess { return try await access.open(request) }
            // An app's own method.
            let answer = try await connection.access.send(request)
            return (answer, BodyStream(collected: answer.body))
        }
    }

    // Once more after a sign-in that the server wanted, and never twice.
    private func answered<Answer>(
        _ request: HTTPRequest, by head: (Answer) -> HTTPResponse,
        _ send: (HTTPRequest) async throws(SessionFailure) -> Answer
    ) async throws(PaviseError) -> Answer {
        do {
            if let demand = try app.connections.lockDemand(), !worksWhileLocked || !demand.isUnlock { throw demand }
            let stepUp = app.live.stepUp(of: name)
            let before = await stepUp.count
            let first = try await send(request)
            guard let demand = StepUpDemand(head(first)) else { return first }
            guard options.answersStepUp else { throw StepUpNotSatisfied(demand: demand) }
            if await stepUp.isSatisfied(demand, since: before) {
                let late = try await send(request)
                guard StepUpDemand(head(late)) != nil else { return late }
            }
            try await stepUp.satisfy(demand) { () throws(PaviseError) in try await self.signInAgain(for: demand) }
            let second = try await send(request)
            if let demand = StepUpDemand(head(second)) { throw StepUpNotSatisfied(demand: demand) }
            return second
        } catch SessionFailure.store(.locked) where worksWhileLocked && app.connections.lock?.state.isOpen == false {
            // Tokens from before the permission are sealed with the lock's key until the next unlock.
            throw app.log.told(SessionFailure.locked)
        } catch {
            throw app.log.told(error)
        }
    }

    private func signInAgain(for demand: StepUpDemand) async throws(PaviseError) {
        do throws(SignInFailure) {
            guard connection.environment.gate?.isOpen ?? true else { throw .cancelled }
            _ = try await connection.signIn(
                browser: options.browser, clientSecret: options.clientSecret, binding: options.binding,
                receiver: options.receiver, for: demand)
        } catch {
            throw app.log.told(error)
        }
        await app.live.startOver(of: name)
    }

    func request(
        _ method: String, _ path: String, accepting type: String = "application/json"
    ) throws(PaviseError) -> HTTPRequest {
        do throws(WebURL.Problem) {
            var request = HTTPRequest(method, try connection.url(path))
            request.fields.append("Accept", type)
            return request
        } catch {
            throw app.log.told(ConnectRefusal.address(error.description))
        }
    }

    private func read<Value: Decodable>(_ answer: HTTPResponse, as type: Value.Type) throws(PaviseError) -> Value {
        do throws(PaviseError) { return try answer.decoded(as: type) } catch { throw app.log.told(error) }
    }
}
