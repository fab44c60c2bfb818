internal import PavisePrimitives

// Writes, moves and deletions: each takes its place at once, together with a check of what was there.
extension PlainFolder {
    /// See ``SyncFolder/write(_:to:replacing:)``.
    public func write(
        _ content: SyncContent, to path: SyncPath, replacing old: ContentDigest?
    ) async throws(SyncFailure) -> WrittenFile {
        guard SyncItemName.isWritable(path.last) else { throw .refused("The name is kept for Pavise's own files.") }
        var stopped: SyncFailure?
        do throws(SyncFailure) {
            return try Self.run { () throws(SystemFailure) in
                try write(content, to: path, replacing: old, &stopped)
            }
        } catch {
            throw stopped ?? error
        }
    }

    private func write(
        _ content: SyncContent, to path: SyncPath, replacing old: ContentDigest?, _ stopped: inout SyncFailure?
    ) throws(SystemFailure) -> WrittenFile {
        let folder = try open(path.dropLast())
        let name = try last(path)
        // pavise:ignore RANDOM-WEAK A closure of ours, the system's generator by default; it only makes names.
        let temporary = FolderLeftover.new(random())
        let file = try folder.create(temporary)
        let own: NodeStatus
        do throws(SystemFailure) {
            if old != nil, let mode = try folder.status(of: name)?.mode { try file.setMode(mode) }
            try fill(file, with: content, &stopped)
            // As durable as the content: another time would make an edit of what a loss of power damaged.
            try file.setTimeBack()
            try file.synchronise()
            own = try file.status()
            if let old {
                try replace(name, by: temporary, in: folder, old, content.digest)
            } else {
                try folder.move(temporary, to: name, in: folder)
            }
        } catch {
            try? folder.remove(temporary)
            throw error
        }
        try folder.synchronise()
        // The new name changed it once more. Size and time are those of our content: a person may have written since.
        let status = try file.status()
        return WrittenFile(
            status: FileStatus(size: own.size, modified: own.modified, change: status.change),
            identity: status.identity)
    }

    // A failure of the content itself (it changed, the store is locked) is none of the file system's.
    private func fill(
        _ file: borrowing FileDescriptor, with content: SyncContent, _ stopped: inout SyncFailure?
    ) throws(SystemFailure) {
        var pieces = ContentPieces(of: content)
        while true {
            let piece: [UInt8]?
            do throws(SyncFailure) { piece = try pieces.next() } catch {
                stopped = error
                throw .otherThanExpected(path)
            }
            guard let piece else { return }
            try piece.withSpan { span throws(SystemFailure) in try file.write(span) }
        }
    }

    // Both files exchange their names at once; what stood there is looked at afterwards, when nobody finds it under its
    // name any more, and goes back when it is another than expected.
    private func replace(
        _ name: String, by temporary: String, in folder: borrowing OpenFolder, _ old: ContentDigest,
        _ new: ContentDigest
    ) throws(SystemFailure) {
        guard let item = SyncItemName(name) else { throw .otherThanExpected(path) }
        let aside = FolderLeftover.gone(old, new, item)
        guard try folder.status(of: name)?.kind == .file else { throw .otherThanExpected(path) }
        try folder.move(temporary, to: aside, in: folder)
        guard try folder.exchange(aside, name) else {
            try folder.move(aside, to: temporary, in: folder)
            return try replaceWithoutExchange(item, by: temporary, aside, in: folder, old)
        }
        guard try ContentDigest.of(try folder.file(aside)).digest == old else {
            _ = try folder.exchange(aside, name)
            // What somebody wrote under the name meanwhile is not ours to take away.
            let isOurs = try ContentDigest.of(try folder.file(aside)).digest == new
            if isOurs { try folder.remove(aside) } else { try bringBack(aside, as: item, in: folder) }
            throw .otherThanExpected(path)
        }
        try folder.remove(aside)
    }

    // The file is away for a moment. It goes when the new one has the name: what a kill leaves aside before that comes
    // back, and does not count as the person's deletion (sync/SY2).
    private func replaceWithoutExchange(
        _ item: SyncItemName, by temporary: String, _ aside: String, in folder: borrowing OpenFolder,
        _ old: ContentDigest
    ) throws(SystemFailure) {
        try folder.move(item.text, to: aside, in: folder)
        do throws(SystemFailure) {
            guard try ContentDigest.of(try folder.file(aside)).digest == old else { throw .otherThanExpected(path) }
            try folder.move(temporary, to: item.text, in: folder)
        } catch {
            try bringBack(aside, as: item, in: folder)
            throw error
        }
        try folder.remove(aside)
    }

    private func takeAway(
        _ name: String, in folder: borrowing OpenFolder, _ old: ContentDigest
    ) throws(SystemFailure) {
        guard let item = SyncItemName(name), try folder.status(of: name)?.kind == .file else {
            throw .otherThanExpected(path)
        }
        let aside = FolderLeftover.gone(old, nil, item)
        try folder.move(name, to: aside, in: folder)
        guard try ContentDigest.of(try folder.file(aside)).digest == old else {
            try bringBack(aside, as: item, in: folder)
            throw .otherThanExpected(path)
        }
        try folder.remove(aside)
    }

    /// See ``SyncFolder/makeFolder(_:)``.
    public func makeFolder(_ path: SyncPath) async throws(SyncFailure) {
        guard SyncItemName.isWritable(path.last) else { throw .refused("The name is kept for Pavise's own files.") }
        try Self.run { () throws(SystemFailure) in
            let folder = try open(path.dropLast())
            let name = try last(path)
            if try folder.status(of: name)?.kind == .folder { return }
            try folder.makeFolder(name)
            try folder.synchronise()
        }
    }

    /// See ``SyncFolder/move(_:to:)``.
    public func move(_ path: SyncPath, to target: SyncPath) async throws(SyncFailure) {
        guard SyncItemName.isWritable(target.last) else { throw .refused("The name is kept for Pavise's own files.") }
        try Self.run { () throws(SystemFailure) in
            let folder = try open(path.dropLast())
            let goal = try open(target.dropLast())
            try folder.move(try last(path), to: try last(target), in: goal)
            try goal.synchronise()
            try folder.synchronise()
        }
    }

    /// See ``SyncFolder/makeDurable()``.
    public func makeDurable() async throws(SyncFailure) {
        try Self.run { () throws(SystemFailure) in try OpenFolder.open(path).synchroniseAll() }
    }

    /// See ``SyncFolder/delete(_:expecting:)``.
    public func delete(_ path: SyncPath, expecting old: ContentDigest?) async throws(SyncFailure) {
        try Self.run { () throws(SystemFailure) in
            let folder = try open(path.dropLast())
            let name = try last(path)
            if let old { try takeAway(name, in: folder, old) } else { try folder.remove(name, isFolder: true) }
            try folder.synchronise()
        }
    }
}

extension SyncItemName {
    // The engine's own waiting name is one of those that may be given.
    static func isWritable(_ name: SyncItemName?) -> Bool {
        guard let name else { return false }
        return !name.isReserved || name.text.hasPrefix(reservedPrefix + "moving-")
    }
}
