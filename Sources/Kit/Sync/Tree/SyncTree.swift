/// What is known of an item on one side.
public struct SyncItem: Hashable, Sendable {
    /// What it is.
    public enum Kind: Hashable, Sendable {
        /// A folder.
        case folder
        /// A file, with what is known of its content.
        case file(Content)
    }

    /// What is known of a file's content.
    public enum Content: Hashable, Sendable {
        /// It was read, and this is its digest.
        case known(ContentDigest)
        /// It may be another than before; it has to be read before anything is decided.
        case unread
        /// It differs although nobody wrote it: what a power cut leaves. It is never an edit (sync/SY4).
        case damaged
    }

    /// The folder it is in.
    public var parent: ItemID
    /// What it is called there.
    public var name: SyncItemName
    /// Folder or file.
    public var kind: Kind

    /// An item from its parts.
    public init(parent: ItemID, name: SyncItemName, kind: Kind) {
        self.parent = parent
        self.name = name
        self.kind = kind
    }

    /// Whether it is a folder.
    public var isFolder: Bool { kind == .folder }

    /// The digest of a file that was read.
    public var digest: ContentDigest? {
        guard case .file(.known(let digest)) = kind else { return nil }
        return digest
    }

    var isUnread: Bool { kind == .file(.unread) }
    var isDamaged: Bool { kind == .file(.damaged) }
    var location: ItemLocation { ItemLocation(parent: parent, name: name) }

    func at(_ location: ItemLocation) -> SyncItem { SyncItem(parent: location.parent, name: location.name, kind: kind) }
}

/// Where an item is: in which folder, under which name.
public struct ItemLocation: Hashable, Sendable {
    /// The folder.
    public let parent: ItemID
    /// The name in it.
    public let name: SyncItemName

    /// A location from its parts.
    public init(parent: ItemID, name: SyncItemName) {
        self.parent = parent
        self.name = name
    }
}

/// All items of one side, by identifier. The folder itself, ``ItemID/root``, is not among them.
public struct SyncTree: Hashable, Sendable {
    /// The items.
    public var items: [ItemID: SyncItem]

    /// A tree with these items.
    public init(_ items: [ItemID: SyncItem] = [:]) { self.items = items }

    /// The item `id`; `nil` when this side has none.
    public subscript(id: ItemID) -> SyncItem? {
        get { items[id] }
        set { items[id] = newValue }
    }

    /// The names on the way from the root to `id`; `nil` when the way does not end there.
    public func path(of id: ItemID) -> [SyncItemName]? {
        var names: [SyncItemName] = []
        var next = id
        while next != .root {
            guard let item = items[next], names.count <= items.count else { return nil }
            names.append(item.name)
            next = item.parent
        }
        return names.reversed()
    }

    /// The identifiers of what lies directly in each folder.
    func children() -> [ItemID: [ItemID]] {
        var found: [ItemID: [ItemID]] = [:]
        for (id, item) in items { found[item.parent, default: []].append(id) }
        return found
    }
}

/// One of the two sides that are kept equal.
public enum SyncSide: String, Hashable, Sendable, CaseIterable, Codable {
    /// This device.
    case here
    /// The server.
    case there
}
