internal import Synchronization

/// What a server answered to several uploads at the same time.
final class UploadedVersions: Sendable {
    private let versions = Mutex<[ItemID: RemoteVersion]>([:])

    func add(_ id: ItemID, _ version: RemoteVersion?) { versions.withLock { $0[id] = version } }

    subscript(id: ItemID) -> RemoteVersion? { versions.withLock { $0[id] } }
}
