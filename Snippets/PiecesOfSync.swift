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

#if os(iOS)
/// While the app is not in front.
func synchroniseInBackground(_ notes: FolderSync) throws {
    BackgroundSync.register("org.example.notes.sync") { await notes.run().isComplete }
    try BackgroundSync.schedule("org.example.notes.sync", after: .seconds(3_600))
}
#endif
