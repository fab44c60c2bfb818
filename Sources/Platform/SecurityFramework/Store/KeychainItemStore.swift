internal import PaviseDatabase
internal import PaviseDevice
internal import PavisePrimitives
internal import Synchronization

/// The item database of one home, open for as long as the process uses it.
final class KeychainItemStore: Sendable {
    let database: Database
    let device: Device
    /// The path of the database.
    let file: String
    let digests: ItemDigests
    let metadata: MetadataKeys
    let sealedRows = SealedRowCache()
    /// The version of the items that this store writes.
    let version: Int
    private let upgrading: Mutex<(isPending: Bool, tried: LockState?)>
    // Whether tables of this version are missing: a search goes without them.
    private let isIncomplete: Mutex<Bool>
    /// The element's keys whose items are gone and which are to be destroyed.
    let notedKeys: Mutex<NotedKeys>
    /// The groups of own items that are known to be complete.
    let takenOver = Mutex(TakenOver())
    private let ciphers = Mutex<[KeyClass: ClassCiphers]>([:])
    // The file that was opened, whatever lies under its name later.
    private let watch: FileWatch?

    private init(
        database: Database, file: String, watch: FileWatch?, device: Device, digests: ItemDigests, isPending: Bool?,
        hasNotedKeys: Bool
    ) {
        self.database = database
        self.device = device
        self.file = file
        self.watch = watch
        self.digests = digests
        metadata = MetadataKeys(database)
        version = KeychainSchema.written
        upgrading = Mutex((isPending ?? false, nil))
        isIncomplete = Mutex(isPending == nil)
        notedKeys = Mutex(NotedKeys(mayBeThere: hasNotedKeys))
    }

    static func path(_ home: PaviseHome) -> String { home.keychain + "/items.db" }

    /// Opens the store of `home` and makes it the first time.
    static func open(_ home: PaviseHome, for purpose: Purpose) throws -> KeychainItemStore {
        let device = try Device.of(home)
        try home.check(.keychain)
        try endRepair(home)
        try makeFolder(home)
        for ending in ["", "-wal", "-shm"] { try DurableFile.checkOwn(path(home) + ending) }
        return try open(path(home), device, for: purpose)
    }

    /// Called when the database is open and the store is not. A test puts another file in its place there.
    @TaskLocal static var opened: (@Sendable () -> Void)?

    /// Opens the store at `file`, and makes it where there is none.
    static func open(_ file: String, _ device: Device, for purpose: Purpose) throws -> KeychainItemStore {
        let key = try device.deviceKey(purpose: "keychain database")
        // Of the file as it is now: a repair may put another one there while this one is opened, and the watch of that
        // would call the old one's place right for good.
        let found = FileWatch(file)
        let database = try Database.open(file, key: key, busyTimeout: 10_000)
        opened?()
        let digests = ItemDigests(try device.deviceKey(purpose: "keychain digests"))
        let isPending = try prepare(database, for: purpose)
        return KeychainItemStore(
            database: database, file: file, watch: found ?? FileWatch(file), device: device, digests: digests,
            isPending: isPending, hasNotedKeys: try hasNotedKeys(database))
    }

    /// Whether the file that was opened still lies under its name. One that was removed, moved or replaced is not
    /// written to, and not read from; that a folder above it was moved, reads notice within 10 ms.
    func isInPlace(for purpose: Purpose) -> Bool { watch?.isInPlace(exactly: purpose == .writing) ?? false }

    /// Ends a call that wrote. What was written into a file that a repair or an erase took away meanwhile is in no
    /// keychain, and what was removed from it may be there still.
    ///
    /// - Throws: -25291; the next call opens what lies there now.
    func checkIsStillInPlace() throws(StatusFailure) {
        if let watch, !watch.isInPlace(exactly: true) { throw StatusFailure(errSecNotAvailable) }
    }

    /// What a store is asked for.
    enum Purpose: Hashable { case reading, writing }

    /// Makes the tables that could not be made when a search opened the store.
    func complete() throws {
        guard isIncomplete.withLock({ $0 }) else { return }
        let isPending = try Self.prepare(database)
        upgrading.withLock { $0 = (isPending, nil) }
        isIncomplete.withLock { $0 = false }
    }

    /// Whether items of an older version remain.
    var isUpgradePending: Bool { upgrading.withLock { $0.isPending } }

    // A state that was tried already is not tried at every call.
    func upgradeIsDue(in state: LockState) -> Bool { upgrading.withLock { $0.isPending && $0.tried != state } }

    func noteUpgrade(isDone: Bool, in state: LockState) { upgrading.withLock { $0 = (!isDone, state) } }

    /// Whether the class's items can be read now.
    enum Access {
        case ciphers(ClassCiphers)
        case locked
        case absent
    }

    /// The ciphers of a class, as far as the lock state allows. Those it does not allow are dropped from memory.
    func access(_ keyClass: KeyClass, in state: LockState, at snapshot: Device.Snapshot? = nil) throws -> Access {
        switch try device.key(keyClass, in: state, at: snapshot) {
        case .locked:
            ciphers.withLock { $0 = $0.filter { state.allows($0.key.availability) && $0.key != keyClass } }
            for other in KeyClass.allCases where !state.allows(other.availability) || other == keyClass {
                metadata.drop(other)
            }
            return .locked
        case .absent:
            ciphers.withLock { $0[keyClass] = nil }
            metadata.drop(keyClass)
            return .absent
        case .key(let key):
            // The device gives the same object for as long as the key is in use.
            if let known = ciphers.withLock({ $0[keyClass] }), known.key === key { return .ciphers(known) }
            // Another class key: what the old one wrapped is not to be used any more.
            metadata.drop(keyClass)
            let made = try ClassCiphers(key)
            ciphers.withLock { $0[keyClass] = made }
            return .ciphers(made)
        }
    }
}
