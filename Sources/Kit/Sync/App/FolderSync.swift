internal import Foundation
internal import Pavise
package import PavisePrimitives
internal import PaviseProtectedStorage
package import PaviseSession
package import PaviseStorage
public import PaviseTransport

/// A folder of this device and a folder of a connection's server, kept equal: the parts of a synchronisation, put
/// together.
///
/// What a connection has of them (its container, its client) is given by whoever opened it: see
/// `Account.sync(folder:with:device:)`, and `Account.sync(folder:remote:named:device:)` for an app's own remote.
public final class FolderSync: Sendable {
    /// The folder here; of a sealed one, its name.
    public let path: String
    /// The folder, where it lies sealed in the connection's store.
    public let sealed: SealedFolder?
    let journal: ProtectedJournal
    private let server: Server
    private let device: String
    private let name: String
    let isOpen: @Sendable () -> Bool
    let board: SyncStateBoard
    private let unsent: UnsentCount
    let turn = RunTurn()

    /// Where the server's side comes from.
    package enum Server: Sendable {
        /// A folder of a WebDAV server, with the connection's client.
        case webDAV(WebURL, any AuthorizedClient)
        /// An app's own remote, and what it is called on this device.
        case own(any SyncRemote, named: String)
    }

    /// The server's folder; `nil` with an app's own remote.
    public var address: WebURL? {
        guard case .webDAV(let address, _) = server else { return nil }
        return address
    }

    /// What the journal is called among the account's databases: `Account.renewKeys(databases:)` wants all of them. Its
    /// class is `untilFirstUserAuthentication`.
    public var databaseName: String { ProtectedJournal.databaseName(name) }

    /// Opens the journal of a folder and a server; the first time it makes one.
    ///
    /// - Parameters:
    ///   - path: The folder here; it exists. Of a sealed one, its name.
    ///   - isSealed: Whether its files lie in the container.
    ///   - server: The other side.
    ///   - container: Of the connection.
    ///   - device: What copies of conflicts call this device.
    ///   - home: Pavise's own, of which nothing is synchronised.
    ///   - isBeside: Whether it only looks on, and answers questions, while another process may synchronise it: its
    ///     own runs are ``SyncFailure/busy``.
    ///   - isOpen: Whether the app lock is.
    /// - Throws: ``SyncFailure/busy`` while another process synchronises it; ``SyncFailure/refused(_:)`` for a folder
    ///   that the container lies in.
    package init(
        _ path: String, isSealed: Bool = false, with server: Server, container: ProtectedContainer, device: String,
        home: PaviseHome = .current, isBeside: Bool = false, isOpen: @escaping @Sendable () -> Bool = { true }
    ) throws(SyncFailure) {
        (self.path, self.server, self.device, self.isOpen) = (path, server, device, isOpen)
        if !isSealed, !isBeside { try Self.refuseOwnStore(container.platform.folder, home, in: path) }
        let kind = isSealed ? "sealed\u{0}" : ""
        // No address has a control character.
        let (fact, other) =
            switch server {
            case .webDAV(let address, _): ("address", "\(address)")
            case .own(_, let name): ("remote", "remote\u{0}\(name)")
            }
        name = String("\(ContentDigest(of: Array("\(kind)\(path)\u{0}\(other)".utf8)))".prefix(32))
        let folder = DurableFile.directory(of: container.platform.folder)
        let lock = "\(folder)/sync-\(name).lock"
        journal = try isBeside ? .openBeside(name, in: container) : .open(name, in: container, lock: lock)
        let (board, unsent) = (SyncStateBoard(), UnsentCount(journal, isSealed: isSealed))
        sealed = isSealed ? SealedFolder(journal, isOpen: isOpen, changed: { unsent.tell(board) }) : nil
        (self.board, self.unsent) = (board, unsent)
        // What is there already costs no write to the disk.
        for (name, value) in [("path", path), (fact, other)] where journal.isWriter {
            if try journal.fact(name) != value { try journal.setFact(name, value) }
        }
        unsent.tell(board)
    }

    deinit { board.finish() }

    // A folder with the home in it, or a part of the home or of the store itself: the server would get the keychain and
    // all stores, they change with each run, and another device's would take their place.
    private static func refuseOwnStore(
        _ store: String, _ home: PaviseHome, in path: String
    ) throws(SyncFailure) {
        let (folder, own, home) = (Self.way(to: path), Self.way(to: store), Self.way(to: home.path))
        guard !own.utf8.starts(with: folder.utf8), !folder.utf8.starts(with: own.utf8),
            !folder.utf8.starts(with: home.utf8)
        else {
            throw .refused(
                "The folder holds Pavise's own store, with keys and journals. Choose one that does not, or set "
                    + "PAVISE_HOME to another place. Nothing was changed.")
        }
    }

    private static func way(to folder: String) -> String {
        let path = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        return path.hasSuffix("/") ? path : path + "/"
    }

    /// Brings both sides together once. What ended it early is in the report.
    ///
    /// A call during another run, of ``reports(every:approving:)`` for example, waits until that one has ended.
    ///
    /// - Parameter approved: Questions of an earlier report that a person has answered with yes.
    /// - Returns: What was done; with ``SyncFailure/busy`` where the task was cancelled before its turn came.
    public func run(approving approved: Set<SyncReport.Question> = []) async -> SyncReport {
        guard journal.isWriter, await turn.take() else { return Self.failed(.busy) }
        defer { turn.giveBack() }
        board.change { $0.activity = .running }
        let answered = (try? questions("approved")) ?? []
        let report = await runNow(approved.union(answered))
        keep(report, answered)
        let error = report.failure.map { $0 == .locked && !isOpen() ? PaviseError.appLocked : PaviseError($0) }
        let conflicts = (try? await conflicts())?.count
        board.change { state in
            state.activity = error.map { .stopped($0) } ?? .idle
            state.progress = nil
            state.questions = report.questions.count
            state.conflicts = conflicts ?? state.conflicts
        }
        unsent.tell(board)
        return report
    }

    private func runNow(_ approved: Set<SyncReport.Question>) async -> SyncReport {
        do throws(SyncFailure) {
            guard isOpen() else { throw .locked }
            try journal.sweep()
            guard let (folder, rules) = try folder(approved) else { return Self.asking(.otherOwner) }
            return await (try await engine(folder, rules)).run(approving: approved)
        } catch {
            return Self.failed(error)
        }
    }

    private static func failed(_ failure: SyncFailure) -> SyncReport {
        var report = SyncReport()
        report.failure = failure
        return report
    }

    private static func asking(_ question: SyncReport.Question) -> SyncReport {
        var report = SyncReport()
        report.questions = [question]
        return report
    }

    // What a run asked is there for the next process. One that ended before it could ask has asked nothing else.
    private func keep(_ report: SyncReport, _ answered: Set<SyncReport.Question>) {
        guard report.failure == nil || !report.questions.isEmpty else { return }
        if (try? questions("questions")) != report.questions { try? set(report.questions, "questions") }
        // What was answered meanwhile is for the next run.
        guard !answered.isEmpty, let answers = try? questions("approved") else { return }
        try? set(answers.subtracting(answered), "approved")
    }

    /// What the last run asked, of this process or of another: what a person has seen, and may answer with yes.
    ///
    /// - Throws: ``SyncFailure/locked`` behind the app lock, as everything that reads.
    public func questions() throws(SyncFailure) -> Set<SyncReport.Question> {
        try checkLock()
        return try questions("questions")
    }

    // What is kept, and what files are called, is no more to be read behind the app lock than the files themselves.
    func checkLock() throws(SyncFailure) { guard isOpen() else { throw .locked } }

    /// Answers questions that the last run asked with yes, for the next one: of another process too, which may be at
    /// work just now. What was not asked is not answered; what was answered before, and is still asked, stays so.
    ///
    /// - Returns: What was answered.
    @discardableResult
    public func approve(
        _ answered: Set<SyncReport.Question>
    ) throws(SyncFailure) -> Set<SyncReport.Question> {
        let all = try questions()
        let asked = all.intersection(answered)
        try set(asked.union(all.intersection(try questions("approved"))), "approved")
        return asked
    }

    private func questions(_ fact: String) throws(SyncFailure) -> Set<SyncReport.Question> {
        guard let text = try journal.fact(fact) else { return [] }
        // Another version's questions are asked again.
        return (try? JSONDecoder().decode(Set<SyncReport.Question>.self, from: Data(text.utf8))) ?? []
    }

    private func set(_ questions: Set<SyncReport.Question>, _ fact: String) throws(SyncFailure) {
        guard let text = try? JSONEncoder().encode(questions) else { return }
        try journal.setFact(fact, String(decoding: text, as: UTF8.self))
    }

    /// Where it stands.
    public var state: SyncState { board.state }

    /// Where it stands now, and each later state.
    public var states: AsyncStream<SyncState> { board.states }

    /// What the next run would do first. A call during a run waits until that has ended.
    ///
    /// Nothing is written on either side: the folder gets no marker, and the server is not measured. Before the first
    /// run nobody knows what its conditions are worth, so they are taken to hold.
    ///
    /// - Returns: Beside the actions and the questions what a run would leave out (``SyncReport/leftOut``). What a run
    ///   that was cut off had taken aside is among the actions: ``SyncAction/Kind/settle``.
    /// - Throws: ``SyncFailure``, where a run would have it in its report.
    public func preview() async throws(SyncFailure) -> (
        actions: [SyncAction], questions: Set<SyncReport.Question>, leftOut: Set<LeftOutItem>
    ) {
        guard journal.isWriter, await turn.take() else { throw .busy }
        defer { turn.giveBack() }
        try checkLock()
        guard let (folder, rules) = try folder([], onlyLooks: true) else { return ([], [.otherOwner], []) }
        return try await engine(folder, rules, onlyLooks: true).preview()
    }

    // Of this journal alone: two devices that share a connection's name never take each other's locks.
    private func owner() throws(SyncFailure) -> String {
        if let known = try journal.fact("owner") { return known }
        let made = "pavise" + (try Self.freshName())
        try? journal.setFact("owner", made)
        return made
    }

    private static func freshName() throws(SyncFailure) -> String {
        do throws(EntropyFailure) { return Hex.encode(try Entropy.kernel.bytes(16)) } catch {
            throw .journal("The system gives no random numbers.")
        }
    }

    // What the folder's marker says: another account's journal, of the same folder and address, has another one. It is
    // in the journal before it is in the folder.
    private func marker(_ isNew: Bool) throws(SyncFailure) -> String {
        if let known = try journal.fact("marker") { return known }
        // An older version marked folders with the journal's name.
        let made = isNew ? "\(name)-\(try Self.freshName())" : name
        try journal.setFact("marker", made)
        return made
    }

    // `nil` where the folder has another journal's marker, and nobody has said that this one may take its place.
    func folder(
        _ approved: Set<SyncReport.Question>, onlyLooks: Bool = false
    ) throws(SyncFailure) -> (any SyncFolder, NameRules)? {
        if let sealed { return (sealed, .exact) }
        let isNew = try journal.counts().items == 0
        let marker = try marker(isNew)
        let found = try PlainFolder.marker(of: path)
        if isNew, let found, found != marker, !approved.contains(.otherOwner) { return nil }
        guard !onlyLooks else {
            let plain = try PlainFolder(lookingAt: path, marker: isNew && found == nil ? nil : marker)
            return (plain, try plain.nameRules())
        }
        let plain = try PlainFolder(path, marker: marker, mayMark: isNew, replacing: found)
        return (plain, try plain.nameRules())
    }

    private func engine(
        _ folder: any SyncFolder, _ rules: NameRules, onlyLooks: Bool = false
    ) async throws(SyncFailure) -> SyncEngine {
        let meter = SyncMeter(
            milliseconds: { TimeSource.system.bootMilliseconds }, countsWhole: address == nil
        ) { [board] progress in
            board.change { $0.progress = progress }
        }
        return SyncEngine(
            folder: folder, remote: try await remote(meter, onlyLooks), journal: journal, rules: rules, device: device,
            meter: meter, milliseconds: { TimeSource.system.wallMilliseconds })
    }

    private func remote(_ meter: SyncMeter, _ onlyLooks: Bool) async throws(SyncFailure) -> any SyncRemote {
        switch server {
        case .own(let remote, _): return remote
        case .webDAV(let address, let client):
            let known = try measured()
            guard !onlyLooks else {
                return try await WebDAVRemote.openToLook(
                    address, client: client, known: known, owner: try owner(), meter: meter)
            }
            let remote = try await WebDAVRemote.open(
                address, client: client, known: known, owner: try owner(), notes: journal, meter: meter)
            // What cannot be written down is measured again, and so is what cannot be read.
            if remote.server != known, let text = try? JSONEncoder().encode(remote.server) {
                try journal.setFact("server", String(decoding: text, as: UTF8.self))
            }
            return remote
        }
    }

    private func measured() throws(SyncFailure) -> MeasuredServer? {
        try journal.fact("server").flatMap { try? JSONDecoder().decode(MeasuredServer.self, from: Data($0.utf8)) }
    }

    // MARK: For people

    /// What was agreed on, what waits, and what the server was measured to be.
    public struct Status: Hashable, Sendable {
        /// Items both sides agree on.
        public let items: Int
        /// Writes to the server whose end is not known.
        public let pending: Int
        /// Contents in the store.
        public let kept: Int
        /// What was measured; `nil` before the first run, and with an app's own remote.
        public let server: MeasuredServer?
    }

    /// Where it stands; no network is asked.
    public func status() throws(SyncFailure) -> Status {
        let counts = try journal.counts()
        return Status(items: counts.items, pending: counts.pending, kept: counts.kept, server: try measured())
    }

    /// A content that was replaced, deleted or sent, and is still here.
    public struct Kept: Hashable, Sendable {
        /// Names it.
        public let digest: ContentDigest
        /// Why it is kept.
        public let reason: KeepReason
        /// What its file was called.
        public let name: String
        /// In bytes.
        public let size: Int
        /// When, in milliseconds since 1970.
        public let kept: Int64
    }

    /// What is kept, the newest first.
    public func kept() throws(SyncFailure) -> [Kept] {
        try checkLock()
        return try journal.kept().map {
            Kept(digest: $0.digest, reason: $0.reason, name: $0.name, size: $0.size, kept: $0.kept)
        }
    }

    /// A kept content, read as it is needed; `nil` when there is none.
    public func content(_ digest: ContentDigest) async throws(SyncFailure) -> SyncContent? {
        try checkLock()
        return try await journal.content(digest)
    }
}
