/// Turns what the two sides list into trees: each entry gets the identifier that the base has for it, or a new one.
/// Pure.
struct Observation {
    private(set) var tree = SyncTree()
    private(set) var ids: [SyncPath: ItemID] = [:]
    private let base: [ItemID: BaseRecord]

    /// What is known of an entry before its content is.
    struct Entry {
        let path: SyncPath
        let isFolder: Bool
        let identity: String?
        var status: FileStatus?
        /// See ``FolderEntry/mayRecur``.
        var mayRecur = false
    }

    init(_ entries: [Entry], on side: SyncSide, base: [ItemID: BaseRecord]) {
        self.base = base
        let known = SyncTree(base.mapValues(\.item))
        var byPath: [SyncPath: ItemID] = [:]
        var byIdentity: [String: ItemID] = [:]
        for (id, record) in base {
            if let path = known.path(of: id) { byPath[path] = id }
            if let identity = side == .here ? record.hereIdentity : record.thereIdentity { byIdentity[identity] = id }
        }
        var left = Set(base.keys)
        func take(_ id: ItemID?, _ entry: Entry) {
            guard let id, ids[entry.path] == nil, base[id]?.item.isFolder == entry.isFolder, left.remove(id) != nil
            else { return }
            ids[entry.path] = id
        }
        let ordered = entries.sorted {
            $0.path.count < $1.path.count
                || ($0.path.count == $1.path.count && $0.path.lexicographicallyPrecedes($1.path))
        }
        // A number that another file may have had says nothing by itself: size and time have to be the item's as well,
        // and a folder has neither. Else a new file would pass for one that was moved, and each behind it for the next.
        func isBelieved(_ entry: Entry, _ id: ItemID) -> Bool {
            guard entry.mayRecur else { return true }
            guard let now = entry.status, let then = base[id]?.status else { return false }
            return now.size == then.size && now.modified == then.modified
        }
        // What has both is the same; then, where numbers are given anew, what nothing shows to have changed; then what
        // waits under a name of ours; then what was moved; then what took a name over.
        for entry in ordered where entry.identity != nil {
            guard let id = byPath[entry.path], byIdentity[entry.identity ?? ""] == id else { continue }
            take(id, entry)
        }
        for entry in ordered where entry.mayRecur {
            guard let id = byPath[entry.path], let status = entry.status, base[id]?.status == status else { continue }
            take(id, entry)
        }
        for entry in ordered { take(Self.moving(entry.path), entry) }
        for entry in ordered {
            guard let id = entry.identity.flatMap({ byIdentity[$0] }), isBelieved(entry, id) else { continue }
            take(id, entry)
        }
        for entry in ordered { take(byPath[entry.path], entry) }
        for entry in ordered { place(entry, side) }
    }

    private static func moving(_ path: SyncPath) -> ItemID? {
        let start = SyncItemName.reservedPrefix + "moving-"
        guard let name = path.last?.text, name.hasPrefix(start) else { return nil }
        return UInt64(name.dropFirst(start.count), radix: 16).map(ItemID.init)
    }

    private mutating func place(_ entry: Entry, _ side: SyncSide) {
        guard let name = entry.path.last else { return }
        let folder = Array(entry.path.dropLast())
        guard let parent = folder.isEmpty ? ItemID.root : ids[folder] else { return }
        let id = ids[entry.path] ?? Self.fresh(entry.path, side) { tree[$0] != nil || base[$0] != nil }
        ids[entry.path] = id
        tree[id] = SyncItem(parent: parent, name: name, kind: entry.isFolder ? .folder : .file(.unread))
    }

    /// An identifier for what is new: FNV-1a of side and path, so that the next look gives it the same one.
    static func fresh(_ path: SyncPath, _ side: SyncSide, isTaken: (ItemID) -> Bool) -> ItemID {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in side.rawValue.utf8 + Array(path.map(\.text).joined(separator: "/").utf8) {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        while hash == 0 || isTaken(ItemID(hash)) { hash &+= 1 }
        return ItemID(hash)
    }

    mutating func settle(_ id: ItemID, _ content: SyncItem.Content) { tree[id]?.kind = .file(content) }
}
