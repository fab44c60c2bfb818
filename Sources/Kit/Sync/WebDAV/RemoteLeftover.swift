internal import PavisePrimitives

/// Names of what is put beside the files on a server while something is sent, and what becomes of it after a kill.
///
/// `.pavise-upload-MARK-RANDOM` waits for its place and `.pavise-probe-MARK-RANDOM` measures; MARK is the owner's,
/// eight hexadecimal digits. A file that the server makes of parts has a name without a mark: the next run goes on with
/// it. `.pavise-gone-DIGEST-MARK-SECONDS-RANDOM` was taken aside before a deletion or a replacement, SECONDS by the
/// server's clock.
struct RemoteLeftover: Hashable {
    static let upload = "upload-"
    static let probe = "probe-"
    static let gone = "gone-"
    /// How long another owner's may be on its way, in seconds; and how long it may be aside.
    static let longestUpload: Int64 = 7 * 86_400
    static let longestAside: Int64 = 3_600

    let name: SyncItemName
    let isFolder: Bool
    /// How old it is by the server's own clock, in seconds; `nil` when the server does not say.
    let age: Int64?

    static func name(_ kind: String, _ middle: String, _ random: UInt64) -> SyncItemName {
        SyncItemName(unchecked: SyncItemName.reservedPrefix + kind + middle + "-" + String(random, radix: 16))
    }

    /// A file that the server makes of parts: the same name for the same content and target.
    static func whole(_ id: String) -> SyncItemName {
        SyncItemName(unchecked: SyncItemName.reservedPrefix + upload + id)
    }

    /// Whether a name is that of what was taken aside.
    static func isAside(_ name: SyncItemName) -> Bool { name.text.hasPrefix(SyncItemName.reservedPrefix + gone) }

    /// Whether a name of a listing is one that a sweep looks at.
    static func isUpload(_ name: SyncItemName) -> Bool {
        [upload, probe].contains { name.text.hasPrefix(SyncItemName.reservedPrefix + $0) }
    }

    /// The parts of a name of what was taken aside, behind its kind.
    static func parts(ofAside name: SyncItemName) -> [Substring] {
        name.text.dropFirst((SyncItemName.reservedPrefix + gone).count).split(separator: "-")
    }

    /// Whether another owner took it aside just now, and may be at work with it.
    static func isBusy(_ aside: SyncItemName, for mark: String, _ date: String?) -> Bool {
        let parts = parts(ofAside: aside)
        guard parts.count == 4, parts[1] != mark, let then = Int64(parts[2]), let now = date.flatMap(IMFFixdate.seconds)
        else { return false }
        let passed = now.subtractingReportingOverflow(then)
        return !passed.overflow && (0...longestAside).contains(passed.partialValue)
    }

    /// Whether nobody needs it any more.
    func isOver(for mark: String) -> Bool {
        let kinds = [Self.upload, Self.probe]
        let isOwn = kinds.contains { name.text.hasPrefix(SyncItemName.reservedPrefix + $0 + mark + "-") }
        return isOwn || (age ?? 0) > Self.longestUpload
    }
}
