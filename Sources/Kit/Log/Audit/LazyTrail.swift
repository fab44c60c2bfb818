package import PavisePrimitives
package import PaviseVault
internal import Synchronization

/// A trail that is opened with its first event: what is not asked for costs nothing, and makes no file and no key.
package final class LazyTrail: AuditRecorder {
    private struct State {
        var trail: AuditTrail?
        // What could not be counted on the disk either.
        var lost = 0
    }
    private let folder: String
    /// Names the trail in the secret store.
    package let name: String
    private let time: TimeSource
    /// Keeps its key.
    package let store: any SecretStore
    private let state = Mutex(State())

    /// The trail in `folder`, in the keychain of this user.
    package init(folder: String, name: String, time: TimeSource, store: any SecretStore = KeychainStore()) {
        self.folder = folder
        self.name = name
        self.time = time
        self.store = store
    }

    /// Opens the trail where it is not open, and writes the event. Where it cannot be opened (the keychain is locked),
    /// the event is counted in the folder, and the next one that is written, by this process or a later one, says how
    /// many were lost.
    package func record(_ event: AuditEvent) {
        state.withLock { state in
            if state.trail == nil {
                state.trail = try? AuditTrail(folder: folder, name: name, store: store, time: time)
            }
            guard let trail = state.trail else {
                try? DurableFile.makeDirectory(folder)
                state.lost = LostEvents(in: folder).add(state.lost + 1) ? 0 : state.lost + 1
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
