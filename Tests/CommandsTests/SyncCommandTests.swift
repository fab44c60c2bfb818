import Foundation
import PaviseLab
import PavisePrimitives
import PaviseStorage
import PaviseSync
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseCommands

/// `pavise sync`: what it says, what it asks, and with which status it ends.
@Suite struct SyncCommandTests {
    private let folder: TemporaryFolder
    private var place: String { folder.path + "/files" }

    init() throws {
        folder = try TemporaryFolder()
        try DurableFile.makeDirectory(folder.path + "/files")
    }

    private func connected(_ body: (LabStage) async throws -> Void) async throws {
        let stage = try LabStage()
        let surroundings = SecurityEnvironment(home: PaviseHome(path: stage.folder.path + "/home"))
        try await SecurityEnvironment.$override.withValue(surroundings) {
            #expect(await stage.connect().status == .done)
            try await body(stage)
        }
    }

    private func sync(_ stage: LabStage, _ word: String, _ more: String...) async -> LabStage.Result {
        await stage.run(["sync", word, "work", place, "--remote", "/api/dav", "--json"] + more)
    }

    private func write(_ name: String, _ text: String? = nil) throws {
        try Data((text ?? name).utf8).write(to: URL(fileURLWithPath: place + "/" + name))
    }

    @Test func `SY11: the status is 3 where a person has to answer, and --yes answers what an earlier run asked`()
        async throws
    {
        try await connected { stage in
            for number in 0..<6 { try write("\(number)") }
            let first = await sync(stage, "run")
            #expect(first.status == .done && first.json?["isComplete"]?.bool == true, "\(first)")
            // A yes is none to what nobody has seen.
            for number in 0..<4 { stage.authority.files.remove("\(number)") }
            #expect(await sync(stage, "run", "--dry-run").status == .refused)
            let early = await sync(stage, "run", "--yes")
            #expect(early.status == .refused && early.json?["questions"]?.array?.count == 1)
            #expect(SyncCommandTests.names(place).count == 6)
            #expect(await sync(stage, "status").json?["questions"] == early.json?["questions"])
            #expect(await sync(stage, "run").status == .refused)
            #expect(await sync(stage, "run", "--yes").status == .done)
            #expect(SyncCommandTests.names(place) == ["4", "5"])
            #expect(await sync(stage, "run", "--dry-run").status == .done)
            #expect(await sync(stage, "recover").json?.array?.count == 6)
        }
    }

    @Test func `SY11: a dry run answers nothing, though another process synchronises the folder`() async throws {
        try await connected { stage in
            for number in 0..<6 { try write("\(number)") }
            #expect(await sync(stage, "run").status == .done)
            for number in 0..<4 { stage.authority.files.remove("\(number)") }
            #expect(await sync(stage, "run").status == .refused)
            let place = try stage.connection
            let names = try FileManager.default.contentsOfDirectory(atPath: place)
            let name = try #require(names.first { $0.hasPrefix("sync-") && $0.hasSuffix(".lock") })
            let other = try #require(FileHandle(forUpdatingAtPath: place + "/" + name))
            #expect(flock(other.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
            let dry = await sync(stage, "run", "--dry-run", "--yes")
            #expect(dry.status == .failed && dry.json?["approved"] == nil, "\(dry)")
            #expect(await sync(stage, "run", "--yes").json?["approved"]?.array?.count == 1)
            try other.close()
        }
    }

    @Test func `a dry run names what a run would leave out, and what one that was cut off took aside`() async throws {
        try await connected { stage in
            try write("plan.txt")
            #expect(await sync(stage, "run").status == .done)
            try FileManager.default.createSymbolicLink(atPath: place + "/link", withDestinationPath: "plan.txt")
            try write(".pavise-gone-" + String(repeating: "0", count: 32) + "-plan.txt", "written in that moment")
            let dry = await sync(stage, "run", "--dry-run")
            #expect(dry.status == .done, "\(dry)")
            #expect(dry.json?["leftOut"]?.array?.first?["path"]?.string == "link")
            #expect(dry.json?["actions"]?.array?.first?["kind"]?.string == "settle")
            for number in 0..<22 {
                let link = place + "/link-\(number)"
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "plan.txt")
            }
            let text = await stage.run("sync", "run", "work", place, "--remote", "/api/dav", "--dry-run").output
            #expect(text.matches(of: /Left out here/).count == 20 && text.contains("And 3 more left out"), "\(text)")
        }
    }

    @Test func `recover never writes over a file that is there, and the status is 1 as everywhere`() async throws {
        try await connected { stage in
            try write("plan.txt")
            #expect(await sync(stage, "run").status == .done)
            let kept = await sync(stage, "recover").json?.array ?? []
            let digest = try #require(kept.first?["digest"]?.string)
            let goal = folder.path + "/back.txt"
            #expect(await sync(stage, "recover", digest, goal).status == .done)
            #expect(try String(contentsOfFile: goal, encoding: .utf8) == "plan.txt")
            try Data("older".utf8).write(to: URL(fileURLWithPath: goal))
            #expect(await sync(stage, "recover", digest, goal).status == .failed)
            #expect(try String(contentsOfFile: goal, encoding: .utf8) == "older")
        }
    }

    // A file that both sides changed; the path of the copy.
    private func conflict(_ stage: LabStage) async throws -> String {
        for name in ["plan.txt", "a", "b"] { try write(name) }
        #expect(await sync(stage, "run").status == .done)
        try write("plan.txt", "mine")
        stage.authority.files.write("plan.txt", Array("theirs".utf8))
        #expect(await sync(stage, "run").status == .done)
        return try #require(SyncCommandTests.names(place).first { $0.hasPrefix("plan (conflict ") })
    }

    @Test func `SY9: conflicts says in three lines what each choice does and loses, and as data`() async throws {
        try await connected { stage in
            let none = await stage.run("sync", "conflicts", "work", place, "--remote", "/api/dav")
            #expect(none.status == .done && none.output == "There are no conflicts.\n", "\(none)")
            let copy = try await conflict(stage)
            let listed = await stage.run("sync", "conflicts", "work", place, "--remote", "/api/dav")
            #expect(listed.status == .refused)
            let lines = listed.output.split(separator: "\n").map(String.init)
            #expect(lines.count == 6 && lines.first == copy && lines[1].hasPrefix("  From "), "\(lines)")
            #expect(
                lines[2..<5] == [
                    "  copy: the copy takes the place of plan.txt, whose content is lost after 30 days.",
                    "  original: the copy is deleted, and its content is lost after 30 days.",
                    "  both: the copy gets a name of its own beside plan.txt. Nothing is lost.",
                ])
            let json = await sync(stage, "conflicts")
            let one = try #require(json.json?.array?.first)
            #expect(json.status == .refused && one["copy"]?.string == copy && one["original"]?.string == "plan.txt")
            #expect(one["device"]?.string?.isEmpty == false && one["made"] != nil)
            let choices = try #require(one["choices"]?.array)
            #expect(choices.compactMap { $0["keep"]?.string } == ["copy", "original", "both"])
            #expect(choices.map { $0["loses"]?.string } == ["plan.txt", copy, nil])
        }
    }

    @Test(arguments: ["copy", "original", "both"])
    func `SY9, SY14: close does what was chosen, and the next run does it at the server`(_ choice: String) async throws
    {
        try await connected { stage in
            let copy = try await conflict(stage)
            let closed = await sync(stage, "close", copy, choice)
            #expect(closed.status == .done && closed.json?["keep"]?.string == choice, "\(closed)")
            #expect(await sync(stage, "run").status == .done)
            let files = stage.authority.files.files.mapValues { String(decoding: $0, as: UTF8.self) }
            #expect(files["plan.txt"] == (choice == "copy" ? "mine" : "theirs"))
            #expect(files["plan 2.txt"] == (choice == "both" ? "mine" : nil))
            #expect(SyncCommandTests.names(place) == files.keys.sorted())
            #expect(await sync(stage, "conflicts").status == .done)
            let kept = await sync(stage, "recover").json?.array ?? []
            if choice != "both" { #expect(kept.contains { $0["reason"]?.string == "replaced" }, "\(kept)") }
        }
    }

    @Test func `of two copies whose names look the same the one with the bytes that were typed is closed`() throws {
        let time = " (conflict 2026-11-24 221500 laptop)"
        let (one, other) = ("e\u{301}\(time)", "\u{E9}\(time)")
        let paths = try [one, other, "plan"].map { [try #require(SyncItemName($0))] }
        #expect(SyncDescription.index(of: one, in: paths) == 0)
        #expect(SyncDescription.index(of: other, in: paths) == 1)
        #expect(SyncDescription.index(of: other, in: [paths[0], paths[2]]) == 0)
        #expect(SyncDescription.index(of: one, in: [paths[1], paths[1]]) == nil)
        #expect(SyncDescription.index(of: "plans", in: paths) == nil)
    }

    @Test func `a conflict that is not there, and a choice that is none, are told`() async throws {
        try await connected { stage in
            let copy = try await conflict(stage)
            #expect(await sync(stage, "close", "plan.txt", "both").status == .failed)
            #expect(await sync(stage, "close", copy, "mine").status == .usage)
            #expect(await sync(stage, "close", copy).status == .usage)
            #expect(SyncCommandTests.names(place).count == 4)
        }
    }

    @Test func `a server that is not trusted any more gets nothing, and is told in sentences with status 3`()
        async throws
    {
        try await connected { stage in
            try write("a")
            #expect(await sync(stage, "run").status == .done)
            try write("b")
            try stage.authority.server.use(CertificateAuthority(name: "Another Root").issue())
            stage.authority.server.forget()
            let refused = await sync(stage, "run")
            let error = try #require(refused.json?["error"], "\(refused)")
            #expect(refused.status == .refused && error["rule"]?.string?.hasPrefix("certificate") == true, "\(refused)")
            #expect(error["facts"]?["failures"]?.array?.isEmpty == false)
            #expect(refused.json?["failure"]?.string == error["message"]?.string)
            #expect(await sync(stage, "run", "--dry-run").status == .refused)
            let told = await stage.run("sync", "run", "work", place, "--remote", "/api/dav")
            #expect(told.status == .refused && told.messages.contains("is not trusted."), "\(told)")
            #expect(!(told.messages + told.output).contains("untrusted("))
            #expect(stage.authority.server.counters.applicationBytes == 0)
            try stage.authority.server.use(stage.identity)
            #expect(await sync(stage, "run").status == .done)
            #expect(stage.authority.files.files.keys.sorted() == ["a", "b"])
        }
    }

    @Test func `a person is asked about another certificate as with fetch, and with yes the run goes on`() async throws
    {
        try await connected { stage in
            try write("a")
            #expect(await sync(stage, "run").status == .done)
            try write("b")
            let other = try CertificateAuthority(name: "Another Root").issue()
            try stage.authority.server.use(other)
            stage.authority.server.forget()
            let words = ["sync", "run", "work", place, "--remote", "/api/dav"]
            stage.person.willAnswer("no")
            let refused = await stage.run(words)
            #expect(refused.status == .refused && refused.messages.contains(other.pin), "\(refused)")
            // JSON asks nobody.
            stage.person.willAnswer("yes")
            #expect(await sync(stage, "run").status == .refused)
            #expect(stage.authority.server.counters.applicationBytes == 0)
            let done = await stage.run(words)
            #expect(done.status == .done, "\(done)")
            #expect(stage.authority.files.files.keys.sorted() == ["a", "b"])
            #expect(await sync(stage, "run").status == .done)
        }
    }

    private static func names(_ place: String) -> [String] {
        ((try? Folder.names(in: place)) ?? []).filter { $0 != ".pavise-sync" }.sorted()
    }
}
