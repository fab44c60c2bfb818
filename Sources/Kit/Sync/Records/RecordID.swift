/// Names a record of an app on this device and at the server, for example `2026-11-24`: it is part of an address, and
/// never a path.
public struct RecordID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The most bytes of an identifier.
    public static let limit = 128
    /// The most bytes of one that an app gives: copies of conflicts add to it.
    public static let ownLimit = 100
    /// The identifier.
    public let text: String

    /// Reads an identifier: 1 to 128 ASCII letters, digits and `-._~`, and no dot in front.
    public init?(_ text: String) {
        guard (1...Self.limit).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "."),
            text.utf8.allSatisfy({ byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x7E
            })
        else { return nil }
        self.text = text
    }

    private init(checked text: String) { self.text = text }

    /// The name of another version of this record: made of its content, so that two devices and a second try make one.
    func conflict(_ digest: ContentDigest, _ count: Int) -> RecordID {
        RecordID(checked: "\(versionPrefix)\(Self.short(digest))\(count > 1 ? "-\(count)" : "")")
    }

    /// What ``conflict(_:_:)`` begins with. An identifier that is too long for this stands for itself by its digest.
    var versionPrefix: String {
        (text.utf8.count <= Self.ownLimit ? text : Self.short(ContentDigest(of: Array(text.utf8)))) + "~"
    }

    /// Whether ``conflict(_:_:)`` makes this of `record`, or of another version of it. A record of the server's whose
    /// identifier only begins the same is another record.
    func isVersion(of record: RecordID) -> Bool {
        let prefix = record.versionPrefix.utf8
        guard text.utf8.starts(with: prefix) else { return false }
        let rest = Array(text.utf8.dropFirst(prefix.count))
        return rest.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false).allSatisfy { part in
            let (digest, count) = (part.prefix(16), part.dropFirst(16))
            guard digest.count == 16, digest.allSatisfy({ Self.isDigit($0) || (0x61...0x66).contains($0) }) else {
                return false
            }
            return count.isEmpty
                || count.first == UInt8(ascii: "-") && count.count > 1 && count.dropFirst().allSatisfy(Self.isDigit)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func short(_ digest: ContentDigest) -> String { String(digest.description.prefix(16)) }

    /// By bytes, so that runs are the same each time.
    public static func < (one: RecordID, other: RecordID) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    /// The identifier.
    public var description: String { text }
}
