internal import PavisePrimitives
internal import Synchronization

/// A folder of a file system as this device's side.
///
/// Each scan walks the whole folder; nothing is believed of what a watch says. Names are opened one after the other
/// from the folder on, and no link in it is followed: links, pipes, sockets and devices are not synchronised. A write
/// goes to a file of its own, is synced, and takes its place at once, together with a check of what was there.
///
/// ```swift
/// let folder = try PlainFolder("/home/ada/Notes", marker: "5f3a", mayMark: true)
/// ```
public struct PlainFolder: SyncFolder {
    /// Up to this size, in bytes, a content is in memory; a larger one is read as it is needed.
    static let memoryLimit = 1 << 20
    /// How deep folders may lie in each other, and how many items a folder may have.
    static let depthLimit = 128
    static let itemLimit = 1_000_000

    /// Where it is.
    public let path: String
    // `nil` where nobody has marked the folder yet, and this value only looks at it.
    private let marker: String?
    private let onlyLooks: Bool
    let random: @Sendable () -> UInt64
    private let pause: @Sendable (_ milliseconds: Int64) async -> Void
    private let seen = SeenItems()

    /// A folder.
    ///
    /// - Parameters:
    ///   - path: Of a folder that exists.
    ///   - marker: What the file `.pavise-sync` in it must say: without it the folder is another one, or its disk is
    ///     not there, and nothing is done (sync/SY11).
    ///   - mayMark: Write the marker where there is none; only for a folder that was never synchronised.
    ///   - other: Another journal's marker, whose place ours may take: a person said so.
    ///   - random: Numbers for names of files that are being written.
    /// - Throws: ``SyncFailure/refused(_:)`` when the folder is not there or has another marker.
    public init(
        _ path: String, marker: String, mayMark: Bool = false, replacing other: String? = nil,
        random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
    ) throws(SyncFailure) {
        (self.path, self.random, onlyLooks) = (path, random, false)
        self.marker = marker
        pause = { try? await Task.sleep(for: .milliseconds($0)) }
        try Self.run { () throws(SystemFailure) in
            let root = try OpenFolder.open(path)
            guard mayMark else { return }
            if let found = try Self.marker(in: root) {
                guard found != marker, found == other else { return }
                try root.remove(FolderLeftover.marker)
            }
            guard try root.status(of: FolderLeftover.marker) == nil else { return }
            // pavise:ignore RANDOM-WEAK A closure of ours, the system's generator by default; it only makes names.
            let name = FolderLeftover.new(random())
            let file = try root.create(name)
            try Array("\(marker)\n".utf8).withSpan { span throws(SystemFailure) in try file.write(span) }
            try file.synchronise()
            try root.move(name, to: FolderLeftover.marker, in: root)
            try root.synchronise()
        }
        try checkMarker()
    }

    /// The folder for whoever only wants to know what is in it: nothing is written there, what a kill left stays, and
    /// without a marker none is asked for.
    init(lookingAt path: String, marker: String?) throws(SyncFailure) {
        self.path = path
        self.marker = marker
        onlyLooks = true
        random = { UInt64.random(in: .min ... .max) }
        pause = { try? await Task.sleep(for: .milliseconds($0)) }
        try checkMarker()
    }

    private func checkMarker() throws(SyncFailure) {
        guard let marker else { return }
        guard try Self.marker(of: path) == marker else {
            throw .refused(
                "The folder is not the one that was synchronised: its file \(FolderLeftover.marker) is missing or "
                    + "another. Is its disk there? Nothing was changed.")
        }
    }

    /// What the marker of a folder says; `nil` where there is none.
    static func marker(of path: String) throws(SyncFailure) -> String? {
        try run { () throws(SystemFailure) in try marker(in: try OpenFolder.open(path)) }
    }

    private static func marker(in root: borrowing OpenFolder) throws(SystemFailure) -> String? {
        guard try root.status(of: FolderLeftover.marker)?.kind == .file else { return nil }
        let text = String(decoding: try root.file(FolderLeftover.marker).readAll(limit: 1024), as: UTF8.self)
        // Without its end it was not written by us, and is nobody's.
        return text.hasSuffix("\n") ? String(text.dropLast()) : "?" + text
    }

    /// When two names in it are one: a name is made, and looked for in the other case.
    public func nameRules() throws(SyncFailure) -> NameRules {
        try Self.run { () throws(SystemFailure) in
            let root = try OpenFolder.open(path)
            // Where there is no marker, a name that is there tells it, if its other case is not there too.
            let names = try marker == nil ? root.names() : [FolderLeftover.marker]
            for name in names where name.utf8.allSatisfy({ $0 < 0x80 }) {
                let other = name == name.uppercased() ? name.lowercased() : name.uppercased()
                guard other != name, !names.contains(other) else { continue }
                return try root.status(of: other) == nil ? .exact : .folded
            }
            return .exact
        }
    }

    /// See ``SyncFolder/scan()``.
    public func scan() async throws(SyncFailure) -> [FolderEntry] { try await scan(tidies: !onlyLooks) }

    /// - Parameter tidies: Whether what a kill left is ended: by a run alone. Who looks on while one is in the middle
    ///   of a write, perhaps of another process, would take its files for such.
    func scan(tidies: Bool) async throws(SyncFailure) -> [FolderEntry] {
        // A folder that somebody takes away while it is read is read anew.
        for _ in 0..<4 {
            do throws(SyncFailure) { return try look(tidies) } catch .changed { continue }
        }
        throw .unreachable("The folder changes all the time.")
    }

    /// See ``SyncFolder/leftOut``.
    public var leftOut: [LeftOutItem] { seen.leftOut.withLock { $0 } }

    /// See ``SyncFolder/aside``.
    public var aside: [SyncPath] { seen.aside.withLock { $0 } }

    private func look(_ tidies: Bool) throws(SyncFailure) -> [FolderEntry] {
        try checkMarker()
        let found = try Self.run { () throws(SystemFailure) in
            var found = Found(tidies: tidies)
            try walk(try OpenFolder.open(path), [], &found)
            return found
        }
        seen.leftOut.withLock { $0 = found.leftOut }
        seen.aside.withLock { $0 = found.aside }
        guard let nested = found.nested else { return found.entries }
        let name = nested.map(\.text).joined(separator: "/")
        throw .refused(
            "The folder \(name) in it is synchronised by itself: it has a file \(FolderLeftover.marker). Move it "
                + "elsewhere, or remove that file. Nothing was changed.")
    }

    private struct Found {
        let tidies: Bool
        var entries: [FolderEntry] = []
        // A folder that is synchronised by itself: two engines would take each other's files for leftovers.
        var nested: SyncPath?
        var leftOut: [LeftOutItem] = []
        var aside: [SyncPath] = []

        mutating func add(_ entry: FolderEntry, _ status: NodeStatus) {
            entries.append(entry)
            entries[entries.count - 1].mayRecur = !status.isIdentityLasting
        }

        mutating func leaveOut(_ text: String, in place: SyncPath, _ status: NodeStatus?) {
            guard leftOut.count < PlainFolder.itemLimit else { return }
            let path = (place.map(\.text) + [text]).joined(separator: "/")
            leftOut.append(LeftOutItem(side: .here, path: path, identity: status?.identity))
        }
    }

    private func walk(
        _ folder: borrowing OpenFolder, _ place: SyncPath, _ found: inout Found
    ) throws(SystemFailure) {
        guard place.count < Self.depthLimit else { throw .tooMuch(folder.path) }
        var names = try folder.names()
        guard place.isEmpty || !names.contains(FolderLeftover.marker) else {
            found.nested = place
            return
        }
        if found.tidies, try tidy(folder, names) { names = try folder.names() }
        for text in names {
            guard !Self.isOurs(text) else {
                // What is only half there is nobody's.
                let isAside = FolderLeftover(text) != nil && found.aside.count < Self.itemLimit
                if isAside { found.aside.append(place + [SyncItemName(unchecked: text)]) }
                continue
            }
            let status = try folder.status(of: text)
            // A name with a control character or a backslash would not come through, nor one that is no text.
            guard let name = SyncItemName(text), status != nil || !text.contains("\u{FFFD}") else {
                found.leaveOut(text, in: place, status)
                continue
            }
            guard let status else { continue }
            guard found.entries.count < Self.itemLimit else { throw .tooMuch(folder.path) }
            switch status.kind {
            case .file:
                found.add(
                    FolderEntry(path: place + [name], status: FileStatus(status), identity: status.identity), status)
            case .folder:
                let before = found.entries.count
                found.add(FolderEntry(path: place + [name], status: nil, identity: status.identity), status)
                do throws(SystemFailure) { try walk(try folder.folder(text), place + [name], &found) } catch {
                    // What nobody may look into keeps nothing else from going, and is no deletion (sync/SY16).
                    guard error.isNotPermitted else { throw error }
                    found.entries.removeLast(found.entries.count - before)
                    found.leaveOut(text, in: place, status)
                }
            case .link, .other: found.leaveOut(text, in: place, status)
            }
        }
    }

    private static func isOurs(_ text: String) -> Bool {
        text == FolderLeftover.marker || text.hasPrefix(FolderLeftover.newPrefix)
            || text.hasPrefix(FolderLeftover.gonePrefix)
    }

    // What a kill left beside the files. One engine at a time comes here: its process has the journal's lock, its run
    // the turn, and the folder has this journal's marker.
    private func tidy(_ folder: borrowing OpenFolder, _ names: [String]) throws(SystemFailure) -> Bool {
        var changed = false
        for text in names where Self.isOurs(text) && text != FolderLeftover.marker {
            guard try folder.status(of: text)?.kind == .file else { continue }
            changed = true
            guard let leftover = FolderLeftover(text) else {
                try folder.remove(text)
                continue
            }
            let digest = try ContentDigest.of(try folder.file(text)).digest
            if leftover.isExpected(digest),
                try folder.status(of: leftover.name.text) != nil || leftover.digests[0] == leftover.digests[1]
            {
                try folder.remove(text)
            } else {
                try bringBack(text, as: leftover.name, in: folder)
            }
        }
        if changed { try folder.synchronise() }
        return changed
    }

    func bringBack(
        _ text: String, as name: SyncItemName, in folder: borrowing OpenFolder
    ) throws(SystemFailure) {
        for count in 0..<1_000 {
            let free = FolderLeftover.recovered(name, count).text
            guard try folder.status(of: free) == nil else { continue }
            return try folder.move(text, to: free, in: folder)
        }
        throw .tooMuch(folder.path)
    }

    /// See ``SyncFolder/read(_:)``.
    public func read(_ path: SyncPath) async throws(SyncFailure) -> FileContent {
        for _ in 0..<3 {
            // The time before it is read: a long reading makes nothing older that was written when it began.
            let start = TimeSource.system.wallMilliseconds
            let found = try Self.run { () throws(SystemFailure) in try content(of: path) }
            let left = Self.tickLeft(found.status, at: start)
            guard left > 0 else { return found }
            await pause(left)
        }
        throw .changed
    }

    /// For how many milliseconds another write could still leave the same times: it is waited out. A file system's tick
    /// is 4 ms, and two seconds where its times have no fraction (FAT; others have one second).
    static func tickLeft(_ status: FileStatus, at now: Int64) -> Int64 {
        let second: Int64 = 1_000_000_000
        let isCoarse = status.modified % second == 0 && status.change % second == 0
        let tick: Int64 = isCoarse ? 2_000 : 20
        let age = now &- status.change / 1_000_000
        return (-tick...tick).contains(age) ? tick - age + 1 : 0
    }

    private func content(of path: SyncPath) throws(SystemFailure) -> FileContent {
        let folder = try open(path.dropLast())
        let name = try last(path)
        let opened = OpenedFile(try folder.file(name))
        let before = try opened.file.status()
        guard before.kind == .file else { throw .otherThanExpected(self.path) }
        let content: SyncContent
        if before.size <= Self.memoryLimit {
            // One byte more tells that it grew.
            content = SyncContent(try opened.file.readWhole(at: 0, count: before.size + 1))
        } else {
            let (digest, count) = try ContentDigest.of(opened.file)
            content = SyncContent(digest: digest, count: count) { offset, limit throws(SyncFailure) in
                try Self.run { () throws(SystemFailure) in try opened.file.readChunk(at: offset, upTo: limit) }
            }
        }
        let after = try opened.file.status()
        guard after == before, after.size == content.count, try folder.status(of: name)?.identity == after.identity
        else {
            throw .otherThanExpected(self.path)
        }
        return FileContent(content, status: FileStatus(after))
    }

    func open(_ way: some Sequence<SyncItemName>) throws(SystemFailure) -> OpenFolder {
        var folder = try OpenFolder.open(path)
        for name in way { folder = try folder.folder(name.text) }
        return folder
    }

    func last(_ path: SyncPath) throws(SystemFailure) -> String {
        guard let name = path.last else { throw .otherThanExpected(self.path) }
        return name.text
    }

    static func run<Result>(_ body: () throws(SystemFailure) -> Result) throws(SyncFailure) -> Result {
        do throws(SystemFailure) { return try body() } catch {
            if error.isOtherThanExpected { throw .changed }
            throw error.isDiskFull ? .full(.here) : .refused(error.words)
        }
    }
}

/// What a scan saw beside the items.
private final class SeenItems: Sendable {
    let leftOut = Mutex<[LeftOutItem]>([])
    let aside = Mutex<[SyncPath]>([])
}

extension FileStatus {
    init(_ status: NodeStatus) { self.init(size: status.size, modified: status.modified, change: status.change) }
}

/// A file that stays open for as long as somebody may read it.
private final class OpenedFile: Sendable {
    let file: FileDescriptor
    init(_ file: consuming FileDescriptor) { self.file = file }
}
