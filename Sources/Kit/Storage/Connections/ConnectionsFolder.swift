public import PavisePrimitives
public import PaviseVault
internal import SecurityFramework

/// Why a connection was not found, made or removed.
public enum ConnectionsFailure: Error, Hashable, Sendable {
    /// No connection has this name. The names that exist are listed.
    case unknownName(String, known: [String])
    /// A connection has this name already.
    case nameTaken(String)
    /// The text is no name: see ``ConnectionDescriptor/isName(_:)``.
    case unusableName(String)
    /// The description on the disk is damaged.
    case damaged(ConnectionID, DescriptorDamage)
    /// Another program made the connection. Use it and sign out there: this program can wipe nothing of it and revoke
    /// nothing.
    case otherProgram(ConnectionID, owner: String?)
    /// The keychain does not say now whose the connection is, for example while it is locked. Nothing was changed.
    case keychain(VaultFailure)
    /// The description could not be read again: it is too large, or holds what no description may, for example an
    /// approval that does not say what was shown. Nothing was written.
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
/// A connection exists when its description is on the disk; it is gone when its folder bears the mark of removal, with
/// the code that only this program's key of the connection makes.
package struct ConnectionsFolder: Sendable {
    /// What a folder holds.
    package struct Entry: Sendable {
        package let id: ConnectionID
        package let content: Result<ConnectionDescriptor, ConnectionProblem>
        /// The description of a connection that is not used: not authenticated, and only to be shown.
        package let unproven: ConnectionDescriptor?
        /// The key that authenticates the connection's files; `nil` where the connection is not used, and where an
        /// older version wrote it, which had none.
        package let key: ConnectionKey?
    }

    private static let asidePrefix = ".removed-"
    let home: PaviseHome
    /// Where it lies.
    package let path: String
    /// The authenticated files in it.
    package let files: ConnectionFiles
    /// Who this program is.
    var program: String { ProgramBridge.identifier }

    /// The connections of `home`.
    ///
    /// - Parameter vault: Makes the vault of a connection, whose store has its key.
    package init(
        home: PaviseHome,
        vault: @escaping @Sendable (ConnectionID) -> TokenVault = { id in
            TokenVault(store: KeychainStore(), key: EnclaveKey(tag: id.keyTag))
        }
    ) {
        self.home = home
        path = home.connections
        files = ConnectionFiles(path: home.connections, vault: vault)
    }

    /// The folder of one connection.
    package func folder(of id: ConnectionID) -> String { "\(path)/\(id)" }

    /// All connections, damaged ones included, removed ones not, by name. It only reads.
    ///
    /// Where the file system does not say whether a connection was removed, it counts as one that cannot be read.
    package func list() throws(ConnectionsFailure) -> [Entry] {
        try known().map(entry).sorted { $0.sortKey < $1.sortKey }
    }

    /// The identifiers of all connections that are not removed. No description is read, and a key only where there is
    /// a mark.
    package func known() throws(ConnectionsFailure) -> [ConnectionID] {
        let known = try identifiers().filter { id in
            guard case .begun = removal(of: id) else { return true }
            return false
        }
        return known.sorted { $0.text < $1.text }
    }

    /// The connection called `name`, and what authenticates its files.
    ///
    /// - Throws: ``ConnectionsFailure/unknownName(_:known:)`` where it is certain that there is none; where a
    ///   description cannot be read, why.
    package func find(_ name: String) throws(ConnectionsFailure) -> (ConnectionDescriptor, ConnectionKey) {
        let known = try self.known().map { id in
            (id: id, name: Result { () throws(ConnectionsFailure) in try claimedName(of: id) })
        }
        // The keychain is asked about this connection alone.
        let found = known.filter { (try? $0.name.get()) == name || $0.id.text == name }.map { entry($0.id) }
        guard let first = found.first(where: { (try? $0.content.get()) != nil }) ?? found.first else {
            var names: [String] = []
            // One whose name cannot be read may be the one.
            for row in known { if let name = try row.name.get() { names.append(name) } }
            throw .unknownName(name, known: names.sorted())
        }
        switch first.content {
        case .success(let descriptor):
            guard descriptor.name == name else { throw .unknownName(name, known: [descriptor.name]) }
            if let key = first.key { return (descriptor, key) }
            try takeOver()
            let taken = entry(first.id)
            guard let key = taken.key, let descriptor = try? taken.content.get() else { throw taken.failure }
            return (descriptor, key)
        case .failure: throw first.failure
        }
    }

    /// Makes the folder and the key and writes the description; the name must be free.
    ///
    /// - Returns: What was written.
    package func add(_ descriptor: ConnectionDescriptor) throws(ConnectionsFailure) -> ConnectionDescriptor {
        try add(descriptor, .making) {}
    }

    func add(
        _ descriptor: ConnectionDescriptor, _ phase: ConnectionKey.Phase, first: () throws(SystemFailure) -> Void
    ) throws(ConnectionsFailure) -> ConnectionDescriptor {
        guard ConnectionDescriptor.isName(descriptor.name) else {
            throw .unusableName(String(descriptor.name.prefix(80)))
        }
        try takeOver()
        var own = descriptor
        own.owner = program
        let bytes = try own.encoded()
        try locked { () throws(ConnectionsFailure) in
            for id in try known() {
                guard try claimedName(of: id) != descriptor.name else { throw .nameTaken(descriptor.name) }
            }
            try note(descriptor.id)
            try attempt(descriptor.id) { () throws(ConnectionFileFailure) in
                let folder = folder(of: descriptor.id)
                try files.create(bytes, of: descriptor.id, phase, in: folder) { () throws(SystemFailure) in
                    try removeNote(of: descriptor.id)
                    try first()
                }
            }
        }
        return own
    }

    /// Writes the description of a connection that exists, and is not damaged.
    package func save(_ descriptor: ConnectionDescriptor) throws(ConnectionsFailure) {
        var own = descriptor
        own.owner = program
        let bytes = try own.encoded()
        Unfinished.sweep(folder(of: descriptor.id))
        try takeOver(unlessDone: descriptor.id)
        try attempt(descriptor.id) { () throws(ConnectionFileFailure) in
            try files.write(bytes, to: .description, of: descriptor.id)
        }
    }

    /// The last step: the folder disappears at once and is then deleted.
    package func delete(_ id: ConnectionID) throws(ConnectionsFailure) {
        let aside = aside(id)
        try attempt { () throws(SystemFailure) in
            if try DurableFile.presence(of: folder(of: id)).get() != nil {
                try Folder.remove(aside)
                try DurableFile.move(folder(of: id), to: aside)
            }
            try Folder.remove(aside)
        }
    }

    /// Where the folder of a connection lies while it is deleted.
    func aside(_ id: ConnectionID) -> String { "\(path)/\(Self.asidePrefix)\(id)" }

    /// Deletes the folders that a removal put aside: what was in them is erased by then.
    package func deleteAside() throws(ConnectionsFailure) {
        for name in try names() where name.hasPrefix(Self.asidePrefix) {
            guard ConnectionID(String(name.dropFirst(Self.asidePrefix.count))) != nil else { continue }
            try attempt { () throws(SystemFailure) in try Folder.remove("\(path)/\(name)") }
        }
    }

    func identifiers() throws(ConnectionsFailure) -> [ConnectionID] {
        try names().compactMap(ConnectionID.init)
    }

    func names() throws(ConnectionsFailure) -> [String] {
        do throws(SystemFailure) {
            try home.check(.connections)
            return try Folder.names(in: path)
        } catch {
            guard error.isNotThere else { throw .system(error) }
            return []
        }
    }

    func locked(_ body: () throws(ConnectionsFailure) -> Void) throws(ConnectionsFailure) {
        try attempt { () throws(SystemFailure) in try home.make(.connections) }
        try FileLock.holding(
            "\(path)/.lock", wait: .seconds(10),
            or: { $0.mapped(held: .busy, system: ConnectionsFailure.system) }, body)
    }

    func attempt<Value>(
        _ id: ConnectionID, _ body: () throws(ConnectionFileFailure) -> Value
    ) throws(ConnectionsFailure) -> Value {
        do throws(ConnectionFileFailure) { return try body() } catch {
            switch error {
            case .damaged(let damage): throw .damaged(id, .file(damage))
            case .withoutKey, .unauthenticated: throw .otherProgram(id, owner: claim(id)?.owner)
            case .keychain(let failure): throw .keychain(failure)
            case .busy: throw .busy
            case .system(let failure): throw .system(failure)
            case .entropy(let failure): throw .entropy(failure)
            }
        }
    }

    func attempt<Value>(_ body: () throws(SystemFailure) -> Value) throws(ConnectionsFailure) -> Value {
        do throws(SystemFailure) { return try body() } catch { throw .system(error) }
    }
}

extension ConnectionsFolder.Entry {
    /// Why it is not used, as a failure of the list.
    var failure: ConnectionsFailure {
        switch content {
        case .success(let descriptor): .unknownName(descriptor.name, known: [])
        case .failure(.damaged(let damage)): .damaged(id, damage)
        case .failure(.otherProgram(let owner)): .otherProgram(id, owner: owner)
        case .failure(.keychain(let failure)): .keychain(failure)
        }
    }

    fileprivate var sortKey: String { (try? content.get().name) ?? "~\(id)" }
}
