import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

@testable import PaviseCommands

@Suite struct FetchTests {
    @Test func `a large answer goes to a file whole`() async throws {
        let stage = try LabStage()
        _ = await stage.connect()
        let path = stage.folder.path + "/answer"
        let result = await stage.run("fetch", "/api/large/5000000", "-o", path)
        #expect(result.status == .done)
        #expect(try DurableFile.read(path, limit: 6_000_000).count == 5_000_000)
        #expect(result.output.isEmpty)
    }

    @Test func `a fetch asks its client for a day in all, and half a minute without a byte`() async throws {
        let stage = try LockStage()
        #expect(await stage.connect() == .done)
        let before = stage.server.requests.count
        let result = await stage.run("fetch", "/files")
        #expect(result.status == .done && result.output == "files", "\(result.messages)")
        let sent = stage.server.requests.dropFirst(before)
        #expect(sent.map(\.limits.total) == [.seconds(86_400)])
        #expect(sent.map(\.limits.idle) == [.seconds(30)])
    }

    @Test func `an answer that breaks off leaves the old file`() async throws {
        let stage = try LabStage()
        _ = await stage.connect()
        let path = stage.folder.path + "/answer"
        try DurableFile.write(Array("old".utf8).span, to: path)
        stage.authority.server.answer { _ in .generated(100_000).cut(after: 5_000) }
        #expect(await stage.run("fetch", "/api/large/100000", "-o", path).status == .failed)
        #expect(try DurableFile.read(path, limit: 99) == Array("old".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: stage.folder.path).sorted() == ["answer", "home"])
    }

    /// Ctrl-C, the end of a service, Ctrl-\\, a terminal that is closed and a pipe without a reader; not those that
    /// these tests were told to ignore (`nohup`).
    private static let stops: [Int32] = {
        let states = (try? InputFile.read("/proc/self/status", limit: 1 << 16)).map {
            String(decoding: $0, as: UTF8.self)
        }
        let line = states?.split(separator: "\n").first { $0.hasPrefix("SigIgn:") } ?? ""
        let ignored = UInt64(line.dropFirst(7).filter { !$0.isWhitespace }, radix: 16) ?? 0
        return [SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE].filter { ignored & 1 << (UInt64($0) - 1) == 0 }
    }()

    @Test(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"), arguments: stops)
    func `Ctrl-C in the middle of a file leaves the old one and no piece, and so does each other end`(
        _ signal: Int32
    ) async throws {
        let stage = try LabStage()
        let folder = try TemporaryFolder()
        let path = folder.path + "/answer"
        try DurableFile.write(Array("old".utf8).span, to: path)
        let pavise = try PaviseProcess()
        let connected = try pavise.run(
            "connect", stage.authority.issuer, "--basic", "alice", "--approve-certificate", stage.identity.pin,
            input: "wonderland\n")
        #expect(connected.status == 0, "\(connected.messages)")
        stage.authority.server.answer { _ in .generated(1 << 40) }
        let fetch = try pavise.start(["fetch", "/basic/large", "-o", path])
        while try FileManager.default.contentsOfDirectory(atPath: folder.path).count < 2, fetch.isRunning {
            usleep(1000)
        }
        fetch.signal(signal)
        let end = try fetch.end()
        #expect(end.status == 1 && end.messages.contains("Stopped before the end. A file appears"), "\(end.messages)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["answer"])
        #expect(try DurableFile.read(path, limit: 99) == Array("old".utf8))
    }

    @Test func `CL11: “-o -” is standard output, and no file of that name`() async throws {
        let stage = try LabStage()
        _ = await stage.connect()
        let result = await stage.run("fetch", "/api/echo", "-d", "hello", "-o", "-")
        #expect(result.status == .done && result.output == "hello")
        let asJSON = await stage.run("fetch", "/api/echo", "-d", "hello", "-o", "-", "--json")
        #expect(asJSON.json?["body"]?.string == "hello" && asJSON.json?["file"] == nil)
    }

    @Test func `data is sent, and the head is shown when asked for`() async throws {
        let stage = try LabStage()
        _ = await stage.connect()
        let result = await stage.run("fetch", "/api/echo", "-d", "hello=world", "-i")
        #expect(result.status == .done)
        #expect(result.output.hasPrefix("HTTP/1.1 200\n"))
        #expect(result.output.hasSuffix("hello=world"))
    }

    @Test func `a file is sent piece by piece, through a link too, and stays what it was when it was opened`()
        async throws
    {
        let stage = try LabStage()
        _ = await stage.connect()
        let (path, link) = (stage.folder.path + "/sent", stage.folder.path + "/link")
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try DurableFile.write(bytes.span, to: path)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let answer = stage.folder.path + "/answer"
        let result = await stage.run("fetch", "/api/echo", "-X", "PUT", "-d", "@" + link, "-o", answer)
        #expect(result.status == .done, "\(result)")
        #expect(try DurableFile.read(answer, limit: 4_000_000) == bytes)
        #expect(await stage.run("fetch", "/api/echo", "-d", "@" + path + "-missing").status != .done)
    }

    @Test func `a terminal is told how much of a file has gone`() async throws {
        let (messages, folder) = (MemorySink(), try TemporaryFolder())
        messages.becomeTerminal()
        let console = Console(output: MemorySink(), messages: messages, allowsColour: false)
        try DurableFile.write([UInt8](repeating: 7, count: 2 << 20).span, to: folder.path + "/sent")
        let body = try FetchBody(
            "@\(folder.path)/sent", progress: PaviseCommands.Progress(console: console, isWanted: true))
        guard case .file(let file) = body else {
            Issue.record("a file was read into memory")
            return
        }
        // Within the first second nothing is shown.
        try await Task.sleep(for: .milliseconds(1_100))
        #expect(file.read(at: 0, upTo: 1 << 20)?.count == 1 << 20)
        #expect(messages.text.contains("1.0 MiB of 2.0 MiB, 50 %"), "\(messages.text)")
    }

    @Test(.long) func `a file may be larger than what is held of a pipe, and a pipe may not`() async throws {
        let stage = try LabStage()
        _ = await stage.connect()
        stage.authority.server.answer { request in LabResponse.text("\(request.body.count)") }
        let path = stage.folder.path + "/large"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: UInt64(FetchBody.limit + 1))
        try file.close()
        let result = await stage.run("fetch", "/api/size", "-d", "@" + path)
        #expect(result.status == .done && result.output == "\(FetchBody.limit + 1)", "\(result)")
        #expect(unsafe mkfifo(path + "-pipe", 0o600) == 0)
        // A thread of its own: it waits until the pipe is opened.
        Thread.detachNewThread {
            try? FileHandle(forWritingAtPath: path + "-pipe")?.write(contentsOf: Data(count: FetchBody.limit + 1))
        }
        let refused = await stage.run("fetch", "/api/size", "-d", "@" + path + "-pipe")
        #expect(refused.status == .failed && refused.messages.contains("a file may have any size"), "\(refused)")
    }

    @Test(arguments: [
        "Authorization: Bearer x", "host: elsewhere", "Content-Length: 5", "Cookie: a=b", "no colon", "a b: c",
        "X: a\nY: b",
        ": x",
    ])
    func `fields that are not the person's to set are refused`(_ field: String) async throws {
        let stage = Stage()
        #expect(await stage.run("fetch", "/x", "-H", field) == .usage)
    }

    @Test(arguments: ["get", "", "GET /x", "G\u{E9}T"])
    func `other methods are refused`(_ method: String) async throws {
        #expect(await Stage().run("fetch", "/x", "--method=\(method)") == .usage)
    }

    @Test func `an address of another server gets no token`() async throws {
        let stage = try LabStage()
        _ = await stage.connect()
        let other = try LabStage()
        let result = await stage.run("fetch", "\(other.authority.issuer)/api/me", "--json")
        #expect(result.status == .refused)
        #expect(result.json?["error"]?["rule"]?.string == "credential-origin")
        #expect(other.authority.server.counters.connections == 0)
    }

    @Test(arguments: [(302, ProgramStatus.refused), (500, .failed)])
    func `an answer that is no success is one JSON object with the reason`(
        _ status: Int, _ wanted: ProgramStatus
    ) async throws {
        let stage = try LabStage()
        _ = await stage.connect()
        stage.authority.server.answer { _ in
            LabResponse.text("no", status: status).with("Location", "https://elsewhere.example/")
        }
        let result = await stage.run("fetch", "/api/me", "--json")
        #expect(result.status == wanted)
        #expect(result.json?["status"]?.integer == Int64(status))
        #expect(result.json?["error"]?["status"]?.integer == Int64(wanted.rawValue))
        #expect(result.json?["error"]?["rule"]?.string == (status == 302 ? "redirect" : nil))
    }

    @Test func `a refused request is a failure, and its body is still shown`() async throws {
        let stage = try LabStage()
        _ = await stage.connect()
        let result = await stage.run("fetch", "/api/forbidden")
        #expect(result.status == .failed)
        #expect(result.messages.contains("403"))
    }

    @Test func `without a connection there is nothing to fetch from`() async throws {
        let stage = try LabStage()
        #expect(await stage.run("fetch", "/x").status == .signInNeeded)
        #expect(await stage.run("fetch", "nowhere", "/x").status == .failed)
    }
}
