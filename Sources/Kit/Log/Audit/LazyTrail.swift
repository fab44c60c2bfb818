package import PavisePrimitives
internal import PaviseVault
internal import Synchronization

/// A trail that is opened with its first event: what is not asked for costs nothing, and makes no file and no key.
package final class LazyTrail: AuditRecorder {
    private struct State {
        var trail: AuditTrail?
        var lost = 0
    }
    private let folder: String
    private let name: String
    private let time: TimeSource
    private let state = Mutex(State())

    /// The trail in `folder`, in the keychain of this user.
    package init(folder: String, name: String, time: TimeSource) {
        self.folder = folder
        self.name = name
        self.time = time
    }

    /// Opens the trail where it is not open, and writes the event. Where it cannot be opened (the keychain is
    /// locked), the event is counted, and the next one that is written says how many were lost.
    package func record(_ event: AuditEvent) {
        state.withLock { state in
            if state.trail == nil { state.trail = try? AuditTrail(folder: folder, name: name, time: time) }
            guard let trail = state.trail else {
                state.lost += 1
                return
            }
            if state.lost > 0 {
                trail.record(AuditEvent(.trailLost, ["count": "\(state.lost)"]))
                state.lost = 0
            }
            trail.record(event)
        }
    }
}
