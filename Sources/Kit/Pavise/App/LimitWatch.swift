internal import PaviseSession
internal import Synchronization

/// Looks at a session when one of its limits passes, though nobody asks (app-lock AL38), and says so beforehand (AL39).
final class LimitWatch: Sendable {
    private let account: String
    private let board: NoticeBoard
    private let policy: RefreshPolicy
    private let sleep: @Sendable (Duration) async throws -> Void
    private let isTold = Mutex(false)

    init(
        account: String, board: NoticeBoard, policy: RefreshPolicy,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.account = account
        self.board = board
        self.policy = policy
        self.sleep = sleep
    }

    /// How long before the longest time of a session a person is told: a tenth of it, and a day at most.
    var ahead: Duration { min(.seconds(86_400), policy.absoluteLimit / 10) }

    /// Goes on until the session is over, or nobody holds it any more.
    func follow(_ session: @Sendable () -> Session?) async {
        var before: SessionTimeLeft?
        while !Task.isCancelled, let left = await session()?.timeLeft {
            // Time that stands still, as in a test, is not waited for twice.
            guard left != before else { return }
            before = left
            let isSoon = left.untilMaximum <= ahead
            // The time left of one session only falls: this is another one.
            if !isSoon { isTold.withLock { $0 = false } }
            if isSoon, !told() { board.tell(SecurityNotice("endsSoon", .signIn, account: account)) }
            let next = min(left.untilMaximum, left.untilInactive)
            guard next > .zero else {
                // To look is what ends it.
                _ = await session()?.state
                return
            }
            let pause = isSoon ? next : min(next, left.untilMaximum - ahead)
            guard (try? await sleep(max(.seconds(1), pause))) != nil else { return }
        }
    }

    // Once for each session of an account, however often its tokens are renewed.
    private func told() -> Bool {
        isTold.withLock { isTold in
            defer { isTold = true }
            return isTold
        }
    }
}
