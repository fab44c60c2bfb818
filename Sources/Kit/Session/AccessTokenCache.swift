internal import PavisePrimitives
internal import Synchronization

/// The access token that the session lent last, for the callers of the next moment: they do not queue for the actor.
///
/// The session forgets it with every change of what it knows. Time alone changes a decision, too, so it is not lent for
/// long.
final class AccessTokenCache: Sendable {
    private struct Entry {
        let token: AccessToken
        let since: ClockReading
    }
    private let entry = Mutex<Entry?>(nil)
    private static let longest: Int64 = 20

    /// Lends `token` from now on.
    func lend(_ token: AccessToken, at now: ClockReading) { entry.withLock { $0 = Entry(token: token, since: now) } }

    func forget() { entry.withLock { $0 = nil } }

    /// The token, within 20 ms of the decision for it, by both clocks.
    func token(at now: ClockReading) -> AccessToken? {
        entry.withLock { entry in
            guard let entry, now.isSameBoot(as: entry.since), Self.isSoon(now.continuous, entry.since.continuous),
                Self.isSoon(now.wall, entry.since.wall)
            else { return nil }
            return entry.token
        }
    }

    private static func isSoon(_ now: Int64, _ since: Int64) -> Bool {
        let (distance, overflows) = now.subtractingReportingOverflow(since)
        return !overflows && (0..<longest).contains(distance)
    }
}
