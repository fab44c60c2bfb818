import Foundation
import FoundationNetworking
import PaviseLab
import PaviseTransport
import PaviseURLSession
import TestSupport
import Testing

@Suite struct `A client with Foundation's types` {
    private func client(_ authority: CertificateAuthority) throws -> HTTPClient {
        try HTTPClient(policy: TrustPolicy(anchors: .only([authority.anchor])))
    }

    @Test func `takes a URLRequest and gives Data and an HTTPURLResponse`() async throws {
        let lab = try URLSessionLab(handler: { LabResponse(status: 201, body: .fixed($0.body)) })
        let client = try client(lab.authority)
        var request = try lab.request("/x", "POST")
        request.httpBody = Data("body".utf8)
        request.setValue("Bearer canary", forHTTPHeaderField: "Authorization")
        let (data, response) = try await client.data(for: request)
        #expect(data == Data("body".utf8))
        #expect(response.statusCode == 201)
        #expect(lab.server.requests.first?.field("Authorization") == "Bearer canary")
    }

    @Test func `collects no more than its limit, and says which`() async throws {
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        let lab = try URLSessionLab(handler: { request in
            let count = request.path == "/large" ? 65 : 2
            return LabResponse(body: .chunked { $0 < count ? piece : nil })
        })
        let own = try client(lab.authority)
        let small = try lab.request("/small")
        #expect(try await own.data(for: small, limit: 2 << 20).0.count == 2 << 20)
        let over = await urlError { try await own.data(for: small, limit: (2 << 20) - 1) }
        #expect(over?.code == .dataLengthExceedsMaximum)
        #expect(over?.transportFailure == .bodyTooLarge(limit: (2 << 20) - 1))
        let usual = await urlError { try await own.data(for: lab.request("/large")) }
        #expect(usual?.transportFailure == .bodyTooLarge(limit: 64 << 20))
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path + "/upload")
        try Data("body".utf8).write(to: file)
        let put = try lab.request("/small", "PUT")
        let answer = await urlError { try await own.upload(for: put, fromFile: file, limit: 1 << 20) }
        #expect(answer?.transportFailure == .bodyTooLarge(limit: 1 << 20))
    }

    @Test func `reads bytes at its own pace`() async throws {
        let lab = try URLSessionLab(handler: { _ in .generated(5_000_000) })
        let (bytes, response) = try await client(lab.authority).bytes(for: lab.request())
        #expect(response.statusCode == 200)
        var count = 0
        for try await piece in bytes { count += piece.count }
        #expect(count == 5_000_000)
    }

    @Test func `learns of a body that is cut`() async throws {
        let lab = try URLSessionLab(handler: { _ in LabResponse.generated(1_000_000).cut(after: 600_000) })
        let (bytes, _) = try await client(lab.authority).bytes(for: lab.request())
        await #expect(throws: TransportFailure.self) { for try await _ in bytes {} }
    }

    @Test func `uploads a file`() async throws {
        let lab = try URLSessionLab(handler: { LabResponse(body: .fixed($0.body)) })
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path + "/upload")
        let body = Data((0..<300_000).map { UInt8($0 % 253) })
        try body.write(to: file)
        let (data, _) = try await client(lab.authority).upload(for: lab.request("/", "PUT"), fromFile: file)
        #expect(data == body)
    }

    @Test func `uploads no file of this machine whose path stands in a link`() async throws {
        let lab = try URLSessionLab(handler: { LabResponse(body: .fixed($0.body)) })
        let folder = try TemporaryFolder()
        try Data("private".utf8).write(to: URL(fileURLWithPath: folder.path + "/own"))
        let link = try #require(URL(string: "https://home.example\(folder.path)/own"))
        let (own, put) = (try client(lab.authority), try lab.request("/", "PUT"))
        #expect(await urlError { try await own.upload(for: put, fromFile: link) }?.code == .badURL)
        #expect(lab.server.requests.isEmpty)
    }

    @Test func `names the https address where the host is known to want it, in answers and in errors`() async throws {
        let store = HSTSStore([.init(host: "localhost", expires: .max, includesSubdomains: false)])
        let lab = try URLSessionLab()
        let options = ClientOptions(strictTransport: store)
        let text = lab.server.address("/", host: "localhost")
        let plain = URLRequest(url: try #require(URL(string: text.replacing("https://", with: "http://"))))
        let client = try HTTPClient(policy: TrustPolicy(anchors: .only([lab.authority.anchor])), options: options)
        #expect(try await client.data(for: plain).1.url?.absoluteString == text)
        #expect(try await client.bytes(for: plain).1.url?.absoluteString == text)
        let stranger = try HTTPClient(policy: TrustPolicy(anchors: .only([])), options: options)
        let error = await urlError { try await stranger.data(for: plain) }
        #expect(error?.code == .serverCertificateUntrusted)
        #expect((error?.userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.absoluteString == text)
    }

    @Test func `never sends a credential over plain http`() async throws {
        let plain = try LabServer.start(nil) { _ in .text("hello") }
        let client = try HTTPClient(configuration: .absent)
        var request = URLRequest(url: try #require(URL(string: plain.address())))
        request.setValue("Bearer canary", forHTTPHeaderField: "Authorization")
        let refused = request
        let error = await urlError { try await client.data(for: refused) }
        #expect(error?.code == .userAuthenticationRequired)
        #expect(plain.counters.connections == 0)
    }
}
