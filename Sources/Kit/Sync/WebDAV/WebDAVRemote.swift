internal import PavisePrimitives
public import PaviseSession
public import PaviseTransport
internal import Synchronization

/// A folder of a WebDAV server (RFC 4918) as the server's side, over a connection's own client: its trust decisions,
/// its credential, its one origin.
///
/// What the server's conditions are worth is measured with a file of ours, and not believed (sync/SY6):
///
/// ```swift
/// let remote = try await WebDAVRemote.open(address, client: connection.access)
/// await remote.level            // .conditions
/// ```
/// Contents are held in memory whole, at most ``fileLimit`` bytes each.
public final class WebDAVRemote: SyncRemote {
    /// The most bytes of one file.
    public static let fileLimit = 256 << 20

    /// The folder.
    public let address: RemoteAddress
    /// What was measured.
    public let server: MeasuredServer
    let client: any AuthorizedClient
    /// What locks of ours say of who has them.
    let owner: String
    let random: @Sendable () -> UInt64
    let sleep: @Sendable (Duration) async -> Void
    let state = Mutex(State())

    struct State {
        /// What each read said last: a deletion and a replacement speak of this content.
        var digests: [SyncPath: ContentDigest] = [:]
        var takesInfinity = true
        /// What deletions of an earlier run left aside.
        var aside: [(SyncPath, isFolder: Bool)] = []
    }

    /// See ``SyncRemote/level``.
    public var level: ServerLevel { server.level }

    init(
        _ address: RemoteAddress, _ server: MeasuredServer, _ client: any AuthorizedClient, _ owner: String,
        _ random: @escaping @Sendable () -> UInt64, _ sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        (self.address, self.server, self.client, self.owner) = (address, server, client, owner)
        (self.random, self.sleep) = (random, sleep)
    }

    /// Opens a folder, and measures its server unless `known` is what it still says of itself.
    ///
    /// - Parameters:
    ///   - folder: The folder's address; it has to exist.
    ///   - client: Sends with the connection's credential.
    ///   - known: What was measured before.
    ///   - owner: What the server is told of who has a lock: letters and digits that no other writer has. With the same
    ///     ones a lock that an earlier run left is let go of.
    ///   - random: Numbers for names of files that are being written.
    ///   - sleep: Waits.
    /// - Throws: ``SyncFailure``: nobody answers, nobody is signed in, or it is no WebDAV folder.
    public static func open(
        _ folder: WebURL, client: any AuthorizedClient, known: MeasuredServer? = nil, owner: String? = nil,
        random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) },
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) async throws(SyncFailure) -> WebDAVRemote {
        let address: RemoteAddress
        do throws(WebURL.Problem) { address = try RemoteAddress(folder) } catch {
            throw .refused("The folder's address cannot be used: \(error.description)")
        }
        // pavise:ignore RANDOM-WEAK A closure of ours, the system's generator by default; it only makes names.
        let owner = owner ?? "pavise" + String(random(), radix: 16)
        let unmeasured = WebDAVRemote(address, MeasuredServer(), client, owner, random, sleep)
        let software = try await unmeasured.software()
        if let known, known.software == software { return WebDAVRemote(address, known, client, owner, random, sleep) }
        return WebDAVRemote(address, try await unmeasured.measure(software), client, owner, random, sleep)
    }

    // MARK: Requests

    func request(_ method: String, _ url: WebURL, _ fields: [(String, String)], _ body: [UInt8]?) -> HTTPRequest {
        var request = HTTPRequest(method, url, body: body)
        // A compressed body has a tag of its own on some servers, with which no condition holds.
        request.fields.append("Accept-Encoding", "identity")
        for (name, value) in fields { request.fields.append(name, value) }
        request.limits = .init(idle: .seconds(60), total: .seconds(3_600), body: 64 << 20)
        return request
    }

    func send(
        _ method: String, _ url: WebURL, _ fields: [(String, String)] = [], body: [UInt8]? = nil
    ) async throws(SyncFailure) -> HTTPResponse {
        let request = request(method, url, fields, body)
        for attempt in 0..<4 {
            let answer: HTTPResponse
            do throws(SessionFailure) { answer = try await client.send(request) } catch { throw SyncFailure(error) }
            // Such an answer says that nothing was done.
            guard answer.status == 429 || answer.status == 503, attempt < 3,
                let wait = answer.fields["Retry-After"].flatMap({ Int($0) }), (0...30).contains(wait)
            else { return answer }
            await sleep(.seconds(max(1, wait)))
        }
        throw .unreachable("The server is busy.")
    }

    func url(_ path: SyncPath, isFolder: Bool = false) throws(SyncFailure) -> WebURL {
        try address.url(of: path, isFolder: isFolder)
    }

    /// A name beside the files for what is being written, which no listing shows.
    func temporary(_ kind: String) throws(SyncFailure) -> SyncPath {
        // pavise:ignore RANDOM-WEAK A closure of ours, the system's generator by default; it only makes names.
        [ItemName(unchecked: ItemName.reservedPrefix + kind + "-" + String(random(), radix: 16))]
    }

    func expect(_ answer: HTTPResponse, _ statuses: Set<Int>) throws(SyncFailure) {
        guard !statuses.contains(answer.status) else { return }
        throw SyncFailure(status: answer.status)
    }

    // MARK: Reading

    /// See ``SyncRemote/read(_:)``.
    public func read(_ path: SyncPath) async throws(SyncFailure) -> RemoteContent {
        let content = try await get(try url(path))
        state.withLock { $0.digests[path] = ContentDigest(of: content.bytes) }
        return content
    }

    func get(_ url: WebURL) async throws(SyncFailure) -> RemoteContent {
        let collected = Mutex<[UInt8]>([])
        // The head of the part that came names the version that the rest has to be of.
        let named = Mutex<DownloadTicket?>(nil)
        var ticket: DownloadTicket?
        var failures = 0
        while true {
            let start = ticket == nil ? 0 : collected.withLock { $0.count }
            var request = request("GET", url, [], nil).continuing(from: start, ticket)
            request.limits.body = Self.fileLimit
            let known = ticket
            let limit = Self.fileLimit
            let answer: HTTPResponse
            do throws(SessionFailure) {
                answer = try await client.stream(
                    request,
                    head: { answer in
                        switch DownloadPlan(answer, from: start, known) {
                        case .append: return true
                        case .restart:
                            collected.withLock { $0 = [] }
                            named.withLock { $0 = DownloadTicket(answer, url: url) }
                            return true
                        case .askAgain, .answer, .wrongRange: return false
                        }
                    },
                    receive: { piece in
                        try collected.withLock { bytes in
                            guard bytes.count + piece.count <= limit else { throw SyncFailure.tooLarge(limit: limit) }
                            bytes += piece
                        }
                    })
            } catch {
                guard case .transport(let failure) = error else { throw SyncFailure(error) }
                if case .receiver = failure { throw .tooLarge(limit: limit) }
                failures += 1
                guard failures < 5 else { throw SyncFailure(error) }
                ticket = named.withLock { $0 }
                await sleep(.milliseconds(100 << failures))
                continue
            }
            return try content(answer, collected.withLock { $0 }, start, known)
        }
    }

    private func content(
        _ answer: HTTPResponse, _ bytes: [UInt8], _ start: Int, _ ticket: DownloadTicket?
    ) throws(SyncFailure) -> RemoteContent {
        guard answer.status == 200 || (answer.status == 206 && ticket != nil) else {
            throw answer.status == 206 || answer.status == 416
                ? .refused("The server sent another part than was asked for.") : SyncFailure(status: answer.status)
        }
        // A body that ended early is an error of the transport's; a length that says otherwise is one as well.
        if let whole = answer.wholeCount, whole != bytes.count { throw .changed }
        return RemoteContent(bytes: bytes, version: version(answer, bytes.count))
    }

    /// The version that an answer names; weak when it is too young for a server whose tags count in seconds (sync/SY8).
    func version(_ answer: HTTPResponse, _ size: Int?) -> RemoteVersion {
        let tag = answer.fields["ETag"] ?? ""
        let isYoung = !server.hasFineTags && !Self.isSettled(answer.fields["Last-Modified"], answer.fields["Date"])
        return RemoteVersion(validator: isYoung && !tag.isEmpty && !tag.hasPrefix("W/") ? "W/" + tag : tag, size: size)
    }

    /// Whether a file was changed long enough ago that its tag is not that of another version of the same second.
    static func isSettled(_ modified: String?, _ now: String?) -> Bool {
        guard let modified = modified.flatMap(IMFFixdate.seconds), let now = now.flatMap(IMFFixdate.seconds) else {
            return false
        }
        return now - modified >= 2
    }

    func isThereNow(_ path: SyncPath) async throws(SyncFailure) -> Bool {
        let answer = try await send("HEAD", try url(path))
        switch answer.status {
        case 200...299, 301, 302, 307, 308: return true
        case 404, 410: return false
        default: throw SyncFailure(status: answer.status)
        }
    }

    /// See ``SyncRemote/isThere(_:)``.
    public func isThere(_ path: SyncPath) async throws(SyncFailure) -> Bool { try await isThereNow(path) }
}

extension SyncFailure {
    init(_ failure: SessionFailure) {
        self =
            switch failure {
            case .locked: .locked
            case .signedOut, .reloginNeeded: .signInNeeded
            case .foreignOrigin: .refused("\(failure)")
            case .transport(.bodyTooLarge(let limit)): .tooLarge(limit: limit)
            case .unavailable, .sessionChanged, .store, .tooManyRefreshes, .transport, .cancelled:
                .unreachable("\(failure)")
            }
    }

    /// What a status means for a write or a read (sync/SY16).
    init(status: Int) {
        self =
            switch status {
            case 401: .signInNeeded
            case 404, 409, 410, 412, 423, 424, 207: .changed
            case 413: .refused("The server takes no file of this size (413).")
            case 428: .refused("The server wants another condition (428).")
            case 507: .full(.there)
            case 429, 500...599: .unreachable("The server answered \(status).")
            default: .refused("The server answered \(status).")
            }
    }
}
