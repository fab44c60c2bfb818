import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import TestSupport
import Testing

/// A server with one file, which honours ranges.
private struct FileServer: Sendable {
    var content: [UInt8]
    var tag: String? = "\"v1\""
    var cut: Int?
    var ignoresRange = false
    var shift = 0
    /// The most bytes that a range gives.
    var part = Int.max
    var tellsSize = true
    /// As many servers do that know ranges.
    var ignoresIfRange = false
    var hidesTagOfParts = false
    var packsParts = false

    func answer(_ request: LabRequest) -> LabResponse {
        var response = LabResponse(body: .fixed(content))
        if let tag { response = response.with("ETag", tag) }
        let isSame = ignoresIfRange || request.field("If-Range") == nil || request.field("If-Range") == tag
        if !ignoresRange, isSame, let range = request.field("Range"), let start = Int(range.dropFirst(6).dropLast()) {
            guard start < content.count else {
                return LabResponse(status: 416).with("Content-Range", "bytes */\(content.count)")
            }
            response.status = 206
            let piece = Array(content[start...].prefix(part))
            response.body = .fixed(piece)
            if hidesTagOfParts { response.fields = [] }
            if packsParts { response = response.with("Content-Encoding", "gzip") }
            let whole = tellsSize ? "\(content.count)" : "*"
            response = response.with(
                "Content-Range", "bytes \(start + shift)-\(start + piece.count - 1)/\(whole)")
        }
        if let cut { response = response.cut(after: cut) }
        return response
    }
}

@Suite struct DownloadTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/file" }
    private let content = (0..<500_000).map { UInt8($0 % 251) }

    init() throws { folder = try TemporaryFolder() }

    private func read(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(fileURLWithPath: path))).map { [UInt8]($0) }
    }

    private func lab(_ server: FileServer) throws -> TestLab { try TestLab(handler: { server.answer($0) }) }

    private func serve(_ server: FileServer, by lab: TestLab) { lab.server.answer { server.answer($0) } }

    @Test func `is whole, for its owner alone, and reports its progress`() async throws {
        let lab = try lab(FileServer(content: content))
        let last = Mutex<DownloadProgress?>(nil)
        let outcome = try await lab.client.download(HTTPRequest("GET", lab.url()), to: path) { progress in
            last.withLock { $0 = progress }
        }
        guard case .file(let answer, let bytes, let resumed) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(answer.status == 200 && bytes == content.count && resumed == 0)
        #expect(read(path) == content)
        #expect(last.withLock { $0 }?.received == content.count)
        #expect(last.withLock { $0 }?.total == content.count)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test func `that was cut goes on where it ended`() async throws {
        let lab = try lab(FileServer(content: content, cut: 300_000))
        let request = HTTPRequest("GET", try lab.url())
        let end = await failure { () throws(TransportFailure) in try await lab.client.download(request, to: path) }
        guard case .network(_, sent: true) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(read(path) == nil)
        serve(FileServer(content: content), by: lab)
        guard case .file(_, _, let resumed) = try await lab.client.download(request, to: path) else {
            Issue.record("no file")
            return
        }
        #expect(resumed > 0)
        #expect(read(path) == content)
        #expect(lab.server.requests.last?.field("Range") == "bytes=\(resumed)-")
        #expect(lab.server.requests.last?.field("If-Range") == "\"v1\"")
    }

    @Test(arguments: [
        FileServer(content: [UInt8](repeating: 7, count: 400_000), tag: "\"v2\""),
        FileServer(content: [UInt8](repeating: 7, count: 400_000), ignoresRange: true),
        FileServer(content: [UInt8](repeating: 7, count: 10), tag: "\"v1\""),
    ])
    private func `of a content that changed meanwhile is never two versions in one file`(_ later: FileServer)
        async throws
    {
        let lab = try lab(FileServer(content: content, cut: 300_000))
        let request = HTTPRequest("GET", try lab.url())
        _ = await failure { () throws(TransportFailure) in try await lab.client.download(request, to: path) }
        serve(later, by: lab)
        _ = try await lab.client.download(request, to: path)
        #expect(read(path) == later.content)
    }

    private var partial: String { path + ".partial" }
    private var ticket: String { path + ".partial-ticket" }

    /// Lays down what an interrupted download of `content` leaves, all of it true.
    private func interrupt(_ lab: TestLab) async throws -> HTTPRequest {
        serve(FileServer(content: content, cut: 300_000), by: lab)
        let request = HTTPRequest("GET", try lab.url())
        _ = await failure { () throws(TransportFailure) in try await lab.client.download(request, to: path) }
        #expect(read(partial)?.isEmpty == false && read(ticket) != nil)
        serve(FileServer(content: content), by: lab)
        return request
    }

    /// What somebody else may have done to what lies there, in a folder that is shared.
    enum Planted: CaseIterable, Sendable {
        case altered, longer, shorter, otherMode, otherTicketMode, hardLink, symbolicLink, ticketLink, pipe, ticketPipe,
            folder
        case ticketWithoutDigest, otherOwner, otherTicketOwner

        /// Only the administrator can give a file away.
        static let given: [Planted] = [.otherOwner, .otherTicketOwner]
    }

    @Test(.long, arguments: Planted.allCases.filter { !Planted.given.contains($0) })
    func `adopts nothing that it did not write itself`(_ planted: Planted) async throws { try await adopt(planted) }

    @Test(
        .long, .enabled(if: FileOwner.canBeChanged, "no file can be given to another user here"),
        arguments: Planted.given)
    func `adopts nothing that belongs to another user`(_ planted: Planted) async throws { try await adopt(planted) }

    private func adopt(_ planted: Planted) async throws {
        let files = FileManager.default
        let lab = try lab(FileServer(content: content))
        let request = try await interrupt(lab)
        let elsewhere = folder.path + "/elsewhere"
        let kept = try #require(read(partial))
        var isResumed = false
        switch planted {
        case .altered:
            var bytes = kept
            bytes[1000] ^= 1
            try Data(bytes).write(to: URL(fileURLWithPath: partial))
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: partial)
        case .longer:
            // What a kill left behind the last ticket: dropped, and the rest goes on.
            let handle = try #require(FileHandle(forWritingAtPath: partial))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("EVIL-CONTENT".utf8))
            try handle.close()
            isResumed = true
        case .shorter:
            let code = unsafe truncate(partial, 1000)
            #expect(code == 0)
        case .otherMode: try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: partial)
        case .otherTicketMode: try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: ticket)
        case .hardLink: try files.linkItem(atPath: partial, toPath: elsewhere)
        case .symbolicLink:
            try files.moveItem(atPath: partial, toPath: elsewhere)
            try files.createSymbolicLink(atPath: partial, withDestinationPath: elsewhere)
        case .ticketLink:
            try files.moveItem(atPath: ticket, toPath: elsewhere)
            try files.createSymbolicLink(atPath: ticket, withDestinationPath: elsewhere)
        case .pipe:
            try files.removeItem(atPath: partial)
            let code = unsafe mkfifo(partial, 0o600)
            #expect(code == 0)
        case .ticketPipe:
            try files.removeItem(atPath: ticket)
            let code = unsafe mkfifo(ticket, 0o600)
            #expect(code == 0)
        case .folder:
            try files.removeItem(atPath: partial)
            try files.createDirectory(atPath: partial, withIntermediateDirectories: false)
        case .ticketWithoutDigest:
            let old = "{\"url\":\"\(request.url)\",\"tag\":\"\\\"v1\\\"\"}"
            try Data(old.utf8).write(to: URL(fileURLWithPath: ticket))
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: ticket)
        case .otherOwner, .otherTicketOwner:
            let given = planted == .otherOwner ? partial : ticket
            try files.setAttributes([.ownerAccountID: 65534], ofItemAtPath: given)
        }
        let before = read(elsewhere)
        guard planted != .folder else {
            let end = await failure { () throws(TransportFailure) in try await lab.client.download(request, to: path) }
            guard case .receiver = end else {
                Issue.record("\(String(describing: end))")
                return
            }
            return
        }
        guard case .file(_, let bytes, let resumed) = try await lab.client.download(request, to: path) else {
            Issue.record("no file")
            return
        }
        #expect(bytes == content.count && read(path) == content)
        #expect((resumed > 0) == isResumed)
        #expect(lab.server.requests.last?.field("Range") == (isResumed ? "bytes=\(kept.count)-" : nil))
        #expect(read(elsewhere) == before, "what a link names is not written")
        let facts = try files.attributesOfItem(atPath: path)
        #expect(facts[.posixPermissions] as? Int == 0o600 && facts[.ownerAccountID] as? Int == Int(geteuid()))
        #expect(facts[.referenceCount] as? Int == 1)
    }

    @Test func `that another process writes is left to it`() async throws {
        let lab = try lab(FileServer(content: content))
        let file = try PartialFile.open(partial)
        let request = HTTPRequest("GET", try lab.url())
        let end = await failure { () throws(TransportFailure) in try await lab.client.download(request, to: path) }
        #expect(end == .receiver("lock of the download, error \(EWOULDBLOCK)"))
        #expect(file.count == 0 && read(path) == nil)
    }

    @Test func `whose file was exchanged meanwhile gives nothing its name`() throws {
        let file = try PartialFile.open(partial)
        try FileManager.default.removeItem(atPath: partial)
        try Data("EVIL".utf8).write(to: URL(fileURLWithPath: partial))
        let stale = SystemFailure(operation: "rename", path: partial, code: ESTALE)
        do throws(SystemFailure) {
            try file.finish(as: path)
            Issue.record("renamed")
        } catch { #expect(error == stale) }
        #expect(read(path) == nil)
    }

    @Test(arguments: [true, false])
    func `of which the server sends a part is whole when all of it is there`(_ tellsSize: Bool) async throws {
        let lab = try lab(FileServer(content: content, cut: 300_000))
        let request = HTTPRequest("GET", try lab.url())
        _ = await failure { () throws(TransportFailure) in try await lab.client.download(request, to: path) }
        serve(FileServer(content: content, part: 50_000, tellsSize: tellsSize), by: lab)
        var outcome: DownloadOutcome?
        for _ in 0..<10 where outcome == nil { outcome = try? await lab.client.download(request, to: path) }
        guard case .file(_, let bytes, _) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(bytes == content.count && read(path) == content)
        let ranges = lab.server.requests.count { $0.field("Range") != nil }
        #expect(tellsSize ? ranges > 3 : ranges == 1, "\(ranges)")
    }

    @Test func `without a strong tag begins anew`() async throws {
        for tag in [nil, "W/\"v1\"", "v1", "\"a\r\n\""] {
            let lab = try lab(FileServer(content: content, tag: tag == "\"a\r\n\"" ? "\"a b\"" : tag, cut: 300_000))
            let request = HTTPRequest("GET", try lab.url())
            _ = await failure { () throws(TransportFailure) in try await lab.client.download(request, to: path) }
            serve(FileServer(content: content, tag: tag == "\"a\r\n\"" ? "\"a b\"" : tag), by: lab)
            _ = try await lab.client.download(request, to: path)
            #expect(lab.server.requests.last?.field("Range") == nil)
            #expect(read(path) == content)
        }
    }

    @Test func `refuses another part than the one that was asked for`() async throws {
        let lab = try lab(FileServer(content: content, cut: 300_000))
        let request = HTTPRequest("GET", try lab.url())
        _ = await failure { () throws(TransportFailure) in try await lab.client.download(request, to: path) }
        serve(FileServer(content: content, shift: 1), by: lab)
        let end = await failure { () throws(TransportFailure) in try await lab.client.download(request, to: path) }
        guard case .malformed = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(read(path) == nil)
    }

    @Test(arguments: [
        FileServer(content: [UInt8](repeating: 7, count: 400_000), tag: "\"v2\"", ignoresIfRange: true),
        FileServer(
            content: [UInt8](repeating: 7, count: 400_000), tag: "\"v2\"", ignoresIfRange: true, hidesTagOfParts: true),
        FileServer(content: [UInt8](repeating: 7, count: 400_000), packsParts: true),
    ])
    private func `begins anew where a server sends a part that does not belong to it`(_ later: FileServer) async throws
    {
        let lab = try lab(FileServer(content: content))
        let request = try await interrupt(lab)
        serve(later, by: lab)
        guard case .file(_, let bytes, let resumed) = try await lab.client.download(request, to: path) else {
            Issue.record("no file")
            return
        }
        #expect(bytes == later.content.count && resumed == 0 && read(path) == later.content)
        // Asked for the rest, and then for the whole.
        #expect(lab.server.requests.suffix(2).map { $0.field("Range") != nil } == [true, false])
    }

    @Test func `leaves the file alone when the answer is no content`() async throws {
        let lab = try TestLab(handler: { _ in .text("gone", status: 404) })
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        guard case .answer(let answer) = try await lab.client.download(HTTPRequest("GET", lab.url()), to: path) else {
            Issue.record("a file")
            return
        }
        #expect(answer.status == 404)
        #expect(read(path) == [1, 2, 3])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test(arguments: [
        ("bytes 0-99/200", true), ("bytes 0-99/*", true), ("bytes */200", true), ("bytes */*", false), ("", false),
        ("bytes 5-4/200", false), ("bytes 0-200/200", false), ("bytes -5-9/200", false), ("items 0-9/20", false),
        ("bytes 0-9", false), ("bytes 0-9/20/30", false), ("bytes 99999999999999999999-1/2", false),
    ])
    func `reads the range of an answer`(_ text: String, _ isOne: Bool) { #expect((ContentRange(text) != nil) == isOne) }
}

@Suite struct `A body from elsewhere` {
    @Test func `is a file that is read while it is sent, also again on a new connection`() async throws {
        let folder = try TemporaryFolder()
        let body = (0..<2_000_000).map { UInt8($0 % 241) }
        try Data(body).write(to: URL(fileURLWithPath: folder.path + "/up"))
        let lab = try TestLab(handler: { LabResponse(body: .fixed(Array("\($0.body.count)".utf8))) })
        for _ in 0..<3 {
            var request = HTTPRequest("PUT", try lab.url())
            request.upload = try UploadFile(path: folder.path + "/up")
            #expect(try await lab.client.send(request).body == Array("2000000".utf8))
            lab.server.dropConnections()
        }
        #expect(lab.server.requests.allSatisfy { $0.body == body })
    }

    @Test func `tells how much of it the connection has taken, to its end`() async throws {
        let folder = try TemporaryFolder()
        try Data(repeating: 7, count: 500_000).write(to: URL(fileURLWithPath: folder.path + "/up"))
        let lab = try TestLab()
        let told = Mutex<[Int]>([])
        var request = HTTPRequest("PUT", try lab.url())
        request.upload = try UploadFile(path: folder.path + "/up") { taken, count in
            #expect(count == 500_000)
            told.withLock { $0.append(taken) }
        }
        _ = try await lab.client.send(request)
        let steps = told.withLock { $0 }
        #expect(steps.count > 1 && steps.last == 500_000 && steps == steps.sorted())
    }

    @Test func `ends the request when the file becomes shorter`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/up"
        try Data(repeating: 1, count: 1_000_000).write(to: URL(fileURLWithPath: path))
        let lab = try TestLab()
        var request = HTTPRequest("PUT", try lab.url())
        request.upload = try UploadFile(path: path)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: 1000)
        let sent = request
        let end = await failure { () throws(TransportFailure) in try await lab.client.send(sent) }
        guard case .unusableRequest = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(lab.server.counters.requests == 0)
    }

    @Test func `is a form whose names cannot add a part`() async throws {
        let lab = try TestLab()
        var form = try MultipartForm()
        form.append(name: "a\"\r\nX: 1", value: "text")
        let isTaken = form.append(name: "f", fileName: "x\r\n.pdf", contentType: "application/pdf", bytes: [1, 2, 3])
        let isRefused = !form.append(name: "f", fileName: "x", contentType: "a\r\nX: 1", bytes: [])
        #expect(isTaken && isRefused)
        for type in ["", " text/plain", "text/plain "] {
            let isTypeTaken = form.append(name: "f", fileName: "x", contentType: type, bytes: [])
            #expect(!isTypeTaken, "\(type)")
        }
        _ = try await lab.client.send(form.request(url: lab.url()))
        let seen = try #require(lab.server.requests.first)
        let boundary = try #require(seen.field("Content-Type")?.split(separator: "=").last)
        let text = String(decoding: seen.body, as: UTF8.self)
        #expect(text.components(separatedBy: "--\(boundary)").count == 4)
        #expect(text.contains("name=\"a%22%0D%0AX: 1\"\r\n\r\ntext\r\n"))
        #expect(text.contains("filename=\"x%0D%0A.pdf\"\r\nContent-Type: application/pdf\r\n\r\n\u{1}\u{2}\u{3}\r\n"))
    }
}
