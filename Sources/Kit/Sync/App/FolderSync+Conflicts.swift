extension FolderSync {
    /// Two versions of an item, of which nobody has said yet what is to become of them (sync/SY9).
    ///
    /// One has the name, on all devices. The other lies beside it as a copy, and is at the server too.
    ///
    /// ```swift
    /// for conflict in try await notes.conflicts() {
    ///     for choice in conflict.choices { print(choice, conflict.loss(of: choice) as Any) }
    ///     try await notes.close(conflict, keeping: .both)
    /// }
    /// ```
    public struct Conflict: Hashable, Sendable {
        /// Which version stays.
        public enum Choice: String, Hashable, Sendable, CaseIterable, Codable {
            /// The copy alone: it takes the place of the other.
            case copy
            /// The other alone: the copy is deleted.
            case original
            /// Both: the copy gets a name of its own, `NAME 2.EXT`.
            case both
        }

        /// What a choice loses.
        public enum Loss: Hashable, Sendable {
            /// Nothing: what there is now is in a file afterwards.
            case nothing
            /// The content of the file at this path. It stays in ``FolderSync/kept()`` for 30 days, and is gone then.
            case content(SyncPath)
        }

        /// Where the copy is: `NAME (conflict DATE TIME DEVICE).EXT`.
        public let copy: SyncPath
        /// Where the other version is. After a rename or a deletion nothing is there: ``isOriginalThere``.
        public let original: SyncPath
        /// When the copy got its name, in seconds since 1970, by the clock of its device; `nil` where its name has no
        /// time.
        public let made: Int64?
        /// Which device the copy comes from, as it calls itself; `nil` where the copy's name does not say.
        ///
        /// The second copy of one second has its number behind it: `laptop 2`.
        public let device: String?
        let isFolder: Bool
        // `nil` where nothing is.
        let originalIsFolder: Bool?

        /// Whether the other version is where it was, as of the last run.
        public var isOriginalThere: Bool { originalIsFolder != nil }

        /// What can be chosen. A folder, and what stands in a folder's place, can only be kept beside each other; where
        /// the other version is gone, it cannot be kept alone.
        public var choices: [Choice] { Choice.allCases.filter { loss(of: $0) != nil } }

        /// What a choice loses; `nil` where it cannot be made. See ``choices``.
        public func loss(of choice: Choice) -> Loss? {
            guard choice != .both else { return .nothing }
            guard let originalIsFolder else { return choice == .copy ? .nothing : nil }
            guard !isFolder, !originalIsFolder else { return nil }
            return .content(choice == .copy ? original : copy)
        }
    }

    /// The conflicts that nobody has closed, here until now and on other devices as of the last run; no network is
    /// asked.
    ///
    /// A person who renames or deletes a copy closes one as well. Where the folder cannot be looked at, the list is
    /// that of the last run.
    public func conflicts() async throws(SyncFailure) -> [Conflict] {
        try checkLock()
        guard try journal.mayHaveCopies() else { return [] }
        let tree = SyncTree(try await journal.load().base.mapValues(\.item))
        let folders = Dictionary(tree.items.values.map { ($0.location, $0.isFolder) }) { first, _ in first }
        let known = tree.items.compactMap { id, item -> Conflict? in
            guard let told = ConflictNaming.copy(item.name), let path = tree.path(of: id) else { return nil }
            return Conflict(
                copy: path, original: path.dropLast() + [told.original], made: told.seconds, device: told.device,
                isFolder: item.isFolder,
                originalIsFolder: folders[ItemLocation(parent: item.parent, name: told.original)])
        }.sorted { $0.copy.lexicographicallyPrecedes($1.copy) }
        guard !known.isEmpty, let here = await paths() else { return known }
        return known.filter { here.contains($0.copy) }
    }

    // What is in the folder now; `nil` where nobody can say. A run may be at work in it.
    private func paths() async -> Set<SyncPath>? {
        guard let (folder, _) = try? folder([]) else { return nil }
        do throws(SyncFailure) {
            guard let plain = folder as? PlainFolder else { return Set(try await folder.scan().map(\.path)) }
            return Set(try await plain.scan(tidies: false).map(\.path))
        } catch {
            return nil
        }
    }

    /// Closes a conflict in the folder here; the next run does the same at the server.
    ///
    /// What goes is in the store before it goes, and stays there for 30 days: ``kept()`` and ``content(_:)`` give it
    /// back (sync/SY14). What another device changed meanwhile is not lost either: it is a conflict of its own then. A
    /// kill leaves both versions, or the choice done. A call during a run waits until that has ended.
    ///
    /// - Parameters:
    ///   - conflict: What ``conflicts()`` gave.
    ///   - choice: One of ``Conflict/choices``; ``Conflict/loss(of:)`` says what it loses.
    /// - Throws: ``SyncFailure/changed`` when somebody else has closed it, or one of the two is not there any more, or
    ///   is being written: look again. ``SyncFailure/busy`` where this object only looks on, or the task was cancelled
    ///   before its turn came; ``SyncFailure/locked`` behind the app lock; ``SyncFailure/refused(_:)`` for a choice
    ///   that cannot be made, and what the file system refuses; ``SyncFailure/full(_:)``.
    public func close(_ conflict: Conflict, keeping choice: Conflict.Choice) async throws(SyncFailure) {
        guard journal.isWriter, await turn.take() else { throw .busy }
        defer { turn.giveBack() }
        guard isOpen() else { throw .locked }
        guard try await conflicts().contains(where: { $0.copy == conflict.copy }),
            let (folder, rules) = try folder([])
        else { throw .changed }
        let found = Dictionary(try await folder.scan().map { ($0.path, $0) }) { first, _ in first }
        guard let copy = found[conflict.copy] else { throw .changed }
        switch choice {
        case .both:
            let target = try Self.name(for: conflict, beside: found.keys, rules)
            try await folder.move(conflict.copy, to: target)
        case .copy where found[conflict.original] == nil:
            try await folder.move(conflict.copy, to: conflict.original)
        case .copy, .original:
            // What the person was not told of is not replaced, and the last version is not deleted.
            guard let original = found[conflict.original], conflict.isOriginalThere else { throw .changed }
            guard copy.status != nil, original.status != nil else {
                throw .refused("One of the two is a folder: both can be kept, and one of them deleted by hand.")
            }
            try await keepOne(choice, of: conflict, in: folder)
        }
        sealed?.noteChange()
        if let left = try? await conflicts() { board.change { $0.conflicts = left.count } }
    }

    // Each step leaves both contents in a file or in the store.
    private func keepOne(
        _ choice: Conflict.Choice, of conflict: Conflict, in folder: any SyncFolder
    ) async throws(SyncFailure) {
        let copy = try await folder.read(conflict.copy).content
        if choice == .copy {
            let old = try await folder.read(conflict.original).content
            try await journal.keep(old, named: conflict.original.last?.text ?? "", for: .replaced)
            _ = try await folder.write(copy, to: conflict.original, replacing: old.digest)
        } else {
            try await journal.keep(copy, named: conflict.copy.last?.text ?? "", for: .replaced)
        }
        try await folder.delete(conflict.copy, expecting: copy.digest)
    }

    // One that nobody has in the folder.
    private static func name(
        for conflict: Conflict, beside paths: some Sequence<SyncPath>, _ rules: NameRules
    ) throws(SyncFailure) -> SyncPath {
        let place = conflict.original.dropLast()
        let taken = Set(paths.filter { $0.dropLast() == place }.compactMap { $0.last.map(rules.key) })
        guard let name = conflict.original.last,
            let free = (2...1_000).lazy.map({ ConflictNaming.name(beside: name, number: $0) })
                .first(where: { !taken.contains(rules.key($0)) })
        else { throw .refused("The folder has too many files of this name.") }
        return place + [free]
    }
}
