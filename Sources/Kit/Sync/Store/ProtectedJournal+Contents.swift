internal import Foundation
internal import PaviseProtectedStorage
internal import PaviseStorage

extension ProtectedJournal {
    /// Keeps a content: in a row while it is small, in a sealed file, or in several of at most ``partLimit`` bytes.
    package func keep(_ content: SyncContent, named name: String, for reason: KeepReason) async throws(SyncFailure) {
        try storing { () throws(SyncFailure) in
            let row = try row(content, name, reason)
            try write { access in try row.insert(access) }
        }
    }

    /// What is to be written of a content. Its files are on the disk already: a row never speaks of what is not there,
    /// and files without one are taken away by `sweep`. Only within `storing(_:)`.
    func row(_ content: SyncContent, _ name: String, _ reason: KeepReason) throws(SyncFailure) -> KeptRow {
        var row = KeptRow(content, name, reason, now(), elapsed().total)
        let digest = row.digest
        let (isThere, parts) = try read { access in
            let found = try access.first("SELECT 1 FROM content WHERE digest = \(digest)")
            let parts: Int? = try access.value("SELECT SUM(size) FROM part WHERE owner = \(digest)")
            return (found != nil, parts)
        }
        guard !isThere, parts != content.count || content.count == 0 else { return row }
        if content.count <= Self.rowLimit {
            row.bytes = Data(try content.bytes())
        } else if content.count <= partLimit {
            row.file = try put(content.bytes(limit: partLimit), named: "\(content.digest)")
        } else {
            row.parts = try self.parts(of: content)
        }
        return row
    }

    func put(_ bytes: [UInt8], named name: String) throws(SyncFailure) -> String {
        do throws(StorageFailure) {
            return try files.put(bytes, named: name, type: type, protection: Self.protection).description
        } catch {
            throw SyncFailure(error)
        }
    }

    private func parts(of content: SyncContent) throws(SyncFailure) -> [StoredPart] {
        var (parts, waiting) = ([StoredPart](), [UInt8]())
        waiting.reserveCapacity(partLimit + SyncContent.pieceLimit)
        try content.pieces { piece throws(SyncFailure) in
            waiting += piece
            while waiting.count >= partLimit {
                let part = Array(waiting.prefix(partLimit))
                waiting.removeFirst(partLimit)
                parts.append(StoredPart(file: try put(part, named: "\(content.digest)"), size: part.count))
            }
        }
        guard !waiting.isEmpty else { return parts }
        return parts + [StoredPart(file: try put(waiting, named: "\(content.digest)"), size: waiting.count)]
    }

    func parts(of owner: Data) throws(SyncFailure) -> [StoredPart] {
        try read { access in
            try access.rows("SELECT file, size FROM part WHERE owner = \(owner) ORDER BY number").map { row in
                StoredPart(file: try row.value("file"), size: try row.value("size"))
            }
        }
    }

    /// A content that was kept; a large one is read as it is needed.
    package func content(_ digest: ContentDigest) async throws(SyncFailure) -> SyncContent? { try kept(digest) }

    func kept(_ digest: ContentDigest) throws(SyncFailure) -> SyncContent? {
        let key = Data(digest.bytes)
        let row = try read { access in
            try access.first("SELECT bytes, file, size FROM content WHERE digest = \(key)")
        }
        guard let row else { return nil }
        do {
            if let bytes: Data = try row.value("bytes") { return try Self.checked([UInt8](bytes), digest) }
            let size: Int = try row.value("size")
            let file: String? = try row.value("file")
            if let file, size <= partLimit {
                guard let id = StoredFileID(file) else { return nil }
                return try Self.checked(files.get(id, limit: size), digest)
            }
            let found = try file.map { [StoredPart(file: $0, size: size)] } ?? parts(of: key)
            return try content(digest, size, of: found)
        } catch {
            throw SyncFailure(error)
        }
    }

    func content(
        _ digest: ContentDigest, _ size: Int, of found: [StoredPart]
    ) throws(SyncFailure) -> SyncContent {
        let parts = StoredParts(found, in: files)
        guard parts.count == size else { throw .journal("A kept content has not all its parts.") }
        return SyncContent(digest: digest, count: size) { offset, limit throws(SyncFailure) in
            try parts.read(at: offset, upTo: limit)
        }
    }

    private static func checked(_ bytes: [UInt8], _ digest: ContentDigest) throws(SyncFailure) -> SyncContent {
        let content = SyncContent(bytes)
        guard content.digest == digest else { throw .journal("A kept content is not what was kept.") }
        return content
    }

    /// Where a content from the server is put: what is larger than a part goes to the disk as it comes, sealed, so that
    /// a later run goes on from there.
    package func sink(for path: SyncPath) async throws(SyncFailure) -> ContentSink {
        let key = Data(ContentDigest(of: Array("arrival\u{0}\(path.map(\.text).joined(separator: "/"))".utf8)).bytes)
        let row = try read { access in try access.first("SELECT validator, size FROM arrival WHERE key = \(key)") }
        let writer = ArrivingContent(key, self)
        guard let row else { return ContentSink(writer) }
        do {
            let version = RemoteVersion(validator: try row.value("validator"), size: try row.value("size"))
            let parts = StoredParts(try parts(of: key), in: files)
            let sink = try ContentSink(writer, from: version) { add throws(SyncFailure) in
                var offset = 0
                while offset < parts.count {
                    let piece = try parts.read(at: offset, upTo: SyncContent.pieceLimit)
                    guard !piece.isEmpty else { throw .journal("A part of an arriving content is empty.") }
                    add(piece)
                    offset += piece.count
                }
            }
            writer.resume(version, parts: parts.number)
            return sink
        } catch {
            // What cannot be read any more is fetched anew; a lock stays one.
            let failure = SyncFailure(error)
            if failure == .locked { throw failure }
            try writer.drop()
            return ContentSink(writer)
        }
    }
}
