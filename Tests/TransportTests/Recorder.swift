import PaviseTransport
import Synchronization

/// Keeps the receiver of a session's callbacks, for a test that calls back itself.
final class Recorder: Sendable {
    private let events = Mutex<(any DrivenEvents)?>(nil)

    func take(_ found: any DrivenEvents) { events.withLock { $0 = found } }

    func challenge(_ task: Int, by challenge: DrivenChallenge) -> DrivenResponse {
        events.withLock { $0 }?.challenged(task, by: challenge) ?? .nothing
    }
}
