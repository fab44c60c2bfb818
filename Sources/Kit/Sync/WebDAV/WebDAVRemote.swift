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
/// let remote = try await WebDAVRemote.open(address, client: client)
/// print(remote.level)                  // conditions
/// ```
/// Large contents are sent and read piece by piece; a read that breaks off goes on where it stopped, and so does a
/// write to a server with ownCloud's and Nextcloud's chunks, or with tus.
public final class WebDAVRemote: SyncRemote {
    /// The folder.
    public let address: RemoteAddress
    /// What was measured.
    public let server: MeasuredServer
    let client: any AuthorizedClient
    /// What locks of ours say of who has them.
    let owner: String
    /// The owner in names of what is being sent.
    let mark: String
    /// The most bytes of one request to a server that takes a file in chunks.
    let chunkSize: Int
    let notes: (any RemoteNotes)?
    let meter: SyncMeter?
    let random: @Sendable () -> UInt64
    let sleep: @Sendable (Duration) async -> Void
    let state = Mutex(State())
    /// See ``SyncRemote/rootIdentity``: as of the opening.
    public let rootIdentity: String?
    /// Whether a listing leaves what a kill left as it is.
    let onlyLooks: Bool

    struct State {
        /// What each read said last: a deletion and a replacement speak of this content.
        var digests: [SyncPath: ContentDigest] = [:]
        var takesInfinity = true
        /// What deletions of an earlier run left aside.
        var aside: [(SyncPath, isFolder: Bool)] = []
        /// The server's clock, as it last told.
        var seconds: Int64 = 0
        /// What earlier runs, of this device or of others, were sending.
        var leftovers: [RemoteLeftover] = []
        /// What the last listing had and this device cannot have.
        var leftOut: [LeftOutItem] = []
    }

    /// See ``SyncRemote/leftOut``.
    public var leftOut: [LeftOutItem] { state.withLock { $0.leftOut } }
    /// See ``SyncRemote/aside``.
    public var aside: [SyncPath] { state.withLock { state in state.aside.map { $0.0 } } }

    /// See ``SyncRemote/level``.
    public var level: ServerLevel { server.level }

    init(
        _ address: RemoteAddress, _ server: MeasuredServer, _ client: any AuthorizedClient, _ owner: String,
        _ chunkSize: Int, _ notes: (any RemoteNotes)?, _ meter: SyncMeter?,
        _ random: @escaping @Sendable () -> UInt64,
        _ sleep: @escaping @Sendable (Duration) async -> Void, root: String?, onlyLooks: Bool = false
    ) {
        (self.address, self.server, self.client, self.owner) = (address, server, client, owner)
        (self.chunkSize, self.notes, self.meter) = (chunkSize, notes, meter)
        (self.random, self.sleep, rootIdentity, self.onlyLooks) = (random, sleep, root, onlyLooks)
        mark = String("\(ContentDigest(of: Array(owner.utf8)))".prefix(8))
    }

    /// Opens a folder, and measures its server unless `known` is what it still says of itself.
    ///
    /// - Parameters:
    ///   - folder: The folder's address; it has to exist.
    ///   - client: Sends with the connection's credential.
    ///   - known: What was measured before.
    ///   - owner: What the server is told of who has a lock: letters and digits that no other writer has. With the same
    ///     ones a lock that an earlier run left is let go of.
    ///   - chunkSize: The most bytes of one request to a server that takes a file in parts.
    ///   - notes: Where it writes down what its next run goes on with; without them an upload in parts that broke off
    ///     begins anew at a server with tus.
    ///   - meter: Counts the bytes of contents.
    ///   - random: Numbers for names of files that are being written.
    ///   - sleep: Waits.
    /// - Throws: ``SyncFailure``: nobody answers, nobody is signed in, or it is no WebDAV folder.
    public static func open(
        _ folder: WebURL, client: any AuthorizedClient, known: MeasuredServer? = nil, owner: String? = nil,
        chunkSize: Int = 10 << 20, notes: (any RemoteNotes)? = nil, meter: SyncMeter? = nil,
        random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) },
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) async throws(SyncFailure) -> WebDAVRemote {
        let address = try remoteAddress(folder)
        // pavise:ignore RANDOM-WEAK A closure of ours, the system's generator by default; it only makes names.
        let owner = owner ?? "pavise" + String(random(), radix: 16)
        let measured = { (server: MeasuredServer, root: String?) in
            WebDAVRemote(address, server, client, owner, max(1, chunkSize), notes, meter, random, sleep, root: root)
        }
        let unmeasured = measured(MeasuredServer(), nil)
        let (software, root) = try await unmeasured.itself()
        if let known, known.software == software { return measured(known, root) }
        return measured(try await unmeasured.measure(software), root)
    }

    /// Opens a folder for whoever only wants to know what is in it: no request of it writes. A server that was not
    /// measured yet is taken to be one whose conditions hold.
    static func openToLook(
        _ folder: WebURL, client: any AuthorizedClient, known: MeasuredServer?, owner: String, meter: SyncMeter?
    ) async throws(SyncFailure) -> WebDAVRemote {
        var assumed = known ?? MeasuredServer()
        if known == nil { assumed.level = .conditions }
        let (address, server) = (try remoteAddress(folder), assumed)
        let opened = { (root: String?) in
            WebDAVRemote(
                address, server, client, owner, 1, nil, meter, { UInt64.random(in: .min ... .max) },
                { try? await Task.sleep(for: $0) }, root: root, onlyLooks: true)
        }
        return opened(try await opened(nil).itself().root)
    }

    private static func remoteAddress(_ folder: WebURL) throws(SyncFailure) -> RemoteAddress {
        do throws(WebURL.Problem) { return try RemoteAddress(folder) } catch {
            throw .refused("The folder's address cannot be used: \(error.description)")
        }
    }

    // MARK: Requests

    func request(_ method: String, _ url: WebURL, _ fields: [(String, String)], _ body: [UInt8]?) -> HTTPRequest {
        var request = HTTPRequest(method, url, body: body)
        // A compressed body has a tag of its own on some servers, with which no condition holds.
        request.fields.append("Accept-Encoding", "identity")
        for (name, value) in fields { request.fields.append(name, value) }
        // A listing that drips is none (sync/SY18); a server that puts a large one together is silent at first. A
        // content has its own limit.
        let total = method == "PROPFIND" ? Duration.seconds(300) : .seconds(3_600)
        request.limits = .init(idle: .seconds(60), total: total, body: 64 << 20)
        return request
    }

    func send(
        _ method: String, _ url: WebURL, _ fields: [(String, String)] = [], body: [UInt8]? = nil
    ) async throws(SyncFailure) -> HTTPResponse {
        try await send(request(method, url, fields, body))
    }

    /// Sends bytes of a content; what is not in memory already is read while it is sent.
    func send(
        _ method: String, _ url: WebURL, _ fields: [(String, String)], _ content: SyncContent, _ part: Range<Int>
    ) async throws(SyncFailure) -> HTTPResponse {
        var request = request(method, url, fields, nil)
        if content.isInMemory {
            request.body = try content.read(at: part.lowerBound, upTo: part.count)
        } else {
            request.upload = UploadFile(count: part.count) { [meter] offset, limit in
                let piece = try? content.read(at: part.lowerBound + offset, upTo: min(limit, part.count - offset))
                meter?.move(piece?.count ?? 0)
                return piece
            }
            request.limits.total = Self.longest
        }
        let answer = try await send(request)
        if content.isInMemory { meter?.move(part.count) }
        return answer
    }

    /// How long one request with a large body may take, as long as bytes move.
    static let longest = Duration.seconds(86_400)

    private func send(_ request: HTTPRequest) async throws(SyncFailure) -> HTTPResponse {
        try await SyncFailure.waiting(sleep) { () async throws(SyncFailure) in
            let answer: HTTPResponse
            do throws(SessionFailure) { answer = try await client.send(request) } catch { throw SyncFailure(error) }
            if let seconds = answer.fields["Date"].flatMap(IMFFixdate.seconds) {
                state.withLock { $0.seconds = seconds }
            }
            return answer
        }
    }

    func url(_ path: SyncPath, isFolder: Bool = false) throws(SyncFailure) -> WebURL {
        try address.url(of: path, isFolder: isFolder)
    }

    /// A name beside the files for what is being written, which no listing shows.
    func temporary(_ kind: String) -> SyncPath { [RemoteLeftover.name(kind, mark, freshNumber())] }

    // pavise:ignore RANDOM-WEAK A closure of ours, the system's generator by default; it only makes names.
    func freshNumber() -> UInt64 { random() }

    func expect(_ answer: HTTPResponse, _ statuses: Set<Int>) throws(SyncFailure) {
        guard !statuses.contains(answer.status) else { return }
        throw SyncFailure(status: answer.status)
    }

    // MARK: Reading

    /// See ``SyncRemote/read(_:into:)``.
    public func read(_ path: SyncPath, into sink: ContentSink) async throws(SyncFailure) -> RemoteVersion {
        let version = try await get(try url(path), into: sink)
        state.withLock { $0.digests[path] = sink.digest }
        return version
    }

    /// Reads for the digest alone.
    func look(at url: WebURL) async throws(SyncFailure) -> (digest: ContentDigest, version: RemoteVersion) {
        let sink = ContentSink(nil)
        let version = try await get(url, into: sink)
        return (sink.digest, version)
    }

    private func get(_ url: WebURL, into sink: ContentSink) async throws(SyncFailure) -> RemoteVersion {
        var failures = 0
        while true {
            let start = sink.count
            switch try await part(url, into: sink) {
            case .whole(let version): return version
            case .broken(let failure):
                // A try that got further is none in vain.
                failures = sink.version?.isStrong == true && sink.count > start ? 0 : failures + 1
                guard failures < 5 else { throw failure }
                if failures > 0 { await sleep(.milliseconds(100 << failures)) }
            }
        }
    }

    private enum Part {
        case whole(RemoteVersion)
        case broken(SyncFailure)
    }

    // What follows the bytes that are there, as long as they are of the same version; else the whole (sync/SY12).
    private func part(_ url: WebURL, into sink: ContentSink) async throws(SyncFailure) -> Part {
        let known = sink.version.flatMap { $0.isStrong ? DownloadTicket(url, tag: $0.validator) : nil }
        let total = known == nil ? nil : sink.version?.size
        let start = known == nil ? 0 : sink.count
        let ticket = start > 0 ? known : nil
        var request = request("GET", url, [], nil).continuing(from: start, ticket)
        request.limits.total = Self.longest
        let stopped = Mutex<SyncFailure?>(nil)
        let lies = Mutex(false)
        let answer: HTTPResponse
        do throws(SessionFailure) {
            answer = try await client.stream(
                request,
                head: { [self] answer in
                    do throws(SyncFailure) {
                        let taken = try take(answer, start, ticket, total, sink)
                        if taken == .lie { lies.withLock { $0 = true } }
                        return taken == .content
                    } catch {
                        stopped.withLock { $0 = error }
                        throw error
                    }
                },
                receive: { [meter] piece in
                    if sink.keeps { meter?.move(piece.count) }
                    do throws(SyncFailure) {
                        try sink.append(piece)
                    } catch {
                        stopped.withLock { $0 = error }
                        throw error
                    }
                })
        } catch {
            if let own = stopped.withLock({ $0 }) { throw own }
            let failure = SyncFailure(error)
            guard case .transport = error, !failure.needsDecision else { throw failure }
            return .broken(failure)
        }
        guard !lies.withLock({ $0 }) else {
            try sink.begin(RemoteVersion(validator: "", size: nil))
            return .broken(.refused("The server sent another part than was asked for."))
        }
        guard answer.status == 200 || answer.status == 206 else {
            throw answer.busySeconds.map(SyncFailure.serverBusy(seconds:)) ?? SyncFailure(status: answer.status)
        }
        // A body that ended early is an error of the transport's; a length that says otherwise is one as well.
        if let whole = answer.wholeCount, whole != sink.count {
            guard whole > sink.count else { throw .changed }
            return .broken(.changed)
        }
        guard Self.isAsNamed(answer.fields["OC-Checksum"], sink) else {
            try sink.begin(RemoteVersion(validator: "", size: nil))
            return .broken(.refused("The server sent other bytes than its checksum says."))
        }
        return .whole(version(answer, sink.count))
    }

    // ownCloud's and Nextcloud's word for what the bytes should be: `SHA256:…`, as we sent it. Others say nothing here.
    private static func isAsNamed(_ checksum: String?, _ sink: ContentSink) -> Bool {
        guard let parts = checksum?.split(separator: ":", maxSplits: 1), parts.count == 2,
            parts[0].uppercased() == "SHA256"
        else { return true }
        return parts[1].lowercased() == "\(sink.digest)"
    }

    private enum Taken {
        case content
        case lie
        case nothing
    }

    // What an answer's head says of the body that follows.
    private func take(
        _ answer: HTTPResponse, _ start: Int, _ ticket: DownloadTicket?, _ total: Int?, _ sink: ContentSink
    ) throws(SyncFailure) -> Taken {
        switch DownloadPlan(answer, from: start, ticket) {
        case .append:
            guard let total, answer.wholeCount != total else { return .content }
            return .lie
        case .restart:
            let named = version(answer, answer.wholeCount)
            // One that travels packed has the tag of the packed bytes.
            let isPlain = DownloadTicket(answer, url: address.folder) != nil
            try sink.begin(isPlain ? named : RemoteVersion(validator: "", size: named.size))
            return .content
        case .askAgain, .wrongRange: return .lie
        case .answer: return .nothing
        }
    }

    /// The version that an answer names; weak when it is too young for a server whose tags count in seconds (sync/SY8).
    func version(_ answer: HTTPResponse, _ size: Int?) -> RemoteVersion {
        let tag = answer.fields["ETag"] ?? ""
        let isYoung = !server.hasFineTags && !Self.isSettled(answer.fields["Last-Modified"], answer.fields["Date"])
        return RemoteVersion(validator: isYoung && !tag.isEmpty && !tag.hasPrefix("W/") ? "W/" + tag : tag, size: size)
    }

    /// Whether a file was changed long enough ago that its tag is not that of another version of the same second.
    static func isSettled(_ modified: String?, _ now: String?) -> Bool { (age(modified, now) ?? 0) >= 2 }

    /// The seconds between two dates of the same clock; `nil` when one of them is none.
    static func age(_ modified: String?, _ now: String?) -> Int64? {
        guard let modified = modified.flatMap(IMFFixdate.seconds), let now = now.flatMap(IMFFixdate.seconds) else {
            return nil
        }
        return now - modified
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
            case .unavailable(.trust, _), .transport(.untrusted), .transport(.refusedByATS), .transport(.tls),
                .transport(.managed), .transport(.credentialRefused):
                .notTrusted(failure)
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
            case 429: .unreachable("The server answered 429.")
            case 500, 502...599: .serverError(status)
            default: .refused("The server answered \(status).")
            }
    }
}
