public import PavisePrimitives
public import PaviseVault
internal import SecurityFramework
internal import Synchronization

/// A sealing key under an app lock: what it sealed opens only with the key inside *and* while the lock is open.
///
/// What was sealed before a PIN was set opens as before, while the lock is open; it is closed by writing it again. A record of
/// the lock that is removed or changed opens nothing: the packets stay in their box (app-lock AL8).
public struct LockedKey: SealingKey {
    private let inner: any SealingKey
    private let lock: AppLock
    private let use: String
    // The first byte of a packet without a box is 4, the form of its point.
    private static let mark: UInt8 = 0x4C

    /// Puts `inner` under `lock`.
    ///
    /// - Parameters:
    ///   - inner: The key that seals what is in the box.
    ///   - lock: The lock whose key closes the box.
    ///   - use: Names the key of the box, for example a connection's identifier.
    public init(_ inner: any SealingKey, lock: AppLock, use: String) {
        self.inner = inner
        self.lock = lock
        self.use = use
    }

    /// Whether a packet is in a box that only the lock's key opens.
    package static func isBoxed(_ packet: Span<UInt8>) -> Bool { packet.count > 0 && packet[0] == mark }

    /// Makes the key inside.
    public func prepare() throws(VaultFailure) { try inner.prepare() }

    /// Encrypts to the key inside, and puts the packet in a box where a PIN is set.
    public func seal(_ plain: Span<UInt8>) throws(VaultFailure) -> [UInt8] {
        guard let key = try key(), !lock.sealsPlainly else { return try inner.seal(plain) }
        let packet = try inner.seal(plain)
        guard let box = BoxBridge.seal(packet.span, key: key.bytes, label: Array(use.utf8)) else {
            throw .corrupt(.packet)
        }
        return [Self.mark] + box
    }

    /// Opens the box, where there is one, and decrypts with the key inside.
    public func open(_ packet: Span<UInt8>) throws(VaultFailure) -> SecretBytes {
        let key = try key()
        guard Self.isBoxed(packet) else { return try inner.open(packet) }
        guard let key else { throw .keyLost }
        let box = (1..<packet.count).map { packet[$0] }
        guard let content = BoxBridge.open(box, key: key.bytes, label: Array(use.utf8)) else {
            throw .corrupt(.packet)
        }
        return try content.withBytes { bytes throws(VaultFailure) in try inner.open(bytes) }
    }

    /// Destroys the key inside. The lock is not asked: to destroy is always allowed.
    public func destroy() throws(VaultFailure) { try inner.destroy() }

    // `nil` where no PIN is set.
    private func key() throws(VaultFailure) -> BoxedSecret? {
        do throws(AppLockFailure) { return BoxedSecret(try lock.key(for: use)) } catch {
            switch error {
            case .notSet: return nil
            case .ended(.wipe), .unreadable(.missing), .unreadable(.corrupt): throw .keyLost
            case .unreadable(.denied): throw .denied(status: errSecAuthFailed)
            default: throw .locked(status: errSecInteractionNotAllowed)
            }
        }
    }
}

extension AppLock {
    /// Whether new packets go without a box: on the way to a removal of the PIN.
    var sealsPlainly: Bool { memory.withLock { $0.sealsPlainly } }

    /// Lets packets that are written from now on go without a box, so that they open when the PIN is gone. Reading still needs
    /// the open lock.
    package func sealPlainly(_ isPlain: Bool) { memory.withLock { $0.sealsPlainly = isPlain } }
}
