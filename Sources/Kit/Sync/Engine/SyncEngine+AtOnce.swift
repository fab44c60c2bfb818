extension SyncEngine {
    /// Sends and fetches contents, ``width`` of them at a time. Small ones come into the store many at once: each is
    /// durable before it is sent, and the disk is waited for once.
    func actAtOnce(on steps: [SyncStep]) async throws(SyncFailure) {
        var rest = steps[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batchSize))
            rest = rest.dropFirst(batch.count)
            try await prepare(
                batch.compactMap { step -> (id: ItemID, digest: ContentDigest)? in
                    guard case .create(.there, let id, let item) = step, let digest = item.digest else { return nil }
                    return (id, digest)
                })
            let failure = await atOnce(batch) { [self] step in await attempt(step) }
            prepared = [:]
            if let failure { throw failure }
        }
    }

    /// Runs `body` for all elements, ``width`` at a time; after a failure none is begun any more.
    private func atOnce<Element: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) async -> SyncFailure?
    ) async -> SyncFailure? {
        await withTaskGroup(of: SyncFailure?.self) { group in
            var (open, failure) = (elements[...], SyncFailure?.none)
            for element in open.prefix(width) { group.addTask { await body(element) } }
            open = open.dropFirst(width)
            while let ended = await group.next() {
                failure = failure ?? ended
                guard failure == nil, let next = open.popFirst() else { continue }
                group.addTask { await body(next) }
            }
            return failure
        }
    }

    // What cannot be prepared is done, or refused, by the step itself.
    private func prepare(_ files: [(id: ItemID, digest: ContentDigest)]) async throws(SyncFailure) {
        var changes: [SyncChange] = []
        for (id, digest) in files {
            guard let status = statuses[id], status.size <= SyncChange.smallContent, here[id]?.digest == digest,
                let path = here.path(of: id), let content = try? await folder.read(path).content,
                content.digest == digest
            else { continue }
            changes.append(.keep(content, named: path.last?.text ?? "", for: .sending))
            changes.append(.pending(id, PendingWrite(kind: .create, digest: digest)))
            prepared[id] = content
        }
        try await commit(changes)
    }

    // MARK: A folder with what is in it

    /// Makes a folder on the server together with the small new files in it: they are put into a folder that nobody
    /// sees, which then takes its place. One request a file, in place of two.
    ///
    /// - Returns: `false` when it has too few, or the remote cannot; nothing was done then.
    func createTogether(_ id: ItemID, _ item: SyncItem, at path: SyncPath) async throws(SyncFailure) -> Bool {
        let files = newFiles(in: id)
        guard files.count >= Self.batchSize / 4, let aside = try await remote.beginFolder() else { return false }
        meter?.expect(files.count, bytes: files.reduce(0) { $0 + (statuses[$1.id]?.size ?? 0) })
        var made: [(ItemID, SyncItem, RemoteVersion?)] = []
        do throws(SyncFailure) {
            var rest = files[...]
            while !rest.isEmpty {
                let batch = Array(rest.prefix(Self.batchSize))
                rest = rest.dropFirst(batch.count)
                try await prepare(batch.map { ($0.id, $0.digest) })
                // What changed meanwhile is created afterwards, by itself.
                let ready = batch.compactMap { file in
                    prepared.removeValue(forKey: file.id).map {
                        Upload(id: file.id, item: file.item, content: dated($0, file.id))
                    }
                }
                let versions = UploadedVersions()
                let failure = await atOnce(ready) { [remote, meter] file in
                    do throws(SyncFailure) {
                        versions.add(file.id, try await remote.create(aside + [file.item.name], file.content))
                        meter?.finishOne(file.content.count)
                        return nil
                    } catch { return error }
                }
                if let failure { throw failure }
                made += ready.map { ($0.id, $0.item, versions[$0.id]) }
            }
            try await remote.placeFolder(aside, at: path)
        } catch {
            guard error == .changed || error.concernsSome else { throw error }
            await remote.dropFolder(aside)
            // One of its files keeps neither the folder nor the others from going, each by itself (sync/SY16).
            if error.concernsSome { return false }
            throw error
        }
        there[id] = item
        for (file, item, version) in made {
            guard let digest = item.digest else { continue }
            try await prove(file, item, digest, version, path + [item.name])
            report.done.append(.create(.there, file, item))
        }
        return true
    }

    private struct NewFile {
        let id: ItemID
        let item: SyncItem
        let digest: ContentDigest
    }

    private struct Upload: Sendable {
        let id: ItemID
        let item: SyncItem
        let content: SyncContent
    }

    // Nobody knows them yet but this side: where the folder is made, they are made in it.
    private func newFiles(in folder: ItemID) -> [NewFile] {
        if childrenHere == nil { childrenHere = here.children() }
        return (childrenHere?[folder] ?? []).sorted().compactMap { id in
            guard let item = here[id], let digest = item.digest, there[id] == nil, records.base[id] == nil,
                !held.contains(id), !item.name.isReserved, item.parent == folder,
                (statuses[id]?.size ?? .max) <= SyncChange.smallContent
            else { return nil }
            return NewFile(id: id, item: item, digest: digest)
        }
    }
}

extension SyncStep {
    /// Whether it changes something on the server.
    var isThere: Bool {
        switch self {
        case .create(.there, _, _), .replace(.there, _, _, _), .move(.there, _, _), .delete(.there, _, _): true
        case .agree, .read, .join, .setAside, .create, .replace, .move, .delete: false
        }
    }

    /// Whether it moves a content and changes no path.
    var isContent: Bool {
        switch self {
        case .read, .replace: true
        case .create(_, _, let item): !item.isFolder
        case .agree, .join, .setAside, .move, .delete: false
        }
    }
}
