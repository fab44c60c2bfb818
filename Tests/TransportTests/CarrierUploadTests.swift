import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import TestSupport
import Testing

/// Files that a URLSession reads while it sends them (AP-C6).
@Suite struct CarrierUploadTests {
    private let folder: TemporaryFolder
    private let lab: CarrierLab
    private let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    init() throws {
        folder = try TemporaryFolder()
        lab = try CarrierLab()
    }

    private var path: String { folder.path + "/up" }

    private func request(_ progress: (@Sendable (Int, Int) -> Void)? = nil) throws -> HTTPRequest {
        try Data(content).write(to: URL(fileURLWithPath: path))
        var request = HTTPRequest("PUT", try lab.request("/file").url)
        request.upload = try UploadFile(path: path, progress: progress)
        return request
    }

    @Test func `a file goes out whole, with its length, and is asked for in pieces`() async throws {
        let told = Mutex<[Int]>([])
        let request = try request { taken, count in
            #expect(count == 300_000)
            told.withLock { $0.append(taken) }
        }
        #expect(try await lab.client.send(request).status == 200)
        let sent = try #require(lab.network.requests.first)
        #expect(sent.isStreamed && sent.body == content && sent.method == "PUT")
        #expect(sent.lines["content-length"] == "300000")
        #expect(told.withLock { $0.count > 3 && $0 == $0.sorted() && $0.last == 300_000 })
    }

    @Test func `an upload has no limit of its own, and no copy of it lies in memory`() async throws {
        let size = 80 << 20
        let longest = Mutex(0)
        var request = HTTPRequest("PUT", try lab.request().url)
        request.upload = UploadFile(count: size) { offset, limit in
            longest.withLock { $0 = max($0, limit) }
            return [UInt8](repeating: UInt8(truncatingIfNeeded: offset >> 16), count: min(limit, size - offset))
        }
        lab.network.state.withLock { $0.cut = 70 << 20 }
        let fixed = request
        // The connection is lost after 70 MiB: what counts here is that they were read, and how.
        #expect(
            await failure { () throws(TransportFailure) in try await lab.client.send(fixed) }
                == .network("The connection was lost before the answer came.", sent: true))
        #expect(longest.withLock { $0 } <= BodyPump.piece)
    }

    @Test func `a file that became shorter ends the request, and the server gets no shorter body`() async throws {
        let request = try request()
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 100_000)
        #expect(
            await failure { () throws(TransportFailure) in try await lab.client.send(request) }
                == .unusableRequest("The file to send became shorter or unreadable."))
        await lab.network.wait { $0.cancellations == 1 }
        #expect(lab.network.requests.isEmpty)
    }

    @Test func `what is sent is the file that was opened, also after a rename`() async throws {
        let request = try request()
        try FileManager.default.moveItem(atPath: path, toPath: path + "-moved")
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        #expect(try await lab.client.send(request).status == 200)
        #expect(lab.network.requests.first?.body == content)
    }

    @Test func `a body that URLSession asks for again begins at its first byte`() async throws {
        lab.network.state.withLock { $0.readings = 2 }
        #expect(try await lab.client.send(request()).status == 200)
        #expect(lab.network.requests.map(\.body) == [content])
    }

    @Test func `an empty file is an empty body`() async throws {
        try Data().write(to: URL(fileURLWithPath: path))
        var request = HTTPRequest("PUT", try lab.request().url)
        request.upload = try UploadFile(path: path)
        #expect(try await lab.client.send(request).status == 200)
        #expect(lab.network.requests.first?.body == [] && lab.network.requests.first?.isStreamed == false)
    }

    @Test func `an upload whose caller has gone is not read any more`() async throws {
        let read = Mutex(0)
        let isRead = Signal()
        var request = HTTPRequest("PUT", try lab.request().url)
        request.upload = UploadFile(count: 1 << 30) { offset, limit in
            read.withLock { $0 = offset }
            if offset > 4 << 20 { isRead.send() }
            return [UInt8](repeating: 1, count: limit)
        }
        let fixed = request
        let sent = Task { await failure { () throws(TransportFailure) in try await lab.client.send(fixed) } }
        await isRead.wait()
        sent.cancel()
        #expect(await sent.value == .cancelled(sent: true))
        // What was on its way may still be read.
        try await Task.sleep(for: .milliseconds(50))
        let then = read.withLock { $0 }
        try await Task.sleep(for: .milliseconds(50))
        #expect(read.withLock { $0 } == then)
    }
}
