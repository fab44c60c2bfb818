/// A version of a record that the server has or had.
public struct RecordVersion: Hashable, Sendable {
    /// What the server calls this version.
    public let tag: String
    /// Its content; `nil` when it was deleted.
    public let fields: RecordFields?
    /// For another version of a record, which its own server keeps beside it: which one.
    public let original: RecordID?

    /// A version from its parts.
    public init(tag: String, fields: RecordFields?, original: RecordID? = nil) {
        (self.tag, self.fields, self.original) = (tag, fields, original)
    }

    // The version's name alone.
    fileprivate var erased: RecordVersion { RecordVersion(tag: tag, fields: .erased, original: original) }
}

/// A record as a server lists it.
public struct RemoteRecord: Hashable, Sendable {
    /// Which one.
    public let id: RecordID
    /// What it is now.
    public let version: RecordVersion

    /// A record from its parts.
    public init(id: RecordID, version: RecordVersion) { (self.id, self.version) = (id, version) }
}

/// A write to the server whose end is not known (sync/SY15).
package struct PendingRecord: Hashable, Sendable {
    /// The idempotency key: the same request again is the same write.
    package let key: String
    /// What was sent; `nil` is a deletion.
    package let fields: RecordFields?
    /// The version that it replaces; `nil` where there is none.
    package let old: String?
    /// Whether the record was erased since: what was sent goes from here with the answer.
    package var isErased = false
}

/// One record as this device knows it: what both sides last agreed on, what is here, what is being sent.
///
/// A deleted record is a row without content: a tombstone that stays until the server knows of it.
package struct RecordRow: Hashable, Sendable {
    package let id: RecordID
    /// What both sides last agreed on (sync/SY1); it stays the oldest while the person goes on editing (sync/SY3).
    package var base: RecordVersion?
    /// What is here; `nil` when it was deleted here, or never was.
    package var here: RecordFields?
    package var pending: PendingRecord?
    /// For another version of a record: which one.
    package var original: RecordID?

    package init(_ id: RecordID) { self.id = id }

    /// Whether the server does not have what is here.
    package var isDirty: Bool { here != base?.fields }
    /// Whether nothing is left to be remembered.
    package var isGone: Bool { here == nil && base == nil && pending == nil }
    /// Whether it was erased, and nothing of it is on its way any more.
    package var isErased: Bool { here == nil && base?.fields == .erased && pending == nil }
}

/// What happens to a record. Rows are changed by these alone.
package enum RecordEvent: Hashable, Sendable {
    /// The app wrote it, or deleted it with `nil`; `over` is what the person saw. A deletion of what the person did
    /// not see does nothing; with `nil` it deletes whatever is there.
    case edited(RecordFields?, over: RecordFields?)
    /// The app erased it: deleted, and nothing of its content is kept here.
    case erased
    /// A person takes another version in its place: what is here is kept, also where no server has it yet.
    case superseded
    /// The server says what it is.
    case received(RecordVersion)
    /// The server does not have it any more, and has forgotten that it did.
    case absent
    /// What was agreed on was agreed on with another collection: all of it is compared anew.
    case forgotten
    /// It is about to be sent, with this key.
    case started(key: String)
    /// The server did the write with this key, and calls the new version so.
    case confirmed(key: String, tag: String)
    /// The server did not do the write with this key, and will not.
    case dropped(key: String)
}

/// What an event made of a record.
package struct RecordOutcome: Hashable, Sendable {
    package var row: RecordRow
    /// The content that this device had and another took the place of, or a deletion did; it is kept for 30 days.
    package var replaced: RecordFields?
    /// The content of this device that clashed, and becomes a record of its own (sync/SY9).
    package var other: RecordFields?
}

extension RecordRow {
    /// What `event` makes of the record. Pure.
    package func after(_ event: RecordEvent) -> RecordOutcome {
        var outcome = RecordOutcome(row: self)
        switch event {
        case .edited(let fields, let seen): edit(fields, over: seen, &outcome)
        // The version's name is all that its deletion needs.
        case .erased:
            outcome.row.here = nil
            outcome.row.base = base?.erased
            outcome.row.pending?.isErased = true
        case .superseded: outcome.replaced = isDirty ? here : nil
        case .received(let version): receive(version, &outcome)
        case .absent: receive(RecordVersion(tag: "", fields: nil), &outcome)
        case .forgotten: (outcome.row.base, outcome.row.pending) = (nil, nil)
        case .started(let key):
            guard pending == nil, isDirty else { break }
            outcome.row.pending = PendingRecord(key: key, fields: here, old: base?.tag)
        case .confirmed(let key, let tag):
            guard let pending, pending.key == key else { break }
            outcome.row.settle(RecordVersion(tag: tag, fields: pending.fields, original: original))
        case .dropped(let key): if pending?.key == key { outcome.row.pending = nil }
        }
        return outcome
    }

    // What came meanwhile and the person did not see is merged, and never overwritten.
    private func edit(_ fields: RecordFields?, over seen: RecordFields?, _ outcome: inout RecordOutcome) {
        if fields == nil, let seen, here != seen { return }
        outcome.row.here = fields
        // Of what one device writes one after the other the last counts; what goes altogether is kept.
        outcome.replaced = (fields == nil || !isDirty) && here != fields ? here : nil
        guard let fields, let here, here != seen else { return }
        switch RecordMerge(base: seen, here: fields, there: here) {
        case .merged(let both): outcome.row.here = both
        case .clash: (outcome.other, outcome.replaced) = (here, nil)
        }
    }

    // The server has what was sent: from here on that is the base.
    private mutating func settle(_ version: RecordVersion) {
        // What was erased on its way does not come back as what both sides agreed on, also where the app has written
        // the record anew since; and what it wrote anew is what they agree on, once it was sent.
        let isGone = here == nil && (base == nil || base?.fields == .erased)
        let isErased = pending?.isErased == true || isGone
        let isOwn = pending.map { $0.fields == version.fields } ?? false
        pending = nil
        base = isOwn && isErased ? version.erased : version
        if version.fields == nil { base = nil }
    }

    private func receive(_ version: RecordVersion, _ outcome: inout RecordOutcome) {
        if let pending, pending.fields == version.fields { return outcome.row.settle(version) }
        if let base, base.tag == version.tag { return }
        // Its condition cannot hold any more.
        outcome.row.settle(version)
        guard let theirs = version.fields else {
            // An edit beats a deletion.
            guard !isDirty else { return }
            (outcome.replaced, outcome.row.here) = (here, nil)
            return
        }
        outcome.row.original = version.original
        guard isDirty, let mine = here else {
            (outcome.replaced, outcome.row.here) = (here == theirs ? nil : here, theirs)
            return
        }
        switch RecordMerge(base: base?.fields, here: mine, there: theirs) {
        case .merged(let fields): outcome.row.here = fields
        case .clash: (outcome.other, outcome.row.here) = (mine, theirs)
        }
    }
}

/// What several events make of the records of a collection. Pure: where rows come from is the caller's.
package struct RecordChanges: Sendable {
    /// The rows as they are now; those that are gone are among them.
    package private(set) var rows: [RecordID: RecordRow] = [:]
    /// What was replaced or deleted here, in order.
    package private(set) var replaced: [(RecordID, RecordFields)] = []
    /// The records that got another version beside them.
    package private(set) var conflicts: [RecordID] = []
    /// Whether something that was erased on its way is on its way no more.
    package private(set) var hasLetGo = false
    /// The records of which nothing is kept any more, and none of what was kept before.
    package private(set) var erased: Set<RecordID> = []

    package init() {}

    /// Does what `event` says.
    ///
    /// - Parameter load: The row as it is stored; `nil` for none.
    package mutating func apply<Failure: Error>(
        _ event: RecordEvent, to id: RecordID, _ load: (RecordID) throws(Failure) -> RecordRow?
    ) throws(Failure) {
        let before = try row(id, load)
        let outcome = before.after(event)
        rows[id] = outcome.row
        if before.pending?.isErased == true, outcome.row.pending == nil { hasLetGo = true }
        if event == .erased { erased.insert(id) }
        // A person knows another version by its record's name.
        if let old = outcome.replaced { replaced.append((outcome.row.original ?? id, old)) }
        if let other = outcome.other { try add(other, beside: outcome.row, load) }
    }

    private func row<Failure: Error>(
        _ id: RecordID, _ load: (RecordID) throws(Failure) -> RecordRow?
    ) throws(Failure) -> RecordRow {
        if let row = rows[id] { return row }
        return try load(id) ?? RecordRow(id)
    }

    // One name for one content, so that a second try and another device make the same; names do not pile up.
    private mutating func add<Failure: Error>(
        _ fields: RecordFields, beside row: RecordRow, _ load: (RecordID) throws(Failure) -> RecordRow?
    ) throws(Failure) {
        let original = row.original ?? row.id
        for count in 1...1_000 {
            var other = try self.row(original.conflict(fields.digest, count), load)
            guard other.here == nil || other.here == fields else { continue }
            (other.here, other.original) = (fields, original)
            rows[other.id] = other
            conflicts.append(other.id)
            return
        }
        // A thousand edited copies of one content: kept as what was replaced is.
        replaced.append((original, fields))
    }
}
