import PaviseTransport
import Testing

@testable import PaviseCommands

/// The exit status is a contract with scripts.
@Suite struct TransportStatusTests {
    private static func refusal() -> CertificateRefusal {
        CertificateRefusal(failures: [.unknownAuthority], summary: nil, canBeApproved: false)
    }

    private static let table: [(TransportFailure, ProgramStatus, String?)] = [
        (.tls("The handshake failed."), .refused, "tls"),
        (.tls("The server offers no TLS 1.2 or later.", code: .minimumVersion), .refused, "tls"),
        (.untrusted(refusal()), .refused, "certificate"), (.unusableRequest("x"), .usage, nil),
        (.network("x", sent: false), .failed, nil), (.timeout(sent: true), .failed, nil),
        (.cancelled(sent: false), .failed, nil),
        (.bodyTooLarge(limit: 1), .failed, nil), (.malformed("x"), .failed, nil), (.redirects("x"), .failed, nil),
        (.receiver("x"), .failed, nil),
    ]

    @Test(arguments: table)
    func `each failure of a request ends with its status`(
        _ failure: TransportFailure, _ status: ProgramStatus, _ rule: String?
    ) {
        let shown = CommandFailure(describing: failure)
        #expect(shown.status == status && shown.rule == rule, "\(failure)")
    }

    @Test func `an answer that is no HTTP is told in whole sentences`() {
        let failure = TransportFailure.malformed("The answer has no head.")
        let text = "The answer is no HTTP that Pavise reads. The answer has no head."
        #expect(failure.sentence == text && CommandFailure(describing: failure).message == text)
    }

    @Test func `the numbers stay`() {
        #expect(ProgramStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
        #expect(ProgramStatus.refused.rawValue == 3)
    }
}
