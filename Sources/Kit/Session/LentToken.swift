internal import Synchronization

/// The access token that the session lent last, for the callers of the next moment: they do not queue for the actor.
///
/// The session forgets it with every change of what it knows. Time alone changes a decision, too, so it is not lent for long.
final class LentToken: Sendable {
    private struct Loan {
        let token: AccessToken
        let since: Moment
    }
    private let loan = Mutex<Loan?>(nil)
    private static let longest: Int64 = 20

    /// Lends `token` from now on.
    func lend(_ token: AccessToken, at now: Moment) { loan.withLock { $0 = Loan(token: token, since: now) } }

    func forget() { loan.withLock { $0 = nil } }

    /// The token, within 20 ms of the decision for it, by both clocks.
    func token(at now: Moment) -> AccessToken? {
        loan.withLock { loan in
            guard let loan, now.isSameBoot(as: loan.since), Self.isSoon(now.boot, loan.since.boot),
                Self.isSoon(now.wall, loan.since.wall)
            else { return nil }
            return loan.token
        }
    }

    private static func isSoon(_ now: Int64, _ since: Int64) -> Bool {
        let (distance, overflows) = now.subtractingReportingOverflow(since)
        return !overflows && (0..<longest).contains(distance)
    }
}
