internal import PaviseLog
internal import PavisePrimitives
package import PaviseStorage
public import PaviseTransport
internal import Synchronization

/// A server that was looked at before anything is sent to it: one handshake, no request, no credential.
///
/// ```swift
/// let server = try await security.review("https://cloud.example.org")
/// switch server.verdict {
/// case .trusted: break
/// case .needsApproval(let certificate):
///     try await ask(certificate)
///     try await server.approve()
/// case .refused(let reason): throw reason
/// }
/// let account = try await security.connect(server, as: "work", clientID: "diary")
/// ```
///
/// ``AppSecurity/connect(_:as:clientID:options:)`` looks at every other server of the sign-in too. Where one of them
/// needs approval, it throws an error with the code ``PaviseError/Code/approvalNeeded``, ``verdict`` has the question,
/// and connecting again goes on.
public final class ReviewedServer: Sendable {
    /// A server that was looked at on the way of a sign-in: before the first byte of a request went there (connections
    /// C1, C25).
    public struct Hop: Hashable, Sendable {
        /// Where.
        public let origin: Origin
        /// What it was looked at for: `server` is the given address, `webfinger` the server of the person's address,
        /// `issuer` the authority; all else are the metadata's names, for example `token_endpoint`.
        public let purposes: [String]
        /// What it showed in its last handshake, also where that satisfies every rule; `nil` where that could not be
        /// read.
        public let certificate: CertificateSummary?
        /// Whether the rules, or an approval, allowed that.
        public let isTrusted: Bool
    }

    /// What was found.
    public enum Verdict: Sendable {
        /// The certificate satisfies every rule, or was approved. The summary is for a person who wants to see it.
        case trusted(CertificateSummary?)
        /// The rules refuse the certificate, and a person may approve it after comparing its key with the server's
        /// owner.
        case needsApproval(CertificateReview)
        /// Nobody may approve it.
        case refused(PaviseError)
    }

    /// A server that only the metadata of the sign-in's authority names.
    public struct Other: Hashable, Sendable {
        /// Where.
        public let origin: Origin
        /// What the metadata names it for, for example `token_endpoint`.
        public let purposes: [String]
        /// What it showed: it satisfies every rule, or was approved.
        public let certificate: CertificateSummary?
    }

    private struct State {
        var verdict: Verdict
        var origin: Origin
        var others: [NamedServer] = []
        var accepted: Set<Origin> = []
    }

    /// The address that was given.
    let url: WebURL
    /// The connection that may come of it.
    package let id: ConnectionID
    package let keeper: KnownServersStore
    package let draft: ServerDraft
    private let makeClient: Connections.MakeClient
    /// Errors get their number from it.
    private let log: EventLog
    private let transcript = ConnectTranscript()
    private let state: Mutex<State>

    init(
        _ url: WebURL, id: ConnectionID, keeper: KnownServersStore, draft: ServerDraft,
        makeClient: @escaping Connections.MakeClient, log: EventLog
    ) {
        self.url = url
        self.id = id
        self.keeper = keeper
        self.draft = draft
        self.makeClient = makeClient
        self.log = log
        state = Mutex(State(verdict: .trusted(nil), origin: url.origin))
    }

    /// What was found at the server, or at the server of its sign-in that was looked at last.
    public var verdict: Verdict { state.withLock { $0.verdict } }

    /// The server that ``verdict`` is about.
    public var origin: Origin { state.withLock { $0.origin } }

    /// Approves the certificate that ``verdict`` shows, after a person has compared it: for this server, this key,
    /// exactly what was shown, and for 90 days at most.
    ///
    /// - Throws: ``PaviseError``: the certificate changed meanwhile, or nobody may approve it.
    public func approve() async throws(PaviseError) {
        let (verdict, origin) = state.withLock { ($0.verdict, $0.origin) }
        guard case .needsApproval(let review) = verdict else { return }
        do {
            let outcome = try await keeper.approve(review.summary.fingerprint, at: origin)
            guard case .allow = outcome else {
                let failures = review.failures.isEmpty ? [.keyChanged] : review.failures
                throw ConnectRefusal.certificate(
                    CertificateRefusal(failures: failures, summary: review.summary, canBeApproved: true), origin)
            }
        } catch {
            throw log.told(error)
        }
        state.withLock { $0.verdict = .trusted(review.summary) }
        transcript.note(origin, [], review.summary, isTrusted: true)
    }

    /// Every server that was looked at since the review, in the order of the sign-in, with what it showed: the server
    /// itself, the one of the person's address, the authority, and those that its metadata names. Each stands here
    /// before anything is sent to it, so that a person sees the whole way, also where nobody has to be asked.
    ///
    /// ```swift
    /// for hop in server.hops { show(hop.origin, hop.certificate?.issuer, hop.certificate?.notAfter) }
    /// ```
    public var hops: [Hop] {
        transcript.hops.map {
            Hop(origin: $0.origin, purposes: $0.purposes, certificate: $0.certificate, isTrusted: $0.isTrusted)
        }
    }

    /// The servers that only the authority's metadata names, where ``AppSecurity/connect(_:as:clientID:options:)``
    /// threw an error with the code ``PaviseError/Code/consentNeeded``: show them to the person. Tokens and codes go
    /// there.
    public var others: [Other] {
        state.withLock { $0.others }.map {
            Other(origin: $0.origin, purposes: $0.purposes, certificate: $0.certificate)
        }
    }

    /// Agrees to exactly the servers of ``others``; connect again then. A list that differs is asked about again, at
    /// each later sign-in of the account too. What an account does by itself, for example a sign-in that its server
    /// wants, goes to no server beyond the list: it ends with the code ``PaviseError/Code/consentNeeded``, and
    /// ``Account/review()`` asks again.
    public func acceptOthers() { state.withLock { $0.accepted = Set($0.others.map(\.origin)) } }

    func accepts(_ servers: [NamedServer]) -> Bool {
        state.withLock { state in
            state.others = servers
            return state.accepted == Set(servers.map(\.origin))
        }
    }

    /// The same for the first of them, alone or with others that were agreed to beside it.
    func accepts(first server: NamedServer) -> Bool {
        state.withLock { state in
            if state.accepted.contains(server.origin) { return true }
            state.others = [server]
            return false
        }
    }

    /// Says no: the server stays refused until it is looked at again.
    public func reject() async throws(PaviseError) {
        let origin = origin
        do { _ = try await keeper.reject(at: origin) } catch { throw log.told(error) }
    }

    /// Looks at a server by this connection's policy, and notes what it showed.
    ///
    /// - Parameter purposes: What the sign-in comes to it for; see ``Hop``.
    /// - Returns: Whether it may be used now.
    func look(at origin: Origin, for purposes: [String]) async throws -> Bool {
        let (outcome, summary) = try await keeper.look(at: origin, through: makeClient)
        var verdict = Self.verdict(on: outcome, summary, at: origin)
        if case .refused(let error) = verdict { verdict = .refused(log.told(error)) }
        state.withLock { [verdict] state in
            state.verdict = verdict
            state.origin = origin
        }
        let isTrusted = if case .trusted = verdict { true } else { false }
        transcript.note(origin, purposes, summary, isTrusted: isTrusted)
        return isTrusted
    }

    static func verdict(
        on outcome: ServerTrustState.Outcome, _ summary: CertificateSummary?, at origin: Origin
    ) -> Verdict {
        switch outcome {
        case .allow: return .trusted(summary)
        case .ask(let review), .rejected(let review): return .needsApproval(review)
        case .deny(let refusal): return .refused(PaviseError(ConnectRefusal.certificate(refusal, origin)))
        // No look ends so today: nothing was decided, and nothing is sent.
        case .void:
            let refusal = CertificateRefusal(failures: [.notCompliant], summary: summary, canBeApproved: false)
            return .refused(PaviseError(ConnectRefusal.certificate(refusal, origin)))
        }
    }
}

extension KnownServersStore {
    /// Looks at a server before anything is sent to it: one handshake, whose certificate is judged and remembered.
    package func look(
        at origin: Origin, through makeClient: Connections.MakeClient
    ) async throws -> (outcome: ServerTrustState.Outcome, summary: CertificateSummary?) {
        // What is known is compared here, where the differences can be said.
        var policy = policy
        policy.knownServers = [:]
        let inspection = try await makeClient(policy).inspect(origin)
        return (try look(at: inspection), inspection.summary)
    }
}

/// The record of servers of a connection that is not made yet.
package final class ServerDraft: ServerTrustStorage {
    private let bytes = Mutex<[UInt8]?>(nil)

    package init() {}

    package func read() throws -> [UInt8]? { bytes.withLock { $0 } }
    package func write(_ bytes: [UInt8]) throws { self.bytes.withLock { $0 = bytes } }

    /// What was written last.
    package var content: [UInt8]? { bytes.withLock { $0 } }
}
