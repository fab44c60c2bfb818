import PaviseTransport
import Testing

@testable import Pavise

@Suite struct ReviewedServerTests {
    @Test func `a look at a server that decided nothing is a refusal, and no trust`() {
        let origin = Origin(scheme: .https, host: "cloud.example", port: 443)
        guard case .refused(let error) = ReviewedServer.verdict(on: .void, nil, at: origin) else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .certificateRefused)
        guard case .trusted = ReviewedServer.verdict(on: .allow(.first), nil, at: origin) else {
            Issue.record("not trusted")
            return
        }
    }
}
