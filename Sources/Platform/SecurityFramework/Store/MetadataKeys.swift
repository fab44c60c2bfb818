internal import PaviseCrypto
internal import PaviseDatabase
internal import PaviseDevice
internal import PavisePrimitives
internal import Synchronization

/// The metadata keys of a store: one for each protection class, in a table of their own, wrapped by the class key.
/// They open the attributes of items and never their secrets.
///
/// The table is read when something is asked for that is not known yet. That cannot happen inside a transaction, so the
/// question fails with a ``Gap``, which the outermost call closes before it tries again.
final class MetadataKeys: Sendable {
    /// One metadata key in use, by the identifier that the headers of its items carry.
    final class Cipher: Sendable {
        let identifier: [UInt8]
        let cipher: AESGCM

        init(identifier: [UInt8], cipher: consuming AESGCM) {
            self.identifier = identifier
            self.cipher = cipher
        }
    }

    /// Something is not known yet. ``close()`` outside of every transaction, and try again.
    struct Gap: Error {
        fileprivate enum Kind {
            case unread(identifier: [UInt8]?)
            /// No key of the class, or one that nothing opens any more, by its identifier.
            case missing(KeyClass, ClassCiphers, unusable: [UInt8]?)
        }
        fileprivate let keys: MetadataKeys
        fileprivate let kind: Kind

        /// Runs `body`, and again after every gap that it meets.
        static func closing<Result>(_ body: () throws -> Result) throws -> Result {
            for _ in 0..<64 {
                do {
                    return try body()
                } catch let gap as Gap {
                    try gap.close()
                }
            }
            throw StatusFailure(errSecNotAvailable)
        }

        /// Reads the table, or makes the key that is missing.
        func close() throws {
            switch kind {
            case .unread(let identifier): try keys.load(lookingFor: identifier)
            case .missing(let keyClass, let ciphers, let unusable):
                try keys.create(keyClass, ciphers, replacing: unusable)
            }
        }
    }

    private struct Row {
        let identifier: [UInt8]
        let wrapped: [UInt8]
    }

    private struct State {
        var isLoaded = false
        var rows: [KeyClass: Row] = [:]
        var ciphers: [KeyClass: Cipher] = [:]
        /// Identifiers that items carry and the table does not have.
        var lost: Set<[UInt8]> = []
    }

    private let database: Database
    private let state = Mutex(State())
    static let identifierCount = 8

    init(_ database: Database) { self.database = database }

    /// The key that new items of a class are sealed with.
    func current(_ keyClass: KeyClass, _ ciphers: ClassCiphers) throws -> Cipher {
        if let known = state.withLock({ $0.ciphers[keyClass] }) { return known }
        let (isLoaded, row) = state.withLock { ($0.isLoaded, $0.rows[keyClass]) }
        guard isLoaded else { throw Gap(keys: self, kind: .unread(identifier: nil)) }
        guard let row else { throw Gap(keys: self, kind: .missing(keyClass, ciphers, unusable: nil)) }
        do {
            return try open(row, keyClass, ciphers)
        } catch is ItemSeal.Damaged where keyClass == .whenPasscodeSetThisDeviceOnly {
            // The passcode that this key belonged to was removed. There is a new one, and a new key with it.
            throw Gap(keys: self, kind: .missing(keyClass, ciphers, unusable: row.identifier))
        }
    }

    /// The key of an item, by the identifier in its header; `nil` when it is lost, and the item's attributes with it.
    func key(_ identifier: [UInt8], _ keyClass: KeyClass, _ ciphers: ClassCiphers) throws -> Cipher? {
        let (known, row, isLost) = state.withLock {
            ($0.ciphers[keyClass], $0.rows[keyClass], $0.lost.contains(identifier))
        }
        if let known, known.identifier == identifier { return known }
        guard !isLost else { return nil }
        guard let row, row.identifier == identifier else {
            throw Gap(keys: self, kind: .unread(identifier: identifier))
        }
        do {
            return try open(row, keyClass, ciphers)
        } catch is ItemSeal.Damaged where keyClass == .whenPasscodeSetThisDeviceOnly {
            return nil
        }
    }

    /// Forgets the key of a class that was locked.
    func drop(_ keyClass: KeyClass) { state.withLock { $0.ciphers[keyClass] = nil } }

    private func open(_ row: Row, _ keyClass: KeyClass, _ ciphers: ClassCiphers) throws -> Cipher {
        guard row.wrapped.count == 60 else { throw ItemSeal.Damaged() }
        let body = Array(row.wrapped[12...])
        do throws(CryptoFailure) {
            let key = try ciphers.metadata.open(
                body.span, nonce: Array(row.wrapped[..<12]), associatedData: Self.binding(row.identifier, keyClass))
            let made = Cipher(
                identifier: row.identifier,
                cipher: try key.withBytes { key throws(CryptoFailure) in try AESGCM(key: key) })
            state.withLock { $0.ciphers[keyClass] = made }
            return made
        } catch {
            throw ItemSeal.Damaged()
        }
    }

    private static func binding(_ identifier: [UInt8], _ keyClass: KeyClass) -> [UInt8] {
        Array("pavise metadata key 1".utf8) + [keyClass.rawValue] + identifier
    }

    private func load(lookingFor identifier: [UInt8]?) throws {
        let stored = try database.rows("SELECT class, identifier, wrapped FROM metadata_key")
        var rows: [KeyClass: Row] = [:]
        for row in stored {
            guard let number = row.integer(0).flatMap(UInt8.init(exactly:)), let keyClass = KeyClass(rawValue: number),
                let identifier = row.blob(1), let wrapped = row.blob(2)
            else { throw ItemSeal.Damaged() }
            rows[keyClass] = Row(identifier: identifier, wrapped: wrapped)
        }
        state.withLock { state in
            state.isLoaded = true
            state.ciphers = state.ciphers.filter { rows[$0.key]?.identifier == $0.value.identifier }
            state.rows = rows
            state.lost = state.lost.filter { lost in !rows.values.contains { $0.identifier == lost } }
            guard let identifier, !rows.values.contains(where: { $0.identifier == identifier }) else { return }
            // The set stays small: every item of a class has the same key.
            if state.lost.count >= 64 { state.lost.removeAll() }
            state.lost.insert(identifier)
        }
    }

    // Of two threads or processes that make the key of a class, the first one wins; both read what is there afterwards.
    // Only the key that was found unusable is removed: what another one made meanwhile already has items.
    private func create(_ keyClass: KeyClass, _ ciphers: ClassCiphers, replacing unusable: [UInt8]?) throws {
        let random = try Entropy.kernel.bytes(Self.identifierCount + 12)
        let identifier = Array(random[..<Self.identifierCount])
        let nonce = Array(random[Self.identifierCount...])
        let key = try SecretBytes.random(count: 32)
        let wrapped = try key.withBytes {
            try ciphers.metadata.seal($0, nonce: nonce, associatedData: Self.binding(identifier, keyClass))
        }
        let number = DatabaseValue.integer(Int64(keyClass.rawValue))
        try database.transaction { transaction in
            if let unusable {
                try transaction.run(
                    "DELETE FROM metadata_key WHERE class = ? AND identifier = ?", [number, .blob(unusable)])
            }
            try transaction.run(
                "INSERT OR IGNORE INTO metadata_key(class, identifier, wrapped) VALUES (?, ?, ?)",
                [number, .blob(identifier), .blob(nonce + wrapped)])
        }
        try load(lookingFor: nil)
    }
}
