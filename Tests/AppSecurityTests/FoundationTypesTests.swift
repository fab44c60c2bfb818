import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import TestSupport
import Testing

/// `URL`, `Data`, `Date` and `Codable`, where an app has them.
@Suite struct `Foundation's types` {
    private struct Me: Codable, Equatable { let name: String }

    @Test func `an app with URLs and Data signs in, uploads a file and reads what came back`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let server = try await app.review(try #require(URL(string: world.authority.issuer)))
            let account = try await app.connect(server, as: "work", clientID: "pavise-lab", options: world.willing)
            guard case .trusted(let summary?) = server.verdict else {
                Issue.record("\(server.verdict)")
                return
            }
            #expect(summary.validFrom < Date() && Date() < summary.validUntil)
            #expect(abs(account.connection.descriptor.creationDate.timeIntervalSinceNow) < 86_400)

            let file = URL(fileURLWithPath: world.folder.path + "/report")
            try Data(repeating: 7, count: 300_000).write(to: file)
            let seen = Mutex((sent: 0, total: 0))
            let answer = try await account.upload(file, to: "/api/report") { sent, total in
                seen.withLock { $0 = (sent, total) }
            }
            #expect(answer.status == 200)
            let arrived = world.authority.server.requests.last { $0.path == "/api/report" }
            #expect(arrived?.body.count == 300_000 && arrived?.field("Content-Type") == "application/octet-stream")
            #expect(seen.withLock { $0 == (300_000, 300_000) })

            let url = try #require(account.connection.url("/api/me?x=1").url)
            let request = try HTTPRequest("POST", url: url, body: Data("{}".utf8))
            #expect(request.body == Array("{}".utf8) && request.url.query == "x=1")
            #expect(try await account.send(request).status == 200)
        }
    }

    @Test func `sealed files take and give Data, with a date`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let files = try await world.signedIn(try world.app()).files
            let id = try files.put(Data("night".utf8), named: "night.txt", protection: .complete)
            #expect(try files.data(of: id, limit: 100) == Data("night".utf8))
            let attributes = try files.open(id).attributes
            #expect(abs(attributes.modificationDate.timeIntervalSinceNow) < 3600)
        }
    }

    @Test(arguments: ["http://ada:secret@cloud.example/", "file:///etc/passwd", "ftp://cloud.example/"])
    func `an address that nobody should use is an error and never a request`(_ text: String) throws {
        guard let url = URL(string: text) else { return }
        #expect {
            _ = try HTTPRequest(url: url)
        } throws: { error in
            (error as? PaviseError)?.recovery == .correct && !"\(error)".contains("secret")
        }
    }

    @Test func `an answer is read as a type, and its content is in no error`() throws {
        let good = HTTPResponse(status: 200, fields: HTTPFields(), body: Array(#"{"name":"ada"}"#.utf8))
        #expect(try good.decoded(as: Me.self) == Me(name: "ada") && good.data.count == 14)
        for answer in [
            HTTPResponse(status: 500, fields: HTTPFields(), body: Array(#"{"name":"canary"}"#.utf8)),
            HTTPResponse(status: 200, fields: HTTPFields(), body: Array(#"{"name":"canary"#.utf8)),
        ] {
            #expect {
                _ = try answer.decoded(as: Me.self)
            } throws: { error in
                error is PaviseError && !"\(error)".contains("canary")
            }
        }
    }
}
