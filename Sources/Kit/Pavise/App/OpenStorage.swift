internal import PaviseLog
internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseStorage
internal import Synchronization

/// What an app has open of files and databases: the app lock stands before all of it, and takes its keys out of memory.
final class OpenStorage: Sendable {
    private struct WeakContainer { weak var value: StorageContainer? }
    private struct State {
        var containers: [WeakContainer] = []
        var databases: [WeakDatabase] = []
        var images: [WeakImages] = []
    }
    private struct WeakImages { weak var value: ImageCache? }
    private struct WeakDatabase { weak var value: ProtectedDatabase? }
    private let state = Mutex(State())
    /// Whether the app lock is open.
    let isOpen: @Sendable () -> Bool
    /// What is emptied when the lock closes and somebody signs out.
    let caches = CacheGroup()

    /// - Parameter isOpen: Whether the app lock is.
    init(isOpen: @escaping @Sendable () -> Bool) { self.isOpen = isOpen }

    /// A container that opens now, under the lock from here on.
    func container(
        _ open: () throws(StorageFailure) -> ProtectedContainer
    ) throws(PaviseError) -> ProtectedContainer {
        guard isOpen() else { throw PaviseError(AppStorageLocked()) }
        let container: ProtectedContainer
        do throws(StorageFailure) { container = try open() } catch { throw PaviseError(error) }
        container.follow(gate: isOpen)
        state.withLock { state in
            state.containers.removeAll { $0.value == nil }
            state.containers.append(WeakContainer(value: container.keys))
        }
        return container
    }

    /// A database that opens now.
    func database(
        _ open: () throws(ProtectedDatabaseError) -> ProtectedDatabase
    ) throws(PaviseError) -> ProtectedDatabase {
        let database: ProtectedDatabase
        do throws(ProtectedDatabaseError) { database = try open() } catch {
            throw isOpen() ? PaviseError(error) : PaviseError(AppStorageLocked())
        }
        state.withLock { state in
            state.databases.removeAll { $0.value == nil }
            state.databases.append(WeakDatabase(value: database))
        }
        return database
    }

    /// A cache of images in a container that opens now.
    func images(
        _ open: () throws(ProtectedDatabaseError) -> ImageCache
    ) throws(PaviseError) -> ImageCache {
        let images: ImageCache
        do throws(ProtectedDatabaseError) { images = try open() } catch {
            throw isOpen() ? PaviseError(error) : PaviseError(AppStorageLocked())
        }
        state.withLock { state in
            state.images.removeAll { $0.value == nil }
            state.images.append(WeakImages(value: images))
        }
        return images
    }

    /// Takes every key out of memory, and with them the locks of database files, which nobody may hold while suspended.
    /// What is open
    /// goes on with its next use, where the lock is open then.
    func forgetKeys() {
        for database in state.withLock({ $0.databases }) { database.value?.forgetKey() }
        for images in state.withLock({ $0.images }) { images.value?.forgetKey() }
        for container in state.withLock({ $0.containers }) { container.value?.forgetKeys() }
    }

    /// Empties the caches whenever the system runs short of memory, for as long as the app's security lives.
    func followMemoryPressure(
        _ follow: (CacheGroup) throws(SystemFailure) -> Void, _ output: LogOutput
    ) {
        do throws(SystemFailure) { try follow(caches) } catch {
            let log = Log(subsystem: "org.pavise", category: "storage", output: output)
            log.notice("this system does not tell when memory runs short; each cache keeps to its own limits")
        }
    }

    /// The app lock was closed: keys and caches go.
    func close() {
        forgetKeys()
        caches.empty()
    }
}

/// The app lock is closed, and what was asked for lies behind it.
struct AppStorageLocked: Error, Hashable, Sendable {}
