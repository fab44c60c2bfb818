internal import PavisePrimitives
internal import PaviseStorage
package import PaviseTransport
public import PaviseVault

/// Tokens that their servers have to take back later: one sealed item for all connections, with a key of its own.
///
/// The item and its key are there only while something waits. `.revocations.lock` is held for a change,
/// `.revocations.turn` for as long as somebody sends, so that no two processes send the same token at once; the kernel
/// drops both with their process.
package struct RevocationQueue: Sendable {
    /// The most entries; the oldest goes.
    package static let limit = 32

    private let vault: TokenVault
    private let folder: String
    private let environment: SessionEnvironment
    private let policy: RefreshPolicy

    /// The queue in `vault`, with its locks in `folder`.
    package init(vault: TokenVault, folder: String, environment: SessionEnvironment, policy: RefreshPolicy) {
        self.vault = vault
        self.folder = folder
        self.environment = environment
        self.policy = policy
    }

    private var now: ClockReading { ClockReading(environment.time) }

    /// Adds an entry. It is durable when this returns.
    func add(_ entry: PendingRevocation) async throws(VaultFailure) {
        try await change { entries in
            entries.append(entry)
            entries.removeFirst(max(0, entries.count - Self.limit))
        }
    }

    /// Removes an entry; one that is not there is fine.
    func remove(_ id: UInt64) async throws(VaultFailure) {
        try await change { entries in entries.removeAll { $0.id == id } }
    }

    /// Puts a newer token in the place of an entry's.
    func renew(_ id: UInt64, with token: SharedSecretBytes) async throws(VaultFailure) {
        try await change { entries in
            for index in entries.indices where entries[index].id == id { entries[index].token = token }
        }
    }

    /// Seals what waits once more, as the key says now. Without a queue nothing happens.
    package func sealAgain() async throws(VaultFailure) {
        guard try readable()?.isEmpty == false else { return }
        try await change { _ in }
    }

    /// Gives everything up: nothing is taken back any more.
    package func erase() throws(VaultFailure) {
        try vault.erase(.revocations)
        try vault.destroyKey()
    }

    /// Asks the servers whose time has come, each once, one after the other.
    ///
    /// - Parameters:
    ///   - limit: No further server is asked, and none is waited for, when this has passed.
    ///   - client: Makes the client for an entry; `nil` where the rules forbid to send: the entry waits.
    package func finish(
        within limit: Duration, _ client: @Sendable (PendingRevocation) async -> HTTPClient?
    ) async -> RevocationsReport {
        do throws(VaultFailure) {
            // Usually there is none: then no lock is taken and no key is touched.
            if let seen = try readable(), seen.isEmpty { return RevocationsReport() }
            guard let turn = try turn() else {
                var report = RevocationsReport()
                report.waiting = try readable()?.count ?? 0
                return report
            }
            let report = await send(within: limit, client)
            _ = consume turn
            return report
        } catch {
            var report = RevocationsReport()
            report.failure = error
            return report
        }
    }

    private func send(
        within limit: Duration, _ client: @Sendable (PendingRevocation) async -> HTTPClient?
    ) async -> RevocationsReport {
        var report = RevocationsReport()
        do throws(VaultFailure) {
            let start = now
            let waiting = try await swept(&report, at: start)
            report.waiting = waiting.count
            // Who was asked longest ago comes first: a server that hangs holds up nobody for good.
            let due = waiting.filter { $0.isDue(at: start) }
                .sorted { start.milliseconds(since: $0.tried) > start.milliseconds(since: $1.tried) }
            for entry in due {
                let left = limit.milliseconds - now.milliseconds(since: start)
                guard left > 0, !Task.isCancelled else { break }
                guard let client = await client(entry) else { continue }
                let answer = await ask(entry, through: client, within: min(policy.revocation, .milliseconds(left)))
                try await settle(entry.id, answer)
                switch answer {
                case .done: report.done += 1
                case .refused: report.refused += 1
                case .passing: continue
                }
                report.waiting -= 1
            }
        } catch {
            report.failure = error
        }
        return report
    }

    private func ask(
        _ entry: PendingRevocation, through client: HTTPClient, within limit: Duration
    ) async -> RevocationResponse {
        let endpoint = TokenEndpoint(
            entry.server, through: TokenSender(client), environment: environment, policy: policy)
        // The token endpoint is asked only where it is the same server.
        let isSameServer = entry.server.tokenEndpoint.origin == entry.server.revocationEndpoint?.origin
        let mayRefresh = entry.kind == .refresh && entry.server.authentication == nil && isSameServer
        let answer = await Deadline.run(limit, sleep: environment.sleep) {
            await endpoint.takeBack(entry.token, hint: entry.kind.hint, mayRefresh: mayRefresh) { newest in
                try? await renew(entry.id, with: newest)
            }
        }
        if let origin = entry.server.revocationEndpoint?.origin { client.forgetCookies(of: [origin]) }
        return answer ?? .passing()
    }

    private func settle(_ id: UInt64, _ answer: RevocationResponse) async throws(VaultFailure) {
        guard case .passing(let retryAfter) = answer else { return try await remove(id) }
        let (now, chance) = (now, environment.chance())
        try await change { entries in
            for index in entries.indices where entries[index].id == id {
                entries[index].postpone(at: now, retryAfter: retryAfter, chance: chance, policy)
            }
        }
    }

    // What is left without what is over, and without what cannot be opened any more.
    private func swept(
        _ report: inout RevocationsReport, at now: ClockReading
    ) async throws(VaultFailure) -> [PendingRevocation] {
        if let entries = try readable(), !entries.contains(where: { $0.isOver(at: now) }) { return entries }
        report.expired = try readable()?.count { $0.isOver(at: now) } ?? 0
        try await change { _ in }
        return try readable() ?? []
    }

    // One write for a change, and none where nothing waits any more: then the item and its key go.
    private func change(_ body: (inout [PendingRevocation]) -> Void) async throws(VaultFailure) {
        try await lock().holding { () throws(VaultFailure) in
            let now = now
            var entries = (try readable() ?? []).filter { !$0.isOver(at: now) }.map { $0.aged(to: now) }
            body(&entries)
            try save(entries)
        }
    }

    // `nil`: there is something that will never open again.
    private func readable() throws(VaultFailure) -> [PendingRevocation]? {
        do throws(VaultFailure) {
            switch try vault.read(.revocations) {
            case .absent: return []
            case .found(let secret):
                return try secret.withCopy { bytes throws(VaultFailure) in try PendingRevocation.decode(bytes) }
            }
        } catch {
            if case .denied = error { throw error }
            // What a later version keeps waits for that version.
            if error == .newer { throw error }
            guard !error.isPassing else { throw error }
            return nil
        }
    }

    private func save(_ entries: [PendingRevocation]) throws(VaultFailure) {
        guard !entries.isEmpty else { return try erase() }
        var bytes = try PendingRevocation.encode(entries)
        defer { Wipe.bytes(&bytes) }
        try vault.prepare()
        try vault.store(bytes, as: .revocations)
    }

    private func lock() async throws(VaultFailure) -> FileLock {
        do throws(FileLock.Failure) {
            return try await FileLock.acquire("\(folder)/.revocations.lock", wait: .seconds(10))
        } catch {
            throw VaultFailure(error)
        }
    }

    // `nil`: somebody else sends now.
    private func turn() throws(VaultFailure) -> FileLock? {
        do throws(SystemFailure) { return try FileLock.tryAcquire("\(folder)/.revocations.turn") } catch {
            throw .system(status: error.code)
        }
    }
}

extension ItemName {
    /// Where revocations wait.
    package static let revocations = ItemName(checkedService: "org.pavise.revocations", ConnectionID.revocations.text)
}

/// The result of another try to send the revocations that were waiting.
public struct RevocationsReport: Hashable, Sendable {
    /// Tokens that their servers took back now, or did not know any more.
    public var done = 0
    /// Tokens that a server refused to take back: they end by their own time.
    public var refused = 0
    /// Tokens that waited for too long: they end by their own time.
    public var expired = 0
    /// Tokens that still wait.
    public var waiting = 0
    /// Why the queue could not be read or written, if so. Nothing is lost by that.
    public var failure: VaultFailure?
}
