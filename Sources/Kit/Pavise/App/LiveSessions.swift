internal import PaviseSession
internal import Synchronization

/// The sessions that are in memory: what ends or begins one of an account reaches the others of it there too, not only
/// where they are stored.
final class LiveSessions: Sendable {
    private struct Known {
        weak var session: Session?
        let account: String
    }
    private let sessions = Mutex<[Known]>([])
    private let endings = Mutex(0)
    private let stepUps = Mutex<[String: StepUp]>([:])

    /// How many sign-outs, removals and wipes were begun: what was asked for before one is kept for nobody after it.
    var endCount: Int { endings.withLock { $0 } }

    /// A sign-out, a removal or a wipe begins. Said before anything goes.
    func beginEnd() { endings.withLock { $0 += 1 } }

    /// The sign-ins that servers want of this account: one at a time, however many values of it an app has.
    func stepUp(of account: String) -> StepUp {
        stepUps.withLock { known in
            let stepUp = known[account] ?? StepUp()
            known[account] = stepUp
            return stepUp
        }
    }

    func add(_ session: Session, of account: String) {
        sessions.withLock { known in
            known.removeAll { $0.session == nil || $0.session === session }
            known.append(Known(session: session, account: account))
        }
    }

    /// The account of this name was signed in or out by `session`, or removed: the others forget what they hold, and
    /// read what is stored now.
    func startOver(of account: String, but session: Session? = nil) async {
        let others = sessions.withLock { known in
            known.filter { $0.account == account && $0.session !== session }.compactMap(\.session)
        }
        for other in others { await other.startOver() }
    }

    /// Ends each: nothing is lent any more. No server is asked.
    func end() async {
        let all = sessions.withLock { known in known.compactMap(\.session) }
        for session in all { _ = await session.endLocally() }
    }
}
