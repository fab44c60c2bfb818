internal import Pavise
internal import Synchronization

/// The apps of a world.
final class TestApps: Sendable {
    private let apps = Mutex<[AppSecurity]>([])

    func add(_ app: AppSecurity) { apps.withLock { $0.append(app) } }

    var all: [AppSecurity] { apps.withLock { $0 } }
}
