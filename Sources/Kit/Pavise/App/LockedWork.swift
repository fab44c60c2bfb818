internal import PaviseManaged
internal import PaviseSession
internal import PaviseVault
internal import Synchronization

/// Whether accounts may be used while the app lock is closed (app-lock AL43): only where the product's policy permits
/// it, and no administrator forbids it. Rules that cannot be read forbid.
///
/// It is the gate of those sessions in the place of the lock, and it says with which key a vault seals: what is to be
/// read without the lock lies in no box of the lock's.
package final class LockedWork: AccessGate {
    private struct State {
        var isOpen: Bool
        var observers = GateObservers()
    }
    private let own: RefreshPolicy
    private let state: Mutex<State>

    /// No permission.
    package convenience init() { self.init(RefreshPolicy(), permitsPasswords: false) }

    /// The permission of a product's policy. It has no effect for a product that keeps passwords: a password is never
    /// without the lock.
    init(_ policy: RefreshPolicy, permitsPasswords: Bool) {
        var own = policy
        if permitsPasswords { own.whileLocked = false }
        self.own = own
        // Closed until the rules are known.
        state = Mutex(State(isOpen: false))
    }

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    package func observe(for owner: (any AnyObject & Sendable)?, _ body: @escaping @Sendable (Bool) -> Bool) {
        state.withLock { $0.observers.add(for: owner, body) }
    }

    /// Goes by an administrator's rules from now on.
    func follow(_ rules: Result<ManagedConfiguration?, ManagedFile.Failure>) {
        let isOpen: Bool
        switch rules {
        case .success(let rules): isOpen = own.tightened(by: rules?.session).whileLocked
        case .failure: isOpen = false
        }
        let observers = state.withLock { state -> [(id: UInt64, body: @Sendable (Bool) -> Bool)] in
            guard state.isOpen != isOpen else { return [] }
            state.isOpen = isOpen
            return state.observers.all
        }
        // Nobody is called under the mutex.
        for (id, observer) in observers where !observer(isOpen) { state.withLock { $0.observers.remove(id) } }
    }
}
