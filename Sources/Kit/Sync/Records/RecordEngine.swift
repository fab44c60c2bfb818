/// Brings the records of a collection and a server together: settles what was sent, asks what changed, merges it,
/// sends what is left.
///
/// Store, network and chance are values (sync/SY20). What an app writes meanwhile is merged like everything else.
package actor RecordEngine {
    let remote: any RecordRemote
    let store: any RecordStore
    private let width: Int
    private let sizeLimit: Int
    private let key: @Sendable () throws(SyncFailure) -> String
    private var report = RecordReport()
    private var isRunning = false
    // Records for which the server had an error of its own, in this run or an earlier one: they end no run.
    private var erring: Set<RecordID> = []
    private var newErrors = 0

    /// How many more of them one after the other end a run.
    static let mostErrors = 3
    /// The most records of a collection.
    static let countLimit = 100_000
    /// How often one record is tried in a run, before a person is asked.
    static let mostTries = 3

    /// An engine.
    ///
    /// - Parameters:
    ///   - width: How many records are sent at once.
    ///   - sizeLimit: The most bytes of a whole list, which is in memory before anything of it is applied.
    ///   - key: A new idempotency key: visible ASCII that nobody can guess.
    package init(
        remote: any RecordRemote, store: any RecordStore, width: Int = 4, sizeLimit: Int = 256 << 20,
        key: @escaping @Sendable () throws(SyncFailure) -> String
    ) {
        (self.remote, self.store, self.width, self.key) = (remote, store, max(1, width), key)
        self.sizeLimit = sizeLimit
    }

    /// One run. It never throws: what ended it early is in the report.
    ///
    /// - Parameter approved: Questions of an earlier report that a person has answered with yes.
    package func run(approving approved: Set<RecordReport.Question> = []) async -> RecordReport {
        var busy = RecordReport()
        busy.failure = .busy
        guard !isRunning else { return busy }
        isRunning = true
        defer { isRunning = false }
        (report, newErrors) = (RecordReport(), 0)
        do throws(SyncFailure) {
            // First what was sent, so that our own versions are not taken for somebody else's.
            var unsettled: [RecordID] = []
            for id in try store.waiting() where try store.row(id)?.pending != nil { unsettled.append(id) }
            try await send(unsettled)
            if try await fetch(approved) { try await send(try store.waiting()) }
        } catch {
            report.failure = error
        }
        return report
    }

    @discardableResult
    private func apply(
        _ events: [(RecordID, RecordEvent)], _ position: RecordPosition? = nil
    ) throws(SyncFailure) -> RecordChanges {
        let changes = try store.apply(events, position: position)
        report.conflicts += changes.conflicts
        return changes
    }

    // MARK: What changed there

    private struct Listing {
        var found: [RecordID: RecordVersion] = [:]
        var position: RecordPosition
        var isWhole: Bool
    }

    // Nothing is applied before all of it was seen: half of a wipe is a wipe.
    private func fetch(_ approved: Set<RecordReport.Question>) async throws(SyncFailure) -> Bool {
        let known = try store.position()
        var listing = try await list(since: known)
        var events: [(RecordID, RecordEvent)] = []
        if let known, known.collection != listing.position.collection {
            guard approved.contains(.otherCollection) else {
                report.questions.insert(.otherCollection)
                return false
            }
            if !listing.isWhole { listing = try await list(since: nil) }
            events = try store.rows(areThere: false).map { ($0.id, .forgotten) }
            listing.isWhole = false
        }
        let absent = listing.isWhole ? try absent(from: listing) : []
        guard try mayDelete(listing, absent, approved), try mayReplace(listing, approved) else { return true }
        events += listing.found.sorted { $0.key < $1.key }.map { ($0.key, .received($0.value)) }
        // A listing that was made while others wrote may miss one: it is asked for by its name.
        for id in absent {
            let now = try await remote.record(id)
            events.append((id, now.map { .received($0.version) } ?? .absent))
        }
        guard !events.isEmpty || known != listing.position else { return true }
        let before = try events.map { event throws(SyncFailure) in try store.row(event.0)?.here }
        let changes = try apply(events, listing.position)
        report.received += zip(events, before).count { changes.rows[$0.0]?.here != $1 }
        return true
    }

    private func list(since known: RecordPosition?) async throws(SyncFailure) -> Listing {
        var cursor = known?.cursor
        var listing: Listing?
        var (restarts, size) = (0, 0)
        for _ in 0..<Self.countLimit {
            guard let page = try await remote.changes(since: cursor) else {
                // Also in the middle of it: everything is asked for then.
                restarts += 1
                guard cursor != nil, restarts <= 2 else { throw .listing("The server forgets where its list was.") }
                (cursor, listing, size) = (nil, nil, 0)
                continue
            }
            let position = RecordPosition(collection: page.collection, cursor: page.cursor)
            var next = listing ?? Listing(position: position, isWhole: cursor == nil)
            guard next.position.collection == page.collection else { throw .listing("The server's list changed.") }
            for record in page.records {
                next.found[record.id] = record.version
                size += record.version.fields?.json.count ?? 0
            }
            guard size <= sizeLimit else { throw .listing("The server's list has more than \(sizeLimit) bytes.") }
            next.position = position
            guard next.found.count <= Self.countLimit else {
                throw .listing("The server has more than \(Self.countLimit) records.")
            }
            guard page.hasMore else { return next }
            guard page.cursor != cursor, !page.records.isEmpty else { throw .listing("The server's list has no end.") }
            (listing, cursor) = (next, page.cursor)
        }
        throw .listing("The server's list has no end.")
    }

    // What both had, and a whole list does not have: deleted so long ago that the server forgot it.
    private func absent(from listing: Listing) throws(SyncFailure) -> [RecordID] {
        try store.rows(areThere: false).filter { $0.base != nil && listing.found[$0.id] == nil }.map(\.id)
    }

    private func mayDelete(
        _ listing: Listing, _ absent: [RecordID], _ approved: Set<RecordReport.Question>
    ) throws(SyncFailure) -> Bool {
        let gone = listing.found.filter { $0.value.fields == nil }.map(\.key) + absent
        let count = try gone.count { id throws(SyncFailure) in
            guard let row = try store.row(id) else { return false }
            return row.here != nil && !row.isDirty
        }
        guard count > 0 else { return true }
        let all = try store.rows(areThere: true).count
        let isEmptied = listing.isWhole && !listing.found.values.contains { $0.fields != nil }
        let question: RecordReport.Question = isEmptied ? .emptied(count) : .deletions(count, of: all)
        let isMass = isEmptied || count > 100 || (count >= 10 && count * 2 > all)
        guard isMass, !approved.contains(question) else { return true }
        report.questions.insert(question)
        return false
    }

    // Another device, or whoever writes at the server, gave most of them another content.
    private func mayReplace(
        _ listing: Listing, _ approved: Set<RecordReport.Question>
    ) throws(SyncFailure) -> Bool {
        guard listing.found.count >= 100 else { return true }
        let count = try listing.found.count { record throws(SyncFailure) in
            guard let theirs = record.value.fields, let row = try store.row(record.key), let mine = row.here else {
                return false
            }
            return !row.isDirty && mine != theirs
        }
        guard count >= 100 else { return true }
        let all = try store.rows(areThere: true).count
        let question = RecordReport.Question.replacements(count, of: all)
        guard count * 2 > all, !approved.contains(question) else { return true }
        report.questions.insert(question)
        return false
    }

    // MARK: What changed here

    private func send(_ ids: [RecordID]) async throws(SyncFailure) {
        var failure: SyncFailure?
        var rest = ids[...]
        while failure == nil, !rest.isEmpty {
            let some = rest.prefix(width)
            rest = rest.dropFirst(width)
            guard some.count > 1 else {
                for id in some { failure = await outcome(id) }
                continue
            }
            failure = await withTaskGroup(of: SyncFailure?.self) { group in
                for id in some { group.addTask { await self.outcome(id) } }
                var first: SyncFailure?
                for await one in group { first = first ?? one }
                return first
            }
        }
        if let failure { throw failure }
    }

    private func outcome(_ id: RecordID) async -> SyncFailure? {
        do throws(SyncFailure) { try await send(id) } catch { return error }
        return nil
    }

    private func send(_ id: RecordID) async throws(SyncFailure) {
        for _ in 0..<Self.mostTries {
            if let row = try store.row(id), row.pending == nil, row.isDirty {
                try apply([(id, .started(key: try key()))])
            }
            guard let row = try store.row(id), let pending = row.pending else { return }
            let answer: RecordWriteResult
            do throws(SyncFailure) {
                answer = try await ask(row, pending)
            } catch {
                if case .serverError = error {
                    // What was sent stays written down, and is asked about by the next run; the others go on.
                    if erring.insert(id).inserted { newErrors += 1 }
                    guard newErrors < Self.mostErrors else { throw error }
                    break
                }
                guard error.isOfOneItem else { throw error }
                // The others go on (sync/SY16).
                try apply([(id, .dropped(key: pending.key))])
                break
            }
            erring.remove(id)
            newErrors = 0
            switch answer {
            case .done(let tag):
                try apply([(id, .confirmed(key: pending.key, tag: tag))])
                report.sent += 1
            case .other(let there):
                let event = there.map { RecordEvent.received($0.version) } ?? .absent
                try apply([(id, event), (id, .dropped(key: pending.key))])
            }
        }
        guard let row = try store.row(id), row.isDirty || row.pending != nil else { return }
        report.questions.insert(.refused(id))
    }

    private func ask(_ row: RecordRow, _ pending: PendingRecord) async throws(SyncFailure) -> RecordWriteResult {
        do throws(SyncFailure) {
            if let fields = pending.fields {
                return try await remote.put(
                    row.id, fields, original: row.original, old: pending.old, key: pending.key)
            }
            guard let old = pending.old else { return .other(try await remote.record(row.id)) }
            return try await remote.delete(row.id, old: old, key: pending.key)
        } catch .changed {
            return .other(try await remote.record(row.id))
        }
    }
}
