internal import PaviseLog
internal import PaviseSession
internal import PaviseStorage

/// What the accounts of one app share.
struct AppParts: Sendable {
    /// The app's security lives while one of its accounts does: the lock goes on hearing of the system's events.
    let owner: any AnyObject & Sendable
    let connections: Connections
    let board: NoticeBoard
    let live: LiveSessions
    let storage: OpenStorage
    let pushTokens: PushTokens
    let log: EventLog

    var caches: CacheGroup { storage.caches }
}
