package import PavisePrimitives

extension RecordPage {
    /// The most bytes of a page.
    public static let sizeLimit = 8 << 20
    /// The most records of a page.
    public static let countLimit = 1_000
    // A record stands two levels down.
    static let depthLimit = RecordFields.depthLimit + 3

    /// Reads a server's answer (sync/SY18):
    ///
    /// ```json
    /// {"collection": "c-1", "cursor": "42", "more": false, "records": [
    ///     {"id": "2026-11-24", "version": "7", "fields": {"awake": 3}},
    ///     {"id": "2026-11-23", "version": "9", "deleted": true}]}
    /// ```
    /// Members that it does not know are passed over.
    ///
    /// - Throws: ``SyncFailure/listing(_:)`` for what is no page, has a record twice, or is beyond the bounds.
    public init(json: [UInt8]) throws(SyncFailure) {
        let page: JSONValue
        do throws(JSONFailure) {
            page = try JSONValue.parse(json, limit: Self.sizeLimit, depth: Self.depthLimit)
        } catch {
            throw Self.unreadable
        }
        guard let collection = page["collection"]?.string, let cursor = page["cursor"]?.string,
            let more = page["more"]?.bool, let list = page["records"]?.array,
            Self.isPlain(collection, 256), Self.isPlain(cursor, 1_024), list.count <= Self.countLimit
        else { throw Self.unreadable }
        var records: [RemoteRecord] = []
        var seen: Set<RecordID> = []
        for value in list {
            guard let record = RemoteRecord(value) else { throw Self.unreadable }
            guard seen.insert(record.id).inserted else { throw .listing("The server lists a record twice.") }
            records.append(record)
        }
        self.init(collection: collection, cursor: cursor, hasMore: more, records: records)
    }

    private static var unreadable: SyncFailure { .listing("The server's list of records cannot be read.") }

    /// Whether a text is one word of visible ASCII of at most `limit` bytes.
    static func isPlain(_ text: String, _ limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
    }
}

extension RemoteRecord {
    /// Reads one record; `nil` for what is none.
    package init?(_ value: JSONValue) {
        guard let id = value["id"]?.string.flatMap(RecordID.init), let tag = value["version"]?.string,
            RecordPage.isPlain(tag, 256)
        else { return nil }
        var original: RecordID?
        if let other = value["conflictOf"], other != .null {
            guard let id = other.string.flatMap(RecordID.init) else { return nil }
            original = id
        }
        let isDeleted = value["deleted"]?.bool ?? false
        guard isDeleted != (value["fields"] != nil) else { return nil }
        var fields: RecordFields?
        if let content = value["fields"] {
            guard let read = RecordFields(content), read.json.count <= RecordFields.sizeLimit else { return nil }
            fields = read
        }
        self.init(id: id, version: RecordVersion(tag: tag, fields: fields, original: original))
    }

    package var json: JSONValue {
        .fields([
            "id": .string(id.text), "version": .string(version.tag), "fields": version.fields?.value,
            "deleted": version.fields == nil ? true : nil, "conflictOf": version.original.map { .string($0.text) },
        ])
    }
}
