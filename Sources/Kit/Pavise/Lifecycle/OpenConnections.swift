internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport
internal import Synchronization

/// The connections that this program has open, as long as somebody holds them.
final class OpenConnections: Sendable {
    /// One of them.
    struct Entry {
        let descriptor: ConnectionDescriptor
        weak var client: HTTPClient?
        weak var keeper: KnownServersStore?
        weak var session: Session?
    }
    private struct State {
        var entries: [Entry] = []
        var room = 64
    }
    private let state = Mutex(State())
    private let turn = Mutex<Task<Void, Never>?>(nil)

    func add(_ connection: Connection) {
        let entry = Entry(
            descriptor: connection.descriptor, client: connection.client, keeper: connection.servers,
            session: connection.session)
        state.withLock { state in
            if state.entries.count >= state.room {
                state.entries.removeAll { $0.client == nil && $0.session == nil }
                state.room = max(64, state.entries.count * 2)
            }
            state.entries.append(entry)
        }
    }

    /// Runs `body` when what was begun before it has ended.
    func inTurn<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let task = turn.withLock { last in
            let before = last
            let task = Task {
                await before?.value
                return await body()
            }
            last = Task { _ = await task.value }
            return task
        }
        return await task.value
    }

    /// Those that are there now.
    var all: [Entry] { state.withLock { $0.entries.filter { $0.client != nil || $0.session != nil } } }
}

extension Connections {
    /// The network came back, or the app came to the foreground: the sessions that wait for a server go on at once.
    /// ``AppLifecycle`` calls it.
    public func wakeUp() async {
        for entry in opened.all { await entry.session?.wakeUp() }
        await wokeUp()
    }

    /// The machine slept, or its networks changed: nobody waits for an answer over a connection of before, of which
    /// the server or a router on the way may know nothing any more.
    func renewAll() {
        for entry in opened.all { entry.client?.renewConnections() }
    }
}
