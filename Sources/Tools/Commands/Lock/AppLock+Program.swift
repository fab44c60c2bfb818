internal import Pavise
package import PaviseAppLock
package import PavisePrimitives
package import PaviseStorage
package import PaviseVault

extension AppLock {
    /// The lock of the program `pavise`: an unlock holds for the next commands too, and the last wrong PIN wipes every
    /// connection.
    package static func program(home: PaviseHome = .current, time: TimeSource = .system) -> AppLock {
        overConnections(of: home, sharesUnlock: true, time: time)
    }

    /// A connection's vault under the lock: what it stores opens only while the lock is open.
    package func guarding(_ id: ConnectionID) -> TokenVault { Connections.platformVault(under: self)(id) }
}
