internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseTransport

@testable internal import PaviseStorage
@testable internal import PaviseSync

extension FuzzTarget {
    static let sync = [multistatus, recordPage, recordMerge, journalRows, conflictNames]

    private static let multistatus = FuzzTarget(
        text: "sync-multistatus",
        seeds: [
            """
            <?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:response>\
            <d:href>/dav/a%20b</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag><d:getcontentlength>3\
            </d:getcontentlength><oc:fileid>7</oc:fileid></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>\
            </d:response></d:multistatus>
            """,
            "<multistatus xmlns='DAV:'><response><href>..%2Fx</href><status>HTTP/1.1 404 x</status></response>",
            "<!DOCTYPE a [<!ENTITY b \"c\">]><multistatus xmlns=\"DAV:\">&b;&#x41;<![CDATA[]]></multistatus>",
        ]
    ) { text in
        guard let listing = try? Multistatus(Array(text.utf8)) else { return }
        require(listing.members.count <= Multistatus.memberLimit, "a listing has more members than the limit")
        require(listing == (try? Multistatus(Array(text.utf8))), "a listing is read as two things")
        for member in listing.members {
            require((member.length ?? 0) >= 0, "a member has less than no bytes")
            guard let url = try? WebAddress.folder(), let path = try? url.path(of: member.href) else { continue }
            require(path.allSatisfy { SyncItemName($0.text) == $0 }, "a path has a part that is no name")
        }
    }

    private static let recordPage = FuzzTarget(
        text: "sync-record-page",
        seeds: [
            """
            {"collection":"c-1","cursor":"42","more":false,"records":[{"id":"a","version":"7","fields":{"x":1.50}},\
            {"id":"b~12","version":"9","deleted":true,"conflictOf":"b"}]}
            """,
            #"{"collection":"c","cursor":"1","more":true,"records":[{"id":"../x","version":"1","fields":{}}]}"#,
        ]
    ) { text in
        guard let page = try? RecordPage(json: Array(text.utf8)) else { return }
        require(page.records.count <= RecordPage.countLimit, "a page has more records than the limit")
        for record in page.records {
            require(RecordID(record.id.text) == record.id, "a record's identifier is none")
            require(RemoteRecord(record.json) == record, "a record comes back as another one")
            guard let fields = record.version.fields else { continue }
            require((try? RecordFields(json: fields.json)) == fields, "a content comes back as another one")
        }
    }

    /// Three lines: base, here, there.
    private static let recordMerge = FuzzTarget(
        text: "sync-record-merge",
        seeds: ["{\"a\":1}\n{\"a\":2}\n{\"a\":1,\"b\":2}", "{\"a\":1}\n{\"a\":2}\n{\"a\":3}", "{}\n{\"a\":null}\n{}"]
    ) { text in
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            try? RecordFields(json: Array(line.utf8))
        }
        guard parts.count == 3, let here = parts[1], let there = parts[2] else { return }
        let merge = RecordMerge(base: parts[0], here: here, there: there)
        guard case .merged(let fields) = merge else { return }
        for (name, value) in fields.values {
            require(here.values[name] == value || there.values[name] == value, "a merge invents a value")
        }
        require(RecordMerge(base: parts[0], here: there, there: here) == merge, "a merge depends on the side")
    }

    /// One row, its columns in order, each a line: `i` and a number, `t` and a text, `b` and hexadecimal digits, or
    /// nothing.
    private static let journalRows = FuzzTarget(
        text: "sync-journal-rows",
        seeds: [
            "i1\ni0\nta.txt\nb\(String(repeating: "00", count: 32))\ni3\ni4\ni5\nt3:4\nt\"x\"\ni3\nt7",
            "i1\ni0\nt../x\n\n\n\n\n\n\n\n", "ta\nb7b7d\n\n\ntk\n\n\ntb\ni1",
        ]
    ) { text in
        let values = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> SQLValue in
            let rest = String(line.dropFirst())
            switch line.first {
            case "i": return Int64(rest).map { .integer($0) } ?? .null
            case "t": return .text(rest)
            case "b": return Hex.decode(rest).map { .blob($0) } ?? .null
            default: return .null
            }
        }
        func row(_ columns: [String]) -> DatabaseRow {
            DatabaseRow(columns, columns.indices.map { $0 < values.count ? values[$0] : .null })
        }
        let base = row([
            "item", "parent", "name", "digest", "size", "modified", "change", "here", "validator", "length", "there",
        ])
        if let (id, record) = try? JournalRow.base(base) {
            require(
                id != .root && SyncItemName(record.item.name.text) != nil, "a row names the folder itself, or no name")
        }
        _ = try? JournalRow.pending(row(["item", "kind", "digest"]))
        let record = row(["id", "here", "base", "tag", "key", "sent", "old", "original", "waits"])
        if let found = try? ProtectedRecordStore.row(record) {
            require(RecordID(found.id.text) == found.id, "a row has an identifier that is none")
        }
    }

    private static let conflictNames = FuzzTarget(
        text: "sync-conflict-names",
        seeds: [
            "a.txt\nlaptop", "x (conflict 2026-11-24 221500 d).tar.gz\n(a)/b", ".hidden\n", "e\u{301}.txt\n\u{1F469}",
            "a\u{600}.txt\nd\u{600}",
        ]
    ) { text in
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first.flatMap({ SyncItemName(String($0)) }) else { return }
        let naming = ConflictNaming(milliseconds: 1_900_000_000_000, device: parts.count > 1 ? String(parts[1]) : "")
        for count in [1, 2, 999] {
            let copy = naming.name(for: name, copy: count)
            require(SyncItemName(copy.text) == copy, "the name of a copy is none")
            require(ConflictNaming.isCopy(copy), "the name of a copy is not known again")
            let again = naming.name(for: copy, copy: count)
            require(again.text.utf8.count <= copy.text.utf8.count, "names of copies pile up")
        }
    }
}

private enum WebAddress {
    static func folder() throws -> RemoteAddress { try RemoteAddress(try WebURL("https://example.org/dav/")) }
}
