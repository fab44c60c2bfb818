import Foundation
import PavisePrimitives
import Testing

@testable import PaviseTransport

/// An approval that nobody can have given is worth nothing, wherever it was read (RV-H2).
@Suite struct ApprovalSenseTests {
    private static let now: Int64 = 1_800_000_000
    private static let key = Base64.encode([UInt8](repeating: 1, count: 32))
    private static let day: Int64 = 86_400

    private func read(
        scheme: String = "https", created: Int64 = now, expires: Int64 = now + day,
        failures: String = #"["unknownAuthority"]"#
    ) throws -> CertificateApproval {
        let text = """
            {"origin":{"host":"nas.example","port":443,"scheme":"\(scheme)"},"spki":"\(Self.key)","fingerprint":"\(String(repeating: "0", count: 64))",
            "failures":\(failures),"created":\(created),"expires":\(expires)}
            """
        return try JSONDecoder().decode(CertificateApproval.self, from: Data(text.utf8))
    }

    private func covers(_ approval: CertificateApproval, at seconds: Int64) -> Bool {
        approval.covers(
            Pin(Self.key), failures: [.unknownAuthority], at: approval.origin, seconds: seconds)
    }

    @Test func `a sensible one is read, and covers its time`() throws {
        let approval = try read(expires: Self.now + CertificateApproval.longestTime)
        #expect(covers(approval, at: Self.now))
        #expect(covers(approval, at: approval.expires))
        #expect(!covers(approval, at: approval.expires + 1))
    }

    private static let times: [[Int64]] = [
        [now, now + CertificateApproval.longestTime + 1], [now, now + 3000 * day], [now, now - 1], [-1, now],
        [.min, .max], [.max, .min], [0, .max],
    ]

    @Test(arguments: times)
    func `one of an impossible time is not read`(_ time: [Int64]) {
        #expect(throws: DecodingError.self) { try read(created: time[0], expires: time[1]) }
    }

    @Test(arguments: ["[]", #"["pinMismatch"]"#, #"["revoked","expired"]"#, #"["blocked"]"#, #"["weakKey"]"#])
    func `one of failures that nobody can approve is not read`(_ failures: String) {
        #expect(throws: DecodingError.self) { try read(failures: failures) }
    }

    @Test func `none is given for a certificate that ended after it was shown`() {
        let summary = CertificateSummary(
            subject: "CN=a", names: ["nas.example"], issuer: "CN=a", notBefore: 0, notAfter: 500, key: "EC 256",
            signature: "ECDSA with SHA-256", serial: "01", fingerprint: "aa", spki: Self.key)
        let refusal = CertificateRefusal(failures: [.selfSigned], summary: summary, canBeApproved: true)
        let origin = Origin(scheme: .https, host: "nas.example", port: 443)
        #expect(CertificateApproval(of: refusal, origin: origin, at: 500)?.expires == 500)
        #expect(CertificateApproval(of: refusal, origin: origin, at: 501) == nil)
    }

    @Test func `one for plain http is not read`() {
        #expect(throws: DecodingError.self) { try read(scheme: "http") }
    }

    @Test func `one of the future covers nothing, a clock that was set back a little matters not`() throws {
        let approval = try read()
        #expect(covers(approval, at: Self.now - 300))
        #expect(!covers(approval, at: Self.now - 301))
    }

    @Test func `a record of the new form without evidence is no record`() throws {
        let text = """
            {"approvals":[{"origin":{"host":"nas.example","port":443,"scheme":"https"},"spki":"\(Self.key)",
            "fingerprint":"\(String(repeating: "0", count: 64))","failures":["unknownAuthority"],
            "created":1800000000,"expires":1800000001}],"entries":[],"version":VERSION}
            """
        let old = Array(text.replacing("VERSION", with: "1").utf8)
        #expect(try ServerTrustRecord(decoding: old).approvals.isEmpty)
        #expect(throws: ServerTrustDamage.unreadable) {
            try ServerTrustRecord(decoding: Array(text.replacing("VERSION", with: "2").utf8))
        }
    }
}
