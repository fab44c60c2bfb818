public import PaviseLog
public import PavisePrimitives
internal import Synchronization

/// The storage of a ``KnownServersStore``. A write is durable when it returns.
public protocol ServerTrustStorage: Sendable {
    /// What was written last; `nil` when nothing ever was.
    func read() throws -> [UInt8]?
    /// Replaces it.
    func write(_ bytes: [UInt8]) throws
}

/// A storage that several processes of one connection write.
package protocol SharedServerTrustStorage: ServerTrustStorage {
    /// Runs `body`, which reads and writes, while nobody else does.
    func alone(_ body: () throws -> Void) throws
}

/// Remembers the servers of one connection, asks about what changed, and keeps what a person approved, from one run to
/// the next.
///
/// ```swift
/// let keeper = try KnownServersStore(connection: id, policy: policy, storage: ServerTrustFile(path: path))
/// if case .ask(let review) = try await keeper.look(at: client.inspect(origin)), await show(review.summary) {
///     _ = try await keeper.approve(review.summary.fingerprint, at: origin)
/// }
/// client.use(await keeper.policy)
/// ```
///
/// Every answer is durable before it is returned.
public actor KnownServersStore {
    private let connection: String
    private let storage: any ServerTrustStorage
    private let time: TimeSource
    private let trail: (any AuditRecorder)?
    private var base: TrustPolicy
    private var record: ServerTrustRecord
    // Questions and refusals only: the rest is in the record.
    private var open: [Origin: ServerTrustState] = [:]
    // Whoever judges by the policy now. Asked after a change was stored.
    private let followers = Mutex<[@Sendable (TrustPolicy) -> Bool]>([])

    /// The ``policy`` at the beginning, for whoever makes a client before anything can have changed.
    package nonisolated let firstPolicy: TrustPolicy

    /// A keeper that goes on where the last one ended.
    ///
    /// - Parameters:
    ///   - connection: The connection's identifier, which approvals are bound to.
    ///   - policy: By what servers are judged; approvals of the record are added.
    ///   - storage: Where the record lies.
    ///   - time: The clock.
    ///   - trail: Is told of certificates that are refused and approved.
    /// - Throws: ``ServerTrustDamage`` when the record is damaged, and what `storage` throws.
    public init(
        connection: String, policy: TrustPolicy, storage: any ServerTrustStorage, time: TimeSource = .system,
        trail: (any AuditRecorder)? = nil
    ) throws {
        self.connection = connection
        self.storage = storage
        self.time = time
        self.trail = trail
        base = policy
        base.connection = connection
        record = try Self.read(storage)
        firstPolicy = record.added(to: base)
    }

    /// By what servers are judged, the approvals and the known servers included.
    public var policy: TrustPolicy { record.added(to: base) }

    /// What was approved.
    public var approvals: [CertificateApproval] { record.approvals }

    /// Calls `follower` with the policy after each change of what is known or approved, until it returns `false`.
    package nonisolated func follow(_ follower: @escaping @Sendable (TrustPolicy) -> Bool) {
        followers.withLock { $0.append(follower) }
    }

    /// What is known of the server at `origin`. After a request was refused for a certificate that a person could
    /// approve, it is ``ServerTrustState/awaitingReview(_:)`` with what was shown, ready for ``approve(_:at:)``.
    public func state(of origin: Origin) -> ServerTrustState { open[origin] ?? record.state(of: origin) }

    /// Judges by another policy from now on; what is known stays.
    public func use(_ policy: TrustPolicy) {
        base = policy
        base.connection = connection
    }

    /// Judges by other rules of an administrator from now on; what is known stays.
    package func follow(_ managed: ManagedTrust) { base.managed = managed }

    /// Judges by other pins from now on; what is known stays.
    package func follow(pins: [PinSet]) { base.pins = pins }

    /// Takes what a handshake showed.
    ///
    /// - Throws: What the storage throws; nothing has changed then.
    public func look(at inspection: ServerInspection) throws -> ServerTrustState.Outcome {
        try look(at: inspection.chain, of: inspection.origin)
    }

    /// The same for what an answer's connection showed.
    package func look(at chain: EvaluatedChain, of origin: Origin) throws -> ServerTrustState.Outcome {
        try handle(.presented(chain), at: origin)
    }

    // Another process of the same connection may have been told something since: to write over it would forget a
    // server, whose next certificate would be a first one, or bring back an approval that was taken back.
    private func readAgain() throws {
        let found = try Self.read(storage)
        guard found != record else { return }
        record = found
        tell()
    }

    /// Takes what a handshake refused: a question where a person may approve it, else a refusal. Neither is stored.
    package func look(at refusal: CertificateRefusal, of origin: Origin) {
        trail?.record(
            AuditEvent(
                .serverRefused,
                ["server": "\(origin)", "reason": refusal.failures.map { "\($0)" }.joined(separator: ", ")]))
        guard let summary = refusal.summary, refusal.canBeApproved,
            let review = CertificateReview(refused: summary, refusal.failures, before: state(of: origin))
        else {
            open[origin] = .blocked(refusal, before: record.state(of: origin).known)
            return
        }
        open[origin] = .awaitingReview(review)
    }

    /// Approves the certificate that a person was shown: this very one. With it goes an approval of what it fails,
    /// bound to the connection. ``ServerTrustState/Outcome/void`` when another one is shown by now, or this one has
    /// ended since. A connection that is open sends by it at once.
    public func approve(_ fingerprint: String, at origin: Origin) throws -> ServerTrustState.Outcome {
        let outcome = try handle(.approve(fingerprint: fingerprint), at: origin)
        if case .allow = outcome {
            trail?.record(AuditEvent(.serverApproved, ["server": "\(origin)", "fingerprint": fingerprint]))
        }
        return outcome
    }

    /// Takes a no, a closed question or the end of a person's time.
    public func reject(at origin: Origin) throws -> ServerTrustState.Outcome {
        try handle(.reject, at: origin)
    }

    /// Forgets a server and what was approved for it. The next certificate is a first one.
    public func forget(_ origin: Origin) throws {
        try readAgain()
        try alone {
            var next = record
            next.forget(origin)
            try keep(next)
        }
        open[origin] = nil
        tell()
    }

    private func handle(_ event: ServerTrustState.Event, at origin: Origin) throws -> ServerTrustState.Outcome {
        try readAgain()
        var change = self.change(after: event, at: origin)
        var isChanged = false
        // Most handshakes show what is known, and wait for nobody.
        if change.record != record {
            try alone {
                change = self.change(after: event, at: origin)
                isChanged = change.record != record
                try keep(change.record)
            }
        }
        open[origin] = change.state.isOpen ? change.state : nil
        if isChanged { tell() }
        return change.outcome
    }

    private struct Change {
        let outcome: ServerTrustState.Outcome
        let state: ServerTrustState
        let record: ServerTrustRecord
    }

    // What follows from an event, and what is kept of it. Nothing is changed yet.
    private func change(after event: ServerTrustState.Event, at origin: Origin) -> Change {
        let before = state(of: origin)
        var after = before
        let seconds = time.wallSeconds
        let outcome = after.handle(event, policy: policy, at: origin, seconds: seconds)
        var next = record
        if case .approve = event, case .allow = outcome, case .awaitingReview(let review) = before,
            !review.failures.isEmpty
        {
            // The certificate may have ended while somebody looked at it. The question stays as it is.
            guard let approval = review.approval(at: origin, seconds: seconds, connection: connection) else {
                return Change(outcome: .void, state: before, record: record)
            }
            next.add(approval)
        }
        next.note(after, of: origin)
        return Change(outcome: outcome, state: after, record: next)
    }

    // What several processes write is read again in the same turn: two that each read before the other wrote would lose
    // one of the two changes.
    private func alone(_ body: () throws -> Void) throws {
        guard let shared = storage as? any SharedServerTrustStorage else { return try body() }
        try shared.alone {
            try readAgain()
            try body()
        }
    }

    private func tell() {
        let all = followers.withLock { $0 }
        let policy = policy
        let gone = all.indices.filter { !all[$0](policy) }
        guard !gone.isEmpty else { return }
        followers.withLock { list in
            // Who came meanwhile stands behind the others.
            for index in gone.reversed() where index < list.count { list.remove(at: index) }
        }
    }

    private static func read(_ storage: any ServerTrustStorage) throws -> ServerTrustRecord {
        try storage.read().map { bytes throws(ServerTrustDamage) in try ServerTrustRecord(decoding: bytes) }
            ?? ServerTrustRecord()
    }

    private func keep(_ next: ServerTrustRecord) throws {
        guard next != record else { return }
        try storage.write(try next.encoded())
        record = next
    }
}

extension ServerTrustRecord {
    fileprivate func added(to base: TrustPolicy) -> TrustPolicy {
        var policy = base
        policy.approvals += approvals.filter { !base.approvals.contains($0) }
        policy.knownServers = Dictionary(entries.map { ($0.origin, $0.known) }) { _, later in later }
        return policy
    }
}

extension ServerTrustState {
    fileprivate var isOpen: Bool {
        switch self {
        case .awaitingReview, .blocked: true
        case .unknown, .trusted, .approved: false
        }
    }
}

extension CertificateReview {
    /// The approval of what fails; `nil` when nothing does and only the change was the question.
    fileprivate func approval(at origin: Origin, seconds: Int64, connection: String) -> CertificateApproval? {
        CertificateApproval(
            of: CertificateRefusal(failures: failures, summary: summary, canBeApproved: true), origin: origin,
            at: seconds, connection: connection)
    }
}
