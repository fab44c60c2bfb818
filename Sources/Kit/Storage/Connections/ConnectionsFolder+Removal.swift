internal import PavisePrimitives
internal import PaviseVault

// Whoever may write to the folder can remove what lies there, and a copy brings it back. No file there may be the
// reason to destroy a key, without which the copy is worth nothing: the mark has a code that only this program makes.
extension ConnectionsFolder {
    /// What a folder says of the removal of its connection.
    enum Removal: Hashable, Sendable {
        /// Nothing, or nothing that concerns this program.
        case none
        /// That it has begun, for certain.
        case begun
        /// Something that nobody can prove. Nothing is removed for it.
        case unproven(ConnectionProblem)
    }

    private static let removalMark = "removed"
    private func removalPath(of id: ConnectionID) -> String { "\(folder(of: id))/\(Self.removalMark)" }

    /// The first step of a removal: from here on the connection does not exist any more, whatever happens (connections
    /// C46).
    ///
    /// - Throws: Also where the keychain does not give the key that authenticates the mark; then nothing was begun. A
    ///   key that is gone or damaged stops nothing that somebody orders: the mark has no code then, and a kill leaves a
    ///   connection that has to be removed again.
    package func markRemoved(_ id: ConnectionID) throws(ConnectionsFailure) {
        let mark = Self.mark(of: id, try usableKey(of: id))
        try attempt { () throws(SystemFailure) in try DurableFile.write(mark, to: removalPath(of: id)) }
    }

    /// Removals that a kill interrupted, and that are to be finished: only those whose mark was opened, read and
    /// authenticated.
    package func interruptedRemovals() throws(ConnectionsFailure) -> [ConnectionID] {
        try identifiers().filter { removal(of: $0) == .begun }
    }

    /// Whether a connection that was there, with a key, is removed, or is being removed, for certain: its mark is
    /// authentic; or its key is gone, and a mark or a missing folder says why. A key that is gone alone says nothing: a
    /// keychain may have begun anew.
    package func isRemoved(_ id: ConnectionID) -> Bool {
        if removal(of: id) == .begun { return true }
        guard isMarked(id) || isWithoutFolder(id) else { return false }
        do throws(ConnectionFileFailure) { return try files.key(of: id) == nil } catch { return false }
    }

    /// What the mark of removal says: a file with this program's code for the connection.
    ///
    /// One without a code, as earlier versions wrote it, and one whose key is gone, count only where this program has
    /// neither a secret nor a key of the connection any more: then all that is left to remove is its folder.
    func removal(of id: ConnectionID) -> Removal {
        switch DurableFile.mark(removalPath(of: id)) {
        case .absent: return .none
        case .unknown(let failure): return .unproven(.damaged(.system(failure)))
        case .present(let found):
            do throws(ConnectionFileFailure) { return try removal(of: id, by: found) } catch {
                guard case .keychain(let failure) = error else { return foreignMark(of: id) }
                return .unproven(.keychain(failure))
            }
        }
    }

    private func removal(of id: ConnectionID, by found: [UInt8]) throws(ConnectionFileFailure) -> Removal {
        if let key = try files.key(of: id) {
            return ConstantTime.equal(found, Self.mark(of: id, key)) ? .begun : foreignMark(of: id)
        }
        guard Self.isMark(found, of: id) else { return foreignMark(of: id) }
        // Another program's says nothing to this one, which has no key of it.
        if let owner = claim(id)?.owner, owner != program { return .none }
        return try isErased(id) ? .begun : foreignMark(of: id)
    }

    private func foreignMark(of id: ConnectionID) -> Removal {
        .unproven(.damaged(.system(.refused(removalPath(of: id), .foreignMark))))
    }

    // Whether nothing of the connection is left in the keychain, which is emptied before the folder goes.
    private func isErased(_ id: ConnectionID) throws(ConnectionFileFailure) -> Bool {
        guard try !hasSecrets(of: id) else { return false }
        return try files.keychain { () throws(VaultFailure) in try !hasStorageKeys(id) }
    }

    private func isMarked(_ id: ConnectionID) -> Bool {
        guard case .present(let found) = DurableFile.mark(removalPath(of: id)) else { return false }
        return Self.isMark(found, of: id)
    }

    private func isWithoutFolder(_ id: ConnectionID) -> Bool {
        guard case .absent = DurableFile.presence(of: folder(of: id)) else { return false }
        return true
    }

    private func usableKey(of id: ConnectionID) throws(ConnectionsFailure) -> ConnectionKey? {
        try attempt(id) { () throws(ConnectionFileFailure) -> ConnectionKey? in
            do throws(ConnectionFileFailure) { return try files.key(of: id) } catch {
                switch error {
                case .keychain(.corrupt), .keychain(.newer), .keychain(.keyLost): return nil
                default: throw error
                }
            }
        }
    }

    private static func mark(of id: ConnectionID, _ key: ConnectionKey?) -> [UInt8] {
        guard let key else { return Array("PVRM1 \(id)\n".utf8) }
        return Array("PVRM2 \(id) \(Hex.encode(key.code(ofMark: removalMark, id)))\n".utf8)
    }

    // Whether it names the connection, whoever wrote it. Before the first form a mark was empty.
    private static func isMark(_ found: [UInt8], of id: ConnectionID) -> Bool {
        found.isEmpty || found == mark(of: id, nil) || found.starts(with: "PVRM2 \(id) ".utf8)
    }
}
