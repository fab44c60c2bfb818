internal import PavisePrimitives
internal import PaviseVault
internal import Synchronization

/// A connection that a sign-in is making. While this value lives, no process takes the connection for one that was
/// left behind.
///
/// The kernel drops the lock when the process ends, however it ends: then the mark tells the next start that nobody
/// signed in.
package final class ConnectionBeginning: Sendable {
    private let lock: Mutex<FileLock?>

    fileprivate init(_ path: String) throws(SystemFailure) {
        guard let lock = try FileLock.tryAcquire(path) else {
            throw .held(path)
        }
        self.lock = Mutex(lock)
    }

    /// Says that the sign-in is over, one way or the other.
    package func end() { lock.withLock { $0 = nil } }
}

/// Connections that are there for the time of a sign-in only, until it has succeeded (connections C1).
extension ConnectionsFolder {
    private static let beginMark = "beginning"

    private func beginMark(of id: ConnectionID) -> String { "\(folder(of: id))/\(Self.beginMark)" }
    private func beginLock(of id: ConnectionID) -> String { "\(folder(of: id))/\(Self.beginMark).lock" }
    private static func beginContent(of id: ConnectionID) -> [UInt8] { Array("PVBG1 \(id)\n".utf8) }

    /// Makes a connection as ``add(_:)`` does, with the mark that its sign-in has not succeeded. The mark is durable
    /// before the description is there.
    package func begin(
        _ descriptor: ConnectionDescriptor
    ) throws(ConnectionsFailure) -> (ConnectionDescriptor, ConnectionBeginning) {
        let id = descriptor.id
        var beginning: ConnectionBeginning?
        let own = try add(descriptor, .signingIn) { () throws(SystemFailure) in
            beginning = try ConnectionBeginning(beginLock(of: id))
            try DurableFile.write(Self.beginContent(of: id), to: beginMark(of: id))
        }
        guard let beginning else { throw .busy }
        return (own, beginning)
    }

    /// Says that the sign-in has succeeded: first in the keychain, from where on no mark has the connection removed,
    /// then by taking the mark away. A connection that was never begun stays as it is.
    package func complete(_ id: ConnectionID) throws(ConnectionsFailure) {
        try attempt(id) { () throws(ConnectionFileFailure) in try files.complete(id) }
        try attempt { () throws(SystemFailure) in
            guard try DurableFile.presence(of: beginMark(of: id)).get() != nil else { return }
            try DurableFile.remove(beginMark(of: id))
        }
    }

    /// Marks those connections as removed whose sign-in ended without success and without taking them back: the mark
    /// was read, the connection's key says the same, and nobody is at it. Where the file system or the keychain does
    /// not say, the connection stays.
    ///
    /// - Parameter isOwn: Whether this program may remove it.
    package func markAbandoned(where isOwn: (ConnectionID) -> Bool) throws(ConnectionsFailure) {
        for id in try known() where isBegun(id) && isOwn(id) {
            guard let end = try whenFree(id) else { continue }
            // It may have succeeded meanwhile.
            if isBegun(id) { try markRemoved(id) }
            end.end()
        }
        try markUnmade(where: isOwn)
    }

    // Those whose making ended before even the mark was there, by a kill or a full disk. Nobody makes one while the
    // list is held.
    private func markUnmade(where isOwn: (ConnectionID) -> Bool) throws(ConnectionsFailure) {
        let found = try known().filter { isUnmade($0) && isOwn($0) }
        guard !found.isEmpty else { return }
        try locked { () throws(ConnectionsFailure) in
            for id in found where isUnmade(id) { try markRemoved(id) }
        }
    }

    // Nothing was ever kept in it: a description comes first, and the half of the installation with the first secret.
    // A folder that cannot be listed may hold something. One that somebody emptied is told from it by the key.
    private func isUnmade(_ id: ConnectionID) -> Bool {
        guard let names = try? Folder.names(in: folder(of: id)) else { return false }
        guard names.allSatisfy({ $0 == "\(Self.beginMark).lock" || Unfinished.isUnfinished($0) }) else { return false }
        do throws(ConnectionFileFailure) {
            guard let key = try files.key(of: id) else { return false }
            return try isUnused(key, of: id)
        } catch {
            return false
        }
    }

    // Whether the connection was not made to its end, and nothing was kept in it.
    private func isUnused(_ key: ConnectionKey, of id: ConnectionID) throws(ConnectionFileFailure) -> Bool {
        guard key.phase != .made else { return false }
        return try !hasCredential(of: id)
    }

    // MARK: Keys without a folder

    // A key is made before its folder, and nobody finds a key that has none: a note beside the folders says for that
    // long whose it is, and which program's.
    private static let notePrefix = ".making-"

    private func notePath(of id: ConnectionID) -> String { "\(path)/\(Self.notePrefix)\(id)" }
    private func noteContent(of id: ConnectionID) -> [UInt8] { Array("PVMK1 \(id) \(program)\n".utf8) }

    /// Says that the key of a connection is made now. Call it while the list is held.
    func note(_ id: ConnectionID) throws(ConnectionsFailure) {
        try attempt { () throws(SystemFailure) in try DurableFile.write(noteContent(of: id), to: notePath(of: id)) }
    }

    /// Says that the folder is there.
    func removeNote(of id: ConnectionID) throws(SystemFailure) { try DurableFile.remove(notePath(of: id)) }

    /// Erases the keys of this program whose making ended before their folder was there, by a kill or a full disk. What
    /// has a folder, or may have one, stays, and so does a key that the keychain does not erase now, or that says that
    /// its connection was made.
    package func eraseUnusedKeys() throws(ConnectionsFailure) {
        let noted = try names().filter { $0.hasPrefix(Self.notePrefix) }
            .compactMap { ConnectionID(String($0.dropFirst(Self.notePrefix.count))) }
        guard !noted.isEmpty else { return }
        // Nobody makes one while the list is held.
        try locked { () throws(ConnectionsFailure) in
            for id in noted where isNoted(id) && isSettled(id) {
                try attempt { () throws(SystemFailure) in try removeNote(of: id) }
            }
        }
    }

    private func isNoted(_ id: ConnectionID) -> Bool {
        guard case .present(let found) = DurableFile.mark(notePath(of: id), limit: 1024) else { return false }
        return found == noteContent(of: id)
    }

    // Whether the connection has its folder, or neither a folder nor a key.
    private func isSettled(_ id: ConnectionID) -> Bool {
        for place in [folder(of: id), aside(id)] {
            switch DurableFile.presence(of: place) {
            case .present: return true
            case .unknown: return false
            case .absent: break
            }
        }
        do throws(ConnectionFileFailure) {
            // Of a connection that is made somebody took the folder away, and wrote the note.
            guard let key = try files.key(of: id), try isUnused(key, of: id) else { return true }
            try files.keychain { () throws(VaultFailure) in try files.vault(id).erase(.connectionKey(of: id)) }
        } catch {
            return false
        }
        return true
    }

    // `nil` where somebody is at it.
    private func whenFree(_ id: ConnectionID) throws(ConnectionsFailure) -> ConnectionBeginning? {
        do throws(SystemFailure) { return try ConnectionBeginning(beginLock(of: id)) } catch {
            guard error != .held(beginLock(of: id)) else { return nil }
            throw .system(error)
        }
    }

    /// Whether a connection bears the mark that its sign-in has not succeeded, and its key says the same. The mark
    /// alone, which anybody may have written or kept a copy of, says nothing; it spares a look at every key.
    package func isBegun(_ id: ConnectionID) -> Bool {
        guard case .present(let found) = DurableFile.mark(beginMark(of: id)),
            found == Self.beginContent(of: id)
        else { return false }
        do throws(ConnectionFileFailure) { return try files.key(of: id)?.phase == .signingIn } catch { return false }
    }
}
