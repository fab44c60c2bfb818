internal import PaviseDatabase
internal import PaviseDevice
internal import PavisePrimitives
internal import Synchronization

// An item of an element's key that goes leaves a note until the element's part of the key is destroyed as well: the row
// as it was, still sealed. It is written in the step that removes the item, so that neither a kill, nor a failing
// element, nor a locked class leaves a key that an older copy of the database would bring back.
extension KeychainItemStore {
    /// What is known of the notes.
    struct NotedKeys {
        /// Whether there may be any.
        var mayBeThere: Bool
        /// How often a note was made, so that one that comes while others are worked off is not overlooked.
        var made = 0
        /// The lock state in which they were tried last.
        var tried: LockState?
    }

    /// Whether the store has notes of before.
    static func hasNotedKeys(_ database: Database) throws -> Bool {
        guard try !database.rows("SELECT 1 FROM sqlite_master WHERE name = 'destroying'").isEmpty else { return false }
        return try !database.rows("SELECT 1 FROM destroying LIMIT 1").isEmpty
    }

    /// Makes the note of a row that goes, where the row is of an element's key.
    ///
    /// - Returns: Whether it is one. What nobody can open any more names no key.
    func noteElementKey(
        of row: StoredRow, _ opened: Opened, _ transaction: borrowing Transaction
    ) throws -> Bool {
        switch opened {
        case .item(let item): guard item.elementHandle != nil else { return false }
        case .locked: guard isOfElement(row.header) else { return false }
        case .gone, .lost, .damaged: return false
        }
        try transaction.insert(note: row.note)
        return true
    }

    /// A locked item tells whether it is of the element, and not which handle it has.
    func isOfElement(_ header: ItemHeader) -> Bool {
        header.itemClass == .key && !header.isTombstone
            && header.has(digests.attribute(.key, .token, .text("com.apple.setoken")))
    }

    /// Destroys what was noted just now.
    ///
    /// - Throws: What the element says. The notes stay, and the next call that writes tries again.
    func destroyKeysNotedNow(_ environment: SecurityEnvironment) throws {
        notedKeys.withLock { known in
            known.mayBeThere = true
            known.made += 1
        }
        try destroyNotedKeys(environment, for: .writing)
    }

    /// Destroys in the element what is noted, as far as the lock state allows: the rest waits for an unlock. A failure
    /// at one of them keeps nobody from the others.
    func destroyNotedKeys(_ environment: SecurityEnvironment, for purpose: Purpose) throws {
        let known = notedKeys.withLock { $0 }
        guard known.mayBeThere else { return }
        let state = environment.lock.state
        guard purpose == .writing || known.tried != state else { return }
        notedKeys.withLock { $0.tried = state }
        var waiting = 0
        var failure: (any Error)?
        for row in try database.rows("SELECT id, item FROM destroying ORDER BY id") {
            guard let id = row.integer(0), let note = row.blob(1) else { continue }
            do {
                guard try MetadataKeys.Gap.closing({ try destroyKey(note, state) }) else {
                    waiting += 1
                    continue
                }
                // The number of a note that went is given again.
                try database.run("DELETE FROM destroying WHERE id = ? AND item = ?", [.integer(id), .blob(note)])
            } catch {
                waiting += 1
                failure = failure ?? error
            }
        }
        if waiting == 0 {
            notedKeys.withLock { now in
                if now.made == known.made { now.mayBeThere = false }
            }
        }
        if let failure { throw failure }
    }

    // Whether there is nothing left to do for a note.
    private func destroyKey(_ note: [UInt8], _ state: LockState) throws -> Bool {
        guard let row = StoredRow(note: note) else { return true }
        switch try open(row, in: state) {
        case .locked: return false
        // No copy of the item opens any more, either.
        case .gone, .lost, .damaged: return true
        case .item(let item):
            guard let handle = item.elementHandle else { return true }
            do {
                if try !isHeld(handle, like: item, state) { try device.element.destroy(handle) }
            } catch DeviceFailure.unknownKey {
                // The handle never was one of this element.
            }
            return true
        }
    }

    /// Stops when something must be shown before an item may have the handle that a caller named: other items have it
    /// under other rules.
    ///
    /// - Throws: ``AuthenticationNeeded``; -25293 for a wrong password; -25308 while another key of the element is
    ///   locked, which may be this one.
    func demandUse(ofKeyIn item: Item, _ interaction: Interaction, _ environment: SecurityEnvironment) throws {
        guard let handle = item.elementHandle else { return }
        let scope = try ReadScope(self, environment)
        for row in try elementRows() {
            switch try open(row, in: scope) {
            case .locked: throw StatusFailure(errSecInteractionNotAllowed)
            case .item(let other) where other.elementHandle == handle && other.control != item.control:
                try other.demandUse(interaction)
            case .item, .gone, .lost, .damaged: continue
            }
        }
    }

    // Whoever names a handle may name any label beside it: all rows of the token, in every group.
    private func elementRows() throws -> [StoredRow] {
        let ofToken = digests.attribute(.key, .token, .text("com.apple.setoken"))
        let found = try database.rows(
            """
            SELECT row, primary_key, header, attributes, secret FROM item WHERE instr(header, ?) > 0 ORDER BY row
            """, [.blob(ofToken)])
        return found.compactMap { StoredRow($0, digests) }.filter { isOfElement($0.header) }
    }

    // A key may be in several items, under other tags or labels or in other groups. One that cannot be opened now may
    // be of it where it has the same label.
    private func isHeld(_ handle: [UInt8], like item: Item, _ state: LockState) throws -> Bool {
        let ofKey = item.attributes[.applicationLabel].map { digests.attribute(.key, .applicationLabel, $0) }
        return try elementRows().contains { row in
            switch try open(row, in: state) {
            case .item(let other): return other.elementHandle == handle
            case .locked, .lost, .damaged: return ofKey.map { row.header.has($0) } ?? false
            case .gone: return false
            }
        }
    }
}

extension Item {
    /// The handle of a key of the secure element.
    var elementHandle: [UInt8]? {
        guard attributes[.token] == .text("com.apple.setoken"), case .data(let handle)? = attributes[.tokenObject]
        else { return nil }
        return handle
    }
}

extension Transaction {
    /// Keeps a note; the table is made with the first one.
    borrowing func insert(note: [UInt8]) throws {
        try run("CREATE TABLE IF NOT EXISTS destroying(id INTEGER PRIMARY KEY, item BLOB NOT NULL) STRICT")
        try run("INSERT INTO destroying(item) VALUES (?)", [.blob(note)])
    }
}

extension StoredRow {
    /// The row in one value, still sealed.
    fileprivate var note: [UInt8] {
        var writer = ByteWriter()
        for part in [primaryKey, header.encoded, attributes, secret] { writer.block(part) }
        return writer.bytes
    }

    /// Reads ``note``; `nil` for anything else.
    fileprivate init?(note: [UInt8]) {
        var reader = ByteReader(note)
        var parts: [[UInt8]] = []
        for _ in 0..<4 {
            guard let part = try? reader.block(limit: note.count) else { return nil }
            parts.append(part)
        }
        guard reader.isAtEnd, let header = ItemHeader(parts[1]) else { return nil }
        self.init(
            row: 0, primaryKey: parts[0], header: header, binding: parts[1] + parts[0], attributes: parts[2],
            secret: parts[3])
    }
}
