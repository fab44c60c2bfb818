import Foundation
import PaviseLab
import PaviseTransport
import Synchronization
import TestSupport
import Testing

@testable import PaviseSync

/// What real servers do wrong, one by one: packed tags, tags that are weak at first, late listings, slow answers.
@Suite struct ServerSwitchTests {
    enum Kind: CaseIterable {
        case gzip, forcedGzip, youngWeak, late, veryLate, slow

        func set(_ switches: inout DAVServer.Switches) {
            switch self {
            case .gzip: switches.gzipTags = .whereAccepted
            case .forcedGzip: switches.gzipTags = .everywhere
            // Later than any file that was written before.
            case .youngWeak: (switches.hasYoungWeakTags, switches.stoppedAt) = (true, 4_000_000_000)
            case .late: switches.lateListings = 1
            case .veryLate: switches.lateListings = 7
            case .slow: switches.answersAfter = 700
            }
        }

        /// Who waits lets the server's clock go on.
        func remote(_ stage: SyncStage) async throws -> WebDAVRemote {
            try await WebDAVRemote.open(
                try stage.address, client: stage.client, owner: "ours", sleep: { _ in Self.goOn(stage.server) })
        }

        static func goOn(_ server: DAVServer) {
            server.set { switches in switches.stoppedAt = switches.stoppedAt.map { $0 + 2 } }
        }

        var level: ServerLevel { self == .forcedGzip ? .locks : .conditions }
    }

    @Test(arguments: Kind.allCases)
    func `SY6: a server that is only odd is measured as what its conditions are worth`(_ kind: Kind) async throws {
        let stage = try SyncStage(wait: { _ in })
        stage.server.set { kind.set(&$0) }
        #expect(try await kind.remote(stage).level == kind.level)
        #expect(stage.server.files.isEmpty)
        // Whoever takes gzip reads tags with which no condition holds: it is not asked for.
        #expect(stage.lab.requests.allSatisfy { $0.field("Accept-Encoding") == "identity" })
    }

    @Test func `SY6: tags that stay weak, however long one waits, are no conditions`() async throws {
        let stage = try SyncStage()
        stage.server.set { Kind.youngWeak.set(&$0) }
        #expect(try await stage.remote().level == .locks)
    }

    @Test func `the lab's tags of packed bytes come to whoever takes gzip, and no condition takes them`() async throws {
        let stage = try SyncStage()
        stage.server.set { Kind.gzip.set(&$0) }
        stage.server.write("a", [1])
        func ask(_ method: String, _ name: String, _ value: String) async throws -> HTTPResponse {
            var request = HTTPRequest(method, try WebURL("\(try stage.address)a"))
            request.fields.append(name, value)
            return try await stage.client.send(request)
        }
        let plain = try #require(try await ask("HEAD", "Accept-Encoding", "identity").fields["ETag"])
        let packed = try #require(try await ask("HEAD", "Accept-Encoding", "br, gzip;q=0.5").fields["ETag"])
        #expect(packed == String(plain.dropLast()) + "-gzip\"")
        #expect(try await ask("DELETE", "If-Match", packed).status == 412)
        #expect(try await ask("DELETE", "If-Match", plain).status == 204)
    }

    @Test func `the lab's late listing shows the state of so many requests ago`() async throws {
        let stage = try SyncStage()
        let remote = try await stage.remote()
        stage.server.set { $0.lateListings = 2 }
        var counts = [try await remote.list().count]
        stage.server.write("a", [1])
        for _ in 0..<3 { counts.append(try await remote.list().count) }
        #expect(counts == [0, 0, 0, 1])
        // What is asked of one address is of now.
        stage.server.write("b", [1])
        let name = try #require(SyncItemName("b"))
        #expect(try await remote.isThere([name]))
        #expect(try await remote.list().count == 1)
        stage.server.set { $0.lateListings = 0 }
        #expect(try await remote.list().count == 2)
    }

    @Test func `the lab's slow answers wait after the request was done`() async throws {
        let waited = Mutex<[Int64]>([])
        let stage = try SyncStage(wait: { pause in waited.withLock { $0.append(pause) } })
        let remote = try await stage.remote()
        #expect(waited.withLock { $0.isEmpty })
        stage.server.set { $0.answersAfter = 40 }
        stage.lab.forget()
        try stage.write("a", "a")
        #expect(try await stage.run([], remote).isComplete)
        #expect(waited.withLock { $0 } == Array(repeating: 40, count: stage.lab.requests.count))
    }

    @Test(arguments: [1, 2, 3, 5, 8])
    func `SY10: what was just sent, and a late listing does not have, is not deleted here`(_ late: Int) async throws {
        let stage = try SyncStage()
        for name in ["a", "b", "c", "d"] { try stage.write(name, name) }
        try await stage.run()
        let remote = try await stage.remote()
        stage.server.set { $0.lateListings = late }
        try stage.write("new", "new")
        try stage.write("in/new", "new too")
        for _ in 0..<4 {
            _ = try await stage.run([], remote)
            #expect(stage.text("new") == "new" && stage.text("in/new") == "new too")
        }
        stage.server.set { $0.lateListings = 0 }
        #expect(try await stage.run([], remote).isComplete)
        #expect(stage.files == stage.server.files && stage.files.count == 6)
    }

    // MARK: A second writer

    static let windows: [(method: String, moment: DAVServer.Moment)] = ["PUT", "MOVE", "DELETE", "GET", "PROPFIND"]
        .flatMap { method in [DAVServer.Moment.before, .between, .after].map { (method, $0) } }

    @Test(arguments: Kind.allCases)
    func `SM2: an odd server and a second writer lose nothing`(_ kind: Kind) async throws {
        try await play(kind, "MOVE", .between)
    }

    @Test(.long, arguments: Kind.allCases)
    func `SM2: an odd server and a second writer in every window lose nothing`(_ kind: Kind) async throws {
        for window in Self.windows { try await play(kind, window.method, window.moment) }
    }

    // What goes on while an answer is waited for; only slow ones are.
    private static func meanwhile(_ stage: SyncStage) -> [@Sendable () -> Void] {
        [
            {}, { try? stage.write("mid", "mine, meanwhile") },
            { stage.server.write("mid there", Array("theirs, meanwhile".utf8)) }, {},
            { stage.server.write("more 1", Array("theirs, changed meanwhile".utf8)) },
            { try? stage.write("more 2", "mine, changed meanwhile") },
        ]
    }

    private func play(_ kind: Kind, _ method: String, _ moment: DAVServer.Moment) async throws {
        let steps = Mutex<[@Sendable () -> Void]>([])
        let stage = try SyncStage(wait: { _ in
            let step = steps.withLock { steps -> (@Sendable () -> Void)? in steps.isEmpty ? nil : steps.removeFirst() }
            step?()
        })
        let agreed = ["x", "y", "z", "w", "in/v"] + (0..<8).map { "more \($0)" }
        for name in agreed { try stage.write(name, "\(name) agreed") }
        try await stage.run()
        stage.server.set { kind.set(&$0) }
        let remote = try await kind.remote(stage)
        steps.withLock { $0 = kind == .slow ? Self.meanwhile(stage) : [] }

        try stage.write("x", "mine")
        try FileManager.default.removeItem(atPath: stage.place + "/y")
        try FileManager.default.moveItem(atPath: stage.place + "/z", toPath: stage.place + "/moved")
        try stage.write("fresh/new", "mine, new")
        stage.server.write("w", Array("theirs".utf8))
        stage.server.write("from/there", Array("theirs, new".utf8))
        let isDone = Mutex(false)
        stage.server.secondWriter { server, request, now in
            guard request.method == method, now == moment else { return }
            isDone.withLock { done in
                if !done { done = server.writeAsClient("x", Array("somebody else's".utf8)) }
            }
        }
        for _ in 0..<3 {
            _ = try await stage.run([], remote)
            Kind.goOn(stage.server)
        }
        stage.server.secondWriter(nil)
        stage.server.set { switches in
            let clock = switches.stoppedAt
            switches = DAVServer.Switches()
            switches.stoppedAt = clock
        }
        // What has not happened yet happens now.
        for step in steps.withLock({ $0 }) { step() }
        var report = try await stage.run([], remote)
        for _ in 0..<4 where !report.isComplete { report = try await stage.run([], remote) }

        let label = "\(kind) \(method) \(moment) \(report.questions) \(String(describing: report.failure))"
        #expect(report.isComplete && stage.files == stage.server.files, "\(label)")
        #expect(stage.server.files.keys.allSatisfy { !$0.contains(".pavise-") }, "\(label)")
        var contents = ["mine", "mine, new", "theirs", "theirs, new", "y agreed", "z agreed", "in/v agreed"]
        if isDone.withLock({ $0 }) { contents.append("somebody else's") }
        if kind == .slow {
            contents += ["mine, meanwhile", "mine, changed meanwhile"]
            contents += ["theirs, meanwhile", "theirs, changed meanwhile"]
        }
        for content in contents { #expect(try await stage.has(content), "\(content): \(label)") }
    }
}
