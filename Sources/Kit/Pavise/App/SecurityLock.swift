public import PaviseAppLock
public import PavisePrimitives
internal import PaviseSession
internal import PaviseVault
internal import Synchronization

/// The app lock over an app's accounts: a PIN or passphrase that is stored nowhere. While it is closed no token is
/// read, lent or kept in memory, and every request of every account throws ``PaviseError/Code/appLocked``.
///
/// ```swift
/// try await security.lock.setPIN(pin)
/// security.lock.enterBackground()
/// if !security.lock.enterForeground().isOpen { try await security.lock.unlock(typed) }
/// ```
///
/// What takes half a second (a PIN is stretched on purpose) does not run on the caller's actor, which goes on. A text
/// cannot be wiped from memory: where you can, read the PIN into `SecretBytes`.
public final class SecurityLock: Sendable {
    /// The lock itself, for biometrics and an administrator's orders.
    public let appLock: AppLock
    private let connections: Connections
    private let lifecycle: AppLifecycle
    private let gate: IntegrityGate

    init(_ lock: AppLock, _ connections: Connections, _ lifecycle: AppLifecycle, _ gate: IntegrityGate) {
        self.gate = gate
        appLock = lock
        self.connections = connections
        self.lifecycle = lifecycle
    }

    /// What the lock is now. Never blocks for long; the first look reads the lock's record.
    public var state: AppLockState { appLock.state }

    /// The state now and whenever the lock opens or closes, also where it closes because its time is over. A change
    /// while somebody begins to read is not missed.
    public var states: AsyncStream<AppLockState> {
        Self.states(reading: { [weak appLock] in appLock?.state }) { [appLock] reader, body in
            appLock.observe(for: reader, body)
        }
    }

    /// The same of a lock that a test plays.
    ///
    /// - Parameters:
    ///   - read: The state; `nil` where the lock is gone.
    ///   - observe: Takes who is told of changes, until it returns `false` or the owner is gone.
    package static func states(
        reading read: @escaping @Sendable () -> AppLockState?,
        observing observe: (_ owner: any AnyObject & Sendable, _ body: @escaping @Sendable (Bool) -> Bool) -> Void
    ) -> AsyncStream<AppLockState> {
        let (stream, continuation) = AsyncStream.makeStream(of: AppLockState.self, bufferingPolicy: .bufferingNewest(8))
        // Lives as long as somebody reads, so that the lock does not keep who left.
        let reader = StateReader()
        continuation.onTermination = { _ in withExtendedLifetime(reader) {} }
        // First, so that no change falls between the look and the observation.
        observe(reader) { [weak reader] _ in reader?.tell(continuation, isChange: true, read) ?? false }
        _ = reader.tell(continuation, isChange: false, read)
        return stream
    }

    /// Tells one reader what the lock is, and nothing older after something newer.
    private final class StateReader: Sendable {
        private let changes = Mutex(0)

        /// - Returns: Whether somebody still reads.
        func tell(
            _ continuation: AsyncStream<AppLockState>.Continuation, isChange: Bool, _ read: () -> AppLockState?
        ) -> Bool {
            let before = changes.withLock { changes in
                if isChange { changes += 1 }
                return changes
            }
            // Not under the mutex: a look may notice that the lock's time is over, and tell it from here.
            guard let state = read() else {
                continuation.finish()
                return false
            }
            return changes.withLock { changes in
                // Who noticed a change meanwhile looks after it, and tells that.
                guard changes == before else { return true }
                if case .terminated = continuation.yield(state) { return false }
                return true
            }
        }
    }

    /// Sets the first PIN and seals anew what the accounts keep, with new keys. The lock is open afterwards. Where it
    /// is closed meanwhile (``lockNow()``, or the app leaves the foreground), the PIN is set, the lock closed, and what
    /// the accounts keep is sealed anew after the next unlock.
    ///
    /// - Throws: ``PaviseError``: a weak PIN, one of another length, or there is a PIN already.
    public func setPIN(_ pin: String) async throws(PaviseError) {
        try await set(SharedSecretBytes(SecretBytes(copying: Array(pin.utf8))), .pin)
    }

    /// The same with a PIN in memory that is wiped.
    public func setPIN(_ pin: borrowing SecretBytes) async throws(PaviseError) {
        try await set(SharedSecretBytes(pin.duplicate()), .pin)
    }

    /// Sets a passphrase in place of a PIN.
    public func setPassphrase(_ words: borrowing SecretBytes) async throws(PaviseError) {
        try await set(SharedSecretBytes(words.duplicate()), .passphrase)
    }

    @concurrent
    private func set(_ typed: SharedSecretBytes, _ kind: LockCode) async throws(PaviseError) {
        do { _ = try await connections.setCode(typed.bytes, as: kind) } catch { throw gate.log.told(error) }
    }

    /// Opens the lock. What the accounts keep and is not sealed under the PIN yet is sealed then; where that fails, the
    /// lock is open all the same, the log says why (`error.told`), and the next unlock goes on.
    ///
    /// - Returns: How many wrong PINs were typed before this one.
    /// - Throws: ``PaviseError`` with ``PaviseError/Code/wrongPIN``, ``PaviseError/Code/tryLater``,
    ///   ``PaviseError/Code/wiped``.
    @discardableResult
    public func unlock(_ pin: String) async throws(PaviseError) -> AppLock.Unlocked {
        try await unlock(SharedSecretBytes(SecretBytes(copying: Array(pin.utf8))))
    }

    /// The same with a PIN in memory that is wiped.
    @discardableResult
    public func unlock(_ pin: borrowing SecretBytes) async throws(PaviseError) -> AppLock.Unlocked {
        try await unlock(SharedSecretBytes(pin.duplicate()))
    }

    @concurrent
    private func unlock(_ typed: SharedSecretBytes) async throws(PaviseError) -> AppLock.Unlocked {
        do { _ = try gate.checkAgain() } catch { throw gate.log.told(error) }
        let result = try await elsewhere { [appLock] () throws(AppLockFailure) in try appLock.unlock(typed.bytes) }
        // A change of the PIN that was interrupted goes on now that the keys can be had.
        do {
            if try connections.needsSealing() { _ = try await connections.sealAgain() }
        } catch {
            // It is open: who heard of an error would ask for the PIN again. The next unlock goes on.
            _ = gate.log.told(error)
        }
        return result
    }

    /// Replaces the PIN; what the accounts keep stays as it is.
    public func changePIN(_ old: borrowing SecretBytes, to new: borrowing SecretBytes) async throws(PaviseError) {
        let (old, new) = (SharedSecretBytes(old.duplicate()), SharedSecretBytes(new.duplicate()))
        _ = try await elsewhere { [appLock] () throws(AppLockFailure) in try appLock.changePIN(old.bytes, to: new.bytes)
        }
    }

    /// Removes the PIN: what the accounts keep is sealed by the device alone from then on.
    ///
    /// - Throws: ``PaviseError`` with the code ``PaviseError/Code/managed`` where an administrator asks for one.
    public func removePIN(_ pin: borrowing SecretBytes) async throws(PaviseError) {
        try await remove(SharedSecretBytes(pin.duplicate()))
    }

    @concurrent
    private func remove(_ typed: SharedSecretBytes) async throws(PaviseError) {
        do { _ = try await connections.removeCode(typed.bytes) } catch { throw gate.log.told(error) }
    }

    /// Closes the lock now.
    public func lockNow() { appLock.lock() }

    /// The app was used: the idle time begins anew.
    public func used() { appLock.used() }

    /// The app left the foreground: the screen is covered, the grace begins, and no key or file lock of a database
    /// stays. On iOS and macOS
    /// the system says so by itself; to say it twice is fine.
    public func enterBackground() { lifecycle.report(.enteredBackground(of: LifecycleEvent.app)) }

    /// The app is back in the foreground.
    ///
    /// - Returns: What the lock is now; closed when the app was away for longer than the grace.
    @discardableResult
    public func enterForeground() -> AppLockState {
        lifecycle.report(.becameActive(of: LifecycleEvent.app))
        return appLock.state
    }

    /// - Throws: ``PaviseError`` with ``PaviseError/Code/appLocked`` unless the lock is open, and with
    ///   ``PaviseError/Code/noPIN`` or ``PaviseError/Code/weakPIN`` where an administrator asks for one.
    func check() throws {
        guard appLock.state.isOpen else { throw SessionFailure.locked }
        if let demand = try connections.lockDemand() { throw demand }
    }

    /// Removes the lock, whether its PIN is known or not, and what it was for.
    func wipe() throws { try appLock.wipe() }

    // Half a second of processor time: not on the caller's actor, which may be the one that draws.
    @concurrent
    private func elsewhere<Value: Sendable>(
        _ work: @Sendable () throws(AppLockFailure) -> Value
    ) async throws(PaviseError) -> Value {
        do throws(AppLockFailure) { return try work() } catch { throw gate.log.told(error) }
    }
}
