internal import Foundation
internal import PaviseProtectedStorage
internal import PaviseStorage
internal import Synchronization

/// Puts what arrives from the server into the store, part by part.
///
/// A small content stays in memory, and nothing is written before ``ProtectedJournal/keep(_:named:for:)``. Of a large
/// one each part is on the disk, sealed, with the version that it is of: a kill loses the last part alone, and what
/// breaks off otherwise loses nothing.
final class ArrivingContent: ContentWriter {
    private struct State {
        var version: RemoteVersion?
        var waiting: [UInt8] = []
        var parts = 0
        var isOnDisk = false
    }

    private let key: Data
    private let journal: ProtectedJournal
    private let state = Mutex(State())

    init(_ key: Data, _ journal: ProtectedJournal) { (self.key, self.journal) = (key, journal) }

    func resume(_ version: RemoteVersion, parts: Int) {
        state.withLock { $0 = State(version: version, parts: parts, isOnDisk: true) }
    }

    func begin(_ version: RemoteVersion) throws(SyncFailure) {
        let wasOnDisk = state.withLock { state in
            defer { state = State(version: version) }
            return state.isOnDisk
        }
        if wasOnDisk { try drop() }
    }

    /// Forgets what an earlier read left. Its files go with the next sweep.
    func drop() throws(SyncFailure) {
        let key = key
        try journal.write { access in
            try access.run("DELETE FROM part WHERE owner = \(key)")
            try access.run("DELETE FROM arrival WHERE key = \(key)")
        }
    }

    func append(_ bytes: [UInt8]) throws(SyncFailure) {
        let isFull = state.withLock { state in
            state.waiting += bytes
            return state.waiting.count >= journal.partLimit
        }
        if isFull { try flush() }
    }

    private func flush() throws(SyncFailure) {
        let (bytes, number, version, isOnDisk) = state.withLock { state in
            defer { (state.waiting, state.parts, state.isOnDisk) = ([], state.parts + 1, true) }
            return (state.waiting, state.parts, state.version, state.isOnDisk)
        }
        let (key, begun, journal) = (key, journal.elapsed().total, journal)
        try journal.storing { () throws(SyncFailure) in
            let part = StoredPart(file: try journal.put(bytes, named: "arriving"), size: bytes.count)
            try journal.write { access in
                if !isOnDisk {
                    try access.run("DELETE FROM part WHERE owner = \(key)")
                    try access.run(
                        """
                        INSERT OR REPLACE INTO arrival(key, validator, size, begun)
                        VALUES (\(key), \(version?.validator ?? ""), \(version?.size), \(begun))
                        """)
                }
                try access.run(
                    """
                    INSERT INTO part(owner, number, file, size)
                    VALUES (\(key), \(number), \(part.file), \(part.size))
                    """)
            }
        }
    }

    func finish(_ digest: ContentDigest, _ count: Int) throws(SyncFailure) -> SyncContent {
        let (isOnDisk, waiting) = state.withLock { ($0.isOnDisk, $0.waiting) }
        guard isOnDisk else { return SyncContent(waiting) }
        if !waiting.isEmpty { try flush() }
        let (key, owner) = (key, Data(digest.bytes))
        let isKept = try journal.write { access in
            let isKept = try access.first("SELECT 1 FROM content WHERE digest = \(owner)") != nil
            // Of an attempt that a kill ended before the content was kept.
            try access.run("DELETE FROM part WHERE owner = \(isKept ? key : owner)")
            try access.run("UPDATE part SET owner = \(owner) WHERE owner = \(key)")
            try access.run("DELETE FROM arrival WHERE key = \(key)")
            return isKept
        }
        if isKept, let kept = try journal.kept(digest) { return kept }
        return try journal.content(digest, count, of: try journal.parts(of: owner))
    }

    func suspend() {
        let (version, waiting, isOnDisk) = state.withLock { ($0.version, $0.waiting.count, $0.isOnDisk) }
        guard version?.isStrong == true else {
            if isOnDisk { try? drop() }
            return
        }
        // What is small is fetched anew sooner than it is written.
        if waiting > ProtectedJournal.rowLimit || (isOnDisk && waiting > 0) { try? flush() }
    }
}
