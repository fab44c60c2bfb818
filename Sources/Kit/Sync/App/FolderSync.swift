internal import Foundation
internal import Pavise
internal import PavisePrimitives
internal import PaviseProtectedStorage
package import PaviseSession
package import PaviseStorage
public import PaviseTransport

/// A folder of this device and a folder of a connection's server, kept equal: the parts of a synchronisation, put
/// together.
///
/// What a connection has of them (its container, its client) is given by whoever opened it.
public final class FolderSync: Sendable {
    /// The folder here; of a sealed one, its name.
    public let path: String
    /// The folder, where it lies sealed in the connection's store.
    public let sealed: SealedFolder?
    /// The server's folder.
    public let address: WebURL
    let journal: ProtectedJournal
    private let client: any AuthorizedClient
    private let device: String
    private let name: String
    private let isOpen: @Sendable () -> Bool
    private let board = SyncStateBoard()

    /// Opens the journal of a folder and an address; the first time it makes one.
    ///
    /// - Parameters:
    ///   - path: The folder here; it exists. Of a sealed one, its name.
    ///   - isSealed: Whether its files lie in the container.
    ///   - address: The server's folder.
    ///   - container: Of the connection.
    ///   - client: Of the connection.
    ///   - device: What copies of conflicts call this device.
    ///   - isOpen: Whether the app lock is.
    /// - Throws: ``SyncFailure/busy`` while another process synchronises it.
    package init(
        _ path: String, isSealed: Bool = false, with address: WebURL, container: ProtectedContainer,
        client: any AuthorizedClient, device: String, isOpen: @escaping @Sendable () -> Bool = { true }
    ) throws(SyncFailure) {
        (self.path, self.address, self.client, self.device, self.isOpen) = (path, address, client, device, isOpen)
        let kind = isSealed ? "sealed\u{0}" : ""
        name = String("\(ContentDigest(of: Array("\(kind)\(path)\u{0}\(address)".utf8)))".prefix(32))
        let folder = DurableFile.directory(of: container.platform.folder)
        journal = try ProtectedJournal.open(name, in: container, lock: "\(folder)/sync-\(name).lock")
        sealed = isSealed ? SealedFolder(journal, isOpen: isOpen) : nil
        // What is there already costs no write to the disk.
        for (name, value) in [("path", path), ("address", "\(address)")] {
            if try journal.fact(name) != value { try journal.setFact(name, value) }
        }
    }

    deinit { board.finish() }

    /// Brings both sides together once. What ended it early is in the report.
    ///
    /// - Parameter approved: Questions of an earlier report that a person has answered with yes.
    public func run(approving approved: Set<SyncReport.Question> = []) async -> SyncReport {
        board.change { $0.activity = .running }
        let report = await runNow(approved)
        let error = report.failure.map { $0 == .locked && !isOpen() ? PaviseError.appLocked : PaviseError($0) }
        let unsent = (try? journal.counts())?.pending
        let conflicts = (try? await conflicts())?.count
        board.change { state in
            state.activity = error.map { .stopped($0) } ?? .idle
            state.progress = nil
            state.questions = report.questions.count
            state.unsent = unsent ?? state.unsent
            state.conflicts = conflicts ?? state.conflicts
        }
        return report
    }

    private func runNow(_ approved: Set<SyncReport.Question>) async -> SyncReport {
        do throws(SyncFailure) {
            guard isOpen() else { throw .locked }
            try journal.sweep()
            return await (try await engine()).run(approving: approved)
        } catch {
            var report = SyncReport()
            report.failure = error
            return report
        }
    }

    /// Where it stands.
    public var state: SyncState { board.state }

    /// Where it stands now, and each later state.
    public var states: AsyncStream<SyncState> { board.states }

    /// What the next run would do first.
    public func preview() async throws(SyncFailure) -> (actions: [SyncAction], questions: Set<SyncReport.Question>) {
        try await engine().preview()
    }

    // Of this journal alone: two devices that share a connection's name never take each other's locks.
    private func owner() throws(SyncFailure) -> String {
        if let known = try journal.fact("owner") { return known }
        do throws(EntropyFailure) {
            let made = "pavise" + Hex.encode(try Entropy.kernel.bytes(16))
            try? journal.setFact("owner", made)
            return made
        } catch {
            throw .journal("The system gives no random numbers.")
        }
    }

    private func folder() throws(SyncFailure) -> (any SyncFolder, NameRules) {
        if let sealed { return (sealed, .exact) }
        let plain = try PlainFolder(path, marker: name, mayMark: try journal.counts().items == 0)
        return (plain, try plain.nameRules())
    }

    private func engine() async throws(SyncFailure) -> SyncEngine {
        let (folder, rules) = try folder()
        let known = try journal.fact("server").flatMap {
            try? JSONDecoder().decode(MeasuredServer.self, from: Data($0.utf8))
        }
        let meter = SyncMeter(milliseconds: { TimeSource.system.bootMilliseconds }) { [board] progress in
            board.change { $0.progress = progress }
        }
        let remote = try await WebDAVRemote.open(
            address, client: client, known: known, owner: try owner(), notes: journal, meter: meter)
        if remote.server != known, let text = try? JSONEncoder().encode(remote.server) {
            try journal.setFact("server", String(decoding: text, as: UTF8.self))
        }
        return SyncEngine(
            folder: folder, remote: remote, journal: journal, rules: rules, device: device,
            meter: meter, milliseconds: { TimeSource.system.wallMilliseconds })
    }

    /// A run now, and one after each change here, and after `interval` at the latest, for as long as the sequence is
    /// read. After a failure the next waits a second, then two, up to an hour, each up to half as long again by chance.
    public func reports(every interval: Duration = .seconds(60)) -> AsyncStream<SyncReport> {
        let (stream, continuation) = AsyncStream.makeStream(of: SyncReport.self, bufferingPolicy: .bufferingNewest(16))
        let task = Task {
            var failures = 0
            while !Task.isCancelled {
                let changes = watch()
                let report = await run()
                continuation.yield(report)
                failures = report.failure == nil ? 0 : failures + 1
                let wait = report.failure == nil ? interval : Self.pause(failures)
                guard await Self.wait(wait, for: report.failure == nil ? changes : nil) else { break }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    // Waits for a fifth of a second at most, and says whether something changed here.
    private func watch() -> @Sendable () async -> Bool {
        if let sealed {
            let version = sealed.version
            return {
                if sealed.version == version { try? await Task.sleep(for: .milliseconds(200)) }
                return sealed.version != version
            }
        }
        let changes = FolderChanges(path)
        return { (try? await WorkerThread.run({ changes.wait(milliseconds: 200) })) == true }
    }

    static func pause(_ failures: Int) -> Duration {
        let seconds = Double(min(3_600, 1 << min(failures - 1, 12)))
        return .milliseconds(Int64(seconds * 1_000 * Double.random(in: 1...1.5)))
    }

    // In short pieces, so that a cancelled task ends soon.
    private static func wait(_ duration: Duration, for changes: (@Sendable () async -> Bool)?) async -> Bool {
        let end = ContinuousClock.now + duration
        while !Task.isCancelled, ContinuousClock.now < end {
            guard let changes else {
                try? await Task.sleep(for: .milliseconds(200))
                continue
            }
            // What is being written just now is given half a second.
            if await changes() {
                try? await Task.sleep(for: .milliseconds(500))
                break
            }
        }
        return !Task.isCancelled
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
        /// What was measured; `nil` before the first run.
        public let server: MeasuredServer?
    }

    /// Where it stands; no network is asked.
    public func status() throws(SyncFailure) -> Status {
        let counts = try journal.counts()
        let known = try journal.fact("server").flatMap {
            try? JSONDecoder().decode(MeasuredServer.self, from: Data($0.utf8))
        }
        return Status(items: counts.items, pending: counts.pending, kept: counts.kept, server: known)
    }

    /// Copies of conflicts that nobody has closed: by renaming one, or by deleting it.
    public func conflicts() async throws(SyncFailure) -> [SyncPath] {
        guard try journal.mayHaveCopies() else { return [] }
        let tree = SyncTree(try await journal.load().base.mapValues(\.item))
        return tree.items.keys.filter { tree[$0].map { ConflictNaming.isCopy($0.name) } ?? false }
            .compactMap { tree.path(of: $0) }.sorted { $0.lexicographicallyPrecedes($1) }
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
        try journal.kept().map {
            Kept(digest: $0.digest, reason: $0.reason, name: $0.name, size: $0.size, kept: $0.kept)
        }
    }

    /// A kept content, read as it is needed; `nil` when there is none.
    public func content(_ digest: ContentDigest) async throws(SyncFailure) -> SyncContent? {
        try await journal.content(digest)
    }
}
