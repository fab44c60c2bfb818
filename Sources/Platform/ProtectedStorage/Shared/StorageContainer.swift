internal import PavisePrimitives
internal import Synchronization

/// Everything that one connection, or the home itself, keeps: a folder, and keys of its own in the secret store.
///
/// The class key of the device protects the container's key of that class (as the accessibility of its item in the
/// secret store), which protects the key of each file and database. Destroying the container's keys makes all of it
/// unreadable at once.
///
/// One process may have a container open several times, and several processes too. What is cached of the keys is
/// dropped with the lock, and when the folder is removed.
public final class StorageContainer: Sendable {
    /// 16 random bytes, the same for as long as the container exists.
    package let identifier: [UInt8]
    /// The folder: `files/`, `database/` and what else belongs to it. Mode 0700.
    package let folder: String
    let keychain: ContainerKeychain
    var surroundings: StorageSurroundings { keychain.surroundings }
    private let cache: Mutex<Cache>
    // The classes whose keys the record is known to name.
    private let recorded = Mutex<Set<ProtectionClass>>([])
    let watch: FileWatch

    private let gate = Mutex<(@Sendable () -> Bool)?>(nil)
    /// What is read and written now.
    let openFiles = Mutex(OpenFiles())
    // From the first key on that a lock takes away.
    private let observation = Mutex<LockObservation?>(nil)

    private struct Cache {
        var keys: [ProtectionClass: SharedSecretBytes] = [:]
        var databaseKeys: [ProtectionClass: SharedSecretBytes] = [:]
        var publicKey: [UInt8]?
    }

    init(_ record: ContainerRecord, _ folder: String, _ keychain: ContainerKeychain, _ watch: FileWatch) {
        identifier = record.identifier
        self.folder = folder
        self.keychain = keychain
        self.watch = watch
        cache = Mutex(Cache())
    }

    /// Whether the key of a class can be used now: a few microseconds.
    ///
    /// - Throws: ``StorageFailure/locked``; ``StorageFailure/absent`` after the container was removed.
    package func check(_ protection: ProtectionClass) throws(StorageFailure) {
        guard watch.isInPlace(exactly: false) else {
            forgetKeys()
            throw .absent
        }
        guard isGateOpen(protection) else { throw .locked }
        guard surroundings.isOpen(protection) else {
            forgetKeys { $0.needsUnlocked || $0 == protection }
            throw .locked
        }
    }

    private func forgetKeys(_ isMeant: (ProtectionClass) -> Bool) {
        cache.withLock { cache in
            for meant in ProtectionClass.allCases where isMeant(meant) {
                cache.keys[meant] = nil
                cache.databaseKeys[meant] = nil
            }
        }
        for key in openFiles.withLock({ $0.all }) where isMeant(key.protection) { key.forget() }
    }

    // Keys leave memory with the lock, also where nobody asks for anything then.
    private func followLock(_ protection: ProtectionClass) throws(StorageFailure) {
        guard protection.needsUnlocked else { return }
        if observation.withLock({ $0 == nil }) {
            // The observer must not keep the container.
            let made = surroundings.observeLock { [weak self] in self?.forgetKeys { $0.needsUnlocked } }
            observation.withLock { if $0 == nil { $0 = made } }
        }
        // A lock in between found nothing to drop.
        try check(protection)
    }

    /// Whether a key that a lock takes away is in memory.
    var holdsLockedKeys: Bool {
        let hasOwn = cache.withLock { cache in
            ProtectionClass.allCases.contains {
                $0.needsUnlocked && (cache.keys[$0] != nil || cache.databaseKeys[$0] != nil)
            }
        }
        return hasOwn || openFiles.withLock { $0.all }.contains { $0.protection.needsUnlocked && $0.isHeld }
    }

    /// Whether the container is still the one that was opened, looked at now: not removed, and not replaced by a
    /// renewal of its keys.
    var isInPlace: Bool { watch.isInPlace(exactly: true) }

    /// Puts the container under a lock of the app's own: while `isOpen` says no, it is as if the device were locked.
    /// Class
    /// ``ProtectionClass/none`` stays, and with it writing class ``ProtectionClass/completeUnlessOpen``.
    package func follow(gate isOpen: @escaping @Sendable () -> Bool) { gate.withLock { $0 = isOpen } }

    private func isGateOpen(_ protection: ProtectionClass) -> Bool {
        guard protection != .none, let isOpen = gate.withLock({ $0 }) else { return true }
        return isOpen()
    }

    /// Forgets what is in memory of all keys, those of open files too; the next use asks the secret store again. What
    /// is open of class B keeps its own.
    package func forgetKeys() {
        cache.withLock { $0 = Cache() }
        for key in openFiles.withLock({ $0.all }) { key.forget() }
    }

    /// Lends the key of the container's databases of a class: 32 bytes. Cheap from the second call on (a few
    /// microseconds), so that it is asked for at each use, and is refused from the lock on.
    ///
    /// - Parameters:
    ///   - protection: The class. The key of ``ProtectionClass/completeUnlessOpen`` is lent while unlocked only; a
    ///     database that is open keeps what it has.
    ///   - mayCreate: Make the class's key where none was ever made; else that is ``StorageFailure/absent``.
    /// - Throws: ``StorageFailure/locked``, ``StorageFailure/absent``, ``StorageFailure/denied(status:)``,
    ///   ``StorageFailure/damaged(_:)`` (``StorageDamage/keyLost``: never make a new database then), and the others.
    package func withDatabaseKey<Result: ~Copyable>(
        for protection: ProtectionClass, mayCreate: Bool = true,
        _ body: (Span<UInt8>) throws(StorageFailure) -> Result
    ) throws(StorageFailure) -> Result {
        try check(protection)
        if let known = cache.withLock({ $0.databaseKeys[protection] }) { return try known.bytes.withBytes(body) }
        let key = try key(of: protection, mayCreate: mayCreate)
        let derived = SharedSecretBytes(try StorageCrypto.databaseKey(key.bytes, protection))
        cache.withLock { $0.databaseKeys[protection] = derived }
        try followLock(protection)
        return try derived.bytes.withBytes(body)
    }

    // MARK: Keys of classes

    /// The key of a class; of class B the private half and a key of 32 bytes.
    func key(of protection: ProtectionClass, mayCreate: Bool) throws(StorageFailure) -> SharedSecretBytes {
        try check(protection)
        if let known = cache.withLock({ $0.keys[protection] }) { return known }
        let found = SharedSecretBytes(try storedKey(protection, mayCreate: mayCreate))
        let kept = cache.withLock { cache in
            if let earlier = cache.keys[protection] { return earlier }
            cache.keys[protection] = found
            return found
        }
        try followLock(protection)
        return kept
    }

    /// The public half of class B's pair; needs no unlock, except the first time.
    func publicKey() throws(StorageFailure) -> [UInt8] {
        try check(.none)
        if let known = cache.withLock({ $0.publicKey }) { return known }
        let stored: SecretBytes
        if let found = try keychain.read(.publicKey) {
            stored = found
        } else {
            let pair = try storedKey(.completeUnlessOpen, mayCreate: true)
            if let made = try keychain.read(.publicKey) { stored = made } else { stored = try restoredHalf(of: pair) }
        }
        guard stored.count == 32 else { throw .damaged(.keyRecord) }
        let bytes = stored.withBytes { bytes in Array(bytes) }
        cache.withLock { $0.publicKey = bytes }
        return bytes
    }

    // A kill while the pair was made leaves the private half alone, from which the public one follows.
    private func restoredHalf(of pair: borrowing SecretBytes) throws(StorageFailure) -> SecretBytes {
        let bytes = try StorageCrypto.publicHalf(pair)
        return try Self.alone(folder) { () throws(StorageFailure) -> SecretBytes in
            _ = try record()
            let half = SecretBytes(copying: bytes)
            // Where another process was faster, it is the same one.
            _ = try keychain.add(half, as: .publicKey)
            return half
        }
    }

    private func storedKey(_ protection: ProtectionClass, mayCreate: Bool) throws(StorageFailure) -> SecretBytes {
        let length = StorageCrypto.keyLength(protection)
        if let stored = try keychain.read(.key(protection)) {
            guard stored.count == length else { throw .damaged(.keyRecord) }
            try recordMade(protection)
            return stored
        }
        guard mayCreate else { throw try record()[protection] ? .damaged(.keyLost) : .absent }
        return try makeKey(protection)
    }

    // A kill kept it out of the record: when it is lost later, nobody would know that it was ever made.
    private func recordMade(_ protection: ProtectionClass) throws(StorageFailure) {
        guard !recorded.withLock({ $0.contains(protection) }) else { return }
        if try !record()[protection] {
            try Self.alone(folder) { () throws(StorageFailure) in
                // A removal may have destroyed it since.
                guard try keychain.read(.key(protection)) != nil else { return }
                try addToRecord(protection)
            }
        }
        _ = recorded.withLock { $0.insert(protection) }
    }

    private func addToRecord(_ protection: ProtectionClass) throws(StorageFailure) {
        var record = try record()
        guard !record[protection] else { return }
        record[protection] = true
        try keychain.update(record.encoded(), as: .record)
    }

    // The item first, then the record that says so: a kill between leaves a key that is used all the same, and is put
    // into the record then.
    private func makeKey(_ protection: ProtectionClass) throws(StorageFailure) -> SecretBytes {
        try Self.alone(folder) { () throws(StorageFailure) in
            if let stored = try keychain.read(.key(protection)) {
                try addToRecord(protection)
                return stored
            }
            guard try !record()[protection] else { throw .damaged(.keyLost) }
            let key = try StorageCrypto.freshKey(protection)
            if protection == .completeUnlessOpen {
                let half = SecretBytes(copying: try StorageCrypto.publicHalf(key))
                // One that a kill left has no private half, and nothing was ever sealed for it that anybody can read.
                try keychain.delete(.publicKey)
                guard try keychain.add(key, as: .key(protection)), try keychain.add(half, as: .publicKey) else {
                    throw .busy
                }
            } else {
                guard try keychain.add(key, as: .key(protection)) else { throw .busy }
            }
            try addToRecord(protection)
            return key
        }
    }

    private func record() throws(StorageFailure) -> ContainerRecord {
        // A removal takes its marker away first.
        guard let stored = try keychain.read(.record) else { throw isInPlace ? .damaged(.keyLost) : .absent }
        let record = try ContainerRecord(decoding: stored)
        guard record.identifier == identifier, record.state != .removing else { throw .absent }
        return record
    }
}
