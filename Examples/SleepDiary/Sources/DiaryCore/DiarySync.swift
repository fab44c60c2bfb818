#if canImport(PaviseSync)
internal import Foundation
public import Pavise
internal import PaviseProtectedStorage
internal import PaviseStorage
public import PaviseSync
internal import Synchronization

/// Keeps the nights of the diary the same as the records of the account, and the documents the same as its folder.
///
/// The diary is the app's and stays when the person signs out; the records are the account's and go. What both had in
/// common last lies with the records: a sign-in at another server begins anew, and takes nothing for deleted.
///
/// ```swift
/// let sync = try await security.sync()
/// let report = try await sync?.run()
/// ```
public final class DiarySync: Sendable {
    /// Two versions of a night, of which the person has to say which one it was.
    public struct Conflict: Sendable, Identifiable {
        /// Names the conflict.
        public let id: String
        /// What the night is now, on all devices; `nil` where it was erased.
        public let current: Night?
        /// The other version.
        public let other: Night
        let records: Records<NightRecord>.Conflict
    }

    /// What a run did.
    public struct Outcome: Hashable, Sendable {
        /// How many nights the server took.
        public let sent: Int
        /// How many nights of this device changed.
        public let received: Int
        /// How many records say no night: they stay at the server, and nobody sees them here.
        public let unreadable: Int
        /// What the person has to answer before it goes on.
        public let questions: Set<RecordReport.Question>
        /// What it did with documents.
        public let documents: DocumentSync.Outcome

        /// Whether the person has to answer something.
        public var asks: Bool { !dangers.isEmpty }

        static let none = Outcome(
            sent: 0, received: 0, unreadable: 0, questions: [],
            documents: DocumentSync.Outcome(sent: 0, received: 0, questions: []))
    }

    /// The path of the collection at the server.
    public static let path = "/api/records/nights"

    private let records: Records<NightRecord>
    private let agreed: ProtectedDatabase
    private let documents: DocumentSync
    private let security: DiarySecurity
    // A run at a time: two would each take the other's half for a change of the person.
    private let turn = Mutex<(isTaken: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    init(_ account: Account, _ security: DiarySecurity) throws(PaviseError) {
        self.security = security
        documents = try DocumentSync(account, security)
        records = try account.records(at: Self.path, protection: .complete)
        agreed = try account.database(
            "diary-agreed", protection: .complete,
            migrations: [
                DatabaseMigration(1, "agreed", "CREATE TABLE agreed(id TEXT PRIMARY KEY, record TEXT NOT NULL)")
            ])
    }

    /// Where it stands, for a screen.
    public var state: SyncState { records.state }

    /// Where it stands now, and each later state.
    public var states: AsyncStream<SyncState> { records.states }

    /// How many nights are not at the server yet: another device lacks them.
    public func waiting() async throws(PaviseError) -> Int {
        try await security.with { diary in
            let known = try self.known()
            let nights = try diary.nights().map(NightRecord.init)
            return nights.count { known[$0.id] != $0 } + Set(known.keys).subtracting(nights.map(\.id)).count
                + self.records.state.unsent
        }
    }

    /// How many documents are not at the server yet.
    public func waitingDocuments() async throws(PaviseError) -> Int {
        try await security.with { _ in try self.documents.waiting() }
    }

    /// The person erases a document: said before it is gone.
    func erases(_ file: StoredFileID) async throws(PaviseError) {
        try await security.with { _ in try self.documents.erases(file) }
    }

    /// Brings the diary, the records and the server together once, and then the documents. Without the person's consent
    /// nothing is sent and nothing is taken.
    ///
    /// - Parameters:
    ///   - approved: An earlier run whose questions the person has answered with yes.
    ///   - waits: Whether it waits for a run that goes on already, and does what is left then. Otherwise nothing is
    ///     done beside that one.
    public func run(approving approved: Outcome? = nil, waits: Bool = true) async throws(PaviseError) -> Outcome {
        guard await takeTurn(waits) else { return .none }
        defer { giveTurn() }
        try await security.with { diary in
            try diary.demandConsent()
            try self.push(diary)
        }
        let report = await records.sync(approving: approved?.questions ?? [])
        let failure: PaviseError? = if case .stopped(let failure) = records.state.activity { failure } else { nil }
        // Records that were lost here are missing until a run has come to its end, and were erased by nobody. Where
        // another program is at it, or a question waits, there was none.
        let isAsked = report.questions.contains { if case .refused = $0 { false } else { true } }
        let isWhole = failure == nil && report.failure == nil && !isAsked
        let (received, unreadable) = try await security.with { try self.pull($0, erases: isWhole) }
        if let failure { throw failure }
        return Outcome(
            sent: report.sent, received: received, unreadable: unreadable, questions: report.questions,
            documents: try await documents.run(approving: approved?.documents.questions ?? []))
    }

    private func takeTurn(_ waits: Bool) async -> Bool {
        guard !isTurnFree() else { return true }
        guard waits else { return false }
        await withCheckedContinuation { continuation in
            let isFree = turn.withLock { turn in
                guard turn.isTaken else {
                    turn.isTaken = true
                    return true
                }
                turn.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        return true
    }

    // Who finds it free has it.
    private func isTurnFree() -> Bool {
        turn.withLock { turn in
            defer { turn.isTaken = true }
            return !turn.isTaken
        }
    }

    private func giveTurn() {
        let next = turn.withLock { turn -> CheckedContinuation<Void, Never>? in
            turn.isTaken = !turn.waiting.isEmpty
            return turn.isTaken ? turn.waiting.removeFirst() : nil
        }
        next?.resume()
    }

    // MARK: Conflicts

    /// What waits for the person.
    public func conflicts() async throws(PaviseError) -> [Conflict] {
        try await security.with { _ in
            try self.records.conflicts().compactMap { conflict in
                // Another program's record is no question for a person.
                guard let other = conflict.other.night(version: 1) else { return nil }
                return Conflict(
                    id: conflict.id, current: conflict.current?.night(version: 1), other: other, records: conflict)
            }
        }
    }

    /// Closes a conflict: the night is as `night` says on all devices, erased where that is `nil`, and the other
    /// version goes.
    public func close(_ conflict: Conflict, keeping night: Night?) async throws(PaviseError) {
        try await security.with { diary in
            try self.records.close(conflict.records, keeping: night.map(NightRecord.init))
            if night == nil { try self.records.erase(conflict.other.id.uuidString) }
            _ = try self.pull(diary)
        }
    }

    // MARK: Between diary and records

    /// The person changed a night as it was in `seen`. Where another device's version came here since, it is `seen` of
    /// which the next run takes the change: not of a version that nobody saw.
    func began(with seen: Night) async throws(PaviseError) {
        try await security.with { diary in
            guard try diary.hasOther(than: seen) else { return }
            try self.agree(NightRecord(seen))
        }
    }

    /// The person erased a night: what the account keeps of it goes at once, also while a run waits for the server.
    func erased(_ night: Night) async throws(PaviseError) {
        try await security.with { _ in
            let id = night.id.uuidString
            guard try self.known()[id] != nil else { return }
            try self.records.erase(id)
            try self.forget(id)
        }
    }

    // What the person did since both were the same.
    private func push(_ diary: Diary) throws {
        let known = try known()
        let nights = try diary.nights().map(NightRecord.init)
        for night in nights where known[night.id] != night {
            try records.put(night, over: known[night.id])
            try agree(night)
        }
        for id in Set(known.keys).subtracting(nights.map(\.id)) {
            try records.erase(id)
            try forget(id)
        }
    }

    // What the other devices did. A night that the person changes meanwhile waits for the next run.
    private func pull(_ diary: Diary, erases: Bool = true) throws -> (received: Int, unreadable: Int) {
        let known = try known()
        let there = try records.all()
        var (received, unreadable) = (0, 0)
        for record in there where known[record.id] != record {
            guard let night = record.night(version: 1) else {
                unreadable += 1
                continue
            }
            guard try diary.take(night, inPlaceOf: known[record.id]) else { continue }
            received += 1
            try agree(record)
        }
        guard erases else { return (received, unreadable) }
        for id in Set(known.keys).subtracting(there.map(\.id)) {
            guard let night = UUID(uuidString: id), try diary.erase(night, ifStill: known[id]) else { continue }
            received += 1
            // What one device erases stays on none.
            try records.eraseReplaced(id)
            try forget(id)
        }
        return (received, unreadable)
    }

    private func known() throws -> [String: NightRecord] {
        let rows = try agreed.read { try $0.rows("SELECT id, record FROM agreed") }
        var known: [String: NightRecord] = [:]
        for row in rows {
            let text: String = try row.value("record")
            known[try row.value("id")] = try JSONDecoder().decode(NightRecord.self, from: Data(text.utf8))
        }
        return known
    }

    private func agree(_ record: NightRecord) throws {
        let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
        try agreed.write { try $0.run("INSERT OR REPLACE INTO agreed VALUES (\(record.id), \(text))") }
    }

    private func forget(_ id: String) throws {
        try agreed.write { try $0.run("DELETE FROM agreed WHERE id = \(id)") }
        try agreed.emptyLog()
    }
}

extension DiarySecurity {
    /// Keeps the diary the same as the account's records; `nil` where nobody is signed in.
    @concurrent
    public func sync() async throws(PaviseError) -> DiarySync? {
        guard let account = try await account() else { return nil }
        // Whoever asks meanwhile waits: of two of them the second would be told that the folder is in use.
        return try syncing.withLock { (known) throws(PaviseError) in
            if let known { return known }
            let sync = try DiarySync(account, self)
            known = sync
            return sync
        }
    }
}
#endif
