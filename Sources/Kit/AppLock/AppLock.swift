internal import PaviseIntegrity
package import PaviseLog
package import PavisePrimitives
package import PaviseVault
internal import Synchronization

/// The lock of an app: a PIN that is never stored, and a key that cannot be derived without it.
///
/// The lock's key exists in memory while the lock is open; on the disk it is encrypted under a key that the PIN and the
/// secure element derive together. What an app seals with ``key(for:)`` cannot be opened while the lock is closed,
/// whatever files are removed or changed.
///
/// ```swift
/// let lock = AppLock { _ in try wipeEverything() }
/// try lock.setPIN(typed)
/// guard lock.state.isOpen else { return show() }
/// ```
///
/// All functions that take a PIN block for at least a quarter of a second: call them off the main thread.
public final class AppLock: Sendable {
    /// Takes the final action: wipes what the product keeps beside the lock. It is called again after a crash, so it
    /// has to be safe to repeat; it runs before anybody is told.
    public typealias FinalHandler = @Sendable (AppLockPolicy.FinalAction) throws -> Void

    let parts: AppLockParts
    let finalHandler: FinalHandler
    /// The product's figures.
    public let product: AppLockPolicy
    let memory: Mutex<Memory>
    let relay: AuditRelay
    /// Held during the first look at the record.
    let firstLook = Mutex(())
    /// The lock whose first look this is.
    @TaskLocal static var opening: ObjectIdentifier?

    /// What changes while the program runs.
    struct Memory {
        var machine: AppLockMachine
        /// The lock's record as it was read last.
        var record: LockRecord?
        var isOpened = false
        /// When the last use was written.
        var written: ClockReading?
        /// New packets are sealed without the lock's key: on the way to a removal.
        var sealsPlainly = false
        /// Who wants to know when it opens or closes.
        var observers = GateObservers()
        /// What they are still to be told, and whether somebody tells them now.
        var news: [Bool] = []
        var isTelling = false
        /// What its timer waits with; `nil` where it closes only when somebody looks.
        var sleep: (@Sendable (Duration) async throws -> Void)?
        /// Counts timers: an earlier one ends.
        var timer: UInt64 = 0
        /// The newest one.
        var timing: Task<Void, Never>?
        /// Who keeps a copy of the key for biometrics.
        var keepers: [any BiometricKeeper] = []
        /// What has to be had before anything opens; `nil` where nobody looks at the device.
        var clearance: (@Sendable () -> IntegrityClearance?)?
        /// When a right PIN was typed last, in this run.
        var proved: ClockReading?
        /// Whether a try is under way: a key that it has proved is not where it waits yet.
        var isProving = false
    }

    /// A lock of the caller's parts.
    package init(
        _ parts: AppLockParts, policy: AppLockPolicy = .standard, tightened rules: AppLockTightening? = nil,
        finally handler: @escaping FinalHandler
    ) {
        var parts = parts
        relay = AuditRelay(to: parts.trail)
        parts.trail = relay
        self.parts = parts
        product = policy
        finalHandler = handler
        let policy = rules.map { policy.tightened(by: $0) } ?? policy
        memory = Mutex(Memory(machine: AppLockMachine(policy)))
    }

    /// The figures that hold now: the product's, tightened by the administrator.
    public var policy: AppLockPolicy { memory.withLock { $0.machine.policy } }

    /// What the lock is now. The first look reads the record; a program always starts locked where a PIN is set.
    public var state: AppLockState {
        openOnce()
        let now = self.now
        perform(memory.withLock { $0.machine.handle(.tick(now)) })
        noticeLostKey()
        return memory.withLock { $0.machine.seen(now) }
    }

    /// Is told what an auditor may ask about.
    package var trail: (any AuditRecorder)? { parts.trail }
    /// The trail that keeps it.
    package var keptTrail: LazyTrail? { relay.kept }

    var now: ClockReading { ClockReading(parts.time) }

    func handle(_ event: AppLockMachine.Event) -> [AppLockMachine.Action] {
        memory.withLock { $0.machine.handle(event) }
    }

    /// The name under which this lock's key waits: this lock, this boot.
    func place(_ record: LockRecord) -> String {
        "pavise:applock:\(Hex.encode(record.identity)):\(parts.time.bootEpoch.prefix(64))"
    }

    // Another process locked, or the key's time is over.
    private func noticeLostKey() {
        let (state, record, isProving) = memory.withLock { ($0.machine.state, $0.record, $0.isProving) }
        guard !isProving else { return }
        guard case .unlocked = state, let record, parts.place.read(place(record)) == nil else { return }
        perform(handle(.keyGone))
    }
}

/// What an app lock stands on. A test gives its own.
package struct AppLockParts: Sendable {
    /// Keeps the record.
    package var vault: TokenVault
    /// The record's name.
    package var name: ItemName
    /// Judges PINs.
    package var code: any PINKeyDerivation
    /// Where the key waits while the lock is open.
    package var place: any UnlockedKeyStore
    /// The folder of the lock that processes share.
    package var folder: String
    /// The clocks.
    package var time: TimeSource
    /// Says, outside of the keychain, whether there is a lock; `nil` where the platform has no such place.
    package var marks: (any LockMarks)? = PlatformLockMarks.ofPlatform
    /// Whether there is data that needs the lock's key: then a record that is gone is damage, and not "no PIN".
    package var need: @Sendable () -> LockNeed = { .none }
    /// Whether anything is there that orders are about, beside the lock: then a ledger of orders that is gone is
    /// damage.
    package var isInUse: @Sendable () -> Bool = { false }
    /// Keeps what is known of orders from afar; without it none is obeyed.
    package var orders: OrderStore?
    /// Is told of wrong PINs, changes, orders and wipes.
    package var trail: (any AuditRecorder)?

    package init(
        vault: TokenVault, name: ItemName, code: any PINKeyDerivation, place: any UnlockedKeyStore, folder: String,
        time: TimeSource
    ) {
        self.vault = vault
        self.name = name
        self.code = code
        self.place = place
        self.folder = folder
        self.time = time
    }
}
