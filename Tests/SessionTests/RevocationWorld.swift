import Pavise
import PaviseLab
import PaviseManaged
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport

@testable import PaviseSession

/// A device whose network can be taken away, connected to the lab's authority. What it keeps outlives each
/// `Connections`, as it outlives each process; every vault has a key of its own.
final class RevocationWorld: Sendable {
    let authority: LabAuthority
    let time = ManualTime(wallSeconds: TimeSource.system.wallSeconds)
    let network = Network()
    /// Where sessions lie.
    let memory = MemoryStore()
    /// Where revocations wait.
    let waiting = MemoryStore()
    let home: PaviseHome
    private let keys = Mutex<[ConnectionID: CountedKey]>([:])
    private let folder: TemporaryFolder
    private let anchor: [UInt8]

    init(change: (inout AuthorityConfiguration) -> Void = { _ in }) throws {
        let certificates = try CertificateAuthority()
        var configuration = AuthorityConfiguration()
        change(&configuration)
        authority = try LabAuthority.start(try certificates.issue(), configuration: configuration)
        anchor = certificates.anchor
        folder = try TemporaryFolder()
        home = PaviseHome(path: folder.path + "/home")
    }

    deinit { authority.stop() }

    /// The connections as a process of its own would open them.
    func connections(
        _ change: (inout RefreshPolicy) -> Void = { _ in }, managed: ManagedFile = .none
    ) -> Connections {
        var policy = RefreshPolicy()
        // A slow machine must not look like a slow server.
        policy.revocation = .seconds(60)
        change(&policy)
        return Connections(
            home: home, environment: SessionEnvironment(time: time.source, chance: { 0.5 }), policy: policy,
            managed: managed,
            makeClient: { [network, anchor] (trust) throws(TransportFailure) in
                network.policies.withLock { $0.append(trust) }
                var trust = trust
                trust.anchors = .only([anchor])
                return try HTTPClient(policy: trust).behind(network)
            },
            makeVault: { [self] id in
                TokenVault(store: id == .revocations ? waiting : memory, key: key(of: id))
            })
    }

    /// Makes good what waits, as a process of its own would.
    func finish() async -> RevocationsReport { await connections().finishRevocations(within: .seconds(120)) }

    /// A connection with bearer tokens.
    @discardableResult
    func signedIn(
        _ name: String = "work", secret: SharedSecretBytes? = nil, approvals: [CertificateApproval] = [],
        pins: [Pin] = []
    ) async throws -> Connection {
        let connection = try connections().add(
            name, origin: try WebURL(authority.issuer).origin, clientID: "pavise-lab", scopes: ["api"],
            approvals: approvals, pins: pins)
        let browser = AddressReader { [authority] (url) throws(BrowserFailure) in
            do { _ = try LabBrowser.open(try authority.approve(url.description)) } catch {
                throw BrowserFailure("\(error)")
            }
        }
        try await connection.signIn(browser: browser, clientSecret: secret, binding: .never)
        return connection
    }

    /// The key that seals for a connection, or for the queue.
    func key(of id: ConnectionID) -> CountedKey {
        keys.withLock { keys in
            if let key = keys[id] { return key }
            let key = CountedKey(id)
            keys[id] = key
            return key
        }
    }

    /// The queue as it lies in its store.
    func queue(
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) -> RevocationQueue {
        RevocationQueue(
            vault: TokenVault(store: waiting, key: key(of: .revocations)), folder: home.connections,
            environment: SessionEnvironment(time: time.source, sleep: sleep, chance: { 0.5 }), policy: RefreshPolicy())
    }

    /// Whether something waits, and its key is there.
    var isQueueThere: Bool { !waiting.state.withLock { $0.items.isEmpty } && key(of: .revocations).isThere }

    /// What the revocation endpoint was asked for, in order.
    var asked: [String] {
        authority.server.requests.filter { authority.address(.revoke).hasSuffix($0.path) }
            .compactMap { $0.form("token") }
    }

    /// The newest token of a kind.
    func token(_ kind: IssuedToken.Kind) -> String { authority.issuedTokens.last { $0.kind == kind }?.value ?? "" }
}

/// A network that can be taken away, and that remembers who was to be trusted.
final class Network: Sendable {
    let policies = Mutex<[TrustPolicy]>([])
    private let state = Mutex((isDown: false, onSend: nil as (@Sendable () async -> Void)?))

    var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// Happens once, before the next request leaves.
    func onSend(_ body: (@Sendable () async -> Void)?) { state.withLock { $0.onSend = body } }

    func pass() async throws(TransportFailure) {
        let (isDown, onSend) = state.withLock { state in
            defer { state.onSend = nil }
            return state
        }
        await onSend?()
        if isDown { throw .network("no network", sent: false) }
    }
}

extension HTTPClient {
    /// This client behind a ``Network``.
    fileprivate func behind(_ network: Network) -> HTTPClient {
        HTTPClient { [self] (order) async throws(TransportFailure) in
            try await network.pass()
            return try await exchange(order.request, carrying: order.lines)
        }
    }
}

/// A key in memory that opens only what it sealed itself: a key that was destroyed and made again is another one.
final class CountedKey: SealingKey {
    private let state = Mutex((isThere: false, made: UInt8(0)))
    private let mask: UInt8

    init(_ id: ConnectionID) { mask = id.text.utf8.reduce(0x5A, ^) | 1 }

    var isThere: Bool { state.withLock { $0.isThere } }

    func prepare() throws(VaultFailure) {
        state.withLock { state in
            guard !state.isThere else { return }
            state = (true, state.made &+ 1)
        }
    }

    func destroy() throws(VaultFailure) { state.withLock { $0.isThere = false } }

    func seal(_ plain: Span<UInt8>) throws(VaultFailure) -> [UInt8] {
        let state = state.withLock { $0 }
        guard state.isThere else { throw .keyLost }
        return [mask, state.made] + plain.indices.map { plain[$0] ^ mask }
    }

    func open(_ packet: Span<UInt8>) throws(VaultFailure) -> SecretBytes {
        let state = state.withLock { $0 }
        guard state.isThere else { throw .keyLost }
        guard packet.count > 1, packet[0] == mask, packet[1] == state.made else { throw .corrupt(.packet) }
        return SecretBytes(count: packet.count - 2) { target in
            for index in 0..<target.count { target[index] = packet[index + 2] ^ mask }
        }
    }
}
