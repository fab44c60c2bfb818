internal import PaviseDatabase
internal import PaviseDevice
internal import PavisePrimitives
internal import Synchronization

/// The item database of one home, open for as long as the process uses it.
final class KeychainStore: Sendable {
    let database: Database
    let device: Device
    let digests: ItemDigests
    private let ciphers = Mutex<[KeyClass: ClassCiphers]>([:])

    private init(database: Database, device: Device, digests: ItemDigests) {
        self.database = database
        self.device = device
        self.digests = digests
    }

    static func path(_ home: PaviseHome) -> String { home.keychain + "/items.db" }

    /// Opens the store of `home` and makes it the first time.
    static func open(_ home: PaviseHome) throws -> KeychainStore {
        let device = try Device.of(home)
        try DurableFile.makeDirectory(home.keychain)
        let key = try device.deviceKey(purpose: "keychain database")
        let database = try Database.open(path(home), key: key, busyTimeout: 10_000)
        let digests = ItemDigests(try device.deviceKey(purpose: "keychain digests"))
        let store = KeychainStore(database: database, device: device, digests: digests)
        try store.makeTables()
        return store
    }

    /// Makes what a new store needs, and what a store from before `recent` lacks.
    private func makeTables() throws {
        guard try database.rows("SELECT 1 FROM sqlite_master WHERE name = 'recent'").isEmpty else { return }
        try database.transaction { transaction in
            try transaction.run(
                """
                CREATE TABLE IF NOT EXISTS item(
                    row INTEGER PRIMARY KEY, primary_key BLOB NOT NULL,
                    header BLOB NOT NULL, attributes BLOB NOT NULL, secret BLOB NOT NULL) STRICT
                """)
            try transaction.makePlaces()
            try transaction.run(
                """
                CREATE TABLE IF NOT EXISTS damaged(
                    id INTEGER PRIMARY KEY AUTOINCREMENT, found INTEGER NOT NULL, primary_key BLOB NOT NULL,
                    header BLOB NOT NULL, attributes BLOB NOT NULL, secret BLOB NOT NULL) STRICT
                """)
        }
    }

    /// Whether the class's items can be read now.
    enum Access {
        case ciphers(ClassCiphers)
        case locked
        case absent
    }

    /// The ciphers of a class, as far as the lock state allows. Those it does not allow are dropped from memory.
    func access(_ keyClass: KeyClass, in state: LockState) throws -> Access {
        if state.allows(keyClass.availability), let known = ciphers.withLock({ $0[keyClass] }) {
            return .ciphers(known)
        }
        switch try device.key(keyClass, in: state) {
        case .locked:
            ciphers.withLock { $0 = $0.filter { state.allows($0.key.availability) } }
            return .locked
        case .absent: return .absent
        case .key(let key):
            let made = try ClassCiphers(key)
            ciphers.withLock { $0[keyClass] = made }
            return .ciphers(made)
        }
    }
}
