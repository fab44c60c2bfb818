internal import PaviseLog
internal import PaviseSession
internal import PaviseStorage

/// What the accounts of one app share.
struct AppParts: Sendable {
    let connections: Connections
    let board: NoticeBoard
    let live: LiveSessions
    let storage: OpenStorage
    let log: EventLog

    var caches: CacheGroup { storage.caches }
}
