internal import Foundation
public import Pavise
internal import PavisePrimitives
internal import PaviseStorage
internal import Synchronization

/// The records of one type that an account keeps at its server and, sealed, on this device.
///
/// ```swift
/// let nights = try account.records(of: Night.self, at: "/api/records/nights", protection: .complete)
/// try nights.put(Night(id: "2026-11-24", awake: 3))
/// let report = await nights.sync()
/// ```
///
/// What is written is on the disk before a call returns. Changes on both sides are merged field by field; where both
/// changed one field, both versions stay, and ``conflicts()`` lists them until a person closes them. A field that this
/// program does not know stays as it is. The app lock closes all of it; `Account.signOut()` removes it.
///
/// Make one for each collection, and keep it. `id` is 1 to 100 ASCII letters, digits and `-._`, no dot in front. Calls
/// block for as long as the disk takes.
public final class Records<Record: Codable & Identifiable & Sendable>: Sendable where Record.ID == String {
    let store: ProtectedRecordStore
    private let engine: RecordEngine
    let lock: String
    private let isOpen: @Sendable () -> Bool
    private let board = SyncStateBoard()
    private let edits = Mutex<[Int: AsyncStream<Void>.Continuation]>([:])

    init(
        _ store: ProtectedRecordStore, _ remote: any RecordRemote, lock: String, isOpen: @escaping @Sendable () -> Bool
    ) {
        (self.store, self.lock, self.isOpen) = (store, lock, isOpen)
        engine = RecordEngine(remote: remote, store: store) { () throws(SyncFailure) in
            do throws(EntropyFailure) {
                return Hex.encode(try Entropy.kernel.bytes(16))
            } catch {
                throw .journal("The system gives no random numbers.")
            }
        }
        count()
    }

    deinit { board.finish() }

    private func checked<Value>(_ body: () throws -> Value) throws(PaviseError) -> Value {
        guard isOpen() else { throw PaviseError.appLocked }
        do { return try body() } catch {
            throw isOpen() ? PaviseError(error) : PaviseError.appLocked
        }
    }

    // MARK: Reading

    /// All records, by identifier; other versions of conflicts are not among them.
    ///
    /// - Throws: `appLocked`, `deviceLocked`; `damaged` when one cannot be read as this type.
    public func all() throws(PaviseError) -> [Record] {
        try checked {
            try store.rows(areThere: true).filter { $0.original == nil }
                .compactMap { row in try row.here.map { try Self.decoded($0, row.id.text) } }
        }
    }

    /// One record; `nil` when there is none.
    public func record(_ id: Record.ID) throws(PaviseError) -> Record? {
        try checked {
            guard let fields = try store.row(try Self.known(id))?.here else { return nil }
            return try Self.decoded(fields, id)
        }
    }

    /// A record, or why it cannot be read.
    public struct Row: Sendable, Identifiable {
        /// Names the record.
        public let id: Record.ID
        /// The record; `damaged` when it cannot be read as this type.
        public let record: Result<Record, PaviseError>
    }

    /// All records, by identifier, each with its own error: one that cannot be read hides no other. Other versions of
    /// conflicts are not among them.
    ///
    /// - Throws: `appLocked`, `deviceLocked`; `storage` when the store itself cannot be read.
    public func rows() throws(PaviseError) -> [Row] {
        try checked {
            try store.rows(areThere: true).filter { $0.original == nil }.compactMap { row in
                guard let fields = row.here else { return nil }
                let record = Result { try Self.decoded(fields, row.id.text) }.mapError { PaviseError($0) }
                return Row(id: row.id.text, record: record)
            }
        }
    }

    /// All records now, and again after each change of this object: for a screen.
    ///
    /// ```swift
    /// for try await rows in nights.values {
    ///     for row in rows {
    ///         switch row.record {
    ///         case .success(let night): print(night.id, night.awake)
    ///         case .failure(let error): print(row.id, error.message(in: .current))
    ///         }
    ///     }
    /// }
    /// ```
    /// It ends with the app lock, and with an error where the store cannot be read: what a screen shows is old then.
    public var values: AsyncThrowingStream<[Row], any Error> {
        let changes = store.database.changes(in: ["record"])
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { [weak self] in
                do throws(PaviseError) {
                    if let now = try self?.rows() { continuation.yield(now) }
                    for await _ in changes {
                        guard let now = try self?.rows() else { break }
                        continuation.yield(now)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error == PaviseError.appLocked ? nil : error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    // MARK: Writing

    /// Writes a record, new or in the place of what ``record(_:)`` says now.
    ///
    /// An editor that was open for a while gives what it began with: ``put(_:over:)``.
    public func put(_ record: Record) throws(PaviseError) {
        try checked {
            let id = try Self.own(record.id)
            let seen = try store.row(id)?.here.flatMap { try? Self.decoded($0, id.text) }
            try edit(id, record, over: seen)
        }
    }

    /// Writes a record that was made of `seen`: what came from the server meanwhile is merged, and where both changed
    /// one field, both versions stay.
    public func put(_ record: Record, over seen: Record?) throws(PaviseError) {
        try checked { try edit(try Self.own(record.id), record, over: seen) }
    }

    private func edit(_ id: RecordID, _ record: Record, over seen: Record?) throws {
        try apply([(id, try Self.change(to: record, over: seen, of: try store.row(id)?.here, id))])
    }

    /// Deletes a record. The content stays for 30 days, see ``replaced()``; an edit on another device beats this.
    /// ``erase(_:)`` keeps nothing.
    public func delete(_ id: Record.ID) throws(PaviseError) {
        try checked { try apply([(try Self.known(id), .edited(nil, over: nil))]) }
    }

    /// Deletes a record for good: of its content, and of what ``replaced()`` has of it, nothing stays on this device,
    /// in no page of the file and not in its log. An edit on another device still beats this.
    ///
    /// What was being sent when it was erased stays until the server has answered. The other devices delete the record
    /// when they synchronise; what they keep goes with ``eraseReplaced(_:)`` there.
    ///
    /// ```swift
    /// try nights.erase("2026-11-24")
    /// ```
    ///
    /// - Throws: `appLocked`, `deviceLocked`, `diskFull`; `busy` where a reader needed the log for long: try again.
    public func erase(_ id: Record.ID) throws(PaviseError) {
        try checked { try apply([(try Self.known(id), .erased)]) }
    }

    /// Lets go of what ``replaced()`` has of a record and of other versions of it. The record stays as it is.
    ///
    /// - Throws: As ``erase(_:)``.
    public func eraseReplaced(_ id: Record.ID) throws(PaviseError) {
        try checked { try store.eraseReplaced(try Self.known(id)) }
    }

    private func apply(_ events: [(RecordID, RecordEvent)]) throws {
        _ = try store.apply(events, position: nil)
        count()
        for edit in edits.withLock({ Array($0.values) }) { edit.yield() }
    }

    // MARK: Conflicts

    /// Two versions of a record, of which nobody has said yet what is to become of them.
    public struct Conflict: Sendable, Identifiable {
        /// Names the conflict.
        public let id: String
        /// What the record is now, on all devices; `nil` when it was deleted.
        public let current: Record?
        /// The other version, with the record's own identifier.
        public let other: Record
        let seen: RecordFields?
        let otherSeen: RecordFields
        let row: RecordID
    }

    /// The conflicts that nobody has closed, on this device or another.
    ///
    /// One of which a version cannot be read as this type hides no other: it is left out, counts in
    /// ``SyncState/conflicts``, and waits for the version of the app that wrote it.
    ///
    /// - Throws: `appLocked`, `deviceLocked`; `storage` when the store itself cannot be read.
    public func conflicts() throws(PaviseError) -> [Conflict] {
        try checked {
            try store.rows(areThere: true).compactMap { row in
                guard let original = row.original, let fields = row.here else { return nil }
                let seen = try store.row(original)?.here
                let current = seen.flatMap { try? Self.decoded($0, original.text) }
                guard let other = try? Self.decoded(fields, original.text), (current == nil) == (seen == nil) else {
                    return nil
                }
                return Conflict(
                    id: row.id.text, current: current, other: other, seen: seen, otherSeen: fields, row: row.id)
            }
        }
    }

    /// Closes a conflict: the record becomes `record` on all devices, and the other version goes.
    ///
    /// Keeping ``Conflict/current`` loses the other version's fields, keeping ``Conflict/other`` those of the record;
    /// both stay for 30 days, see ``replaced()``. What changed since the conflict was listed is not lost: it is a
    /// conflict of its own then.
    ///
    /// - Parameters:
    ///   - conflict: What ``conflicts()`` gave.
    ///   - record: What the record becomes; `nil` deletes it, or leaves it deleted.
    public func close(_ conflict: Conflict, keeping record: Record?) throws(PaviseError) {
        try checked {
            let id = try Self.known(conflict.other.id)
            var events: [(RecordID, RecordEvent)] = [(conflict.row, .edited(nil, over: conflict.otherSeen))]
            if let record {
                // What this program does not know of the record stays.
                let change = try Self.change(to: record, over: conflict.current, of: conflict.seen, id)
                events.insert((id, change), at: 0)
                if case .edited(let fields, let seen) = change, fields != seen {
                    events.insert((id, .superseded), at: 0)
                }
            } else if let seen = conflict.seen {
                events.insert((id, .edited(nil, over: seen)), at: 0)
            }
            try apply(events)
        }
    }

    /// What was replaced by another device or deleted, in the last 30 days, the newest first. What this program cannot
    /// read is left out.
    public func replaced() throws(PaviseError) -> [Record] {
        try checked { try store.replaced().compactMap { try? Self.decoded($0.fields, $0.id.text) } }
    }

    // MARK: Synchronising

    /// Brings this device and the server together once. What ended it early is in the report.
    ///
    /// - Parameter approved: Questions of an earlier report that a person has answered with yes.
    public func sync(approving approved: Set<RecordReport.Question> = []) async -> RecordReport {
        var report = RecordReport()
        do throws(SyncFailure) {
            guard isOpen() else { throw .locked }
            let held: FileLock?
            do throws(SystemFailure) { held = try FileLock.tryAcquire(lock) } catch {
                throw error.isDiskFull ? .full(.here) : .journal(error.description)
            }
            guard let running = held else { throw .busy }
            board.change { $0.activity = .running }
            report = await engine.run(approving: approved)
            _ = consume running
        } catch {
            report.failure = error
        }
        // Somebody else's run says how it stands.
        guard report.failure != .busy else { return report }
        let (failure, questions) = (report.failure, report.questions.count)
        let error = failure.map { $0 == .locked && !isOpen() ? PaviseError.appLocked : PaviseError($0) }
        board.change { state in
            state.activity = error.map { .stopped($0) } ?? .idle
            state.questions = questions
        }
        count()
        return report
    }

    /// A run now, and one soon after each write, and after `interval` at the latest, for as long as the sequence is
    /// read. After a failure the next waits a second, then two, up to an hour, each up to half as long again by chance,
    /// and at least as long as a busy server asked for.
    public func reports(every interval: Duration = .seconds(300)) -> AsyncStream<RecordReport> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RecordReport.self, bufferingPolicy: .bufferingNewest(16))
        let task = Task { [weak self] in
            var failures = 0
            while !Task.isCancelled, let report = await self?.sync() {
                continuation.yield(report)
                failures = report.failure == nil ? 0 : failures + 1
                let wait = failures == 0 ? interval : FolderSync.pause(failures, after: report.failure)
                await self?.waitForEdit(failures == 0, atMost: wait)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func waitForEdit(_ hears: Bool, atMost wait: Duration) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = edits.withLock { all in
            let number = (all.keys.max() ?? 0) + 1
            if hears { all[number] = continuation }
            return number
        }
        // What was written while the run was ending.
        if hears, (try? store.waiting().isEmpty) == false, board.state.questions == 0 { continuation.yield() }
        let timer = Task {
            try? await Task.sleep(for: wait)
            continuation.finish()
        }
        var reader = stream.makeAsyncIterator()
        _ = await reader.next()
        timer.cancel()
        edits.withLock { $0[number] = nil }
    }

    /// Where it stands.
    public var state: SyncState { board.state }

    /// Where it stands now, and each later state.
    public var states: AsyncStream<SyncState> { board.states }

    // Behind the lock the last figures stay.
    private func count() {
        guard isOpen(), let waiting = try? store.waiting(), let rows = try? store.rows(areThere: true) else { return }
        let (unsent, conflicts) = (waiting.count, rows.count { $0.original != nil })
        board.change { ($0.unsent, $0.conflicts) = (unsent, conflicts) }
    }

    // MARK: Between records and fields

    private static func known(_ id: String) throws(SyncFailure) -> RecordID {
        guard let known = RecordID(id) else { throw .refused("This is no identifier of a record.") }
        return known
    }

    private static func own(_ id: String) throws(SyncFailure) -> RecordID {
        guard id.utf8.count <= RecordID.ownLimit, !id.utf8.contains(UInt8(ascii: "~")) else {
            throw .refused("This is no identifier of a record.")
        }
        return try known(id)
    }

    // The identifier is no field: another version of a record has another one.
    static func encoded(_ record: Record) throws -> RecordFields {
        let fields = try RecordFields(json: [UInt8](JSONEncoder().encode(record)))
        var values = fields.values
        if values["id"] == .string(record.id) { values["id"] = nil }
        return RecordFields(values: values)
    }

    // What this program makes of a field that `here` does not have is no change of anybody's: neither of the person's,
    // who left it so, nor of another device's. What cannot be read here is judged as it stands: a conflict at worst.
    static func change(
        to record: Record, over seen: Record?, of here: RecordFields?, _ id: RecordID
    ) throws -> RecordEvent {
        let (fields, base) = (try encoded(record), try seen.map { try encoded($0) })
        guard let here, let base, let known = try? decoded(here, id.text), (try? encoded(known)) == base else {
            return .edited(fields, over: base)
        }
        let told = fields.values.filter { here.values[$0.key] != nil || base.values[$0.key] != $0.value }
        let shared = base.values.filter { here.values[$0.key] != nil }
        return .edited(RecordFields(values: told), over: RecordFields(values: shared))
    }

    // A record is named by its address: what a server wrote into it as another name is none of it.
    static func decoded(_ fields: RecordFields, _ id: String) throws -> Record {
        var values = fields.values
        if values["id"] == nil { values["id"] = .string(id) }
        if let record = decoded(values), record.id == id { return record }
        values["id"] = .string(id)
        // The decoder's own error may have the content in it.
        guard let record = decoded(values), record.id == id else { throw UnreadableRecord() }
        return record
    }

    private static func decoded(_ values: [String: JSONValue]) -> Record? {
        try? JSONDecoder().decode(Record.self, from: Data(RecordFields(values: values).json))
    }
}

/// A record that is not of the type that this program reads it as: another program or version wrote it.
struct UnreadableRecord: Error, AppFailure {
    var appMeaning: (code: PaviseError.Code, recovery: PaviseError.Recovery) { (.damaged, .askForHelp) }
}
