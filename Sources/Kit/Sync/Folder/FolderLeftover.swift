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
        var short = Substring(name.text)
        while short.utf8.count > 200 { short = short.dropLast() }
        return gonePrefix + "\(old)".prefix(16) + "\(new ?? old)".prefix(16) + "-" + short
    }

    /// Reads a name; `nil` for any that is not of this form.
    init?(_ text: String) {
        guard text.hasPrefix(Self.gonePrefix) else { return nil }
        let rest = text.dropFirst(Self.gonePrefix.count)
        let digits = rest.prefix(32)
        guard digits.utf8.count == 32, digits.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
            rest.dropFirst(32).first == "-", let name = SyncItemName(String(rest.dropFirst(33)))
        else { return nil }
        digests = [String(digits.prefix(16)), String(digits.suffix(16))]
        self.name = name
    }

    func isExpected(_ digest: ContentDigest) -> Bool { digests.contains(String("\(digest)".prefix(16))) }

    /// The name under which what was written in that moment comes back.
    static func recovered(_ name: SyncItemName, _ count: Int) -> SyncItemName {
        guard count > 0 else { return name }
        let suffix = count == 1 ? " (recovered)" : " (recovered \(count))"
        var stem = Substring(name.text)
        while stem.utf8.count + suffix.utf8.count > SyncItemName.limit { stem = stem.dropLast() }
        return SyncItemName(unchecked: stem + suffix)
    }
}
