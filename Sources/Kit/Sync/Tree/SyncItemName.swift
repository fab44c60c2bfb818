/// The name of an item in its folder: one path component, never a path (sync/SY17).
///
/// ```swift
/// SyncItemName("diary.json"),     // a name
/// SyncItemName("../x"),           // nil, and so are "a/b", "a\\b", ".", "" and a text with NUL
/// ```
public struct SyncItemName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The name as it was written.
    public let text: String

    /// The most bytes of a name, in UTF-8.
    public static let limit = 255

    /// What names of files that are being written, and of items that wait for their place, begin with.
    public static let reservedPrefix = ".pavise-"

    /// Reads a name; `nil` for what is none, so that a name from a server never leads out of the folder.
    public init?(_ text: String) {
        let isComponent = text != "." && text != ".." && !text.isEmpty && text.utf8.count <= Self.limit
        guard isComponent, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x2F && $0 != 0x5C && $0 != 0x7F }) else {
            return nil
        }
        self.text = text
    }

    /// By bytes. Two texts that look the same and have other bytes are two names: file systems and servers think so
    /// too.
    public static func == (one: SyncItemName, other: SyncItemName) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    /// By bytes.
    public static func < (one: SyncItemName, other: SyncItemName) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    /// By bytes.
    public func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }

    /// Whether it is one of ours that nobody gave to a file.
    public var isReserved: Bool { text.hasPrefix(Self.reservedPrefix) }

    /// The name.
    public var description: String { text }

    /// A name that an item has while two items exchange theirs.
    static func moving(_ id: ItemID) -> SyncItemName { SyncItemName(unchecked: "\(reservedPrefix)moving-\(id)") }

    init(unchecked text: String) { self.text = text }
}
