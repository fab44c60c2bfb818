internal import PavisePrimitives

/// Everything in a home at one moment, in the order of its names: a folder before what lies in it.
struct HomeTree: Equatable, Sendable {
    /// One file or folder.
    struct Node: Equatable, Sendable {
        /// From the home on.
        let path: String
        /// `nil` for a folder: what changes there shows in the names.
        let file: NodeStatus?
    }

    /// How many folders may lie in each other.
    static let depth = 32
    /// How many files and folders a home may have.
    static let most = 1_000_000
    /// The longest path, in bytes.
    static let longestPath = 4096

    private(set) var nodes: [Node] = []

    init(_ home: PaviseHome) throws { try add(OpenFolder.open(home.path), "", Self.depth) }

    private mutating func add(_ folder: borrowing OpenFolder, _ prefix: String, _ depth: Int) throws {
        guard depth > 0 else { throw SystemFailure.tooMuch(folder.path) }
        for name in try folder.names() where !Self.isLeftOut(name) {
            let path = prefix + name
            guard nodes.count < Self.most, path.utf8.count <= Self.longestPath else {
                throw SystemFailure.tooMuch(folder.path)
            }
            // Gone since the names were read, or no text.
            guard let status = try folder.status(of: name) else { throw Changed() }
            switch status.kind {
            case .file: nodes.append(Node(path: path, file: status))
            case .folder:
                nodes.append(Node(path: path, file: nil))
                try add(folder.folder(name), path + "/", depth - 1)
            case .link, .other: throw HomeBackupFailure.foreign(path: "\(folder.path)/\(name)")
            }
        }
    }

    /// The home was changed while it was read.
    struct Changed: Error {}

    // What nobody will finish, and the index that SQLite makes anew from the log.
    private static func isLeftOut(_ name: String) -> Bool { Unfinished.isUnfinished(name) || name.hasSuffix("-shm") }

    /// The latest change of a file, in nanoseconds since 1970.
    var latestChange: Int64 { nodes.compactMap { $0.file?.change }.max() ?? 0 }

    /// Whether a path is one that a backup may name: parts that go down, and nowhere else.
    // Byte by byte, as the system reads it: with a combining letter behind it a “/” is another character.
    static func isUsable(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return path.utf8.count <= longestPath && parts.count <= depth && !path.utf8.contains(0)
            && parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
    }
}
