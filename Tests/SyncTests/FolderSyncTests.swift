import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PaviseSession
import PaviseStorage
import PaviseTransport
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseSync

/// A folder, its journal and its server, put together as an app and the program have them.
@Suite struct FolderSyncTests {
    let stage: SyncStage
    init() throws { stage = try SyncStage() }

    private func listings() -> Int { stage.lab.requests.count { $0.method == "PROPFIND" } }

    @Test func `SY2: of two runs at once the second waits until the first has ended, and a preview too`() async throws {
        try await stage.inHome {
            let sync = try stage.sync()
            try stage.write("a", "a")
            #expect(await sync.run().isComplete)
            let gate = LabGate()
            stage.lab.forget()
            stage.lab.answer { [server = stage.server] request in
                let answer = server.answer(request)
                return request.method == "PROPFIND" ? answer.held(by: gate) : answer
            }
            async let first = sync.run()
            #expect(await gate.waitForArrivals(1))
            async let second = sync.run()
            async let preview = sync.preview()
            // The others wait, or would be at the server by now.
            while sync.turn.waiting < 2, listings() < 2 { await Task.yield() }
            #expect(sync.turn.waiting == 2 && listings() == 1)
            gate.open()
            let (one, other) = await (first, second)
            #expect(one.isComplete && other.isComplete)
            #expect(try await preview.actions.isEmpty)
        }
    }

    // The journal's class is open after the first unlock of the device: what refuses is the app lock, or nothing does.
    @Test func `FD16: behind the app lock nothing is read of what is kept, and no server is asked`() async throws {
        try await stage.inHome {
            let isOpen = Mutex(true)
            let sync = try FolderSync(
                stage.place, with: .webDAV(try stage.address, stage.client),
                container: try ProtectedContainer.open("sync", in: stage.home), device: "test",
                isOpen: { isOpen.withLock { $0 } })
            try stage.write("a", "a")
            #expect(await sync.run().isComplete)
            let digest = ContentDigest(of: Array("a".utf8))
            isOpen.withLock { $0 = false }
            stage.lab.forget()
            await #expect(throws: SyncFailure.locked) { _ = try await sync.content(digest) }
            await #expect(throws: SyncFailure.locked) { _ = try await sync.conflicts() }
            await #expect(throws: SyncFailure.locked) { _ = try await sync.preview() }
            #expect(throws: SyncFailure.locked) { _ = try sync.kept() }
            #expect(throws: SyncFailure.locked) { _ = try sync.questions() }
            #expect(listings() == 0)
            isOpen.withLock { $0 = true }
            #expect(try sync.questions().isEmpty && sync.kept().count < 2)
            #expect(try await sync.preview().actions.isEmpty)
        }
    }

    @Test func `a run whose task is cancelled while it waits for its turn does nothing`() async throws {
        try await stage.inHome {
            let sync = try stage.sync()
            #expect(await sync.turn.take())
            let task = Task { await sync.run() }
            while sync.turn.waiting == 0 { await Task.yield() }
            task.cancel()
            #expect(await task.value.failure == .busy)
            #expect(sync.state.activity == .idle)
            sync.turn.giveBack()
            #expect(await sync.run().isComplete)
        }
    }

    @Test func `SY2: an engine that is at work gives neither a plan nor a preview of another moment`() async throws {
        let remote = PausedRemote()
        let journal = SimulatedJournal(world: SimulatedWorld(seed: 0))
        journal.world.state.withLock { $0.isQuiet = true }
        let engine = SyncEngine(
            folder: SimulatedFolder(world: journal.world), remote: remote, journal: journal, device: "test",
            milliseconds: { 0 })
        async let report = engine.run()
        await remote.waitUntilAsked()
        await #expect(throws: SyncFailure.busy) { try await engine.plan() }
        await #expect(throws: SyncFailure.busy) { _ = try await engine.preview() }
        #expect(await engine.run().failure == .busy)
        remote.goOn()
        #expect(await report.isComplete)
    }

    // MARK: Answers

    private func many(_ names: Range<Int>) throws { for name in names { try stage.write("f\(name)", "\(name)") } }

    @Test func `SY11: a yes is for what the last run asked, in whichever process, and for nothing that comes later`()
        async throws
    {
        try await stage.inHome {
            try many(0..<10)
            #expect(await (try stage.sync()).run().isComplete)
            for name in 0..<6 { stage.server.remove("f\(name)") }
            let asked = await (try stage.sync()).run().questions
            #expect(asked == [.massChange(.deletions(here: 6, there: 0, of: 10))])
            // Nobody has seen that more went since then.
            for name in 6..<9 { stage.server.remove("f\(name)") }
            let next = try stage.sync()
            #expect(try next.questions() == asked)
            let report = await next.run(approving: try next.questions())
            #expect(report.questions == [.massChange(.deletions(here: 9, there: 0, of: 10))])
            #expect(stage.files.count == 10)
            #expect(await next.run(approving: try next.questions()).isComplete)
            #expect(Array(stage.files.keys) == ["f9"])
            #expect(try next.questions().isEmpty)
        }
    }

    @Test func `SY16: a server that is not trusted stops a run at once, and an app hears that it may be an attack`()
        async throws
    {
        try await stage.inHome {
            let sync = try stage.sync()
            try stage.write("a", "a")
            try stage.lab.use(CertificateAuthority(name: "Another Root").issue())
            stage.lab.forget()
            let failure = await sync.run().failure
            guard case .notTrusted(.transport(.untrusted)) = failure, case .stopped(let error) = sync.state.activity
            else {
                Issue.record("\(String(describing: failure)), \(sync.state)")
                return
            }
            #expect(error.isSecurityEvent && error.code != .network)
            #expect(stage.lab.counters.applicationBytes == 0)
        }
    }

    @Test func `SY16: what ends a request is told in sentences, and only what needs a decision is tried once`() {
        let table: [(TransportFailure, Bool)] = [
            (.managed("The administrator forbids it."), true), (.network("Nobody listens.", sent: true), false),
            (.timeout(sent: true), false), (.cancelled(sent: false), false), (.malformed("It has no status."), false),
            (.tls("The handshake failed."), false),
        ]
        for (transport, needsDecision) in table {
            let failure = SyncFailure(SessionFailure.transport(transport))
            #expect(failure.needsDecision == needsDecision && failure.mayPass != needsDecision, "\(failure)")
            guard case .unreachable(let words) = failure else { continue }
            #expect(words.hasSuffix(".") && !words.contains("("), "\(words)")
        }
        #expect(SyncFailure(SessionFailure.unavailable(.trust, retryIn: 30)).needsDecision)
    }

    @Test func `SY11: a yes that was given beside a run is that of the next run, once`() async throws {
        try await stage.inHome {
            try many(0..<10)
            let sync = try stage.sync()
            #expect(await sync.run().isComplete)
            for name in 0..<6 { stage.server.remove("f\(name)") }
            let asked = await sync.run().questions
            // The lock is that of the first.
            #expect(throws: SyncFailure.busy) { try stage.sync() }
            let beside = try stage.sync(isBeside: true)
            #expect(try beside.status().items == 10)
            #expect(await beside.run().failure == .busy)
            #expect(try beside.approve(asked.union([.massChange(.emptied(.here))])) == asked)
            #expect(await sync.run().isComplete)
            #expect(stage.files.count == 4)
            for name in 6..<10 { stage.server.remove("f\(name)") }
            #expect(await sync.run().questions == [.massChange(.emptied(.there))])
        }
    }

    @Test func `SY11: questions that are answered one after the other are all answered`() async throws {
        try await stage.inHome {
            for name in ["a", "b", "c", "d"] { try stage.write(name, name) }
            let sync = try stage.sync()
            #expect(await sync.run().isComplete)
            for name in ["a", "b"] { stage.server.write(name, []) }
            let asked = await sync.run().questions
            #expect(asked.count == 2)
            for question in asked { #expect(try sync.approve([question]) == [question]) }
            #expect(await sync.run().isComplete)
            #expect(stage.text("a") == "" && stage.text("b") == "")
        }
    }

    @Test func `SY11: a yes for a deletion covers the folders that go after their files, in the same run`() async throws
    {
        try await stage.inHome {
            for name in 0..<5 { try stage.write("\(name)/g/h/file", "\(name)") }
            try stage.write("keep", "keep")
            let sync = try stage.sync()
            #expect(await sync.run().isComplete)
            for name in 0..<5 { stage.server.remove("\(name)") }
            let asked = await sync.run().questions
            #expect(asked == [.massChange(.deletions(here: 20, there: 0, of: 21))])
            let report = await sync.run(approving: asked)
            #expect(report.isComplete, "\(report)")
            #expect(Array(stage.files.keys) == ["keep"])
        }
    }

    @Test func `SY11: what a yes covers grows smaller with what was done`() {
        var done = SyncPlan.Extent()
        let approved = MassChange.deletions(here: 6, there: 0, of: 10)
        #expect(approved.covers(.deletions(here: 6, there: 0, of: 10), after: done))
        done.deletedHere = 4
        #expect(approved.covers(.deletions(here: 2, there: 0, of: 6), after: done))
        #expect(!approved.covers(.deletions(here: 3, there: 0, of: 6), after: done))
        #expect(!approved.covers(.deletions(here: 1, there: 1, of: 6), after: done))
        #expect(!approved.covers(.emptied(.there), after: done))
        #expect(!MassChange.emptied(.here).covers(approved, after: done))
        let replaced = MassChange.replacements(here: 0, there: 12, of: 20)
        #expect(replaced.covers(.replacements(here: 0, there: 11, of: 20), after: done))
        #expect(!replaced.covers(.replacements(here: 1, there: 12, of: 20), after: done))
    }

    // MARK: Whose folder

    @Test func `SY11, SY19: a folder that another account synchronised is asked about, and a yes deletes nothing`()
        async throws
    {
        try await stage.inHome {
            try stage.write("ada.txt", "ada's")
            #expect(await (try stage.sync(of: "ada")).run().isComplete)
            // Another account, with another folder behind the same address.
            stage.server.remove("ada.txt")
            stage.server.write("bob.txt", Array("bob's".utf8))
            let bob = try stage.sync(of: "bob")
            #expect(try await bob.preview().questions == [.otherOwner])
            let report = await bob.run()
            #expect(report.questions == [.otherOwner] && report.failure == nil)
            #expect(Array(stage.server.files.keys) == ["bob.txt"] && Array(stage.files.keys) == ["ada.txt"])
            #expect(await bob.run(approving: report.questions).isComplete)
            #expect(stage.files == stage.server.files && stage.files.count == 2)
            #expect(await bob.run().isComplete)
        }
        try await stage.inHome {
            // From here on it is the other's.
            guard case .refused = await (try stage.sync(of: "ada")).run().failure else {
                Issue.record("two journals keep one folder")
                return
            }
        }
    }

    @Test func `SY11: a folder that an older version marked is known by its journal, and is no other's`() async throws {
        try await stage.inHome {
            try stage.write("a", "a")
            let name: String = try await {
                let sync = try stage.sync()
                #expect(await sync.run().isComplete)
                let marker = try #require(try sync.journal.fact("marker"))
                try sync.journal.write { access in try access.run("DELETE FROM fact WHERE name = 'marker'") }
                return String(marker.prefix(32))
            }()
            try Data("\(name)\n".utf8).write(to: URL(fileURLWithPath: stage.place + "/.pavise-sync"))
            #expect(await (try stage.sync()).run().isComplete)
        }
    }

    @Test func `SY2: a folder in it that is synchronised by itself is nobody's to tidy`() async throws {
        try await stage.inHome {
            try stage.write("sub/inner", "inner")
            let inner = try stage.sync(stage.place + "/sub")
            #expect(await inner.run().isComplete)
            // What the inner one is just writing.
            try stage.write("sub/.pavise-new-1", "half")
            let outer = try stage.sync()
            guard case .refused = await outer.run().failure else {
                Issue.record("two runs keep one folder")
                return
            }
            #expect(stage.text("sub/.pavise-new-1") == "half")
        }
    }

    @Test func `SY2: a folder with the connection's own store in it is refused before anything is written`() throws {
        try stage.inHome {
            let link = stage.place + "/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: stage.home.path)
            let store = stage.home.path + "/containers/sync"
            for path in [
                stage.folder.path, stage.home.path, stage.home.path + "/containers", link, "/", store, store + "/files",
                stage.home.path + "/keychain",
            ] {
                #expect(throws: SyncFailure.self, "\(path)") { _ = try stage.sync(path) }
                #expect(!DurableFile.exists(path + "/.pavise-sync"))
            }
            // Nothing of it was begun; a folder beside the home is none of them.
            _ = try stage.sync()
        }
    }

    // MARK: What may not be looked into

    @Test func `SY16: a folder that this person may not look into keeps nothing from going, and is no deletion`()
        async throws
    {
        try await stage.inHome {
            try stage.write("closed/in", "in")
            try stage.write("other", "other")
            let sync = try stage.sync()
            #expect(await sync.run().isComplete)
            try stage.write("new", "new")
            let observer = FileObserver(failure: { step in
                step.call == .list && step.path.hasSuffix("/closed") ? EACCES : nil
            })
            let report = await FileObserver.$current.withValue(observer) { await sync.run() }
            #expect(report.failure == nil && report.leftOut.map(\.path) == ["closed"], "\(report)")
            #expect(stage.server.files.keys.sorted() == ["closed/in", "new", "other"])
            let next = await sync.run()
            #expect(next.isComplete && next.leftOut.isEmpty, "\(next)")
            #expect(stage.files == stage.server.files && stage.files.count == 3)
        }
    }

    // MARK: What is the same under another time or tag

    @Test func `SY4: a file whose time alone changed is damaged when it differs under the new one, and not sent`()
        async throws
    {
        try await stage.inHome {
            let whole = "half of what was there"
            try stage.write("doc", whole)
            try stage.write("other", "other")
            let sync = try stage.sync()
            #expect(await sync.run().isComplete)
            let touched: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)]
            try FileManager.default.setAttributes(touched, ofItemAtPath: stage.place + "/doc")
            #expect(await sync.run().isComplete)
            // What a power cut leaves: other bytes with the time that the file had.
            try stage.write("doc", "half of wh")
            try FileManager.default.setAttributes(touched, ofItemAtPath: stage.place + "/doc")
            stage.lab.forget()
            let report = await sync.run()
            #expect(report.isComplete, "\(report)")
            #expect(stage.text("doc") == whole && stage.server.files["doc"] == Array(whole.utf8))
            #expect(!stage.lab.requests.contains { $0.method == "PUT" })
        }
    }

    private func touch(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/touch")
        process.arguments = words
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test func `SY4: what was healed is damaged when it differs again under its own time`() async throws {
        try await stage.inHome {
            let (whole, file, times) = ("half of what was there", stage.place + "/doc", stage.folder.path + "/times")
            try stage.write("doc", whole)
            try stage.write("other", "other")
            let sync = try stage.sync()
            #expect(await sync.run().isComplete)
            for round in 1...2 {
                try touch("-r", file, times)
                try stage.write("doc", "half of wh")
                try touch("-r", times, file)
                stage.lab.forget()
                let report = await sync.run()
                #expect(report.isComplete, "\(round): \(report)")
                #expect(stage.text("doc") == whole && stage.server.files["doc"] == Array(whole.utf8), "\(round)")
                #expect(!stage.lab.requests.contains { $0.method == "PUT" }, "\(round)")
            }
        }
    }

    @Test func `SY8: a file with another tag and the same content is fetched once, and not by each run`() async throws {
        try await stage.inHome {
            try stage.write("doc", "doc")
            let sync = try stage.sync()
            #expect(await sync.run().isComplete)
            stage.server.write("doc", Array("doc".utf8))
            stage.lab.forget()
            #expect(await sync.run().isComplete)
            #expect(stage.lab.requests.count { $0.method == "GET" } == 1)
            stage.lab.forget()
            #expect(await sync.run().isComplete)
            #expect(!stage.lab.requests.contains { $0.method == "GET" }, "\(stage.lab.requests.map(\.method))")
        }
    }

    // MARK: Only looking

    /// Whether the server was asked for nothing but what it has.
    private var wasOnlyRead: Bool {
        stage.lab.requests.allSatisfy { ["PROPFIND", "GET", "HEAD"].contains($0.method) }
    }

    @Test func `SY6: a preview writes on neither side: no marker, no measuring, and what a kill left stays`()
        async throws
    {
        try await stage.inHome {
            try stage.write("mine", "mine")
            stage.server.write("theirs", Array("theirs".utf8))
            stage.lab.forget()
            let first = try await (try stage.sync()).preview()
            #expect(first.questions.isEmpty && first.actions.map(\.kind) == [.create, .create], "\(first)")
            #expect(try Folder.names(in: stage.place) == ["mine"])
            #expect(wasOnlyRead, "\(stage.lab.requests.map(\.method))")
            let sync = try stage.sync()
            #expect(await sync.run().isComplete)
            #expect(!wasOnlyRead)
            stage.server.write(".pavise-gone-x", Array("aside".utf8))
            try stage.write(".pavise-new-1", "half")
            let gone = ".pavise-gone-" + String(repeating: "0", count: 32) + "-mine"
            try stage.write(gone, "written in that moment")
            try FileManager.default.createSymbolicLink(atPath: stage.place + "/link", withDestinationPath: "mine")
            stage.lab.forget()
            // A person is told what a run would end, bring back and leave out.
            let second = try await sync.preview()
            let actions = second.actions.map { "\($0.kind) \($0.side) \($0.path.map(\.text))" }
            #expect(actions == ["settle here [\"\(gone)\"]", "settle there [\".pavise-gone-x\"]"])
            #expect(second.leftOut.map(\.path) == ["link"])
            #expect(stage.text(gone) == "written in that moment")
            #expect(stage.text(".pavise-new-1") == "half" && stage.server.files[".pavise-gone-x"] != nil)
            #expect(wasOnlyRead, "\(stage.lab.requests.map(\.method))")
        }
    }

    // MARK: What was not sent

    @Test func `SY19: a sealed folder counts what is not at the server, before the first run and without a network`()
        async throws
    {
        try await stage.inHome {
            let sync = try stage.sync("notes", isSealed: true)
            let folder = try #require(sync.sealed)
            for name in ["a", "b", "c"] { try folder.write(Array(name.utf8), to: name) }
            #expect(sync.state.unsent == 3)
            stage.lab.answer { _ in .hangUp }
            #expect(await sync.run().failure != nil)
            #expect(sync.state.unsent == 3)
            stage.lab.answer(stage.server.answer)
            #expect(await sync.run().isComplete)
            #expect(sync.state.unsent == 0)
            try folder.write(Array("other".utf8), to: "a")
            try folder.remove("b")
            try folder.write(Array("d".utf8), to: "deep/d")
            #expect(sync.state.unsent == 4)
            #expect(await sync.run().isComplete)
            try folder.move("deep/d", to: "d")
            #expect(sync.state.unsent == 1)
        }
        try await stage.inHome {
            // The next process knows it before it does anything.
            let sync = try stage.sync("notes", isSealed: true)
            #expect(sync.state.unsent == 1)
            #expect(await sync.run().isComplete)
            #expect(sync.state.unsent == 0)
        }
    }

    // MARK: When the next run comes

    @Test func `SY16: a server that asks to be left alone is, in seconds and as a date`() async throws {
        try await stage.inHome {
            let sync = try stage.sync()
            #expect(await sync.run().isComplete)
            stage.lab.answer { _ in LabResponse(status: 503).with("Retry-After", "600") }
            #expect(await sync.run().failure == .serverBusy(seconds: 600))
            stage.lab.answer { _ in
                LabResponse(status: 429).with("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
                    .with("Retry-After", "Sun, 06 Nov 1994 09:49:37 GMT")
            }
            #expect(await sync.run().failure == .serverBusy(seconds: 3_600))
            stage.lab.answer { _ in LabResponse(status: 503).with("Retry-After", "99999999999999999999") }
            #expect(await sync.run().failure == .serverBusy(seconds: 86_400))
        }
        #expect(FolderSync.pause(1, after: .serverBusy(seconds: 600)) >= .seconds(600))
        #expect(FolderSync.pause(13, after: .serverBusy(seconds: 1)) >= .seconds(3_600))
        #expect((Duration.seconds(1)...Duration.milliseconds(1_500)).contains(FolderSync.pause(1, after: .busy)))
    }

    @Test func `a run comes soon after a change here, for as long as somebody reads the reports`() async throws {
        try await stage.inHome {
            try many(0..<2)
            let sync = try stage.sync()
            var reports = sync.reports(every: .seconds(600)).makeAsyncIterator()
            #expect(await reports.next()?.isComplete == true)
            try stage.write("new", "new")
            #expect(await reports.next()?.isComplete == true)
            #expect(stage.server.files["new"] == Array("new".utf8))
        }
    }
}

/// A server without files whose listing waits for the test.
private final class PausedRemote: SyncRemote {
    private let asked = AsyncStream.makeStream(of: Void.self)
    private let open = AsyncStream.makeStream(of: Void.self)

    var level: ServerLevel { .conditions }

    func waitUntilAsked() async { for await _ in asked.stream { return } }
    func goOn() { open.continuation.yield() }

    func list() async throws(SyncFailure) -> [RemoteEntry] {
        asked.continuation.yield()
        for await _ in open.stream { break }
        return []
    }
    func read(_ path: SyncPath, into sink: ContentSink) async throws(SyncFailure) -> RemoteVersion { throw .changed }
    func create(_ path: SyncPath, _ content: SyncContent) async throws(SyncFailure) -> RemoteVersion? { throw .changed }
    func replace(_ path: SyncPath, _ content: SyncContent, old: RemoteVersion) async throws(SyncFailure)
        -> RemoteVersion?
    { throw .changed }
    func makeFolder(_ path: SyncPath) async throws(SyncFailure) { throw .changed }
    func move(_ path: SyncPath, to target: SyncPath, old: RemoteVersion?) async throws(SyncFailure) { throw .changed }
    func delete(_ path: SyncPath, old: RemoteVersion?) async throws(SyncFailure) { throw .changed }
}
