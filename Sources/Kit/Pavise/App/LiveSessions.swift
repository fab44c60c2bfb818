internal import PaviseSession
internal import Synchronization

/// The sessions that are in memory: a wipe ends them there too, not only where they are stored.
final class LiveSessions: Sendable {
    private struct Weak { weak var session: Session? }
    private let sessions = Mutex<[Weak]>([])

    func add(_ session: Session) {
        sessions.withLock { known in
            known.removeAll { $0.session == nil || $0.session === session }
            known.append(Weak(session: session))
        }
    }

    /// Ends each: nothing is lent any more. No server is asked.
    func end() async {
        let all = sessions.withLock { known in known.compactMap(\.session) }
        for session in all { _ = await session.endLocally() }
    }
}
