import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

/// The walk of the README, played as it is written: a process for each command, a browser, and the PINs that its
/// remarks name.
@Suite(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
struct ReadmeWalkTests {
    let pavise: PaviseProcess
    let walk: ReadmeWalk

    init() throws {
        pavise = try PaviseProcess()
        walk = try ReadmeWalk()
    }

    @Test(.long) func `the walk of the README goes as it is written, in real processes`() async throws {
        try #require(walk.steps.first?.words == ["pavise-lab", "authority"])
        let lab = try pavise.start(["authority"], of: PaviseProcess.beside("pavise-lab"))
        defer { lab.interrupt() }
        let printed = try opening(of: lab)
        // What the first command prints to be tried is what the README writes.
        let connect = try #require(walk.steps.dropFirst().first)
        let values = try #require(connect.values(in: words(behind: "Try", in: printed)), "\(printed)")
        #expect(Set(values.keys) == ["ISSUER", "PIN"])
        #expect(walk.steps.dropFirst(2).first?.words == words(behind: "Then", in: printed))
        let person = try BrowserPerson(anchors: words(behind: "Anchors", in: printed).joined())
        var isShared = true
        for step in walk.steps.dropFirst() {
            let result = try await play(step, values, person)
            // Where the kernel keeps no keys, the unlock ended with its command, which said so.
            let status = isShared || step.words[1] != "fetch" ? step.status : 5
            #expect(result.status == status, "\(step): \(result.output)\(result.messages)")
            if result.output.contains("The kernel keeps no keys here") { isShared = false }
            check(step, result)
        }
        lab.interrupt()
        let last = try lab.end().output
        let calls = isShared ? 2 : 1
        #expect(last.contains("1 sign-ins, 0 refreshes, 0 reused tokens"), "\(last)")
        // A locked fetch sends nothing.
        #expect(last.contains("\(calls) calls granted, 0 refused"), "\(last)")
        #expect(!last.contains(" 0 revocations"), "\(last)")
    }

    @Test(.long) func `the lines about a folder go as they are written, in real processes`() throws {
        let lines = try ReadmeWalk("sync").steps
        try #require(lines.count == 5 && lines.first?.words == ["pavise-lab", "files"])
        let lab = try pavise.start(["files"], of: PaviseProcess.beside("pavise-lab"))
        defer { lab.interrupt() }
        let printed = try opening(of: lab)
        var values = try #require(lines[1].values(in: words(behind: "Try", in: printed)), "\(printed)")
        #expect(Set(values.keys) == ["ADDRESS", "PIN"])
        #expect(lines[3].words == words(behind: "Then", in: printed))
        let folder = try TemporaryFolder()
        try Data("a note".utf8).write(to: URL(fileURLWithPath: folder.path + "/note.txt"))
        values["FOLDER"] = folder.path
        let results = try lines.dropFirst().map {
            try pavise.start($0.filled(values), input: "wonderland\n").end($0.words)
        }
        #expect(results.allSatisfy { $0.status == 0 }, "\(results)")
        #expect(results[1].output.contains("note.txt") && results[2].output.contains("Both sides are the same"))
        #expect(results[3].output.contains("note.txt"))
        lab.interrupt()
        let last = try lab.end().output
        #expect(last.contains("and 1 files were there at the end"), "\(last)")
    }

    @Test func `the walk connects in two commands, fetches, locks, meets a wrong PIN, unlocks and disconnects`() {
        let nouns = walk.steps.map {
            $0.words.dropFirst().prefix($0.words.contains("lock") ? 2 : 1).joined(separator: " ")
        }
        #expect(
            nouns == [
                "authority", "connect", "fetch", "lock set", "lock now", "fetch", "lock unlock", "lock unlock", "fetch",
                "disconnect",
            ])
        #expect(walk.steps.map(\.status) == [0, 0, 0, 0, 0, 5, 5, 0, 0, 0])
        #expect(walk.steps.map { $0.remark.contains("wrong PIN") }.firstIndex(of: true) == 6)
    }

    @Test func `the README's table lists products of the package and nothing else, and leaves none out`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let products = manifest.matches(of: /\.library\(\s*name: "(\w+)"/).map { String($0.1) }
        let table = readme.components(separatedBy: "| product |").dropFirst().first ?? ""
        let listed = table.prefix { $0 != "#" }.matches(of: /\n\| `(\w+)` \|/).map { String($0.1) }
        #expect(listed.contains("Pavise") && listed.contains("SecurityFramework"))
        #expect(listed.filter { !products.contains($0) } == [])
        // Each is told in another place of the README: a name for another product, and what the toolset links.
        #expect(Set(products).subtracting(listed) == ["Security", "PaviseSecurity"])
    }

    // What a person does at each command: signs in where the browser opens, types a PIN where one is asked for.
    private func play(
        _ step: ReadmeWalk.Step, _ values: [String: String], _ person: BrowserPerson
    ) async throws -> PaviseProcess.Result {
        try pavise.asks(step.remark.contains("wrong PIN") ? "940276" : "830597")
        try pavise.receivesAddresses()
        let running = try pavise.start(step.filled(values))
        if step.remark.contains("the browser opens") {
            #expect(try running.message() == "Your browser opens. Sign in there; this program waits for it.")
            try await person.signIn(at: pavise.openedAddress())
        }
        return try running.end(step.words)
    }

    private func check(_ step: ReadmeWalk.Step, _ result: PaviseProcess.Result) {
        switch (step.words[1], step.status) {
        case ("fetch", 0) where result.status == 0: #expect(result.output.contains("alice"), "\(result.output)")
        case ("fetch", 5): #expect(result.messages.contains("Nothing was sent."))
        case ("lock", 5): #expect(result.messages.contains("The PIN is wrong. 7 tries are left"))
        case ("lock", 0) where step.remark.contains("the right one"):
            #expect(result.output.contains("there were 3 wrong tries in a row"))
        default: break
        }
    }

    // The lines that the lab prints before it waits.
    private func opening(of lab: PaviseProcess.Running) throws -> [String] {
        var lines: [String] = []
        while lines.last?.hasPrefix("Ctrl-C ends it") != true {
            let line = try lab.line()
            try #require(!line.isEmpty, "\(lines)")
            lines.append(line)
        }
        return lines
    }

    private func words(behind label: String, in lines: [String]) -> [String] {
        let words = lines.map { $0.split(separator: " ").map(String.init) }.first { $0.first == "\(label):" }
        return Array(words?.dropFirst() ?? [])
    }
}

/// The person at the lab's page: name and password into the form, and back to the program.
private struct BrowserPerson {
    private let client: HTTPClient

    init(anchors: String) throws {
        let pem = try String(contentsOfFile: anchors, encoding: .utf8)
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        client = try HTTPClient(policy: TrustPolicy(anchors: .only([try #require(Base64.decode(base64))])))
    }

    func signIn(at address: String) async throws {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/x-www-form-urlencoded")
        let form = Array("username=alice&password=wonderland".utf8)
        let answer = try await client.send(HTTPRequest("POST", try WebURL(address), fields: fields, body: form))
        let callback = try #require(answer.fields["Location"], "status \(answer.status)")
        #expect(try LabBrowser.open(callback).status == 200)
    }
}
