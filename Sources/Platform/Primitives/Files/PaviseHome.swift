#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The folder that holds all state that is a file, mode 0700.
///
/// `PAVISE_HOME` when set, else `$XDG_DATA_HOME/pavise`, else `~/.local/share/pavise`; on Apple's systems the app's
/// `~/Library/Application Support/pavise` comes last. Read at each use, so that a test (or a program with several homes)
/// may change the environment.
package struct PaviseHome: Hashable, Sendable {
    /// The folder's path, without a slash at the end.
    package let path: String

    /// A home of the caller's choice.
    package init(path: String) { self.path = path }

    /// The home that the environment names.
    package static var current: PaviseHome {
        if let path = variable("PAVISE_HOME") { return PaviseHome(path: path) }
        if let data = variable("XDG_DATA_HOME") { return PaviseHome(path: data + "/pavise") }
        return PaviseHome(path: (variable("HOME") ?? "/tmp/pavise-\(getuid())") + dataFolder)
    }

    #if canImport(Darwin)
    private static let dataFolder = "/Library/Application Support/pavise"
    #else
    private static let dataFolder = "/.local/share/pavise"
    #endif

    /// Keybag and element blobs.
    package var device: String { path + "/device" }
    /// The item database.
    package var keychain: String { path + "/keychain" }
    /// One folder for each connection.
    package var connections: String { path + "/connections" }

    /// The value of an environment variable; empty counts as not set.
    package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
