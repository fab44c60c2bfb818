public import PaviseAppLock
internal import PaviseManaged
internal import PaviseSession
internal import PaviseTransport

extension Connections {
    /// Reads the administrator's rules now, and lets the open connections and the lock go by them (connections C35).
    ///
    /// A connection whose method is no longer allowed sends nothing any more and throws `TransportFailure.managed`, and
    /// so does each one while the rules cannot be read; its tokens and its data stay, and it goes on when the rules let
    /// it. A server that is no longer allowed, another pin or a denied key are judged with a new handshake. A session
    /// whose longest time is over by the new rules ends at its next use. The lock takes over the figures at once; where
    /// the rules cannot be read, it keeps those that it has. What is on its way ends under the rules of before.
    ///
    /// ``AppLifecycle`` calls it when the rules change.
    ///
    /// - Parameter lock: The lock that follows.
    /// - Returns: What was found, for `ManagedReport`.
    @discardableResult
    public func applyRules(to lock: AppLock? = nil) async -> Result<ManagedConfiguration?, ManagedFile.Failure> {
        // One after the other: what was read earlier must not loosen what came of a later look.
        await opened.inTurn { await applyNow(to: lock) }
    }

    private func applyNow(to lock: AppLock?) async -> Result<ManagedConfiguration?, ManagedFile.Failure> {
        let found = Result { () throws(ManagedFile.Failure) in try managed.read() }
        lockedWork.follow(found)
        if case .success(let rules) = found {
            lock?.follow(rules.map { AppLockTightening($0.appLock) } ?? AppLockTightening())
        }
        for entry in opened.all {
            switch standing(of: entry.descriptor, under: found) {
            case .stopped(let words): entry.client?.stop(because: words)
            case .usable(let trust, let policy):
                await entry.keeper?.follow(trust)
                entry.client?.follow(trust)
                await entry.session?.follow(policy)
                entry.client?.stop(because: nil)
            }
        }
        managed.tell(ManagedReport(found))
        return found
    }
}
