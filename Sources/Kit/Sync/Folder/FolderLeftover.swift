internal import PavisePrimitives

/// Names of what a folder's writes put beside the files, and what becomes of it after a kill.
///
/// `.pavise-new-RANDOM` is a file that is being written: it goes. `.pavise-gone-OLDNEW-NAME` stands aside for the
/// moment in which a file is replaced or deleted; OLD and NEW are 16 hexadecimal digits of the digests that it may
/// have. With another content it is what a person wrote in that moment, and comes back.
struct FolderLeftover: Equatable {
    static let newPrefix = SyncItemName.reservedPrefix + "new-"
    static let gonePrefix = SyncItemName.reservedPrefix + "gone-"
    static let marker = SyncItemName.reservedPrefix + "sync"

    let digests: [String]
    let name: SyncItemName

    static func new(_ random: UInt64) -> String { newPrefix + String(random, radix: 16) }

    static func gone(_ old: ContentDigest, _ new: ContentDigest?, _ name: SyncItemName) -> String {
        gonePrefix + "\(old)".prefix(16) + "\(new ?? old)".prefix(16) + "-" + Unfinished.cut(name.text, to: 200)
    }

    /// Reads a name; `nil` for any that is not of this form.
    init?(_ text: String) {
        guard text.utf8.starts(with: Self.gonePrefix.utf8) else { return nil }
        // By bytes: a name may begin with a letter that joins with the dash before it.
        let rest = text.utf8.dropFirst(Self.gonePrefix.utf8.count)
        let digits = rest.prefix(32)
        guard digits.count == 32, digits.allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
            rest.dropFirst(32).first == UInt8(ascii: "-"),
            let name = SyncItemName(String(decoding: rest.dropFirst(33), as: UTF8.self))
        else { return nil }
        digests = [
            String(decoding: digits.prefix(16), as: UTF8.self), String(decoding: digits.suffix(16), as: UTF8.self),
        ]
        self.name = name
    }

    func isExpected(_ digest: ContentDigest) -> Bool { digests.contains(String("\(digest)".prefix(16))) }

    /// The name under which what was written in that moment comes back.
    static func recovered(_ name: SyncItemName, _ count: Int) -> SyncItemName {
        guard count > 0 else { return name }
        let suffix = count == 1 ? " (recovered)" : " (recovered \(count))"
        let start = Unfinished.cut(name.text, to: SyncItemName.limit - suffix.utf8.count)
        return SyncItemName(unchecked: start + suffix)
    }
}
