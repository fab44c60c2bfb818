internal import Foundation
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
    /// Where it lies.
    package let path: String

    /// The connections of `home`.
    package init(home: PaviseHome) { path = home.connections }

    /// The folder of one connection.
    package func folder(of id: ConnectionID) -> String { "\(path)/\(id)" }

    /// All connections, damaged ones included, removed ones not, by name.
    package func list() throws(ConnectionsFailure) -> [Entry] {
        try identifiers().filter { !isRemoved($0) }
            .map { id in Entry(id: id, content: Result { () throws(DescriptorDamage) in try read(id) }) }
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
        let mark: [UInt8] = []
        try attempt { () throws(SystemFailure) in
            try DurableFile.write(mark.span, to: "\(folder(of: id))/\(Self.removalMark)")
        }
    }

    /// The last step: the folder disappears at once and is then deleted.
    package func delete(_ id: ConnectionID) throws(ConnectionsFailure) {
        let aside = "\(path)/\(Self.asidePrefix)\(id)"
        try attempt { () throws(SystemFailure) in
            if DurableFile.exists(folder(of: id)) { try DurableFile.move(folder(of: id), to: aside) }
        }
        do {
            if DurableFile.exists(aside) { try FileManager.default.removeItem(atPath: aside) }
        } catch {
            throw .system(SystemFailure(operation: "remove", path: aside, code: Self.code(of: error)))
        }
    }

    /// Removals that a kill interrupted; they are to be finished.
    package func interruptedRemovals() throws(ConnectionsFailure) -> [ConnectionID] {
        let aside = try names().compactMap { name in
            name.hasPrefix(Self.asidePrefix) ? ConnectionID(String(name.dropFirst(Self.asidePrefix.count))) : nil
        }
        return try identifiers().filter(isRemoved) + aside
    }

    private func isRemoved(_ id: ConnectionID) -> Bool { DurableFile.exists("\(folder(of: id))/\(Self.removalMark)") }

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
            return try Folder.names(in: path)
        } catch {
            guard error.isNotThere else { throw .system(error) }
            return []
        }
    }

    private func locked(_ body: () throws(ConnectionsFailure) -> Void) throws(ConnectionsFailure) {
        try attempt { () throws(SystemFailure) in try DurableFile.makeDirectory(path) }
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

    private static func code(of error: any Error) -> Int32 {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        return Int32(clamping: (underlying ?? error as NSError).code)
    }
}

extension ConnectionsFolder.Entry {
    fileprivate var sortKey: String { (try? content.get().name) ?? "~\(id)" }
}
