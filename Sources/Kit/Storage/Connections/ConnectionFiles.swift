package import PavisePrimitives
internal import PaviseTransport
package import PaviseVault

/// Why a file of a connection was not read or written.
package enum ConnectionFileFailure: Error, Hashable, Sendable {
    case damaged(ConnectionFileDamage)
    /// This program has no key for the connection.
    case withoutKey
    /// An older Pavise wrote it; the connections of this home are not taken over yet.
    case unauthenticated
    /// The keychain does not say now.
    case keychain(VaultFailure)
    case busy
    case system(SystemFailure)
    case entropy(EntropyFailure)
}

/// The authenticated files of the connections of a home, and their keys.
///
/// A write is durable in the file before it is in the keychain, so that a kill leaves a file whose number is one ahead.
/// A reader takes that one too, and the next write mends it.
package struct ConnectionFiles: Sendable {
    let path: String
    let vault: @Sendable (ConnectionID) -> TokenVault

    /// - Parameters:
    ///   - path: The folder of all connections.
    ///   - vault: Makes the vault of a connection, whose store has its key.
    package init(path: String, vault: @escaping @Sendable (ConnectionID) -> TokenVault) {
        self.path = path
        self.vault = vault
    }

    func path(of file: ConnectionFile, _ id: ConnectionID) -> String { "\(path)/\(id)/\(file.rawValue)" }

    // MARK: The key

    /// The key of a connection; `nil` where this program has none.
    package func key(of id: ConnectionID) throws(ConnectionFileFailure) -> ConnectionKey? {
        try keychain { () throws(VaultFailure) in
            switch try vault(id).readUnsealed(.connectionKey(of: id)) {
            case .absent: return nil
            case .found(let content): return try ConnectionKey(decoding: content)
            }
        }
    }

    static func key(isAdopted: Bool, _ phase: ConnectionKey.Phase) throws(ConnectionFileFailure) -> ConnectionKey {
        do throws(EntropyFailure) { return try ConnectionKey(isAdopted: isAdopted, phase) } catch {
            throw .entropy(error)
        }
    }

    func keep(_ key: ConnectionKey, of id: ConnectionID) throws(ConnectionFileFailure) {
        try keychain { () throws(VaultFailure) in
            try key.encoded().withBytes { bytes throws(VaultFailure) in
                try vault(id).storeUnsealed(bytes, as: .connectionKey(of: id))
            }
        }
    }

    // MARK: Reading

    /// What a file holds; `nil` where none was ever written. Nothing is changed.
    ///
    /// - Parameter key: The key as it was read before; read again where the file is ahead of it.
    package func read(
        _ file: ConnectionFile, of id: ConnectionID, key: ConnectionKey, limit: Int
    ) throws(ConnectionFileFailure) -> [UInt8]? {
        let bytes = try content(of: file, id, limit: limit)
        var verdict = AuthenticatedFile.judge(bytes, file, of: id, key: key)
        // Somebody may have written several times since the key was read. The file was read after it, so it is never
        // older.
        if verdict == .damaged(.olderKeychain), let newer = try self.key(of: id) {
            verdict = AuthenticatedFile.judge(bytes, file, of: id, key: newer)
        }
        switch verdict {
        case .current: return bytes
        case .absent: return nil
        case .unauthenticated: throw .unauthenticated
        case .damaged(let damage): throw .damaged(damage)
        }
    }

    func content(of file: ConnectionFile, _ id: ConnectionID, limit: Int) throws(ConnectionFileFailure) -> [UInt8]? {
        do throws(SystemFailure) {
            return try DurableFile.readIfPresent(path(of: file, id), limit: limit)
        } catch {
            throw .system(error)
        }
    }

    // MARK: Writing

    /// Makes the key of a connection, then its folder, and writes its first description. So a folder that a kill left
    /// behind has a key, by which its owner is known.
    ///
    /// - Parameters:
    ///   - phase: Until when it may be taken back without an order.
    ///   - first: What comes into the folder before the description does.
    func create(
        _ object: [UInt8], of id: ConnectionID, _ phase: ConnectionKey.Phase, in folder: String,
        first: () throws(SystemFailure) -> Void
    ) throws(ConnectionFileFailure) {
        let key = try Self.key(isAdopted: false, phase)
        try keep(key, of: id)
        do throws(SystemFailure) {
            try DurableFile.makeDirectory(folder)
            try first()
        } catch {
            throw .system(error)
        }
        try put(object, .description, id, key)
    }

    /// Replaces a file of a connection that is there, in an authentic copy or, where none was ever written, for the
    /// first time.
    func write(
        _ object: [UInt8], to file: ConnectionFile, of id: ConnectionID, takingOver: Bool = false
    ) throws(ConnectionFileFailure) {
        try locked(id) { () throws(ConnectionFileFailure) in
            guard var key = try key(of: id) else { throw .withoutKey }
            let old = try content(of: file, id, limit: ServerTrustRecord.sizeLimit)
            switch AuthenticatedFile.judge(old, file, of: id, key: key) {
            case .absent, .current(isAhead: false): break
            case .current(isAhead: true):
                key[file] += 1
                try keep(key, of: id)
            case .unauthenticated: guard takingOver else { throw .unauthenticated }
            case .damaged(let damage): throw .damaged(damage)
            }
            var next = key
            if next.phase == .making { next.phase = .made }
            next[file] += 1
            try put(object, file, id, next)
            try keep(next, of: id)
        }
    }

    /// Says in the keychain that a connection is made, and stays. One without a key is left as it is.
    func complete(_ id: ConnectionID) throws(ConnectionFileFailure) {
        guard let found = try key(of: id), found.phase != .made else { return }
        try locked(id) { () throws(ConnectionFileFailure) in
            // Somebody may have written meanwhile.
            guard var key = try key(of: id) else { return }
            key.phase = .made
            try keep(key, of: id)
        }
    }

    private func put(
        _ object: [UInt8], _ file: ConnectionFile, _ id: ConnectionID, _ key: ConnectionKey
    ) throws(ConnectionFileFailure) {
        let bytes = AuthenticatedFile.encode(object, file, of: id, generation: key[file], key: key)
        do throws(SystemFailure) {
            try DurableFile.write(bytes, to: path(of: file, id))
        } catch {
            throw .system(error)
        }
    }

    private func locked(
        _ id: ConnectionID, _ body: () throws(ConnectionFileFailure) -> Void
    ) throws(ConnectionFileFailure) {
        try FileLock.holding(
            "\(path)/\(id)/connection.lock", wait: .seconds(10),
            or: { $0.mapped(held: .busy, system: ConnectionFileFailure.system) }, body)
    }

    func keychain<Value>(_ body: () throws(VaultFailure) -> Value) throws(ConnectionFileFailure) -> Value {
        do throws(VaultFailure) { return try body() } catch { throw .keychain(error) }
    }
}
