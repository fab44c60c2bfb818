import Foundation
import PavisePrimitives
import PaviseStorage
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseSync

/// Base, journal and contents on the disk.
@Suite struct JournalTests {
    let folder: TemporaryFolder
    private var home: PaviseHome { PaviseHome(path: folder.path + "/home") }

    init() throws {
        folder = try TemporaryFolder()
        try DurableFile.makeDirectory(folder.path + "/home")
    }

    private func record() -> BaseRecord {
        var record = BaseRecord(
            item: SyncItem(parent: .root, name: SyncItemName("café.txt")!, kind: .file(.known(ContentDigest(of: [1])))))
        record.status = FileStatus(size: 1, modified: -5, change: .max)
        (record.hereIdentity, record.thereIdentity) = ("3:4", "77")
        record.version = RemoteVersion(validator: "\"x\"", size: nil)
        return record
    }

    @Test func `what a remote notes is there for the next process, until it is taken away`() throws {
        try SyncStage.journal("one", home).setNote("upload-1", "https://localhost/1")
        #expect(try SyncStage.journal("one", home).note("upload-1") == "https://localhost/1")
        try SyncStage.journal("one", home).setNote("upload-1", nil)
        #expect(try SyncStage.journal("one", home).note("upload-1") == nil)
    }

    @Test func `what was committed is there for the next process, row by row`() async throws {
        let records = try await { () async throws -> SyncRecords in
            let journal = try SyncStage.journal("one", home)
            let id = ItemID(.max)
            try await journal.commit([
                .base(id, record()),
                .base(ItemID(2), BaseRecord(item: SyncItem(parent: id, name: SyncItemName("d")!, kind: .folder))),
                .pending(id, PendingWrite(kind: .move, digest: nil)),
                .pending(ItemID(9), PendingWrite(kind: .create, digest: ContentDigest(of: [2]))),
            ])
            try await journal.commit([.base(ItemID(2), nil)])
            return try await journal.load()
        }()
        let next = try SyncStage.journal("one", home)
        #expect(try await next.load() == records)
        #expect(records.base == [ItemID(.max): record()] && records.pending.count == 2)
    }

    @Test func `SY2: one writer for each connection, and the lock goes with its process`() throws {
        var first: ProtectedJournal? = try SyncStage.journal("one", home)
        #expect(throws: SyncFailure.busy) { try SyncStage.journal("one", home) }
        #expect(first != nil)
        first = nil
        _ = try SyncStage.journal("one", home)
    }

    @Test(arguments: [0, 10, ProtectedJournal.rowLimit, ProtectedJournal.rowLimit + 1, 300_000])
    func `a content is kept by its digest, in a row or in a sealed file`(_ count: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        do {
            let journal = try SyncStage.journal("one", home)
            for _ in 0..<2 { try await journal.keep(SyncContent(bytes), named: "a", for: .sending) }
        }
        let next = try SyncStage.journal("one", home)
        #expect(try await next.content(ContentDigest(of: bytes))?.bytes() == bytes)
        #expect(try await next.content(ContentDigest(of: [9, 9])) == nil)
    }

    @Test func `SY14: what was replaced stays for 30 days, what was sent until it was seen and a day has passed`()
        async throws
    {
        let now = SharedNumber(1_900_000_000_000)
        let journal = try SyncStage.journal("one", home, milliseconds: { now.value })
        let big = [UInt8](repeating: 3, count: 100_000)
        try await journal.keep(SyncContent([1]), named: "a", for: .sending)
        try await journal.keep(SyncContent([2]), named: "b", for: .sending)
        try await journal.keep(SyncContent(big), named: "c", for: .replaced)
        try await journal.commit([.base(ItemID(1), record())])
        // What is replaced later is sent again meanwhile: the longer time counts.
        try await journal.keep(SyncContent(big), named: "c", for: .sending)
        try journal.sweep()
        #expect(try journal.kept().count == 3)
        now.value += 86_400_001
        try journal.sweep()
        #expect(try await journal.content(ContentDigest(of: [1])) == nil)
        #expect(try await journal.content(ContentDigest(of: [2]))?.bytes() == [2])
        now.value += 28 * 86_400_000
        try journal.sweep()
        #expect(try await journal.content(ContentDigest(of: big))?.bytes() == big)
        now.value += 86_400_001
        try journal.sweep()
        #expect(try journal.kept().isEmpty)
        #expect(try journal.files.list().isEmpty)
    }

    @Test func `the note of an upload goes when nothing waits to be sent any more`() async throws {
        let journal = try SyncStage.journal("one", home)
        try journal.setNote("upload-1", "https://localhost/1")
        try journal.setNote("other", "stays")
        try await journal.commit([.pending(ItemID(1), PendingWrite(kind: .create, digest: ContentDigest(of: [1])))])
        try journal.sweep()
        #expect(try journal.note("upload-1") == "https://localhost/1")
        try await journal.commit([.pending(ItemID(1), nil)])
        try journal.sweep()
        #expect(try journal.note("upload-1") == nil)
        #expect(try journal.note("other") == "stays")
    }

    @Test func `what is being sent is not let go of, however long ago`() async throws {
        let now = SharedNumber(1_900_000_000_000)
        let journal = try SyncStage.journal("one", home, milliseconds: { now.value })
        try await journal.keep(SyncContent([1]), named: "a", for: .sending)
        try await journal.commit([.pending(ItemID(1), PendingWrite(kind: .create, digest: ContentDigest(of: [1])))])
        now.value += 90 * 86_400_000
        try journal.sweep()
        #expect(try await journal.content(ContentDigest(of: [1]))?.bytes() == [1])
    }

    @Test func `SM8: neither names nor contents nor digests lie in clear on the disk`() async throws {
        let content = Array("canary-content-0451".utf8) + [UInt8](repeating: 1, count: 100_000)
        do {
            let journal = try SyncStage.journal("one", home)
            try await journal.keep(SyncContent(content), named: "canary-name-0451", for: .replaced)
            try await journal.commit([
                .base(
                    ItemID(1),
                    BaseRecord(item: SyncItem(parent: .root, name: SyncItemName("canary-name-0451")!, kind: .folder)))
            ])
        }
        // Who knows a content knows its digest: one in clear says that the content is here.
        let digest = ContentDigest(of: content)
        let texts = ["canary-content-0451", "canary-name-0451", "\(digest)", Data(digest.bytes).base64EncodedString()]
        let canaries = texts.map { Data($0.utf8) } + [Data(digest.bytes)]
        var files = 0
        for case let name as String in FileManager.default.enumerator(atPath: home.path) ?? .init() {
            for text in texts { #expect(!name.lowercased().contains(text.lowercased())) }
            guard let bytes = FileManager.default.contents(atPath: home.path + "/" + name) else { continue }
            files += 1
            for canary in canaries { #expect(bytes.range(of: canary) == nil, "\(name)") }
        }
        #expect(files > 3)
    }

    @Test func `SY16: a row that makes no sense stops the engine`() async throws {
        let journal = try SyncStage.journal("one", home)
        try journal.write { access in
            try access.run("INSERT INTO base(item, parent, name) VALUES (1, 0, '../up')")
        }
        await #expect(throws: SyncFailure.journal("A row of the journal cannot be read.")) { try await journal.load() }
    }
}

final class SharedNumber: Sendable {
    private let number: Atomic<Int64>
    init(_ value: Int64) { number = Atomic(value) }
    var value: Int64 {
        get { number.load(ordering: .relaxed) }
        set { number.store(newValue, ordering: .relaxed) }
    }
}
