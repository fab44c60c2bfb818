public import PavisePrimitives
public import PaviseVault
internal import SecurityFramework
internal import Synchronization

/// A sealing key under an app lock: what it sealed opens only with the key inside *and* while the lock is open.
///
/// Of the two keys inside, one seals while no PIN is set, the other while one is. After a PIN was set, what the first
/// one sealed is written again and the first one is destroyed, so that a copy from before the PIN opens nowhere;
/// `Connections` does both. What was not written again yet opens while the lock is open. A record of the lock that is
/// removed or changed opens nothing: the packets stay in their box (app-lock AL8).
public struct LockedKey: RotatingKey {
    private let plain: any SealingKey
    private let guarded: any SealingKey
    private let isOneKey: Bool
    private let lock: AppLock
    private let use: String
    private let staysOpen: @Sendable () -> Bool
    // The first byte of a packet without a box is 4, the form of its point.
    private static let mark: UInt8 = 0x4C

    /// Puts `inner` under `lock`, with one key for both times: a copy of a packet from before the PIN goes on to open
    /// with it.
    ///
    /// - Parameters:
    ///   - inner: The key that seals what is in the box.
    ///   - lock: The lock whose key closes the box.
    ///   - use: Names the key of the box, for example a connection's identifier.
    public init(_ inner: any SealingKey, lock: AppLock, use: String) {
        plain = inner
        guarded = inner
        isOneKey = true
        self.lock = lock
        self.use = use
        staysOpen = { false }
    }

    /// Puts two keys under `lock`.
    ///
    /// - Parameters:
    ///   - plain: Seals while no PIN is set, and is destroyed after one was set.
    ///   - guarded: Seals what is in the box while a PIN is set, and is destroyed after it was removed.
    ///   - lock: The lock whose key closes the box.
    ///   - use: Names the key of the box, for example a connection's identifier.
    public init(plain: any SealingKey, guarded: any SealingKey, lock: AppLock, use: String) {
        self.init(plain: plain, guarded: guarded, lock: lock, use: use, staysOpen: { false })
    }

    /// The same for work that goes on while the lock is closed (app-lock AL43): while `staysOpen` says so, `plain`
    /// seals although a PIN is set, and what it sealed opens without the lock.
    package init(
        plain: any SealingKey, guarded: any SealingKey, lock: AppLock, use: String,
        staysOpen: @escaping @Sendable () -> Bool
    ) {
        self.staysOpen = staysOpen
        self.plain = plain
        self.guarded = guarded
        isOneKey = false
        self.lock = lock
        self.use = use
    }

    /// Whether a packet is in a box that only the lock's key opens.
    package static func isBoxed(_ packet: Span<UInt8>) -> Bool { packet.count > 0 && packet[0] == mark }

    /// Makes the key that seals now.
    public func prepare() throws(VaultFailure) {
        lock.noticeOthers()
        try current.prepare()
    }

    /// Encrypts to the key that seals now, and puts the packet in a box where a PIN is set.
    public func seal(_ plain: Span<UInt8>) throws(VaultFailure) -> [UInt8] {
        // Another process may have set a PIN, or taken it away.
        lock.noticeOthers()
        guard !staysOpen(), let key = try key(), !lock.sealsPlainly else { return try self.plain.seal(plain) }
        let packet = try guarded.seal(plain)
        guard let box = packet.withSpan({ BoxBridge.seal($0, key: key.bytes, label: Array(use.utf8)) }) else {
            throw .corrupt(.packet)
        }
        return [Self.mark] + box
    }

    /// Opens the box, where there is one, and decrypts with the key inside.
    public func open(_ packet: Span<UInt8>) throws(VaultFailure) -> SecretBytes {
        if staysOpen(), !Self.isBoxed(packet) { return try plain.open(packet) }
        var key = try key()
        guard Self.isBoxed(packet) else { return try plain.open(packet) }
        if key == nil {
            // Another process has set a PIN: the packet is not lost, it is locked.
            lock.noticeOthers()
            key = try self.key()
        }
        guard let key else { throw .keyLost }
        let box = (1..<packet.count).map { packet[$0] }
        guard let content = BoxBridge.open(box, key: key.bytes, label: Array(use.utf8)) else {
            throw .corrupt(.packet)
        }
        return try content.withBytes { bytes throws(VaultFailure) in
            do throws(VaultFailure) { return try guarded.open(bytes) } catch {
                // Homes from before there were two keys have the first one in the box.
                guard !isOneKey, error == .keyLost || error == .corrupt(.packet) else { throw error }
                return try plain.open(bytes)
            }
        }
    }

    /// Destroys the keys inside. The lock is not asked: to destroy is always allowed.
    public func destroy() throws(VaultFailure) {
        let first = Result { () throws(VaultFailure) in try plain.destroy() }
        try guarded.destroy()
        try first.get()
    }

    /// Whether the key of the other time is still there.
    package func isRetiredKeyThere() throws(VaultFailure) -> Bool {
        lock.noticeOthers()
        guard !isOneKey, let retired = retired as? EnclaveKey else { return false }
        return try retired.isThere()
    }

    /// Destroys the key of the other time.
    package func destroyRetiredKey() throws(VaultFailure) {
        guard !isOneKey else { return }
        lock.noticeOthers()
        try retired.destroy()
    }

    private var isGuarded: Bool { lock.state != .unset && !lock.sealsPlainly && !staysOpen() }
    private var current: any SealingKey { isGuarded ? guarded : plain }
    private var retired: any SealingKey { isGuarded ? plain : guarded }

    // `nil` where no PIN is set.
    private func key() throws(VaultFailure) -> SharedSecretBytes? {
        do throws(AppLockFailure) { return SharedSecretBytes(try lock.key(for: use)) } catch {
            switch error {
            case .notSet: return nil
            case .ended(.wipe), .unreadable(.missing), .unreadable(.corrupt): throw .keyLost
            case .unreadable(.newer): throw .newer
            case .unreadable(.denied): throw .denied(status: errSecAuthFailed)
            case .unreadable(.unavailable): throw .system(status: errSecNotAvailable)
            default: throw .locked(status: errSecInteractionNotAllowed)
            }
        }
    }
}

extension AppLock {
    /// Whether new packets go without a box: on the way to a removal of the PIN.
    var sealsPlainly: Bool { memory.withLock { $0.sealsPlainly } }

    /// Lets packets that are written from now on go without a box, so that they open when the PIN is gone. Reading
    /// still needs the open lock.
    package func sealPlainly(_ isPlain: Bool) { memory.withLock { $0.sealsPlainly = isPlain } }
}
