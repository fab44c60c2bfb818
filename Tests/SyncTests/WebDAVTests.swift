import Foundation
import PaviseLab
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

@testable import PaviseSync

/// The whole engine over real TLS: a folder on the disk, the journal in its database, the lab's DAV server.
@Suite struct WebDAVTests {
    let stage: SyncStage
    init() throws { stage = try SyncStage() }

    private func text(_ path: String) -> String? {
        stage.server.files[path].map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `files and folders come to both sides, change on both, and a second run does nothing`() async throws {
        try stage.write("a.txt", "one")
        try stage.write("deep/er/b \u{E9}#?.txt", "two")
        stage.server.write("from/there.txt", Array("three".utf8))
        let first = try await stage.run()
        #expect(first.failure == nil && first.questions.isEmpty, "\(first)")
        #expect(stage.files == stage.server.files && stage.files.count == 3)
        try stage.write("a.txt", "one, changed")
        try FileManager.default.moveItem(atPath: stage.place + "/deep", toPath: stage.place + "/moved")
        stage.server.write("from/there.txt", Array("three, changed".utf8))
        try await stage.run()
        #expect(stage.files == stage.server.files)
        #expect(text("a.txt") == "one, changed" && stage.text("from/there.txt") == "three, changed")
        #expect(text("moved/er/b \u{E9}#?.txt") == "two")
        #expect(!stage.server.folders.contains("deep"))
        stage.lab.forget()
        let again = try await stage.run()
        #expect(again.done.isEmpty && again.failure == nil)
        // Nothing is written, and nothing but measuring and listing is asked.
        let remote = try await stage.remote()
        stage.lab.forget()
        try await stage.run([], remote)
        #expect(stage.lab.requests.map(\.method) == ["PROPFIND"])
        #expect(stage.server.files.keys.allSatisfy { !$0.contains(".pavise-") })
    }

    @Test func `both edited: both stay, here and there`() async throws {
        try stage.write("d.txt", "base")
        try await stage.run()
        try stage.write("d.txt", "mine")
        stage.server.write("d.txt", Array("theirs".utf8))
        let report = try await stage.run()
        #expect(report.conflicts.count == 1)
        #expect(stage.files == stage.server.files)
        #expect(Set(stage.files.values.map { String(decoding: $0, as: UTF8.self) }) == ["mine", "theirs"])
        #expect(text("d.txt") == "theirs")
    }

    static let levels: [(DAVServer.Switches, ServerLevel)] = {
        var weak = DAVServer.Switches()
        weak.ignoresConditions = true
        var none = weak
        none.hasNoLocks = true
        var withoutTags = DAVServer.Switches()
        withoutTags.hasNoTags = true
        return [(DAVServer.Switches(), .conditions), (weak, .locks), (none, .newNamesOnly), (withoutTags, .locks)]
    }()

    @Test(arguments: levels)
    func `SY6: a server's level is what it does, and nothing of the measuring stays`(
        _ switches: DAVServer.Switches, _ level: ServerLevel
    ) async throws {
        stage.server.set { $0 = switches }
        let remote = try await stage.remote()
        #expect(remote.level == level)
        #expect(stage.server.files.isEmpty)
        stage.lab.forget()
        let known = try await WebDAVRemote.open(try stage.address, client: stage.client, known: remote.server)
        #expect(known.level == level && stage.lab.requests.count == 1)
    }

    @Test func `SY6: where neither conditions nor locks hold, nothing is replaced, moved or deleted there`()
        async throws
    {
        stage.server.set { ($0.ignoresConditions, $0.hasNoLocks) = (true, true) }
        for name in ["a", "b", "c", "d"] { try stage.write(name, name) }
        try await stage.run()
        #expect(stage.server.files.count == 4)
        try stage.write("a", "changed")
        try FileManager.default.removeItem(atPath: stage.place + "/b")
        try FileManager.default.moveItem(atPath: stage.place + "/c", toPath: stage.place + "/e")
        try stage.write("new", "new")
        let report = try await stage.run()
        #expect(report.questions.count == 3, "\(report.questions)")
        #expect(text("a") == "a" && text("b") == "b" && text("c") == "c" && text("new") == "new")
    }

    @Test func `SY5: every write has a condition of its kind`() async throws {
        for name in ["a", "b", "c", "d"] { try stage.write(name, name) }
        try await stage.run()
        let remote = try await stage.remote()
        stage.lab.forget()
        try stage.write("a", "changed")
        try FileManager.default.removeItem(atPath: stage.place + "/b")
        try FileManager.default.moveItem(atPath: stage.place + "/c", toPath: stage.place + "/e")
        try stage.write("new", "new")
        #expect(try await stage.run([], remote).failure == nil)
        for request in stage.lab.requests {
            switch request.method {
            case "PUT": #expect(request.field("If-None-Match") == "*" || request.field("If-Match") != nil)
            case "MOVE":
                // What has our own name is nobody else's.
                let isOurs = request.path.hasPrefix("/dav/.pavise-upload-")
                #expect(request.field("Overwrite") == "F" && (request.field("If-Match") != nil || isOurs))
            case "DELETE": #expect(request.path.hasPrefix("/dav/.pavise-gone-"))
            default: continue
            }
        }
        #expect(Set(stage.lab.requests.map(\.method)).isSuperset(of: ["PUT", "MOVE", "DELETE"]))
        #expect(stage.files == stage.server.files)
    }

    static let windows: [(String, DAVServer.Moment)] = ["PUT", "MOVE", "DELETE", "GET", "PROPFIND", "LOCK"].flatMap {
        method in
        [DAVServer.Moment.before, .between, .after].map { (method, $0) }
    }

    /// What each kind of server does otherwise, with a second writer in each window of each request.
    static let kinds: [DAVServer.Switches] = {
        var tagless = DAVServer.Switches()
        tagless.hidesTagAfterWrite = true
        var weak = DAVServer.Switches()
        weak.hasWeakTags = true
        var seconds = DAVServer.Switches()
        seconds.hasSecondTags = true
        var locks = DAVServer.Switches()
        (locks.ignoresConditions, locks.refusesInfinity) = (true, true)
        return [DAVServer.Switches(), tagless, weak, seconds, locks]
    }()

    @Test(.long, arguments: kinds)
    func `SM2: a second writer in every window of every request loses nothing`(_ kind: DAVServer.Switches) async throws
    {
        for (method, moment) in Self.windows {
            for operation in ["create", "replace", "delete", "move"] {
                let stage = try SyncStage()
                for name in ["x", "y", "z"] { try stage.write(name, "\(name) agreed") }
                try await stage.run()
                stage.server.set { $0 = kind }
                let remote = try await stage.remote()
                switch operation {
                case "create": try stage.write("target", "mine")
                case "replace": try stage.write("x", "mine")
                case "delete": try FileManager.default.removeItem(atPath: stage.place + "/x")
                default: try FileManager.default.moveItem(atPath: stage.place + "/x", toPath: stage.place + "/target")
                }
                let place = operation == "create" || operation == "move" ? "target" : "x"
                let isDone = Mutex(false)
                stage.server.secondWriter { server, request, now in
                    guard request.method == method, now == moment else { return }
                    // A writer that is kept out by our lock has lost nothing: it was told.
                    isDone.withLock { done in
                        if !done { done = server.writeAsClient(place, Array("somebody else's".utf8)) }
                    }
                }
                _ = try await stage.run([], remote)
                stage.server.secondWriter(nil)
                let second = try await stage.run([], remote)
                let label = "\(operation) \(method) \(moment) \(second.questions) \(String(describing: second.failure))"
                if isDone.withLock({ $0 }) { #expect(try await stage.has("somebody else's"), "\(label)") }
                if operation == "create" || operation == "replace" { #expect(try await stage.has("mine"), "\(label)") }
                #expect(try await stage.has("y agreed"), "\(label)")
            }
        }
    }

    @Test func `SY11: contents that only have to be read again are no mass change`() async throws {
        stage.server.set { $0.hasWeakTags = true }
        for number in 0..<14 { try stage.write("file \(number)", "content \(number)") }
        try await stage.run()
        let again = try await stage.run()
        #expect(again.isComplete && again.questions.isEmpty, "\(again.questions)")
        for number in 0..<14 { stage.server.write("file \(number)", Array("other \(number)".utf8)) }
        let changed = try await stage.run()
        #expect(changed.questions == [.massChange(.replacements(here: 14, there: 0, of: 14))], "\(changed.questions)")
        #expect(stage.text("file 3") == "content 3")
    }

    @Test(.long, arguments: ["PUT", "MOVE", "DELETE", "MKCOL", "UNLOCK", "GET", "PROPFIND"])
    func `SY15: an answer that is lost after the server acted doubles nothing`(_ method: String) async throws {
        for name in ["a", "b", "c", "d"] { try stage.write(name, name) }
        try await stage.run()
        let remote = try await stage.remote()
        try stage.write("a", "changed")
        try FileManager.default.removeItem(atPath: stage.place + "/b")
        try FileManager.default.moveItem(atPath: stage.place + "/c", toPath: stage.place + "/e")
        try stage.write("f/new", "new")
        stage.server.set { $0.lostAnswers = [method: 1] }
        var report = try await stage.run([], remote)
        for _ in 0..<3 where !report.isComplete { report = try await stage.run([], remote) }
        #expect(report.isComplete && report.conflicts.isEmpty, "\(report)")
        #expect(stage.files == stage.server.files)
        #expect(
            stage.files.mapValues { String(decoding: $0, as: UTF8.self) } == [
                "a": "changed", "d": "d", "e": "c", "f/new": "new",
            ])
    }

    @Test func `SY15: a lock whose answer was lost is let go of, at once or by the next run of the same owner`()
        async throws
    {
        for name in ["a", "b", "c"] { try stage.write(name, name) }
        try await stage.run()
        try stage.write("a", "changed")
        let remote = try await stage.remote(owner: "ours")
        stage.server.set { $0.lostAnswers = ["LOCK": 1] }
        for _ in 0..<2 { _ = try await stage.run([], remote) }
        #expect(text("a") == "changed" && stage.server.lockedPaths.isEmpty)
        // A process that was killed could not even ask.
        let path = [try #require(SyncItemName("a"))]
        stage.server.set { $0.lostAnswers = ["LOCK": 9, "PROPFIND": 9] }
        await #expect(throws: SyncFailure.self) { try await remote.lock(path) }
        stage.server.set { $0.lostAnswers = [:] }
        #expect(stage.server.lockedPaths == ["a"])
        let stranger = try await stage.remote(owner: "another")
        await #expect(throws: SyncFailure.changed) { try await stranger.lock(path) }
        #expect(stage.server.lockedPaths == ["a"])
        let next = try await stage.remote(owner: "ours")
        await next.unlock(path, try await next.lock(path))
        #expect(stage.server.lockedPaths.isEmpty)
    }

    @Test func `SY12: a download that breaks off goes on where it stopped`() async throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        stage.server.write("big", bytes)
        stage.server.set { ($0.cutReads, $0.cutAfter) = (2, 70_000) }
        #expect(try await stage.run().failure == nil)
        #expect(stage.files["big"] == bytes)
        let ranges = stage.lab.requests.filter { $0.method == "GET" && $0.path == "/dav/big" }.map { $0.field("Range") }
        #expect(
            ranges.count == 3 && ranges.first == .some(nil) && ranges.last??.hasPrefix("bytes=") == true, "\(ranges)")
        #expect(stage.lab.requests.allSatisfy { $0.field("Range") == nil || $0.field("If-Range") != nil })
    }

    @Test func `SY12: a file that changes while a download is broken off is one version, and never a mix`() async throws
    {
        let old = [UInt8](repeating: 1, count: 200_000)
        let new = [UInt8](repeating: 2, count: 200_000)
        stage.server.write("big", old)
        stage.server.set { ($0.cutReads, $0.cutAfter) = (1, 70_000) }
        let isDone = Mutex(false)
        stage.server.secondWriter { server, request, now in
            guard request.field("Range") != nil, now == .before, !isDone.withLock({ $0 }) else { return }
            isDone.withLock { $0 = true }
            server.write("big", new)
        }
        #expect(try await stage.run().failure == nil)
        #expect(stage.files["big"] == new && isDone.withLock { $0 })
    }

    @Test func `SM4: an empty root, a member in error and a listing without the folder delete nothing`() async throws {
        for number in 0..<5 { try stage.write("\(number)", "\(number)") }
        try await stage.run()
        let files = stage.files
        stage.server.set { $0.listsEmptyRoot = true }
        #expect(try await stage.run().questions.isEmpty == false)
        stage.server.set { ($0.listsEmptyRoot, $0.hasMemberInError) = (false, true) }
        guard case .listing = try await stage.run().failure else {
            Issue.record("a listing with an error was believed")
            return
        }
        #expect(stage.files == files && stage.server.files == files)
    }

    @Test func `SY10: an item that a listing misses once is asked for by its name before it goes here`() async throws {
        for name in ["a", "b", "c", "d"] { try stage.write(name, name) }
        try await stage.run()
        let remote = try await stage.remote()
        // The item is away for the listing alone.
        let left = Mutex(1)
        stage.server.secondWriter { server, request, now in
            guard request.method == "PROPFIND", left.withLock({ $0 }) > 0 else { return }
            if now == .between { server.remove("a") }
            guard now == .after else { return }
            left.withLock { $0 -= 1 }
            server.write("a", Array("a".utf8))
        }
        _ = try await stage.run([], remote)
        #expect(stage.text("a") == "a" && text("a") == "a")
    }

    @Test(arguments: ["", "half of wh"])
    func `SM5, SY4: a file that a power cut emptied or cut is fetched again, and never sent`(_ left: String)
        async throws
    {
        try stage.write("doc", "half of what was there")
        try stage.write("other", "other")
        try await stage.run()
        let file = stage.place + "/doc"
        let time = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        // In place, and with the old time: the file system's own nanoseconds are read back below.
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.truncate(atOffset: UInt64(left.utf8.count))
        try handle.close()
        try #require(try SyncStage.setTime(of: file, like: stage, time))
        stage.lab.forget()
        let report = try await stage.run()
        #expect(report.failure == nil && report.questions.isEmpty, "\(report)")
        #expect(stage.text("doc") == "half of what was there" && text("doc") == "half of what was there")
        #expect(!stage.lab.requests.contains { $0.method == "PUT" && $0.path == "/dav/doc" })
    }

    @Test func `SY8: another content with the same size and time is noticed`() async throws {
        try stage.write("doc", "one")
        try stage.write("other", "other")
        try await stage.run()
        try stage.write("doc", "two")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: stage.place + "/doc")
        try await stage.run()
        #expect(text("doc") == "two")
    }

    @Test func `SY13: a file that became empty is asked about`() async throws {
        try stage.write("doc", "one")
        try stage.write("other", "other")
        try await stage.run()
        try stage.write("doc", "")
        let report = try await stage.run()
        #expect(report.questions == [.emptied([SyncItemName("doc")!])])
        #expect(text("doc") == "one")
        try await stage.run(report.questions)
        #expect(text("doc") == "")
        #expect(try await stage.has("one"))
    }

    @Test func `SY17: names that are none, and our own, never come to the disk`() async throws {
        stage.server.write("good", [1])
        stage.server.write(".pavise-upload-1", [2])
        try await stage.run()
        #expect(Array(stage.files.keys) == ["good"])
        stage.server.write("..\\up", [3])
        guard case .listing = try await stage.run().failure else {
            Issue.record("a name that is none was believed")
            return
        }
    }

    @Test func `what a kill left aside during a deletion goes, and an edit of that moment comes back`() async throws {
        try stage.write("a", "a")
        try await stage.run()
        let digest = "\(ContentDigest(of: Array("deleted".utf8)))".prefix(16)
        stage.server.write(".pavise-gone-\(digest)-1f", Array("deleted".utf8))
        stage.server.write(".pavise-gone-\(digest)-2f", Array("an edit".utf8))
        try await stage.run()
        #expect(Set(stage.server.files.keys) == ["a", "recovered 2f"])
        #expect(stage.text("recovered 2f") == "an edit")
    }

    @Test func `the server's words are bounded: what it says of a write, by its status`() {
        let table: [(Int, SyncFailure)] = [
            (401, .signInNeeded), (404, .changed), (409, .changed), (412, .changed), (423, .changed), (424, .changed),
            (507, .full(.there)), (503, .unreachable("The server answered 503.")),
            (403, .refused("The server answered 403.")), (405, .refused("The server answered 405.")),
            (413, .refused("The server takes no file of this size (413).")),
            (428, .refused("The server wants another condition (428).")), (207, .changed),
        ]
        for (status, failure) in table { #expect(SyncFailure(status: status) == failure) }
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Thu, 01 Jan 1970 00:00:00 GMT", true),
        ("Sun, 06 Nov 94 08:49:37 GMT", false),
        ("", false), ("Sun, 06 Nov 1994 08:49 GMT", false), ("Sun, 06 Xxx 1994 08:49:37 GMT", false),
    ])
    func `dates of HTTP`(_ text: String, _ isDate: Bool) { #expect((IMFFixdate.seconds(text) != nil) == isDate) }
}
