import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
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

    @Test(arguments: [429, 502, 503, 504], ["PUT", "HEAD", "MOVE", "DELETE", "LOCK"])
    func `SY6: a server that is out of order while it is measured is not weak for good`(
        _ status: Int, _ method: String
    ) async throws {
        // The first deletion and lock, the second of what is asked more often.
        let count = Mutex(["DELETE", "LOCK"].contains(method) ? 1 : 2)
        stage.lab.answer { [server = stage.server] request in
            guard request.method == method else { return server.answer(request) }
            let left = count.withLock { count in
                count -= 1
                return count
            }
            return left == 0 ? LabResponse(status: status) : server.answer(request)
        }
        await #expect(throws: SyncFailure(status: status)) { _ = try await stage.remote() }
        #expect(SyncFailure(status: status).mayPass)
        #expect(try await stage.remote().level == .conditions)
        #expect(stage.server.files.isEmpty)
    }

    @Test(arguments: [1, 2])
    func `SY6: an error of the server that comes twice is its way`(_ times: Int) async throws {
        let count = Mutex(times)
        stage.lab.answer { [server = stage.server] request in
            guard request.method == "DELETE", request.field("If-Match") != nil else { return server.answer(request) }
            let left = count.withLock { count in
                count -= 1
                return count
            }
            return left >= 0 ? LabResponse(status: 500) : server.answer(request)
        }
        #expect(try await stage.remote().level == (times == 1 ? .conditions : .locks))
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
        var identified = DAVServer.Switches()
        identified.hasFileIDs = true
        return [DAVServer.Switches(), tagless, weak, seconds, locks, identified]
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

    // Where files have identifiers the content is replaced in its place, under a lock, and the server is believed.
    @Test(arguments: kinds.filter { !$0.hasFileIDs }, ["replace", "delete"])
    func `SM2: a write that was let through before ours, and is done meanwhile, is not lost`(
        _ kind: DAVServer.Switches, _ operation: String
    ) async throws {
        for (method, moment) in Self.windows where method != "LOCK" {
            let stage = try SyncStage()
            for name in ["x", "y", "z"] { try stage.write(name, "\(name) agreed") }
            try await stage.run()
            stage.server.set { $0 = kind }
            let remote = try await stage.remote()
            let isReplaced = operation == "replace"
            if isReplaced { try stage.write("x", "mine") }
            if !isReplaced { try FileManager.default.removeItem(atPath: stage.place + "/x") }
            let isDone = Mutex(false)
            // Whatever the server knows of locks and conditions, it judged this one earlier.
            stage.server.secondWriter { server, request, now in
                guard request.method == method, now == moment, request.path.hasSuffix("/x") || method == "MOVE",
                    isDone.withLock({ done in
                        defer { done = true }; return !done
                    })
                else { return }
                server.write("x", Array("somebody else's".utf8))
            }
            _ = try await stage.run([], remote)
            stage.server.secondWriter(nil)
            let second = try await stage.run([], remote)
            let label = "\(method) \(moment) \(second.questions) \(String(describing: second.failure))"
            if isDone.withLock({ $0 }) { #expect(try await stage.has("somebody else's"), "\(label)") }
            if isReplaced { #expect(try await stage.has("mine"), "\(label)") }
            #expect(stage.files == stage.server.files, "\(label)")
            #expect(stage.server.files.keys.allSatisfy { !$0.contains(".pavise-") }, "\(label)")
        }
    }

    @Test func `what a kill left on the server while something was sent goes with the next run, another's in a week`()
        async throws
    {
        try stage.write("a", "a")
        try await stage.run()
        let remote = try await stage.remote(owner: "ours")
        for number in 0..<20 { try stage.write("many/\(number)", "content \(number)") }
        // Nothing takes its place, and nothing is taken away any more.
        stage.lab.answer { [server = stage.server] request in
            ["MOVE", "DELETE"].contains(request.method) ? .hangUp : server.answer(request)
        }
        guard case .unreachable = try await stage.run([], remote).failure else {
            Issue.record("the run ended although nothing could be moved")
            return
        }
        #expect(stage.server.folders.contains { $0.hasPrefix(".pavise-upload-\(remote.mark)-") })
        stage.lab.answer(stage.server.answer)
        let others = [".pavise-upload-00000000-4f", ".pavise-upload-0123456789abcdef0123456789abcdef"]
        for name in others + [".pavise-upload-\(remote.mark)-1f", ".pavise-probe-\(remote.mark)-2f"] {
            stage.server.write(name, [1])
        }
        let next = try await stage.remote(owner: "ours")
        #expect(try await stage.run([], next).isComplete)
        #expect(stage.server.folders == ["many"])
        #expect(stage.server.files.keys.filter { $0.hasPrefix(".pavise-") }.sorted() == others)
        stage.server.set { $0.clockAhead = 8 * 86_400 }
        #expect(try await stage.run([], next).isComplete)
        #expect(stage.server.files == stage.files && stage.files.count == 21)
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
        // Where files have identifiers a content is replaced in its place, under a lock.
        stage.server.set { $0.hasFileIDs = true }
        for name in ["a", "b", "c"] { try stage.write(name, name) }
        try await stage.run()
        try stage.write("a", "changed")
        let remote = try await stage.remote(owner: "ours")
        stage.server.set { $0.lostAnswers = ["LOCK": 1] }
        stage.lab.forget()
        for _ in 0..<2 { _ = try await stage.run([], remote) }
        #expect(text("a") == "changed" && stage.server.lockedPaths.isEmpty)
        #expect(stage.lab.requests.contains { $0.method == "LOCK" && $0.path == "/dav/a" })
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

    // A cut of 10 bytes ends within the head.
    @Test(arguments: [(70_000, []), (-290, [200, 400])] as [(Int, [Int])])
    func `SY12: a try that got further is followed at once, one in vain after a pause`(
        _ cut: Int, _ pauses: [Int]
    ) async throws {
        stage.server.write("big", [UInt8](repeating: 7, count: 200_000))
        stage.server.set { ($0.cutReads, $0.cutAfter) = (2, cut) }
        let slept = Mutex<[Duration]>([])
        let remote = try await WebDAVRemote.open(
            try stage.address, client: stage.client, owner: nil, chunkSize: 10 << 20, notes: nil,
            sleep: { pause in slept.withLock { $0.append(pause) } })
        #expect(try await stage.run([], remote).failure == nil)
        #expect(stage.files["big"]?.count == 200_000)
        // The client tries once more by itself where a connection that was kept breaks before an answer.
        let seen = slept.withLock { $0 }
        #expect(seen.isEmpty == pauses.isEmpty && seen == pauses.prefix(seen.count).map { .milliseconds($0) })
    }

    @Test func `a lock's owner and token are read wherever a server puts them, and nothing else is`() throws {
        let text = """
            <?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:x="x"><d:response><d:href>/dav/a</d:href>
            <d:activelock><d:owner> pavise-1 </d:owner><d:lockroot><d:href>/dav/a</d:href></d:lockroot>
            <d:locktoken><d:href> urn:uuid:1 </d:href></d:locktoken></d:activelock>
            <d:activelock><d:owner><d:href>pavise-2</d:href></d:owner><x:locktoken><x:href>no</x:href></x:locktoken>
            <d:locktoken>no<d:href>urn:uuid:2</d:href></d:locktoken></d:activelock>
            <d:locktoken><d:href>no</d:href></d:locktoken></d:response></d:multistatus>
            """
        #expect(
            try ActiveLock.all(in: Array(text.utf8)) == [
                ActiveLock(owner: "pavise-1", token: "urn:uuid:1"), ActiveLock(owner: "pavise-2", token: "urn:uuid:2"),
            ])
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

    @Test func `SM4: a listing that lacks its own folder is none, whatever else it has`() async throws {
        for number in 0..<5 { try stage.write("\(number)", "\(number)") }
        try await stage.run()
        let files = stage.files
        stage.lab.answer { [server = stage.server] request in
            var answer = server.answer(request)
            guard request.method == "PROPFIND", request.field("Depth") != "0", case .fixed(let bytes) = answer.body
            else {
                return answer
            }
            // The folder stands before what lies in it.
            var text = String(decoding: bytes, as: UTF8.self)
            if let start = text.range(of: "<D:response>"), let end = text.range(of: "</D:response>") {
                text.removeSubrange(start.lowerBound..<end.upperBound)
            }
            answer.body = .fixed(Array(text.utf8))
            return answer
        }
        guard case .listing = try await stage.run().failure else {
            Issue.record("a listing of another folder was believed")
            return
        }
        #expect(stage.files == files && stage.server.files == files)
    }

    @Test func `SM4: an empty root and a member in error delete nothing`() async throws {
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

    @Test func `SY10: in a folder that was renamed here it is asked for by the name that the folder has there`()
        async throws
    {
        for name in ["a", "b", "c", "d"] { try stage.write("f/" + name, name) }
        try await stage.run()
        let remote = try await stage.remote()
        let left = Mutex(1)
        stage.server.secondWriter { server, request, now in
            guard request.method == "PROPFIND", left.withLock({ $0 }) > 0 else { return }
            if now == .between { server.remove("f/a") }
            guard now == .after else { return }
            left.withLock { $0 -= 1 }
            server.write("f/a", Array("a".utf8))
        }
        try DurableFile.move(stage.place + "/f", to: stage.place + "/g")
        let before = try FileManager.default.attributesOfItem(atPath: stage.place + "/g/a")
        _ = try await stage.run([], remote)
        #expect(stage.text("g/a") == "a" && text("g/a") == "a")
        let after = try FileManager.default.attributesOfItem(atPath: stage.place + "/g/a")
        // The very file, and none that was fetched in its place.
        #expect(before[.systemFileNumber] as? UInt64 == after[.systemFileNumber] as? UInt64)
    }

    @Test func `SY10: a file goes here also where another one has its name there now`() async throws {
        stage.server.set { $0.hasFileIDs = true }
        for name in ["doc", "draft", "other", "third"] { try stage.write(name, name) }
        try await stage.run()
        let (doc, draft) = (SyncItemName("doc")!, SyncItemName("draft")!)
        // As an editor on another device saves: the old one goes, and the new one gets its name.
        let other = try await stage.remote(owner: "other")
        let entry = try #require(try await other.list().first { $0.path == [draft] })
        stage.server.remove("doc")
        try await other.move([draft], to: [doc], old: entry.version)
        let report = try await stage.run()
        #expect(report.questions.isEmpty && report.failure == nil, "\(report)")
        #expect(stage.files == stage.server.files && stage.text("doc") == "draft" && stage.text("draft") == nil)
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

    @Test func `SY8: two versions of one second that share a tag are two versions`() async throws {
        stage.server.set { ($0.hasSecondTags, $0.stoppedAt) = (true, 1_900_000_000) }
        stage.server.write("doc", Array("one".utf8))
        try await stage.run()
        #expect(stage.text("doc") == "one")
        stage.server.write("doc", Array("two".utf8))
        try await stage.run()
        #expect(stage.text("doc") == "two")
    }

    @Test(arguments: [(1_750_000_000, true), (0, false), (4_294_967_295, false)])
    func `SY8: a server of ownCloud's kind is told when a file was changed, and no time that is none`(
        _ seconds: Int, _ isTold: Bool
    ) async throws {
        stage.server.set { $0.hasFileIDs = true }
        try stage.write("doc", "one")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(seconds))], ofItemAtPath: stage.place + "/doc")
        let remote = try await stage.remote()
        stage.lab.forget()
        #expect(try await stage.run([], remote).isComplete)
        let told = stage.lab.requests.filter { $0.method == "PUT" }.map { $0.field("X-OC-Mtime") }
        #expect(told == [isTold ? "\(seconds)" : nil])
    }

    @Test func `SY8: a server whose tags change with each look loses nothing, and a run comes to its end`() async throws
    {
        stage.server.set { $0.hasRestlessTags = true }
        for name in ["a", "b", "c", "d"] { try stage.write(name, name) }
        #expect(try await stage.run().isComplete)
        let remote = try await stage.remote()
        #expect(remote.level == .locks)
        try stage.write("a", "changed here")
        stage.server.write("b", Array("changed there".utf8))
        try FileManager.default.removeItem(atPath: stage.place + "/c")
        #expect(try await stage.run([], remote).isComplete)
        #expect(stage.files == stage.server.files && stage.files.count == 3)
        #expect(text("a") == "changed here" && stage.text("b") == "changed there")
    }

    @Test(.long) func `SY18: a listing that does not end is an error, and nothing is deleted`() async throws {
        try stage.write("a", "a")
        try await stage.run()
        let remote = try await stage.remote()
        let row =
            "<D:response><D:href>/dav/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype>"
        let piece = Array(String(repeating: row, count: 8_000).utf8)
        stage.lab.answer { [server = stage.server] request in
            guard request.method == "PROPFIND" else { return server.answer(request) }
            let head = Array("<D:multistatus xmlns:D=\"DAV:\">".utf8)
            return LabResponse(status: 207, body: .chunked { $0 == 0 ? head : piece })
        }
        #expect(try await stage.run([], remote).failure == .tooLarge(limit: 64 << 20))
        #expect(stage.text("a") == "a")
    }

    @Test func `SY16: what the server refuses each time is asked about after three tries, and the others go on`()
        async throws
    {
        for name in ["stuck", "fine"] { try stage.write(name, name) }
        stage.lab.answer { [server = stage.server] request in
            request.field("Destination")?.hasSuffix("/stuck") == true
                ? LabResponse(status: 412) : server.answer(request)
        }
        let remote = try await stage.remote()
        stage.lab.forget()
        let report = try await stage.run([], remote)
        #expect(report.questions == [.refused([SyncItemName("stuck")!])] && report.failure == nil, "\(report)")
        #expect(stage.lab.requests.count { $0.field("Destination")?.hasSuffix("/stuck") == true } == 3)
        #expect(text("fine") == "fine" && stage.text("stuck") == "stuck")
    }

    @Test func `SY16: a file for which the server has an error of its own keeps the others from nothing`() async throws
    {
        for name in ["stuck", "fine", "also", "more"] { try stage.write(name, name) }
        stage.lab.answer { [server = stage.server] request in
            request.field("Destination")?.hasSuffix("/stuck") == true
                ? LabResponse(status: 500) : server.answer(request)
        }
        let remote = try await stage.remote()
        for _ in 0..<2 {
            stage.lab.forget()
            let report = try await stage.run([], remote)
            #expect(report.questions == [.refused([SyncItemName("stuck")!])] && report.failure == nil, "\(report)")
            #expect(stage.lab.requests.count { $0.field("Destination")?.hasSuffix("/stuck") == true } == 3)
        }
        #expect(Set(stage.server.files.keys) == ["fine", "also", "more"] && stage.text("stuck") == "stuck")
    }

    @Test func `SY16: of many files with an error of the server none keeps the others, in a new folder neither`()
        async throws
    {
        for name in 0..<12 { try stage.write("new/stuck \(name)", "\(name)") }
        try stage.write("new/fine", "fine")
        stage.lab.answer { [server = stage.server] request in
            let place = request.field("Destination") ?? request.path
            let isStuck = place.contains("stuck") || (request.method == "PUT" && request.body == Array("7".utf8))
            return isStuck && request.method != "GET" ? LabResponse(status: 502) : server.answer(request)
        }
        let report = try await stage.run()
        #expect(report.questions.count == 12 && report.failure == nil, "\(report)")
        #expect(Array(stage.server.files.keys) == ["new/fine"])
    }

    @Test func `SY16: a server that answers each write with an error of its own is a failure, and is soon left alone`()
        async throws
    {
        for name in 0..<40 { try stage.write("\(name)", "\(name)") }
        let remote = try await stage.remote()
        stage.lab.answer { [server = stage.server] request in
            ["PUT", "MOVE"].contains(request.method) ? LabResponse(status: 500) : server.answer(request)
        }
        stage.lab.forget()
        #expect(try await stage.run([], remote).failure == .serverError(500))
        #expect(stage.lab.requests.count { $0.method == "PUT" } < 40)
        // One that is down does not even list.
        stage.lab.answer { _ in LabResponse(status: 502) }
        stage.lab.forget()
        #expect(try await stage.run([], remote).failure == .serverError(502))
        #expect(stage.lab.requests.count <= 2)
    }

    @Test func `SY16: what finds no room on the server keeps what is smaller from nothing, and is not sent twice`()
        async throws
    {
        for (name, size) in [("huge", 9_000), ("larger", 8_000), ("small", 10), ("tiny", 1)] {
            try stage.write(name, String(repeating: "x", count: size))
        }
        let remote = try await stage.remote()
        stage.lab.answer { [server = stage.server] request in
            request.method == "PUT" && request.body.count > 1_000 ? LabResponse(status: 507) : server.answer(request)
        }
        stage.lab.forget()
        let report = try await stage.run([], remote)
        #expect(report.failure == .full(.there) && report.questions.isEmpty, "\(report)")
        #expect(Set(stage.server.files.keys) == ["small", "tiny"])
        #expect(stage.lab.requests.count { $0.method == "PUT" && $0.body.count > 1_000 } <= 2)
    }

    /// What an administrator does to a server's folder, and how it is told.
    static let otherRoots: [@Sendable (inout DAVServer.Switches) -> Void] = [
        { $0.rootID = 77 }, { $0.fingerprint = "restored" }, { $0.hasFileIDs = false },
    ]

    @Test(arguments: otherRoots)
    func `SY11: another folder at the old address, or a backup, is asked about, and a yes deletes nothing`(
        _ change: @Sendable (inout DAVServer.Switches) -> Void
    ) async throws {
        stage.server.set { $0.hasFileIDs = true }
        for name in 0..<8 { try stage.write("\(name)", "\(name)") }
        #expect(try await stage.run().isComplete)
        let files = stage.files
        // Less than half is gone, or older.
        stage.server.remove("1")
        stage.server.write("2", Array("an older one".utf8))
        stage.server.set { change(&$0) }
        let report = try await stage.run()
        #expect(report.questions == [.massChange(.otherRoot)] && report.done.isEmpty, "\(report)")
        #expect(stage.files == files)
        let answered = try await stage.run(report.questions)
        #expect(answered.isComplete, "\(answered)")
        #expect(stage.files == stage.server.files && stage.files.count == 9)
        #expect(stage.has(Set(files.values)))
        #expect(try await stage.run().questions.isEmpty)
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
        // Whoever may write there can make such a name: it keeps nothing else from coming.
        stage.server.write("..\\up", [3])
        stage.server.write("d/" + String(repeating: "x", count: 300), [4])
        stage.server.write("also", [5])
        let report = try await stage.run()
        #expect(report.isComplete && Set(report.leftOut.map(\.path).map { $0.prefix(4) }) == ["..\\u", "d/xx"])
        #expect(Set(stage.files.keys) == ["good", "also"])
        stage.server.write("../up", [3])
        guard case .listing = try await stage.run().failure else {
            Issue.record("a name that is none was believed")
            return
        }
    }

    @Test func `SY13: a server's file that became empty is asked about, and a yes takes it`() async throws {
        for name in ["doc", "other", "more"] { try stage.write(name, name) }
        try await stage.run()
        stage.server.write("doc", [])
        let report = try await stage.run()
        #expect(report.questions == [.emptied([SyncItemName("doc")!])], "\(report)")
        #expect(stage.text("doc") == "doc")
        #expect(try await stage.run(report.questions).isComplete)
        #expect(stage.text("doc") == "")
        #expect(try await stage.has("doc"))
    }

    @Test func `SY7: a download that is not what the server's checksum says never comes to the folder`() async throws {
        stage.server.write("doc", Array("what was sent".utf8))
        let right = ContentDigest(of: Array("what was sent".utf8))
        let wrong = ContentDigest(of: [1])
        let checksum = Mutex("SHA256:\(wrong)")
        stage.lab.answer { [server = stage.server] request in
            let answer = server.answer(request)
            return request.method == "GET" ? answer.with("OC-Checksum", checksum.withLock { $0 }) : answer
        }
        #expect(try await stage.run().isComplete == false)
        #expect(stage.files.isEmpty)
        for other in ["SHA256:\(right)", "SHA1:00", "nothing"] {
            checksum.withLock { $0 = other }
            #expect(try await stage.run().isComplete, "\(other)")
        }
        #expect(stage.text("doc") == "what was sent")
    }

    @Test func `SY18: a listing has its own time, and no path that this device could not scan`() async throws {
        let remote = try await stage.remote()
        let url = try stage.address
        let limits = remote.request("PROPFIND", url, [], nil).limits
        #expect(limits == .init(idle: .seconds(60), total: .seconds(300), body: 64 << 20))
        stage.server.write(Array(repeating: "d", count: 128).joined(separator: "/"), [1])
        guard case .listing = try await stage.run([], remote).failure else {
            Issue.record("a tree that is too deep was believed")
            return
        }
        #expect(stage.files.isEmpty)
    }

    @Test func `SY17: what gets a name that the other side cannot have is not deleted there`() async throws {
        stage.server.set { $0.hasFileIDs = true }
        for name in ["a", "b", "c", "d", "e", "f"] { try stage.write(name, name) }
        try await stage.run()
        // Renamed here; and a link in the place of a file.
        try FileManager.default.moveItem(atPath: stage.place + "/a", toPath: stage.place + "/a\\b")
        try FileManager.default.removeItem(atPath: stage.place + "/b")
        try FileManager.default.createSymbolicLink(atPath: stage.place + "/b", withDestinationPath: "c")
        let report = try await stage.run()
        #expect(report.isComplete && Set(report.leftOut.map(\.path)) == ["a\\b", "b"], "\(report)")
        #expect(text("a") == "a" && text("b") == "b")
    }

    @Test(arguments: [SyncSide.here, .there])
    func `SY17: a folder with such an item in it is emptied and stays, and nobody is asked`(
        _ side: SyncSide
    ) async throws {
        for name in ["a", "b", "c", "d/e/f", "g", "h", "i"] {
            stage.server.write(name, Array(name.utf8))
        }
        #expect(try await stage.run().isComplete)
        let odd = stage.place + "/d/e/odd"
        if side == .here {
            try FileManager.default.createSymbolicLink(atPath: odd, withDestinationPath: "f")
            stage.server.remove("d")
        } else {
            stage.server.write("d/e/" + String(repeating: "x", count: 300), [1])
            try FileManager.default.removeItem(atPath: stage.place + "/d")
        }
        for _ in 0..<2 {
            let report = try await stage.run()
            #expect(report.isComplete && report.leftOut.count == 1, "\(report)")
            // Nothing is made for its sake on the other side.
            let top = try #require(SyncItemName("d"))
            let isThere = try await stage.remote().isThere([top])
            #expect(isThere == (side == .there))
            #expect(FileManager.default.fileExists(atPath: stage.place + "/d") == (side == .here))
            #expect(stage.text("d/e/f") == nil && text("d/e/f") == nil && stage.text("a") == "a")
        }
        guard side == .here else {
            #expect(stage.server.files.keys.contains { $0.hasPrefix("d/e/xxx") })
            return
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: odd) == "f")
        try FileManager.default.removeItem(atPath: odd)
        #expect(try await stage.run().isComplete)
        #expect(!FileManager.default.fileExists(atPath: stage.place + "/d"))
    }

    @Test func `SY17: what gets such a name behind a thousand others is not deleted there either`() async throws {
        for name in ["a", "b", "c"] { try stage.write(name, name) }
        try await stage.run()
        try FileManager.default.removeItem(atPath: stage.place + "/b")
        for name in (0...LeftOutItem.limit).map({ "0-\($0)" }) + ["b"] {
            try FileManager.default.createSymbolicLink(
                atPath: stage.place + "/" + name, withDestinationPath: "c")
        }
        let report = try await stage.run()
        #expect(report.isComplete && report.leftOut.count == LeftOutItem.limit)
        #expect(text("b") == "b")
    }

    @Test func `what a kill left aside during a deletion goes, and an edit of that moment comes back`() async throws {
        try stage.write("a", "a")
        try await stage.run()
        let digest = "\(ContentDigest(of: Array("deleted".utf8)))".prefix(16)
        stage.server.write(".pavise-gone-\(digest)-1f", Array("deleted".utf8))
        stage.server.write(".pavise-gone-\(digest)-2f", Array("an edit".utf8))
        // Another device is at work with this one; that one has been away for long, and the third is our own.
        let remote = try await stage.remote(owner: "ours")
        let now = TimeSource.system.wallSeconds
        let busy = ".pavise-gone-\(digest)-00000000-\(now)-3f"
        stage.server.write(busy, Array("deleted".utf8))
        stage.server.write(".pavise-gone-\(digest)-00000000-\(now - 7_200)-4f", Array("deleted".utf8))
        stage.server.write(".pavise-gone-\(digest)-\(remote.mark)-\(now)-5f", Array("deleted".utf8))
        try await stage.run([], remote)
        #expect(Set(stage.server.files.keys) == ["a", "recovered 2f", busy])
        #expect(stage.text("recovered 2f") == "an edit")
    }

    @Test func `what comes back takes no name that somebody has, and stops nobody`() async throws {
        try stage.write("a", "a")
        try await stage.run()
        let digest = "\(ContentDigest(of: Array("deleted".utf8)))".prefix(16)
        stage.server.write(".pavise-gone-\(digest)-2f", Array("an edit".utf8))
        stage.server.write("recovered 2f", Array("somebody's".utf8))
        #expect(try await stage.run().failure == nil)
        #expect(stage.text("recovered 2f") == "somebody's" && stage.text("recovered 2f 2") == "an edit")
    }

    @Test(arguments: ["DELETE", "MOVE"])
    func `SY18: a server that says it did what it did not is not asked for ever`(_ method: String) async throws {
        try stage.write("a", "a")
        try await stage.run()
        let digest = "\(ContentDigest(of: Array("deleted".utf8)))".prefix(16)
        stage.server.write(
            ".pavise-gone-\(digest)-1f", Array(method == "DELETE" ? "deleted".utf8 : "an edit".utf8))
        let remote = try await stage.remote()
        // It tires in the end, so that a client that does not is told by its number of requests.
        let lies = Mutex(0)
        stage.lab.answer { [server = stage.server] request in
            guard request.method == method else { return server.answer(request) }
            let count = lies.withLock { count -> Int in
                count += 1
                return count
            }
            return count < 40 ? LabResponse(status: method == "DELETE" ? 204 : 201) : server.answer(request)
        }
        let report = try await stage.run([], remote)
        let count = lies.withLock { $0 }
        #expect((1..<10).contains(count) && stage.text("a") == "a")
        #expect((report.failure == nil) == (method == "DELETE"))
    }

    @Test func `the server's words are bounded: what it says of a write, by its status`() {
        let table: [(Int, SyncFailure)] = [
            (401, .signInNeeded), (404, .changed), (409, .changed), (412, .changed), (423, .changed), (424, .changed),
            (507, .full(.there)), (500, .serverError(500)), (503, .serverError(503)), (599, .serverError(599)),
            (429, .unreachable("The server answered 429.")), (501, .refused("The server answered 501.")),
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
