import PaviseLab
import PavisePrimitives
import Testing

/// The lab's DAV server under many clients. A `Mutex` guards its state, whose lock the thread sanitizer does not see:
/// that is why this is no suite of LabTests.
@Suite struct WriteConditionTests {
    @Test func `of six who write a file that is not there yet, one does`() async throws {
        let folder = DAVServer()
        for number in 0..<1000 { folder.write("other/\(number)", [1]) }
        let server = try LabServer.start(nil, handler: folder.answer)
        for round in 0..<20 {
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                // A long listing lets the others come to the same moment.
                group.addTask { try await Self.status("PROPFIND /dav/ HTTP/1.1\r\nDepth: infinity", "", server) }
                for _ in 0..<6 {
                    group.addTask {
                        try await Self.status("PUT /dav/\(round) HTTP/1.1\r\nIf-None-Match: *", "x", server)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201, 207, 412, 412, 412, 412, 412])
        }
    }

    private static func status(_ head: String, _ body: String, _ server: LabServer) async throws -> Int {
        let fields = "Host: localhost\r\nContent-Length: \(body.utf8.count)\r\nConnection: close"
        let request = Array("\(head)\r\n\(fields)\r\n\r\n\(body)".utf8)
        return try await WorkerThread.run { (try? exchange(request, server)) ?? 0 }
    }

    private static func exchange(_ request: [UInt8], _ server: LabServer) throws -> Int {
        let socket = try TCPStream.connect(port: server.port)
        try socket.write(request.span)
        let answer = String(decoding: try socket.read(upTo: 64, within: 10_000), as: UTF8.self)
        return Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0
    }
}
