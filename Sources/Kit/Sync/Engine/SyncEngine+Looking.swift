extension SyncEngine {
    /// Looks at both sides; from here on the trees say what is there.
    ///
    /// - Returns: `false` where a person has to say first that it is the right folder.
    func look(_ approved: Set<SyncReport.Question>) async throws(SyncFailure) -> Bool {
        records = try await journal.load()
        // What was refused often enough waits for a person, and for the next run.
        held = Set(refusals.filter { $0.value >= Self.mostRefusals }.keys)
        // The server first: what appears here meanwhile is seen, and what was read there is no older than what is here.
        let entries = try await remote.list()
        guard try await isSameRoot(approved) else { return false }
        lookThere(entries, approved)
        try await lookHere(approved)
        try await noteIdentities()
        await holdWhatIsLeftOut()
        if await remote.level < .conditions { await holdWhatIsTooRisky() }
        return true
    }

    // Another instance at the old address, or a folder that was brought back from a backup, is not what both sides
    // agreed on (sync/SY11). With a yes nothing counts as agreed on any more: nothing is deleted or replaced for it.
    private func isSameRoot(_ approved: Set<SyncReport.Question>) async throws(SyncFailure) -> Bool {
        let root = await remote.rootIdentity
        guard root != records.root else { return true }
        var changes = [SyncChange.root(root)]
        if records.root != nil, !records.base.isEmpty {
            guard approved.contains(.massChange(.otherRoot)) else {
                report.questions.insert(.massChange(.otherRoot))
                return false
            }
            changes += records.base.keys.sorted().map { .base($0, nil) }
            changes += records.pending.keys.sorted().map { .pending($0, nil) }
        }
        try await commit(changes)
        return true
    }

    private func lookHere(_ approved: Set<SyncReport.Question>) async throws(SyncFailure) {
        isHereDurable = false
        let entries = try await folder.scan()
        var seen = Observation(
            entries.map { entry in
                .init(
                    path: entry.path, isFolder: entry.status == nil, identity: entry.identity, status: entry.status,
                    mayRecur: entry.mayRecur)
            }, on: .here, base: records.base)
        (statuses, hereIdentities) = ([:], [:])
        for entry in entries {
            guard let id = seen.ids[entry.path] else { continue }
            hereIdentities[id] = entry.identity
            guard let status = entry.status else { continue }
            statuses[id] = status
            let old = records.base[id]
            if let old, old.status == status, let digest = old.item.digest {
                seen.settle(id, .known(digest))
                continue
            }
            let content: FileContent
            do throws(SyncFailure) {
                content = try await folder.read(entry.path)
            } catch .changed {
                // Somebody writes it just now: the next look sees what became of it.
                held.insert(id)
                seen.settle(id, old?.item.digest.map { .known($0) } ?? .damaged)
                continue
            } catch  where error.isOfOneItem {
                held.insert(id)
                report.questions.insert(.refused(entry.path))
                seen.settle(id, old?.item.digest.map { .known($0) } ?? .damaged)
                continue
            }
            statuses[id] = content.status
            seen.settle(id, judge(content, id, entry.path, approved))
        }
        here = seen.tree
    }

    // A file that nobody wrote and that has other bytes is damaged (sync/SY4); one that became empty is asked about
    // (sync/SY13).
    private func judge(
        _ content: FileContent, _ id: ItemID, _ path: SyncPath, _ approved: Set<SyncReport.Question>
    ) -> SyncItem.Content {
        let digest = content.content.digest
        guard let old = records.base[id], let before = old.status, old.item.digest != digest else {
            return .known(digest)
        }
        if content.status.modified == before.modified {
            if there[id] == nil {
                held.insert(id)
                report.questions.insert(.damaged(path))
            }
            return .damaged
        }
        if content.content.count == 0, before.size > 0, !approved.contains(.emptied(path)) {
            held.insert(id)
            report.questions.insert(.emptied(path))
        }
        return .known(digest)
    }

    private func lookThere(_ entries: [RemoteEntry], _ approved: Set<SyncReport.Question>) {
        var seen = Observation(
            entries.map { .init(path: $0.path, isFolder: $0.version == nil, identity: $0.identity) }, on: .there,
            base: records.base)
        let before = (versions: versions, tree: there)
        (versions, thereIdentities) = ([:], [:])
        for entry in entries {
            guard let id = seen.ids[entry.path] else { continue }
            thereIdentities[id] = entry.identity
            guard let version = entry.version else { continue }
            versions[id] = version
            if version.size == 0, let old = records.base[id], (old.status?.size ?? 0) > 0, old.version != version,
                !approved.contains(.emptied(entry.path))
            {
                // What an upload that broke off may leave (sync/SY13).
                held.insert(id)
                report.questions.insert(.emptied(entry.path))
            }
            guard version.isStrong else { continue }
            if let old = records.base[id], old.version == version, let digest = old.item.digest {
                seen.settle(id, .known(digest))
            } else if before.versions[id] == version, let digest = before.tree[id]?.digest {
                seen.settle(id, .known(digest))
            }
        }
        there = seen.tree
    }

    // An item that got a name which is none for the other side, or whose place a link took, is no deletion; what lies
    // in such a folder neither.
    private func holdWhatIsLeftOut() async {
        let all = await folder.leftOut + remote.leftOut
        report.leftOut = Set(all.prefix(LeftOutItem.limit))
        occupied = [:]
        for odd in all {
            var folder = odd.path[...]
            while let slash = folder.lastIndex(of: "/") {
                folder = folder[..<slash]
                // Those above it are there already.
                guard occupied[odd.side, default: []].insert(String(folder)).inserted else { break }
            }
        }
        guard !all.isEmpty else { return }
        // All of them, however many a report names.
        var (paths, identities) = ([SyncSide: Set<String>](), [SyncSide: Set<String>]())
        for item in all {
            paths[item.side, default: []].insert(item.path)
            if let identity = item.identity { identities[item.side, default: []].insert(identity) }
        }
        let base = SyncTree(records.base.mapValues(\.item))
        var (missing, tops) = ([(id: ItemID, path: SyncPath)](), Set<SyncPath>())
        for (id, record) in records.base where (here[id] == nil) != (there[id] == nil) {
            guard let path = base.path(of: id) else { continue }
            missing.append((id, path))
            let (side, text) = (here[id] == nil ? SyncSide.here : .there, path.map(\.text).joined(separator: "/"))
            let identity = side == .here ? record.hereIdentity : record.thereIdentity
            let isRenamed = identity.map { identities[side]?.contains($0) == true } ?? false
            if isRenamed || paths[side]?.contains(text) == true { tops.insert(path) }
        }
        for (id, path) in missing where (1..<path.count + 1).contains(where: { tops.contains(Array(path.prefix($0))) })
        {
            held.insert(id)
        }
    }

    // What a side calls an item is known at the latest when it was seen unchanged: without it a move would be a
    // deletion.
    private func noteIdentities() async throws(SyncFailure) {
        var changes: [SyncChange] = []
        for (id, record) in records.base.sorted(by: { $0.key < $1.key }) {
            var new = seen(id, record)
            if here[id] == record.item { new.hereIdentity = hereIdentities[id] }
            if there[id] == record.item { new.thereIdentity = thereIdentities[id] }
            if new != record { changes.append(.base(id, new)) }
        }
        try await commit(changes)
    }

    /// What was read, and is what both sides agreed on, is not read again by the next run: its time here and its
    /// version there are written down, though nothing of the item changed (sync/SY8).
    func noteWhatWasRead() async throws(SyncFailure) {
        var changed: [(id: ItemID, record: BaseRecord)] = []
        for (id, record) in records.base {
            let new = seen(id, record)
            if new != record { changed.append((id, new)) }
        }
        try await commit(changed.sorted { $0.id < $1.id }.map { SyncChange.base($0.id, $0.record) })
    }

    /// What is written down of an item whose content is the one agreed on: damage is told by the time that the file had
    /// last (sync/SY4). A weak version tells nothing, and stays out.
    func seen(_ id: ItemID, _ record: BaseRecord) -> BaseRecord {
        guard let digest = record.item.digest, !held.contains(id) else { return record }
        var new = record
        if here[id]?.digest == digest, let status = statuses[id] { new.status = status }
        if there[id]?.digest == digest, let version = versions[id], version.isStrong { new.version = version }
        return new
    }

    // What this server would let us overwrite without noticing stays as it is, and a person is told.
    private func holdWhatIsTooRisky() async {
        guard await remote.level == .newNamesOnly else { return }
        for step in nextPlan().steps {
            switch step {
            case .replace(.there, let id, _, _), .move(.there, let id, _), .delete(.there, let id, _):
                held.insert(id)
                report.questions.insert(.serverTooWeak(path(of: id)))
            default: continue
            }
        }
    }
}
