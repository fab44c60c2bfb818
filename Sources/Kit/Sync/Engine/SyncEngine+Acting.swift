extension SyncEngine {
    /// Does one step, and writes into the trees what it made.
    func act(on step: SyncStep) async throws(SyncFailure) {
        switch step {
        case .agree: return
        case .read(let id): try await read(id)
        case .join(let mine, let theirs): try await join(mine, theirs)
        case .setAside(let id, let name): try await setAside(id, name)
        case .create(.here, let id, let item): try await createHere(id, item)
        case .create(.there, let id, let item): try await createThere(id, item)
        case .replace(.here, let id, _, let new): try await replaceHere(id, new)
        case .replace(.there, let id, let old, let new): try await replaceThere(id, old, new)
        case .move(.here, let id, let target): try await moveHere(id, target)
        case .move(.there, let id, let target): try await moveThere(id, target)
        case .delete(.here, let id, let item): try await deleteHere(id, item)
        case .delete(.there, let id, let item): try await deleteThere(id, item)
        }
    }

    private func herePath(_ id: ItemID) throws(SyncFailure) -> SyncPath {
        guard let path = here.path(of: id) else { throw .changed }
        return path
    }

    private func therePath(_ id: ItemID) throws(SyncFailure) -> SyncPath {
        guard let path = there.path(of: id) else { throw .changed }
        return path
    }

    private func path(of item: SyncItem, in tree: SyncTree) throws(SyncFailure) -> SyncPath {
        guard let folder = tree.path(of: item.parent) else { throw .changed }
        return folder + [item.name]
    }

    /// The content with this digest: from the store, from the folder, from the server; the first that still has it.
    private func content(_ digest: ContentDigest, of id: ItemID) async throws(SyncFailure) -> SyncContent {
        if let kept = try await journal.content(digest) { return kept }
        if here[id]?.digest == digest {
            let content = try await folder.read(herePath(id)).content
            guard content.digest == digest else { throw .changed }
            return content
        }
        let (fetched, _) = try await fetch(therePath(id), for: .fetched)
        guard fetched.digest == digest else { throw .changed }
        return fetched
    }

    private func keep(_ content: SyncContent, _ path: SyncPath, _ reason: KeepReason) async throws(SyncFailure) {
        try await journal.keep(content, named: path.last?.text ?? "", for: reason)
    }

    // What the server has comes into the store; what broke off is gone on with by the next run.
    private func fetch(
        _ path: SyncPath, for reason: KeepReason
    ) async throws(SyncFailure) -> (content: SyncContent, version: RemoteVersion) {
        let sink = try await journal.sink(for: path)
        let version: RemoteVersion
        do throws(SyncFailure) { version = try await remote.read(path, into: sink) } catch {
            sink.suspend()
            throw error
        }
        let content = try sink.content()
        try await keep(content, path, reason)
        return (content, version)
    }

    // MARK: Reading

    private func read(_ id: ItemID) async throws(SyncFailure) {
        let (content, version) = try await fetch(therePath(id), for: .fetched)
        versions[id] = version
        there[id]?.kind = .file(.known(content.digest))
    }

    // MARK: Identities

    private func join(_ mine: ItemID, _ theirs: ItemID) async throws(SyncFailure) {
        guard let item = there[theirs] else { throw .changed }
        try await makeHereDurable()
        here[theirs] = here[mine].map { $0.at(item.location) }
        here[mine] = nil
        for (id, child) in here.items where child.parent == mine { here[id]?.parent = theirs }
        statuses[theirs] = statuses[mine]
        hereIdentities[theirs] = hereIdentities[mine]
        try await commit([.base(mine, nil), .pending(mine, nil), .base(theirs, record(of: theirs, item))])
    }

    private func setAside(_ id: ItemID, _ name: SyncItemName) async throws(SyncFailure) {
        let path = try herePath(id)
        guard let item = here[id] else { throw .changed }
        let target: SyncPath = path.dropLast() + [name]
        try await folder.move(path, to: target)
        // From here on the file is a new one. After a crash before this line it is the old one, moved, and in
        // conflict again.
        if var record = records.base[id] {
            record.hereIdentity = nil
            try await commit([.base(id, record)])
        }
        let new = Observation.fresh(target, .here) { here[$0] != nil || records.base[$0] != nil || there[$0] != nil }
        here[id] = nil
        here[new] = SyncItem(parent: item.parent, name: name, kind: item.kind)
        (statuses[new], hereIdentities[new]) = (statuses[id], hereIdentities[id])
        (statuses[id], hereIdentities[id]) = (nil, nil)
        report.conflicts.append(target)
    }

    // MARK: Here

    private func wrote(_ id: ItemID, _ file: WrittenFile) {
        statuses[id] = file.status
        hereIdentities[id] = file.identity
    }

    private func createHere(_ id: ItemID, _ item: SyncItem) async throws(SyncFailure) {
        let path = try path(of: item, in: here)
        if item.isFolder {
            try await folder.makeFolder(path)
        } else {
            guard let digest = item.digest else { throw .changed }
            wrote(id, try await folder.write(content(digest, of: id), to: path, replacing: nil))
        }
        here[id] = item
        mustLookAgain = mustLookAgain || there[id] == nil
    }

    private func replaceHere(_ id: ItemID, _ new: ContentDigest) async throws(SyncFailure) {
        let path = try herePath(id)
        let content = try await content(new, of: id)
        let old = try await folder.read(path)
        let digest = old.content.digest
        // What a person wrote since the look is not what the plan spoke of.
        guard here[id]?.isDamaged == true ? old.status == statuses[id] : digest == here[id]?.digest else {
            throw .changed
        }
        try await keep(old.content, path, .replaced)
        wrote(id, try await folder.write(content, to: path, replacing: digest))
        here[id]?.kind = .file(.known(new))
        // What was healed is agreed on already: no note of it follows, and its next damage is told by its new time.
        guard let old = records.base[id] else { return }
        let healed = seen(id, old)
        if healed != old { try await commit([.base(id, healed)]) }
    }

    private func moveHere(_ id: ItemID, _ target: ItemLocation) async throws(SyncFailure) {
        guard let item = here[id] else { throw .changed }
        try await folder.move(herePath(id), to: path(of: item.at(target), in: here))
        here[id] = item.at(target)
        // The status stays that of the last reading: what was damaged since then is still found by it.
    }

    private func deleteHere(_ id: ItemID, _ item: SyncItem) async throws(SyncFailure) {
        let path = try herePath(id)
        guard let digest = item.digest else {
            try await folder.delete(path, expecting: nil)
            here[id] = nil
            return
        }
        // Where another item has the name there now, the listing missed nothing: it says where this one's name went.
        if !there.items.values.contains(where: { $0.location == item.location }) {
            // The server may call the folder otherwise: a move here has not come to it yet.
            let known = records.base[id]?.item ?? item
            let placeThere = there.path(of: known.parent).map { $0 + [known.name] } ?? path
            guard try await !remote.isThere(placeThere) else { throw .changed }
        }
        let content = try await folder.read(path).content
        guard content.digest == digest else { throw .changed }
        try await keep(content, path, .replaced)
        // Written down first: after a crash what is missing here would count as the person's deletion, and the server
        // may have it again by then (sync/SY2).
        let before = [SyncChange.base(id, records.base[id]), .pending(id, records.pending[id])]
        try await commit([.base(id, nil), .pending(id, nil)])
        do throws(SyncFailure) { try await folder.delete(path, expecting: digest) } catch {
            try await commit(before)
            throw error
        }
        here[id] = nil
    }

    // MARK: There

    private func createThere(_ id: ItemID, _ item: SyncItem) async throws(SyncFailure) {
        let path = try path(of: item, in: there)
        guard let digest = item.digest else {
            if width > 1, refusals[id] == nil, try await createTogether(id, item, at: path) { return }
            try await remote.makeFolder(path)
            there[id] = item
            return
        }
        let content: SyncContent
        if let ready = prepared.removeValue(forKey: id), ready.digest == digest {
            content = ready
        } else {
            content = try await self.content(digest, of: id)
            try await keep(content, path, .sending)
            try await commit([.pending(id, PendingWrite(kind: .create, digest: digest))])
        }
        let version = try await remote.create(path, try await sealed(content, id))
        try await prove(id, item, digest, version, path)
    }

    private func replaceThere(_ id: ItemID, _ old: ContentDigest?, _ new: ContentDigest) async throws(SyncFailure) {
        let path = try therePath(id)
        guard let item = there[id], item.digest == old else { throw .changed }
        let content = try await content(new, of: id)
        try await keep(content, path, .sending)
        let version = try await keepWhatIsThere(path, old)
        try await commit([.pending(id, PendingWrite(kind: .replace, digest: new))])
        let made = try await remote.replace(path, try await sealed(content, id), old: version)
        try await prove(id, item, new, made, path)
    }

    // What is sent is what the store has: a file that somebody writes meanwhile would be another halfway.
    private func sealed(_ content: SyncContent, _ id: ItemID) async throws(SyncFailure) -> SyncContent {
        guard !content.isInMemory, let kept = try await journal.content(content.digest) else {
            return dated(content, id)
        }
        return dated(kept, id)
    }

    func dated(_ content: SyncContent, _ id: ItemID) -> SyncContent {
        var content = content
        content.modified = statuses[id]?.modified
        return content
    }

    // What is about to go stays in the store for 30 days (sync/SY14).
    private func keepWhatIsThere(
        _ path: SyncPath, _ digest: ContentDigest?
    ) async throws(SyncFailure) -> RemoteVersion {
        let (content, version) = try await fetch(path, for: .replaced)
        guard let digest, content.digest == digest else { throw .changed }
        return version
    }

    // A version is ours only if the answer proves it or a read after it does (sync/SY7).
    func prove(
        _ id: ItemID, _ item: SyncItem, _ digest: ContentDigest, _ version: RemoteVersion?, _ path: SyncPath
    ) async throws(SyncFailure) {
        var proven = version
        if proven?.isStrong != true {
            // Only its digest is wanted.
            let sink = ContentSink(nil)
            let found = try await remote.read(path, into: sink)
            guard sink.digest == digest else { throw .changed }
            proven = found
        }
        versions[id] = proven
        there[id] = SyncItem(parent: item.parent, name: item.name, kind: .file(.known(digest)))
    }

    private func moveThere(_ id: ItemID, _ target: ItemLocation) async throws(SyncFailure) {
        guard let item = there[id] else { throw .changed }
        let (path, goal) = (try therePath(id), try path(of: item.at(target), in: there))
        try await commit([.pending(id, PendingWrite(kind: .move, digest: item.digest))])
        try await remote.move(path, to: goal, old: versions[id])
        there[id] = item.at(target)
        // Without a name of the server's own that survives the move, the base is what knows where the item went.
        guard here[id]?.location == target, let old = records.base[id] else { return }
        try await commit([.base(id, record(of: id, old.item.at(target)))])
    }

    private func deleteThere(_ id: ItemID, _ item: SyncItem) async throws(SyncFailure) {
        let path = try therePath(id)
        guard item.digest != nil else {
            try await remote.delete(path, old: nil)
            there[id] = nil
            return
        }
        let version = try await keepWhatIsThere(path, item.digest)
        try await commit([.pending(id, PendingWrite(kind: .delete, digest: item.digest))])
        try await remote.delete(path, old: version)
        there[id] = nil
    }
}
