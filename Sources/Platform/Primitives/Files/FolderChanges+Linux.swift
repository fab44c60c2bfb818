#if canImport(Glibc)
internal import CPavisePlatform
internal import Glibc

/// Says soon that something in a folder changed, and never that nothing did: the system drops what it has no room for.
///
/// inotify is asked; where the system watches no more folders, it only waits.
package final class FolderChanges: Sendable {
    /// How many folders are watched; those beyond are found by the next full look.
    package static let mostFolders = 8_192
    private let number: Int32

    /// Watches `path` and the folders in it, as far as the system lets.
    package init(_ path: String) {
        number = pavise_changes_open()
        guard number >= 0 else { return }
        var (open, count) = ([path], 0)
        while let folder = open.popLast(), count < Self.mostFolders {
            guard unsafe pavise_changes_add(number, folder) == 0 else { continue }
            count += 1
            for entry in (try? Folder.entries(of: folder)) ?? [] where entry.kind == .folder {
                open.append("\(folder)/\(entry.name)")
            }
        }
    }

    deinit { if number >= 0 { _ = close(number) } }

    /// Waits at most so long; blocks the thread.
    ///
    /// - Returns: Whether something changed.
    package func wait(milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, number >= 0 ? 1 : 0, milliseconds) > 0 else { return false }
        // What it was does not matter: a full look follows.
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while unsafe bytes.withUnsafeMutableBytes({ unsafe read(number, $0.baseAddress, $0.count) }) > 0 {}
        return true
    }
}
#endif
