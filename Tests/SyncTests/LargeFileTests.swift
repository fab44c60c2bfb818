import Foundation
import PaviseLab
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseSync

/// Contents that go and come in parts, with connections that end at every kilobyte.
@Suite struct LargeFileTests {
    static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) } }

    /// Small parts, so that many of them are needed.
    private func stage(_ hasChunks: Bool) throws -> SyncStage {
        let stage = try SyncStage(
            root: hasChunks ? "/remote.php/dav/files/ada" : "/dav", partLimit: 70_000, chunkSize: 64_000)
        stage.server.set { ($0.hasChunks, $0.hasFileIDs) = (hasChunks, hasChunks) }
        return stage
    }

    private func write(_ bytes: [UInt8], _ name: String, _ stage: SyncStage) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(stage.place)/\(name)"))
    }

    private func path(_ name: String) throws -> SyncPath { [try #require(SyncItemName(name))] }

    static let everyKilobyte = Array(stride(from: 1_000, through: 400_000, by: 1_000))
    // Of those that 2,000 divides the server keeps what came of the chunk.
    static let some = [1, 1_000, 63_999, 64_000, 64_001, 171_000, 172_000, 399_999]

    @Test func `SY12: a download is gone on with where it was cut, in the same run`() async throws {
        try await cutDownloads(Self.some)
    }

    @Test(.long) func `SY12: a download is gone on with after a cut at each kilobyte`() async throws {
        try await cutDownloads(Self.everyKilobyte)
    }

    private func cutDownloads(_ cuts: [Int]) async throws {
        let stage = try stage(false)
        let bytes = Self.bytes(400_000)
        stage.server.write("big", bytes)
        let remote = try await stage.remote()
        stage.lab.forget()
        for cut in cuts {
            stage.server.set { ($0.cutReads, $0.cutAfter) = (1, cut) }
            let sink = ContentSink()
            _ = try await remote.read(path("big"), into: sink)
            #expect(try sink.content() == SyncContent(bytes), "\(cut)")
        }
        let asked = stage.lab.requests.filter { $0.method == "GET" }
        #expect(asked.count > cuts.count && asked.count { $0.field("Range") != nil } > cuts.count / 2)
        #expect(asked.allSatisfy { $0.field("Range") == nil || $0.field("If-Range")?.hasPrefix("\"") == true })
    }

    @Test func `the lab puts chunks together in a folder that is there, and over nothing that somebody has locked`()
        async throws
    {
        let stage = try stage(true)
        let host = "https://localhost:\(stage.lab.port)/remote.php/dav"
        func send(
            _ method: String, _ path: String, _ shown: [(String, String)] = [], _ body: String = ""
        ) async throws -> HTTPResponse {
            var fields = HTTPFields()
            for (name, value) in shown { fields.append(name, value) }
            return try await stage.client.send(
                HTTPRequest(method, try WebURL(host + path), fields: fields, body: Array(body.utf8)))
        }
        func assemble(_ target: String, _ more: [(String, String)] = []) async throws -> Int {
            try await send(
                "MOVE", "/uploads/ada/one/.file", [("Destination", "\(host)/files/ada/\(target)")] + more
            ).status
        }
        stage.server.write("x", Array("theirs".utf8))
        stage.server.write("folder/y", Array("theirs".utf8))
        let destination = ("Destination", "\(host)/files/ada/x")
        #expect(try await send("MKCOL", "/uploads/ada/one/", [destination]).status == 201)
        #expect(try await send("PUT", "/uploads/ada/one/00001", [destination], "mine").status == 201)
        let wanted = """
            <?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>\
            <D:locktype><D:write/></D:locktype></D:lockinfo>
            """
        let lock = try await send("LOCK", "/files/ada/x", [("Depth", "0")], wanted)
        let token = try #require(lock.fields["Lock-Token"])
        #expect(try await assemble("x") == 423)
        #expect(try await assemble("gone/x") == 409)
        #expect(try await assemble("folder") == 409)
        #expect(stage.server.files == ["x": Array("theirs".utf8), "folder/y": Array("theirs".utf8)])
        #expect(try await assemble("x", [("If", "<\(host)/files/ada/x> (\(token))")]) == 204)
        #expect(stage.server.files["x"] == Array("mine".utf8))
    }

    @Test func `the lab ends no resumable upload over what somebody has locked, and none in a folder that is gone`()
        async throws
    {
        let stage = try SyncStage()
        stage.server.set { $0.hasResumable = true }
        stage.server.write("x", Array("theirs".utf8))
        stage.server.write("folder/y", Array("theirs".utf8))
        func send(
            _ method: String, _ path: String, _ shown: [(String, String)], _ body: String = ""
        ) async throws -> HTTPResponse {
            var fields = HTTPFields()
            for (name, value) in shown + [("Tus-Resumable", "1.0.0")] { fields.append(name, value) }
            return try await stage.client.send(
                HTTPRequest(
                    method, try WebURL("https://localhost:\(stage.lab.port)\(path)"), fields: fields,
                    body: Array(body.utf8)))
        }
        func begin(_ folder: String, _ name: String) async throws -> String {
            let metadata = "filename " + Base64.encode(Array(name.utf8))
            let answer = try await send("POST", folder, [("Upload-Length", "4"), ("Upload-Metadata", metadata)])
            return try #require(answer.fields["Location"])
        }
        func end(_ upload: String) async throws -> Int {
            try await send(
                "PATCH", upload, [("Content-Type", "application/offset+octet-stream"), ("Upload-Offset", "0")], "mine"
            ).status
        }
        let wanted = """
            <?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>\
            <D:locktype><D:write/></D:locktype></D:lockinfo>
            """
        let locked = try await begin("/dav/", "x")
        let token = try #require(try await send("LOCK", "/dav/x", [("Depth", "0")], wanted).fields["Lock-Token"])
        #expect(try await end(locked) == 423)
        let lost = try await begin("/dav/folder/", "z")
        stage.server.remove("folder")
        #expect(try await end(lost) == 404)
        #expect(stage.server.files == ["x": Array("theirs".utf8)])
        #expect(try await send("UNLOCK", "/dav/x", [("Lock-Token", token)]).status == 204)
        #expect(try await end(locked) == 204)
        #expect(stage.server.files["x"] == Array("mine".utf8))
    }

    @Test func `another client of the lab makes nothing in a folder that is locked by itself`() async throws {
        let stage = try SyncStage()
        stage.server.write("folder/x", Array("theirs".utf8))
        let wanted = """
            <?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>\
            <D:locktype><D:write/></D:locktype></D:lockinfo>
            """
        var fields = HTTPFields()
        fields.append("Depth", "0")
        let lock = HTTPRequest(
            "LOCK", try WebURL("https://localhost:\(stage.lab.port)/dav/folder"), fields: fields,
            body: Array(wanted.utf8))
        #expect(try await stage.client.send(lock).status == 200)
        // A lock of the folder alone: its members may be changed, and none may come.
        #expect(stage.server.writeAsClient("folder/x", Array("mine".utf8)))
        #expect(!stage.server.writeAsClient("folder/y", Array("mine".utf8)))
        #expect(!stage.server.writeAsClient("folder/new/y", Array("mine".utf8)))
        #expect(stage.server.writeAsClient("y", Array("mine".utf8)))
        #expect(Set(stage.server.files.keys) == ["folder/x", "y"])
    }

    @Test func `SY13: an upload in chunks is gone on with where it was cut, in the same run`() async throws {
        try await cutUploads(Self.some)
    }

    @Test(.long) func `SY13: an upload in chunks is gone on with after a cut at each kilobyte`() async throws {
        try await cutUploads(Self.everyKilobyte)
    }

    private func cutUploads(_ cuts: [Int]) async throws {
        let stage = try stage(true)
        let bytes = Self.bytes(400_000)
        // Read while it is sent, as a sealed content is.
        let content = SyncContent(digest: ContentDigest(of: bytes), count: bytes.count) { offset, limit in
            Array(bytes[offset..<min(bytes.count, offset + limit)])
        }
        let remote = try await stage.remote()
        #expect(remote.server.takesChunks && remote.server.takesListConditions)
        for cut in cuts {
            stage.lab.forget()
            // The chunk that has this byte breaks off there, once; of some the server keeps what came.
            let number = min(cut, 399_999) / 64_000 + 1
            let isDone = Mutex(false)
            stage.server.set { $0.keepsTorso = cut % 2_000 == 0 }
            stage.lab.cutBodies { request in
                guard request.method == "PUT", request.path.hasSuffix("/0000\(number)") else { return nil }
                return isDone.withLock { done in
                    defer { done = true }
                    return done ? nil : min(cut, 399_999) % 64_000
                }
            }
            _ = try await remote.create(path("big"), content)
            #expect(stage.server.files == ["big": bytes], "\(cut)")
            let sent = stage.lab.requests.filter { $0.method == "PUT" }.map(\.path)
            // Only the chunk that broke off is sent twice.
            #expect(sent.count == 8 && Set(sent).count == 7, "\(cut): \(sent)")
            #expect(stage.server.chunks.isEmpty)
            stage.server.remove("big")
        }
    }

    private static func tus(hasFileIDs: Bool = false) throws -> SyncStage {
        let stage = try SyncStage(partLimit: 70_000, chunkSize: 64_000)
        stage.server.set { ($0.hasResumable, $0.hasFileIDs) = (true, hasFileIDs) }
        return stage
    }

    private final class Notes: RemoteNotes {
        let all = Mutex<[String: String]>([:])
        func note(_ name: String) -> String? { all.withLock { $0[name] } }
        func setNote(_ name: String, _ text: String?) { all.withLock { $0[name] = text } }
    }

    /// Those of a process that is killed when it is about to take its first note away.
    private final class KilledNotes: RemoteNotes {
        let notes = Notes()
        private let isKilled = Mutex(true)
        func note(_ name: String) -> String? { notes.note(name) }
        func setNote(_ name: String, _ text: String?) throws(SyncFailure) {
            let isNow = isKilled.withLock { killed in
                defer { if text == nil { killed = false } }
                return killed && text == nil
            }
            if isNow { throw .journal("killed") }
            notes.setNote(name, text)
        }
    }

    @Test func `a kill behind the last byte of an upload to a server with tus leaves no note of it`() async throws {
        let stage = try Self.tus()
        let bytes = Self.bytes(200_000)
        let notes = KilledNotes()
        let remote = try await stage.remote(owner: "ours", notes: notes)
        let (goal, content) = (try path("big"), SyncContent(bytes))
        await #expect(throws: SyncFailure.journal("killed")) { _ = try await remote.create(goal, content) }
        let left = notes.notes.all.withLock { $0.count }
        #expect(left == 1)
        _ = try await remote.create(goal, content)
        #expect(stage.server.files["big"] == bytes)
        let after = notes.notes.all.withLock { $0.count }
        #expect(after == 0)
    }

    @Test func `SY13: an upload to a server with tus is gone on with at the byte where it was cut`() async throws {
        try await cutResumable(Self.some)
    }

    @Test(.long) func `SY13: an upload to a server with tus is gone on with after a cut at each kilobyte`() async throws
    {
        try await cutResumable(Self.everyKilobyte)
    }

    private func cutResumable(_ cuts: [Int]) async throws {
        let stage = try Self.tus()
        let bytes = Self.bytes(400_000)
        let content = SyncContent(digest: ContentDigest(of: bytes), count: bytes.count) { offset, limit in
            Array(bytes[offset..<min(bytes.count, offset + limit)])
        }
        let remote = try await stage.remote()
        #expect(remote.server.takesResumable && !remote.server.takesChunks)
        for cut in cuts {
            stage.lab.forget()
            let isDone = Mutex(false)
            stage.lab.cutBodies { request in
                guard request.method == "PATCH", let start = request.field("Upload-Offset").flatMap({ Int($0) }),
                    (start..<start + 64_000).contains(min(cut, 399_999))
                else { return nil }
                return isDone.withLock { done in
                    defer { done = true }
                    return done ? nil : min(cut, 399_999) - start
                }
            }
            _ = try await remote.create(path("big"), content)
            #expect(stage.server.files == ["big": bytes], "\(cut)")
            // The part that was cut goes out once more by itself and is refused by its offset; the rest goes on behind
            // what came.
            let sent = stage.lab.requests.filter { $0.method == "PATCH" }
            #expect(sent.reduce(0) { $0 + $1.body.count } <= bytes.count + 64_000, "\(cut)")
            stage.server.remove("big")
        }
    }

    @Test func `SY13: an upload to a server with tus that a run could not end is gone on with by the next`()
        async throws
    {
        let stage = try Self.tus()
        let bytes = Self.bytes(500_000)
        try write(bytes, "big", stage)
        let notes = Notes()
        let remote = try await stage.remote(owner: "ours", notes: notes)
        stage.lab.cutBodies { request in
            request.method == "PATCH" && (request.field("Upload-Offset").flatMap { Int($0) } ?? 0) >= 256_000 ? 0 : nil
        }
        guard case .unreachable = try await stage.run([], remote).failure else {
            Issue.record("the run ended although the fifth part never came")
            return
        }
        #expect(stage.server.files.isEmpty && stage.server.resumableUploads == [256_000])
        stage.lab.cutBodies(nil)
        stage.lab.forget()
        #expect(try await stage.run([], try await stage.remote(owner: "ours", notes: notes)).isComplete)
        #expect(stage.server.files["big"] == bytes)
        let sent = stage.lab.requests.filter { $0.method == "PATCH" && $0.body.count > 4 }
        #expect(sent.first?.field("Upload-Offset") == "256000" && notes.all.withLock { $0.isEmpty })
    }

    @Test func `SY15: an upload whose last answer was lost, or that the server forgot, ends as one file`() async throws
    {
        for forgets in [true, false] {
            let stage = try Self.tus()
            let bytes = Self.bytes(200_000)
            try write(bytes, "big", stage)
            let remote = try await stage.remote(owner: "ours", notes: Notes())
            let isDone = Mutex(false)
            stage.lab.cutBodies { [server = stage.server] request in
                guard request.method == "PATCH", request.field("Upload-Offset") == "128000",
                    !isDone.withLock({ done in
                        defer { done = true }; return done
                    })
                else { return nil }
                if forgets { server.dropResumableUploads() }
                return forgets ? 1_000 : nil
            }
            if !forgets { stage.server.set { $0.lostAnswers = ["PATCH": 4] } }
            var report = try await stage.run([], remote)
            for _ in 0..<2 where !report.isComplete { report = try await stage.run([], remote) }
            #expect(report.isComplete && stage.server.files == ["big": bytes], "\(report)")
        }
    }

    @Test func `SY5: a large file that came by tus replaces the version that was read, and no other`() async throws {
        let stage = try Self.tus(hasFileIDs: true)
        try write(Self.bytes(200_000), "big", stage)
        try write([1], "other", stage)
        #expect(try await stage.run().isComplete)
        try write(Self.bytes(300_000), "big", stage)
        let remote = try await stage.remote()
        #expect(remote.server.takesResumable && remote.server.takesListConditions)
        let isDone = Mutex(false)
        stage.server.secondWriter { server, request, now in
            guard request.method == "MOVE", request.field("If") != nil, now == .before,
                !isDone.withLock({ done in
                    defer { done = true }; return done
                })
            else { return }
            server.write("big", Array("somebody else's".utf8))
        }
        _ = try await stage.run([], remote)
        stage.server.secondWriter(nil)
        #expect(try await stage.run([], remote).isComplete)
        let all = Set(stage.server.files.values)
        #expect(isDone.withLock { $0 } && stage.files == stage.server.files)
        #expect(all.contains(Array("somebody else's".utf8)) && all.contains(Self.bytes(300_000)))
    }

    @Test func `an upload that a server with tus sends to another server goes nowhere`() async throws {
        let stage = try Self.tus()
        let remote = try await stage.remote()
        let bytes = Self.bytes(200_000)
        let content = SyncContent(digest: ContentDigest(of: bytes), count: bytes.count) { offset, limit in
            Array(bytes[offset..<min(bytes.count, offset + limit)])
        }
        stage.lab.answer { [server = stage.server] request in
            guard request.method == "POST" else { return server.answer(request) }
            return LabResponse(status: 201).with("Location", "https://elsewhere.invalid/upload/1")
        }
        await #expect(throws: SyncFailure.refused("The server sends uploads to another one.")) {
            try await remote.create(path("big"), content)
        }
    }

    @Test func `SY12: a download that a run could not end is gone on with by the next, and nothing comes twice`()
        async throws
    {
        let stage = try stage(false)
        let bytes = Self.bytes(1_500_000)
        stage.server.write("big", bytes)
        for cut in [150_000, 320_001, 65_537] {
            // Six answers in a row end soon: the run gives up.
            stage.server.set { ($0.cutReads, $0.cutAfter) = (1, cut) }
            stage.lab.forget()
            let one = Mutex(0)
            stage.lab.answer { [server = stage.server] request in
                guard request.method == "GET" else { return server.answer(request) }
                return one.withLock {
                    $0 += 1; return $0
                } == 1 ? server.answer(request) : .hangUp
            }
            guard case .unreachable = try await stage.run().failure else {
                Issue.record("the run ended although nobody answered")
                return
            }
            #expect(stage.files.isEmpty)
        }
        stage.lab.answer(stage.server.answer)
        stage.server.set { $0.cutReads = 0 }
        stage.lab.forget()
        #expect(try await stage.run().isComplete)
        #expect(stage.files["big"] == bytes)
        let range = try #require(stage.lab.requests.first { $0.method == "GET" }?.field("Range"))
        let start = try #require(Int(range.dropFirst(6).dropLast()))
        #expect(start > 500_000, "\(range)")
    }

    @Test func `SY12: what was kept of another version is thrown away`() async throws {
        let stage = try stage(false)
        stage.server.write("big", Self.bytes(600_000))
        stage.server.set { ($0.cutReads, $0.cutAfter) = (9, 300_000) }
        let one = Mutex(0)
        stage.lab.answer { [server = stage.server] request in
            guard request.method == "GET" else { return server.answer(request) }
            return one.withLock {
                $0 += 1; return $0
            } == 1 ? server.answer(request) : .hangUp
        }
        #expect(try await stage.run().failure != nil)
        stage.lab.answer(stage.server.answer)
        stage.server.set { $0.cutReads = 0 }
        let other = [UInt8](Self.bytes(600_000).reversed())
        stage.server.write("big", other)
        #expect(try await stage.run().isComplete)
        #expect(stage.files["big"] == other)
        #expect(try stage.arriving() == 0)
    }

    @Test(arguments: DAVServer.RangeLie.allCases)
    func `SY12: a part that is not the one that was asked for is not put behind the others`(
        _ lie: DAVServer.RangeLie
    ) async throws {
        let stage = try stage(false)
        let bytes = Self.bytes(300_000)
        stage.server.write("big", bytes)
        stage.server.set { ($0.cutReads, $0.cutAfter, $0.rangeLie) = (1, 120_000, lie) }
        let remote = try await stage.remote()
        let sink = ContentSink()

        _ = try await remote.read(path("big"), into: sink)
        #expect(try sink.content() == SyncContent(bytes))
        // From the beginning at once: nothing was taken on the server's word for the part.
        let ranges = stage.lab.requests.filter { $0.method == "GET" }.map { $0.field("Range") != nil }
        #expect(ranges == [false, true, false])
    }

    @Test func `SY13: an upload that a run could not end is gone on with by the next`() async throws {
        let stage = try stage(true)
        let bytes = Self.bytes(500_000)
        try write(bytes, "big", stage)
        let remote = try await stage.remote(owner: "ours")
        stage.lab.cutBodies { request in
            request.method == "PUT" && request.path.hasSuffix("/00005") ? 10_000 : nil
        }
        guard case .unreachable = try await stage.run([], remote).failure else {
            Issue.record("the run ended although the fifth chunk never came")
            return
        }
        #expect(stage.server.files.isEmpty)
        stage.lab.cutBodies(nil)
        stage.lab.forget()
        #expect(try await stage.run([], try await stage.remote(owner: "ours")).isComplete)
        #expect(stage.server.files["big"] == bytes)
        let sent = stage.lab.requests.filter { $0.method == "PUT" && $0.path.contains("/uploads/") }.map(\.path)
        #expect(sent.filter { $0.contains("/0000") }.compactMap { $0.last }.filter { "1234".contains($0) }.count <= 2)
        #expect(Set(sent.compactMap { $0.split(separator: "/").last }).isSuperset(of: ["00005", "00008"]))
    }

    @Test(arguments: [true, false])
    func `SY15: a file that the server put together, and whose answer was lost, is not sent again`(
        _ isNew: Bool
    ) async throws {
        let stage = try stage(true)
        let bytes = Self.bytes(300_000)
        try write(isNew ? [1, 2, 3] : Self.bytes(200_000), isNew ? "other" : "big", stage)
        try await stage.run()
        try write(bytes, "big", stage)
        let remote = try await stage.remote(owner: "ours")
        stage.server.set { $0.lostAnswers = ["MOVE": 1] }
        stage.lab.forget()
        var report = try await stage.run([], remote)
        for _ in 0..<3 where !report.isComplete { report = try await stage.run([], remote) }
        #expect(report.isComplete && report.conflicts.isEmpty, "\(report)")
        #expect(stage.server.files["big"] == bytes)
        let sent = stage.lab.requests.filter { $0.method == "PUT" && $0.path.contains("/uploads/") }
        #expect(sent.count == 5)
    }

    @Test func `SY5: a large file replaces the version that was read, and no other`() async throws {
        for hasLocks in [true, false] {
            let stage = try stage(true)
            stage.server.set { $0.hasNoLocks = !hasLocks }
            try write(Self.bytes(200_000), "big", stage)
            try write([1], "other", stage)
            #expect(try await stage.run().isComplete)
            try write(Self.bytes(300_000), "big", stage)
            let remote = try await stage.remote()
            let isDone = Mutex(false)
            // Somebody else is faster, in the moment before the file takes its place.
            stage.server.secondWriter { server, request, now in
                guard request.method == "MOVE", request.field("If") != nil, now == .before,
                    !isDone.withLock({ done in
                        defer { done = true }; return done
                    })
                else { return }
                server.write("big", Array("somebody else's".utf8))
            }
            _ = try await stage.run([], remote)
            stage.server.secondWriter(nil)
            let report = try await stage.run([], remote)
            #expect(report.isComplete, "\(report)")
            #expect(isDone.withLock { $0 })
            let all = Set(stage.server.files.values)
            #expect(all.contains(Array("somebody else's".utf8)) && all.contains(Self.bytes(300_000)))
            #expect(stage.files == stage.server.files)
        }
    }

    @Test func `a server without chunks gets a large file in one request, and its torso is not taken for it`()
        async throws
    {
        let stage = try stage(false)
        let bytes = Self.bytes(3_000_000)
        try write(bytes, "big", stage)
        stage.server.set { $0.keepsTorso = true }
        let left = Mutex(1)
        stage.lab.cutBodies { request in
            guard request.method == "PUT", request.path.contains("upload-") else { return nil }
            return left.withLock { left in
                defer { left -= 1 }
                return left > 0 ? 1_234_567 : nil
            }
        }
        var report = try await stage.run()
        for _ in 0..<2 where !report.isComplete { report = try await stage.run() }
        #expect(report.isComplete && stage.server.files["big"] == bytes, "\(report)")
        #expect(stage.server.files.count == 1)
    }

    @Test func `a large content is kept in several sealed files, and goes with them`() async throws {
        let time = SharedNumber(1_900_000_000_000)
        let stage = try stage(false)
        let bytes = Self.bytes(500_000)
        let journal = try SyncStage.journal("one", stage.home, partLimit: 70_000, milliseconds: { time.value })
        let content = SyncContent(bytes)
        try await journal.keep(content, named: "big", for: .replaced)
        try await journal.keep(content, named: "big", for: .sending)
        let kept = try #require(try await journal.content(content.digest))
        #expect(try !kept.isInMemory && kept.bytes() == bytes)
        #expect(try journal.files.list().count == 8)
        for offset in [0, 1, 69_999, 70_000, 70_001, 499_999, 500_000] {
            let piece = try kept.read(at: offset, upTo: 1_000)
            #expect(
                piece == Array(bytes[offset..<min(500_000, offset + piece.count)])
                    && (piece.isEmpty == (offset == 500_000)))
        }
        time.value += 31 * 86_400_000
        try journal.sweep()
        #expect(try journal.files.list().isEmpty)
    }

    @Test func `a content whose file changes while it is read is none`() async throws {
        let stage = try stage(false)
        let bytes = Self.bytes(2_500_000)
        try write(bytes, "big", stage)
        let folder = try PlainFolder(stage.place, marker: "m", mayMark: true)
        let content = try await folder.read(path("big")).content
        #expect(!content.isInMemory && content == SyncContent(bytes))
        let file = try #require(FileHandle(forWritingAtPath: stage.place + "/big"))
        try file.seek(toOffset: 2_000_000)
        try file.write(contentsOf: [1, 2, 3])
        try file.close()
        #expect(throws: SyncFailure.changed) { try content.pieces { _ in } }
        await #expect(throws: SyncFailure.changed) {
            try await folder.write(content, to: path("copy"), replacing: nil)
        }
        #expect(try Folder.names(in: stage.place).filter { !$0.hasPrefix(".pavise-sync") } == ["big"])
    }
}
