import PaviseLab
import PavisePrimitives
import Testing

@Suite struct LabBrowserTests {
    @Test func `a callback is delivered with its query`() throws {
        let listener = try LabServer.start(nil) { request in
            var answer = LabResponse.text("done: \(request.query)")
            answer.closes = true
            return answer
        }
        let page = try LabBrowser.open(listener.address("/callback?code=a&state=b") + "#fragment")
        #expect(page.status == 200)
        #expect(page.text.hasSuffix("done: code=a&state=b"))
    }

    @Test(arguments: [
        "https://127.0.0.1:1/", "http://localhost:1/", "http://127.0.0.1/", "http://127.0.0.1:99999/", "",
    ])
    func `other addresses are not opened`(_ address: String) {
        #expect(throws: LabFailure.self) { try LabBrowser.open(address) }
    }

    @Test(arguments: LoopbackAttack.allCases)
    func `each attack reaches a listener, and none but the half-open ones waits`(_ attack: LoopbackAttack) async throws
    {
        let listener = try LabServer.start(nil) { _ in
            LabResponse(status: 404, closes: true)
        }
        let attempt = try attack.play(against: listener.address("/callback?code=true&state=true"))
        defer { attempt.end() }
        #expect(await listener.wait { $0.connections == 1 })
        #expect((attempt.page == nil) == [.silent, .halfRequest].contains(attack))
        let request = listener.requests.first
        switch attack {
        case .forgedState: #expect(request?.queryValue("state") == "guessed")
        case .otherHost: #expect(request?.field("Host")?.hasPrefix("attacker.example") == true)
        case .post: #expect(request?.method == "POST")
        case .hugeHead, .garbage, .silent, .halfRequest: #expect(request == nil)
        default: #expect(request != nil)
        }
    }
}
