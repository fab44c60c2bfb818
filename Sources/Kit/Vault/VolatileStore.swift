public import PavisePrimitives
internal import SecurityFramework
internal import Synchronization

/// A ``SecretStore`` in this process's memory: nothing is written, and everything is gone with the process.
///
/// For previews in Xcode and for tests of an app. A preview, and a tool that is not signed, has no keychain of its own
/// on Apple's systems: each call there answers -34018 (`errSecMissingEntitlement`), which ``KeychainStore`` reports as
/// ``VaultFailure/denied(status:)``. Never use it in an app that ships: a session would end with the app.
///
/// ```swift
/// let connections = Connections(makeVault: { _ in .volatile() })
/// ```
public final class VolatileStore: SecretStore {
    private let items = Mutex<[ItemName: [UInt8]]>([:])

    /// A store with nothing in it.
    public init() {}

    /// The item's bytes.
    public func read(_ name: ItemName) throws(VaultFailure) -> StoreResult {
        guard let bytes = items.withLock({ $0[name] }) else { return .absent }
        return .found(SecretBytes(copying: bytes))
    }

    /// Adds an item that must not exist.
    ///
    /// - Throws: ``VaultFailure/duplicate`` when it does.
    public func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        let copy = Array(bytes)
        let isNew = items.withLock { items in
            guard items[name] == nil else { return false }
            items[name] = copy
            return true
        }
        guard isNew else { throw .duplicate }
    }

    /// Writes an item, whether or not it exists.
    public func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        let copy = Array(bytes)
        items.withLock { $0[name] = copy }
    }

    /// Removes an item; one that is not there is fine.
    public func delete(_ name: ItemName) throws(VaultFailure) { items.withLock { $0[name] = nil } }
}

/// A ``SealingKey`` in this process's memory: what it sealed opens as long as the process runs and ``destroy()`` was
/// not called.
///
/// It goes with a ``VolatileStore``, for previews and tests of an app. The packets are AES-256-GCM under a random key,
/// not the ECIES of a key in a secure element.
public final class VolatileKey: SealingKey {
    private static let label = Array("org.pavise.volatile".utf8)
    private let key = Mutex<SharedSecretBytes?>(nil)

    /// No key yet; ``prepare()`` makes one.
    public init() {}

    /// Makes the key where there is none.
    public func prepare() throws(VaultFailure) {
        guard let fresh = try? SecretBytes.random(count: 32) else { throw .system(status: errSecAllocate) }
        let made = SharedSecretBytes(fresh)
        key.withLock { if $0 == nil { $0 = made } }
    }

    /// Encrypts to the key.
    ///
    /// - Throws: ``VaultFailure/keyLost`` before ``prepare()`` and after ``destroy()``.
    public func seal(_ plain: Span<UInt8>) throws(VaultFailure) -> [UInt8] {
        let key = try current()
        guard let box = BoxBridge.seal(plain, key: key.bytes, label: Self.label) else { throw .corrupt(.packet) }
        return box
    }

    /// Decrypts a packet.
    ///
    /// - Throws: ``VaultFailure/keyLost`` when there is no key, ``VaultFailure/corrupt(_:)`` when it does not open.
    public func open(_ packet: Span<UInt8>) throws(VaultFailure) -> SecretBytes {
        let box = Array(packet)
        let key = try current()
        guard let plain = BoxBridge.open(box, key: key.bytes, label: Self.label) else { throw .corrupt(.packet) }
        return plain
    }

    /// Forgets the key.
    public func destroy() throws(VaultFailure) { key.withLock { $0 = nil } }

    private func current() throws(VaultFailure) -> SharedSecretBytes {
        guard let secret = key.withLock({ $0 }) else { throw .keyLost }
        return secret
    }
}

extension TokenVault {
    /// A vault that keeps everything in this process's memory, for previews and tests of an app: see ``VolatileStore``.
    public static func volatile() -> TokenVault { TokenVault(store: VolatileStore(), key: VolatileKey()) }
}
