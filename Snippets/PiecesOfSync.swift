// Synchronisation by its parts.
import Pavise
import PaviseSession
import PaviseSync
import PaviseTransport

/// One round between a folder and a server.
func synchronise(
    _ folder: any SyncFolder, _ remote: any SyncRemote, _ journal: any SyncJournal, now: @escaping @Sendable () -> Int64
) async -> SyncReport {
    let engine = SyncEngine(folder: folder, remote: remote, journal: journal, device: "laptop", milliseconds: now)
    let report = await engine.run()
    for question in report.questions { print(question) }
    return report
}

/// A folder of a person's own.
func folder() throws -> PlainFolder {
    let folder = try PlainFolder("/home/ada/Notes", marker: "5f3a", mayMark: true)
    return folder
}

/// What both sides lack.
func plan(_ base: SyncTree, _ here: SyncTree, _ there: SyncTree, _ naming: ConflictNaming) -> SyncPlan {
    let plan = SyncPlan(base: base, here: here, there: there, naming: naming)
    return plan
}

/// Names that both sides can have.
func names() -> [SyncItemName?] {
    [
        SyncItemName("diary.json"),  // a name
        SyncItemName("../x"),  // nil, and so are "a/b", "a\\b", ".", "" and a text with NUL
    ]
}

/// A server whose promises were measured.
func open(_ address: WebURL, _ client: any AuthorizedClient) async throws {
    let remote = try await WebDAVRemote.open(address, client: client)
    print(remote.level)  // conditions
}

/// A server of an app's own language; a table takes its place here. Each write has a condition of its kind, and changes
/// nothing where that does not hold.
actor CardServer: SyncRemote {
    private struct File {
        let bytes: [UInt8]
        let number: Int
        var version: RemoteVersion { RemoteVersion(validator: "\"\(number)\"", size: bytes.count) }
    }
    private var files: [SyncPath: File] = [:]
    private var folders: Set<SyncPath> = [[]]
    private var writes = 0

    // Whoever knows that its conditions hold says so.
    let level = ServerLevel.conditions

    func list() async throws(SyncFailure) -> [RemoteEntry] {
        folders.filter { !$0.isEmpty }.map { RemoteEntry(path: $0, version: nil, identity: nil) }
            + files.map { RemoteEntry(path: $0.key, version: $0.value.version, identity: nil) }
    }

    func read(_ path: SyncPath, into sink: ContentSink) async throws(SyncFailure) -> RemoteVersion {
        guard let file = files[path] else { throw .changed }
        try sink.begin(file.version)
        try sink.append(file.bytes)
        return file.version
    }

    func create(_ path: SyncPath, _ content: SyncContent) async throws(SyncFailure) -> RemoteVersion? {
        try put(path, content, old: nil)
    }

    func replace(
        _ path: SyncPath, _ content: SyncContent, old: RemoteVersion
    ) async throws(SyncFailure) -> RemoteVersion? {
        try put(path, content, old: old)
    }

    private func put(_ path: SyncPath, _ content: SyncContent, old: RemoteVersion?) throws(SyncFailure) -> RemoteVersion
    {
        guard files[path]?.version == old, !folders.contains(path), folders.contains(SyncPath(path.dropLast())) else {
            throw .changed
        }
        writes += 1
        let file = File(bytes: try content.bytes(), number: writes)
        files[path] = file
        return file.version
    }

    func makeFolder(_ path: SyncPath) async throws(SyncFailure) {
        guard files[path] == nil, folders.contains(SyncPath(path.dropLast())) else { throw .changed }
        folders.insert(path)
    }

    func move(_ path: SyncPath, to target: SyncPath, old: RemoteVersion?) async throws(SyncFailure) {
        guard files[path]?.version == old, old != nil || folders.contains(path), !target.starts(with: path),
            files[target] == nil, !folders.contains(target), folders.contains(SyncPath(target.dropLast()))
        else { throw .changed }
        func moved(_ other: SyncPath) -> SyncPath {
            other.starts(with: path) ? target + other.dropFirst(path.count) : other
        }
        files = Dictionary(uniqueKeysWithValues: files.map { (moved($0.key), $0.value) })
        folders = Set(folders.map(moved))
    }

    func delete(_ path: SyncPath, old: RemoteVersion?) async throws(SyncFailure) {
        guard files[path]?.version == old else { throw .changed }
        guard old == nil else {
            files[path] = nil
            return
        }
        let isEmpty = !files.keys.contains { $0.starts(with: path) }
        guard isEmpty, !folders.contains(where: { $0 != path && $0.starts(with: path) }) else { throw .changed }
        folders.remove(path)
    }
}

/// Journal, plan, conflicts and state are the engine's; the app brings its remote alone.
func synchronise(_ account: Account, _ path: String, _ remote: CardServer) async throws(PaviseError) {
    let cards = try account.sync(folder: path, remote: remote, named: "cards", device: "Ada's laptop")
    let report = await cards.run()
    print(report.isComplete, cards.state.conflicts)
}

#if os(iOS)
/// While the app is not in front.
func synchroniseInBackground(_ notes: FolderSync) throws {
    BackgroundSync.register("org.example.notes.sync") { await notes.run().isComplete }
    try BackgroundSync.schedule("org.example.notes.sync", after: .seconds(3_600))
}
#endif
