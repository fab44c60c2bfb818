public import PavisePrimitives

/// Why a connection was not found, made or removed.
public enum ConnectionsFailure: Error, Hashable, Sendable {
    /// No connection has this name. The names that exist are listed.
    case unknownName(String, known: [String])
    /// A connection has this name already.
    case nameTaken(String)
    /// The text is no name: 1 to 64 letters, digits and `-._`.
    case unusableName(String)
    /// The description on the disk is damaged.
    case damaged(ConnectionID, DescriptorDamage)
    /// The description is too large to be written.
    case unusableDescription
    /// Another process holds the list.
    case busy
    /// The file system.
    case system(SystemFailure)
    /// The kernel gave no random bytes.
    case entropy(EntropyFailure)
}

/// The folder `connections/` with one folder for each connection, each for its owner alone.
///
/// A connection exists when its description is on the disk; it is gone when its folder bears the mark of removal.
package struct ConnectionsFolder: Sendable {
    /// What a folder holds.
    package struct Entry: Sendable {
        package let id: ConnectionID
        package let content: Result<ConnectionDescriptor, DescriptorDamage>
    }

    private static let description = "connection.json"
    private static let removalMark = "removed"
    private static let asidePrefix = ".removed-"
    private let home: PaviseHome
    /// Where it lies.
    package let path: String

    /// The connections of `home`.
    package init(home: PaviseHome) {
        self.home = home
        path = home.connections
    }

    /// The folder of one connection.
    package func folder(of id: ConnectionID) -> String { "\(path)/\(id)" }

    /// All connections, damaged ones included, removed ones not, by name. Nothing is changed by asking.
    ///
    /// Where the file system does not say whether a connection was removed, it counts as one that cannot be read.
    package func list() throws(ConnectionsFailure) -> [Entry] {
        try identifiers().compactMap { id in
            switch removal(of: id) {
            case .present: return nil
            case .absent: return Entry(id: id, content: Result { () throws(DescriptorDamage) in try read(id) })
            case .unknown(let failure): return Entry(id: id, content: .failure(.system(failure)))
            }
        }
        .sorted { $0.sortKey < $1.sortKey }
    }

    /// The connection called `name`.
    package func find(_ name: String) throws(ConnectionsFailure) -> ConnectionDescriptor {
        let entries = try list()
        for entry in entries {
            if case .success(let found) = entry.content, found.name == name { return found }
            if case .failure(let damage) = entry.content, entry.id.text == name { throw .damaged(entry.id, damage) }
        }
        throw .unknownName(name, known: entries.compactMap { try? $0.content.get().name })
    }

    /// Makes the folder and writes the description; the name must be free.
    package func add(_ descriptor: ConnectionDescriptor) throws(ConnectionsFailure) {
        guard ConnectionDescriptor.isName(descriptor.name) else {
            throw .unusableName(String(descriptor.name.prefix(80)))
        }
        try locked { () throws(ConnectionsFailure) in
            let taken = try list().contains { (try? $0.content.get())?.name == descriptor.name }
            guard !taken else { throw .nameTaken(descriptor.name) }
            try attempt { () throws(SystemFailure) in try DurableFile.makeDirectory(folder(of: descriptor.id)) }
            try save(descriptor)
        }
    }

    /// Writes the description of a connection that exists.
    package func save(_ descriptor: ConnectionDescriptor) throws(ConnectionsFailure) {
        let bytes = try descriptor.encoded()
        Unfinished.sweep(folder(of: descriptor.id))
        try attempt { () throws(SystemFailure) in
            try DurableFile.write(bytes.span, to: "\(folder(of: descriptor.id))/\(Self.description)")
        }
    }

    /// The first step of a removal: from here on the connection does not exist any more, whatever happens (connections C46).
    package func markRemoved(_ id: ConnectionID) throws(ConnectionsFailure) {
        let mark = Self.mark(of: id)
        try attempt { () throws(SystemFailure) in
            try DurableFile.write(mark.span, to: "\(folder(of: id))/\(Self.removalMark)")
        }
    }

    /// The last step: the folder disappears at once and is then deleted.
    package func delete(_ id: ConnectionID) throws(ConnectionsFailure) {
        let aside = "\(path)/\(Self.asidePrefix)\(id)"
        try attempt { () throws(SystemFailure) in
            if try DurableFile.presence(of: folder(of: id)).get() != nil {
                try Folder.remove(aside)
                try DurableFile.move(folder(of: id), to: aside)
            }
            try Folder.remove(aside)
        }
    }

    /// Removals that a kill interrupted, and that are to be finished: only those whose mark was opened, read and names the connection.
    package func interruptedRemovals() throws(ConnectionsFailure) -> [ConnectionID] {
        try identifiers().filter { id in
            guard case .present = removal(of: id) else { return false }
            return true
        }
    }

    /// Deletes the folders that a removal put aside: what was in them is erased by then.
    package func deleteAside() throws(ConnectionsFailure) {
        for name in try names() where name.hasPrefix(Self.asidePrefix) {
            guard ConnectionID(String(name.dropFirst(Self.asidePrefix.count))) != nil else { continue }
            try attempt { () throws(SystemFailure) in try Folder.remove("\(path)/\(name)") }
        }
    }

    /// Whether a connection bears the mark of its removal: a file that says so and names it. An empty one is of an older Pavise.
    private func removal(of id: ConnectionID) -> Presence<Void> {
        let path = "\(folder(of: id))/\(Self.removalMark)"
        switch DurableFile.mark(path) {
        case .absent: return .absent
        case .unknown(let failure): return .unknown(failure)
        case .present(let found):
            return found.isEmpty || found == Self.mark(of: id) ? .present(()) : .unknown(.refused(path, .foreignMark))
        }
    }

    private static func mark(of id: ConnectionID) -> [UInt8] { Array("PVRM1 \(id)\n".utf8) }

    private func read(_ id: ConnectionID) throws(DescriptorDamage) -> ConnectionDescriptor {
        let bytes: [UInt8]?
        do throws(SystemFailure) {
            bytes = try DurableFile.readIfPresent(
                "\(folder(of: id))/\(Self.description)", limit: ConnectionDescriptor.limit)
        } catch {
            throw .system(error)
        }
        guard let bytes else { throw .missing }
        return try ConnectionDescriptor(decoding: bytes, for: id)
    }

    private func identifiers() throws(ConnectionsFailure) -> [ConnectionID] {
        try names().compactMap(ConnectionID.init)
    }

    private func names() throws(ConnectionsFailure) -> [String] {
        do throws(SystemFailure) {
            try home.check(.connections)
            return try Folder.names(in: path)
        } catch {
            guard error.isNotThere else { throw .system(error) }
            return []
        }
    }

    private func locked(_ body: () throws(ConnectionsFailure) -> Void) throws(ConnectionsFailure) {
        try attempt { () throws(SystemFailure) in
            try home.check(.connections)
            try DurableFile.makeDirectory(path)
        }
        let lock: FileLock
        do throws(FileLock.Failure) {
            lock = try FileLock.acquireBlocking("\(path)/.lock", wait: .seconds(10))
        } catch {
            switch error {
            case .held: throw .busy
            case .system(let failure): throw .system(failure)
            }
        }
        let result = Result { () throws(ConnectionsFailure) in try body() }
        _ = consume lock
        try result.get()
    }

    private func attempt<Value>(_ body: () throws(SystemFailure) -> Value) throws(ConnectionsFailure) -> Value {
        do throws(SystemFailure) { return try body() } catch { throw .system(error) }
    }
}

extension ConnectionsFolder.Entry {
    fileprivate var sortKey: String { (try? content.get().name) ?? "~\(id)" }
}
