internal import Foundation
internal import PaviseStorage

/// What the journal writes of a content.
struct KeptRow: Sendable {
    let digest: Data
    private let size: Int
    private let name: String
    private let reason: String
    private let kept: Int64
    private let since: Int64
    var bytes: Data?
    var file: String?
    var parts: [StoredPart] = []

    init(_ content: SyncContent, _ name: String, _ reason: KeepReason, _ now: Int64, _ elapsed: Int64) {
        (digest, size, kept) = (Data(content.digest.bytes), content.count, now)
        (self.since, self.name, self.reason) = (elapsed, String(name.prefix(255)), reason.rawValue)
    }

    func insert(_ access: borrowing DatabaseAccess) throws {
        if !parts.isEmpty {
            // Of an attempt that a kill ended.
            try access.run("DELETE FROM part WHERE owner = \(digest)")
            for (number, part) in parts.enumerated() {
                try access.run(
                    """
                    INSERT INTO part(owner, number, file, size)
                    VALUES (\(digest), \(number), \(part.file), \(part.size))
                    """)
            }
        }
        try access.run(
            """
            INSERT INTO content(digest, reason, name, size, kept, since, bytes, file)
            VALUES (\(digest), \(reason), \(name), \(size), \(kept), \(since), \(bytes), \(file))
            ON CONFLICT(digest) DO UPDATE SET kept = excluded.kept, since = excluded.since, name = excluded.name,
                reason = CASE WHEN reason = 'replaced' THEN reason ELSE excluded.reason END
            """)
    }
}
