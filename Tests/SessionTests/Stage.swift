import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport

@testable import PaviseSession

/// One signed-in device: a server, a store that outlives sessions, clocks that stand still.
final class Stage: Sendable {
    let server: ScriptedServer
    let memory = MemoryStore()
    let key = MemoryKey()
    let time = ManualTime()
    let folder: TemporaryFolder
    let naps = Naps()
    let resource = Origin(scheme: .https, host: "cloud.example", port: 443)
    static let name = ItemName(checkedService: "org.pavise.session", "stage")

    init(_ server: ScriptedServer = ScriptedServer()) throws {
        self.server = server
        folder = try TemporaryFolder()
    }

    var environment: SessionEnvironment {
        SessionEnvironment(time: time.source, sleep: { [naps] in try await naps.sleep($0) }, chance: { 0.5 })
    }

    var store: SessionStore {
        SessionStore(vault: TokenVault(store: memory, key: key), name: Self.name, folder: folder.path)
    }

    var tokenServer: TokenServer {
        get throws {
            TokenServer(
                issuer: "https://id.example", clientID: "app", tokenEndpoint: try WebURL("https://id.example/token"),
                revocationEndpoint: try WebURL("https://id.example/revoke"))
        }
    }

    /// Signs in with `at-0` and `rt-0`, into the store of the stage unless another is given.
    func signIn(
        lifetime: Int64 = 1800, refresh: String? = "rt-0", subject: String? = "ann", into other: SessionStore? = nil
    ) async throws {
        let server = try tokenServer
        let now = ClockReading(time.source)
        let grant = TokenGrant(
            accessToken: SharedSecretBytes("at-0"), refreshToken: refresh.map { SharedSecretBytes($0) },
            lifetime: lifetime)
        let identity = subject.map { SessionRecord.Identity(issuer: "https://id.example", subject: $0) }
        let resource = resource
        _ = try await (other ?? store).begin(
            { stamp in
                SessionRecord(
                    beginning: grant, server: server, resource: resource, identity: identity, scopes: ["openid"],
                    after: stamp, at: now)
            }, at: now)
    }

    /// A session object, as a process of its own would make one.
    func session(_ policy: RefreshPolicy = RefreshPolicy()) -> Session {
        Session(store: store, client: server.client, environment: environment, policy: policy)
    }

    var record: SessionRecord? {
        get throws {
            guard case .present(let record) = try store.load() else { return nil }
            return record
        }
    }

    /// Lets other tasks run until it is so; false when it never is.
    func comesTo(_ isSo: () -> Bool) async -> Bool {
        // The time counts only for what never comes.
        let end = ContinuousClock.now + .seconds(30)
        repeat {
            if isSo() { return true }
            await Task.yield()
        } while ContinuousClock.now < end
        return false
    }

    func request(_ path: String = "/files") throws -> HTTPRequest {
        HTTPRequest("GET", try WebURL("https://cloud.example\(path)"))
    }
}

/// Waiting under a test's control: a sleeper sleeps until it is woken or cancelled.
final class Naps: Sendable {
    private struct State {
        var sleepers: [Int: (Duration, CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var next = 0
        var all: [Duration] = []
    }
    private let state = Mutex(State())

    func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            state.next += 1
            state.all.append(duration)
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard !state.cancelled.contains(id) else { return true }
                    state.sleepers[id] = (duration, continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(id)
                return state.sleepers.removeValue(forKey: id)
            }
            sleeper?.1.resume(throwing: CancellationError())
        }
    }

    /// How long the sleepers of now want to sleep.
    var current: [Duration] { state.withLock { $0.sleepers.values.map(\.0) } }

    /// Wakes all who sleep between `shortest` and `longest`.
    func wake(from shortest: Duration = .zero, upTo longest: Duration) {
        let woken = state.withLock { state in
            let found = state.sleepers.filter { $0.value.0 >= shortest && $0.value.0 <= longest }
            for id in found.keys { state.sleepers[id] = nil }
            return found.values.map(\.1)
        }
        for sleeper in woken { sleeper.resume() }
    }

    /// Lets other tasks run until somebody sleeps between the two durations; false when nobody ever does.
    func isSleeping(from shortest: Duration = .zero, upTo longest: Duration) async -> Bool {
        for _ in 0..<2_000_000 {
            if current.contains(where: { $0 >= shortest && $0 <= longest }) { return true }
            await Task.yield()
        }
        return false
    }

    /// Lets other tasks run until somebody sleeps between the two durations.
    func waitForSleeper(from shortest: Duration = .zero, upTo longest: Duration) async {
        while !current.contains(where: { $0 >= shortest && $0 <= longest }) { await Task.yield() }
    }
}
