internal import PavisePrimitives
internal import PaviseTransport
internal import PaviseVault

extension ConnectionsFolder {
    /// Whose a connection is, as far as this program can say.
    package enum Ownership: Hashable, Sendable {
        /// This program's: it has the key, a secret, or is named as the owner.
        case own
        /// Another program's.
        case other(owner: String?)
        /// Nobody can say: the keychain does not answer, or it has nothing of the connection and the description cannot
        /// be read.
        case unknown(ConnectionsFailure)
    }

    /// Whose the connection is: what decides whether this program may remove it.
    package func ownership(of id: ConnectionID) -> Ownership {
        do throws(ConnectionsFailure) {
            return try attempt(id) { () throws(ConnectionFileFailure) in try provenOwnership(of: id) }
        } catch {
            guard let owner = claim(id)?.owner else { return .unknown(error) }
            return owner == program ? .own : .other(owner: owner)
        }
    }

    private func provenOwnership(of id: ConnectionID) throws(ConnectionFileFailure) -> Ownership {
        if try files.key(of: id) != nil { return .own }
        do throws(ConnectionFileFailure) {
            _ = try files.content(of: .description, id, limit: ConnectionDescriptor.limit)
        } catch {
            // A description that is there and cannot be read says nothing; a secret of an older Pavise does.
            guard try !hasSecrets(of: id) else { return .own }
            throw error
        }
        guard let owner = claim(id)?.owner else { return try hasSecrets(of: id) ? .own : .other(owner: nil) }
        return owner == program ? .own : .other(owner: owner)
    }

    /// What lies in the folder of `id`, judged. Nothing is changed.
    func entry(_ id: ConnectionID) -> Entry {
        do throws(ConnectionProblem) {
            if case .unproven(let problem) = removal(of: id) { throw problem }
            let (descriptor, key) = try authenticated(id)
            return Entry(id: id, content: .success(descriptor), unproven: nil, key: key)
        } catch {
            return Entry(id: id, content: .failure(error), unproven: claim(id), key: nil)
        }
    }

    /// What the description says, whoever wrote it; `nil` where it cannot be read.
    func claim(_ id: ConnectionID) -> ConnectionDescriptor? {
        for folder in [folder(of: id), aside(id)] {
            let path = "\(folder)/\(ConnectionFile.description.rawValue)"
            guard let bytes = try? DurableFile.readIfPresent(path, limit: ConnectionDescriptor.limit) else { continue }
            return try? ConnectionDescriptor(decoding: bytes, for: id)
        }
        return nil
    }

    /// What the description calls the connection, whoever wrote it, a later version too; `nil` where there is none, or
    /// it is no description.
    ///
    /// - Throws: ``ConnectionsFailure/system(_:)`` where the file cannot be read: then nobody can say what it is
    ///   called.
    func claimedName(of id: ConnectionID) throws(ConnectionsFailure) -> String? {
        let bytes = try attempt(id) { () throws(ConnectionFileFailure) in
            try files.content(of: .description, id, limit: ConnectionDescriptor.limit)
        }
        guard let bytes else { return nil }
        do throws(DescriptorDamage) { return try ConnectionDescriptor(decoding: bytes, for: id).name } catch {
            guard case .newer = error else { return nil }
            return ConnectionDescriptor.name(inNewer: bytes)
        }
    }

    /// Takes over the connections that an older Pavise made, once for this program and home: each that this program has
    /// a key or a secret of gets its own key, and its files are authenticated as they are. The mark comes last; from
    /// then on a description without authentication is another program's, or none.
    func takeOver() throws(ConnectionsFailure) {
        let isDone = { () throws(ConnectionsFailure) in
            try attempt(.revocations) { () throws(ConnectionFileFailure) in try isTakenOver() }
        }
        guard try !isDone() else { return }
        try locked { () throws(ConnectionsFailure) in
            guard try !isDone() else { return }
            var isWhole = true
            for id in try known() {
                let isOver = try attempt(id) { () throws(ConnectionFileFailure) in try takeOver(id) }
                isWhole = isWhole && isOver
            }
            // With the mark, one whose files could not be read just now would be nobody's for good.
            guard isWhole else { return }
            try attempt(.revocations) { () throws(ConnectionFileFailure) in
                try files.keychain { () throws(VaultFailure) in
                    let mark: [UInt8] = [1]
                    try mark.withSpan { mark throws(VaultFailure) in
                        try files.vault(.revocations).storeUnsealed(mark, as: .takeOver)
                    }
                }
            }
        }
    }

    /// The same, unless `id` has its key: then nothing is read beside it.
    func takeOver(unlessDone id: ConnectionID) throws(ConnectionsFailure) {
        let key = try attempt(id) { () throws(ConnectionFileFailure) in try files.key(of: id) }
        guard (key?[.description] ?? 0) == 0 else { return }
        try takeOver()
    }

    // Whether there is nothing left to do: `false` where a file cannot be read now. One that is no file of a
    // connection, or too large for one, stays what it is: damaged.
    private func takeOver(_ id: ConnectionID) throws(ConnectionFileFailure) -> Bool {
        let found: (description: [UInt8]?, servers: [UInt8]?)
        do throws(SystemFailure) {
            found = (
                try old(.description, id, limit: ConnectionDescriptor.limit),
                try old(.servers, id, limit: ServerTrustRecord.sizeLimit)
            )
        } catch {
            return false
        }
        guard let bytes = found.description, var descriptor = try? ConnectionDescriptor(decoding: bytes, for: id),
            descriptor.owner == nil
        else { return true }
        if let key = try files.key(of: id) {
            // A take-over that a kill interrupted goes on.
            guard key[.description] == 0 else { return true }
        } else {
            guard try hasSecrets(of: id) else { return true }
            try files.keep(try ConnectionFiles.key(isAdopted: true, .made), of: id)
        }
        descriptor.owner = program
        if let servers = found.servers, let record = try? ServerTrustRecord(decoding: servers),
            let bytes = try? record.encoded()
        {
            try files.write(bytes, to: .servers, of: id, takingOver: true)
        }
        guard let bytes = try? descriptor.encoded() else { return true }
        try files.write(bytes, to: .description, of: id, takingOver: true)
        return true
    }

    // A file without a code; `nil` where there is none, or it is none of a connection's.
    private func old(_ file: ConnectionFile, _ id: ConnectionID, limit: Int) throws(SystemFailure) -> [UInt8]? {
        do throws(SystemFailure) {
            let bytes = try DurableFile.readIfPresent(files.path(of: file, id), limit: limit)
            return bytes.flatMap { AuthenticatedFile.hasForm($0) ? nil : $0 }
        } catch {
            // Another user's may be given back, and is a connection's then.
            guard error.isTooLarge || error.isRefusedForGood else { throw error }
            return nil
        }
    }

    private func isTakenOver() throws(ConnectionFileFailure) -> Bool {
        try files.keychain { () throws(VaultFailure) in
            switch try files.vault(.revocations).readUnsealed(.takeOver) {
            case .absent: false
            case .found: true
            }
        }
    }

    /// A key or a secret of the connection, such as an older Pavise made in this program's keychain.
    func hasSecrets(of id: ConnectionID) throws(ConnectionFileFailure) -> Bool {
        guard try !hasCredential(of: id) else { return true }
        return try files.keychain { () throws(VaultFailure) in try files.vault(id).hasKey() }
    }

    /// Whether the keychain has a session or a password of the connection.
    func hasCredential(of id: ConnectionID) throws(ConnectionFileFailure) -> Bool {
        let names = ["org.pavise.session", "org.pavise.password"].map { ItemName(checkedService: $0, id.text) }
        return try files.keychain { () throws(VaultFailure) in
            for name in names where try files.vault(id).has(name) { return true }
            return false
        }
    }

    private func authenticated(
        _ id: ConnectionID
    ) throws(ConnectionProblem) -> (ConnectionDescriptor, ConnectionKey?) {
        let (key, bytes) = try read(id)
        guard let bytes else { throw .damaged(.missing) }
        let descriptor: ConnectionDescriptor
        do throws(DescriptorDamage) { descriptor = try ConnectionDescriptor(decoding: bytes, for: id) } catch {
            throw .damaged(error)
        }
        if let key, AuthenticatedFile.hasForm(bytes) { return (descriptor, key) }
        // A description that names its owner was written with authentication.
        guard AuthenticatedFile.hasForm(bytes) || descriptor.owner != nil else {
            return (try old(descriptor, hasKey: key != nil), nil)
        }
        guard key == nil else { throw .damaged(.file(.altered)) }
        guard descriptor.owner == program else { throw .otherProgram(owner: descriptor.owner) }
        throw .damaged(.withoutKey)
    }

    // With a key the bytes are authentic, or an older Pavise's that nothing was written over.
    private func read(_ id: ConnectionID) throws(ConnectionProblem) -> (ConnectionKey?, [UInt8]?) {
        let limit = ConnectionDescriptor.limit
        return try attempt { () throws(ConnectionFileFailure) in
            guard let key = try files.key(of: id) else {
                return (nil, try files.content(of: .description, id, limit: limit))
            }
            do throws(ConnectionFileFailure) {
                return (key, try files.read(.description, of: id, key: key, limit: limit))
            } catch {
                guard error == .unauthenticated else { throw error }
                return (key, try files.content(of: .description, id, limit: limit))
            }
        }
    }

    // An older Pavise's: this program's while nothing was taken over, and something of it is in its keychain.
    private func old(
        _ descriptor: ConnectionDescriptor, hasKey: Bool
    ) throws(ConnectionProblem) -> ConnectionDescriptor {
        let isOver = try attempt { () throws(ConnectionFileFailure) -> Bool in try isTakenOver() }
        guard !isOver || !hasKey else { throw .damaged(.file(.altered)) }
        let isOwn = try attempt { () throws(ConnectionFileFailure) -> Bool in
            if isOver || hasKey { return hasKey }
            return try hasSecrets(of: descriptor.id)
        }
        guard isOwn else { throw .otherProgram(owner: nil) }
        return descriptor
    }

    private func attempt<Value>(
        _ body: () throws(ConnectionFileFailure) -> Value
    ) throws(ConnectionProblem) -> Value {
        do throws(ConnectionFileFailure) { return try body() } catch {
            switch error {
            case .damaged(let damage): throw .damaged(.file(damage))
            case .withoutKey, .unauthenticated, .busy, .entropy: throw .damaged(.file(.altered))
            case .keychain(let failure): throw .keychain(failure)
            case .system(let failure): throw .damaged(.system(failure))
            }
        }
    }
}
