import PaviseTransport
import Testing

@Suite struct `An ATS diagnosis` {
    private static let origin = Origin(scheme: .https, host: "a.example", port: 443)

    private static func done(
        _ version: ATSVersion, _ chain: ATSChainJudgement = .strict
    ) -> ATSHandshake { .completed(version: version, suite: "X", chain: chain) }

    private static let refused = ATSHandshake.refused("alert")

    private static func pattern(_ diagnosis: ATSDiagnosis) -> String {
        diagnosis.results.map { $0.failure == nil ? "P" : "F" }.joined()
    }

    // The three handshakes, the pattern of the rows, the narrowest exception.
    static let servers: [([ATSOffer: ATSHandshake], String, ATSException?, Int)] = [
        ([.forwardSecret: done(.tls13)], "PPPPPPPPPPPPPPPP", nil, 0),
        ([.forwardSecret: done(.tls12)], "PPFPPPPPFPPPFPPP", nil, 0),
        (
            [.forwardSecret: refused, .withKeyTransport: done(.tls12), .any: done(.tls12)], "FPFFFFPPFPPPFPPP",
            ATSException(requiresForwardSecrecy: false), 1
        ),
        (
            [.forwardSecret: done(.tls11), .withKeyTransport: done(.tls11), .any: done(.tls11)], "FPFFPPFFFFPPFFPP",
            ATSException(minimumTLSVersion: .tls11), 1
        ),
        (
            [.forwardSecret: done(.tls10), .withKeyTransport: done(.tls10), .any: done(.tls10)], "FPFFFPFFFFFPFFFP",
            ATSException(minimumTLSVersion: .tls10), 1
        ),
        (
            [.forwardSecret: refused, .withKeyTransport: refused, .any: done(.tls12)], "FPFFFFFPFFFFFPPP",
            ATSException(allowsInsecureHTTPLoads: true, requiresForwardSecrecy: false), 1
        ),
        (
            [.forwardSecret: refused, .withKeyTransport: done(.tls10), .any: done(.tls10)], "FPFFFFFFFFFPFFFP",
            ATSException(requiresForwardSecrecy: false, minimumTLSVersion: .tls10), 1
        ),
        (
            [.forwardSecret: refused, .withKeyTransport: refused, .any: done(.tls11)], "FPFFFFFFFFFFFFPP",
            ATSException(allowsInsecureHTTPLoads: true, requiresForwardSecrecy: false, minimumTLSVersion: .tls11), 1
        ),
        (
            [
                .forwardSecret: done(.tls13, .untrusted("no")), .withKeyTransport: done(.tls13, .untrusted("no")),
                .any: done(.tls13, .untrusted("no")),
            ], "FFFFFFFFFFFFFFFF", nil, 3
        ),
        (
            [
                .forwardSecret: done(.tls13, .systemOnly("weak", code: .leafHash)),
                .withKeyTransport: done(.tls13, .systemOnly("weak", code: .leafHash)),
                .any: done(.tls13, .systemOnly("weak", code: .leafHash)),
            ], "FPFFFFFPFFFFPPPP", ATSException(allowsInsecureHTTPLoads: true, requiresForwardSecrecy: false), 1
        ),
        ([.forwardSecret: refused, .withKeyTransport: refused, .any: refused], "FFFFFFFFFFFFFFFF", nil, 3),
        ([.forwardSecret: .notTLS, .withKeyTransport: .notTLS, .any: .notTLS], "FFFFFFFFFFFFFFFF", nil, 3),
        ([.forwardSecret: .timeout, .withKeyTransport: .timeout, .any: .timeout], "FFFFFFFFFFFFFFFF", nil, 6),
    ]

    @Test(arguments: servers) func `finds the rows and the narrowest exception`(
        _ handshakes: [ATSOffer: ATSHandshake], _ pattern: String, _ exception: ATSException?, _ status: Int
    ) {
        #expect(ATSDiagnosis.missing(handshakes).isEmpty)
        let diagnosis = ATSDiagnosis(of: Self.origin, handshakes, plainHTTP: nil)
        #expect(Self.pattern(diagnosis) == pattern)
        #expect(diagnosis.exception == exception)
        #expect(diagnosis.conclusion.rawValue == status)
    }

    @Test func `needs one handshake with a good server and three with any other`() {
        #expect(ATSDiagnosis.missing([:]) == [.forwardSecret])
        #expect(ATSDiagnosis.missing([.forwardSecret: Self.done(.tls12)]).isEmpty)
        for first in [Self.done(.tls11), Self.done(.tls13, .untrusted("no")), Self.refused, .timeout] {
            #expect(ATSDiagnosis.missing([.forwardSecret: first]) == [.withKeyTransport, .any])
        }
    }

    @Test func `of plain http recommends https where that works, and an exception where nothing else does`() {
        let http = Origin(scheme: .http, host: "a.example", port: 80)
        let answer = ATSDiagnosis.PlainHTTP(status: 200, location: nil)
        let better = ATSDiagnosis(of: http, [.forwardSecret: Self.done(.tls13)], plainHTTP: answer)
        #expect(better.conclusion == .noExceptionNeeded)
        let none: [ATSOffer: ATSHandshake] = [.forwardSecret: .notTLS, .withKeyTransport: .notTLS, .any: .notTLS]
        let only = ATSDiagnosis(of: http, none, plainHTTP: answer)
        #expect(only.exception == ATSException(allowsInsecureHTTPLoads: true))
        #expect(only.needsJustification)
        let redirect = ATSDiagnosis.PlainHTTP(status: 301, location: "https://a.example/")
        #expect(ATSDiagnosis(of: http, none, plainHTTP: redirect).conclusion == .noExceptionHelps)
        #expect(ATSDiagnosis(of: Self.origin, none, plainHTTP: answer).conclusion == .noExceptionHelps)
    }

    @Test func `asks for a justification only where App Review does`() {
        let secrecy = ATSDiagnosis(
            of: Self.origin,
            [.forwardSecret: Self.refused, .withKeyTransport: Self.done(.tls12), .any: Self.done(.tls12)],
            plainHTTP: nil)
        #expect(!secrecy.needsJustification)
        let old = ATSDiagnosis(
            of: Self.origin,
            [.forwardSecret: Self.done(.tls11), .withKeyTransport: Self.done(.tls11), .any: Self.done(.tls11)],
            plainHTTP: nil)
        #expect(old.needsJustification)
    }

    @Test(
        arguments: [
            (true, false, 2048, "SHA-256", true), (true, false, 2047, "SHA-256", false),
            (false, true, 256, "SHA-384", true),
            (false, true, 255, "SHA-256", false), (false, true, 256, "SHA-224", false),
            (false, true, 256, "SHA-1", false),
            (false, false, 256, "SHA-256", false), (true, false, 4096, nil, false),
        ] as [(Bool, Bool, Int, String?, Bool)])
    func `judges keys and hashes as ATS does`(
        _ isRSA: Bool, _ isEC: Bool, _ bits: Int, _ hash: String?, _ isStrict: Bool
    ) {
        let leaf = ATSChainJudgement.Facts(isRSA: isRSA, isEC: isEC, keyBits: bits, hash: hash, isSelfIssued: false)
        let root = ATSChainJudgement.Facts(isRSA: true, isEC: false, keyBits: 2048, hash: "SHA-1", isSelfIssued: true)
        #expect((ATSChainJudgement(trusted: [leaf, root]) == .strict) == isStrict)
        #expect(ATSChainJudgement(trusted: []) != .strict)
    }

    @Test(arguments: BrokenRule.all) func `says Apple's number for what a trusted certificate breaks`(
        _ rule: BrokenRule
    ) {
        let chain = ATSChainJudgement(trusted: rule.path)
        guard case .systemOnly(_, let code) = chain else {
            Issue.record("\(chain)")
            return
        }
        #expect(code.rawValue == rule.number)
        let shown = Self.done(.tls13, chain)
        let diagnosis = ATSDiagnosis(
            of: Self.origin, [.forwardSecret: shown, .withKeyTransport: shown, .any: shown], plainHTTP: nil)
        #expect(diagnosis.results.first?.failure?.code == code)
    }

    @Test func `names the sixteen rows of the tool`() {
        #expect(ATSDiagnosisRow.all.map(\.number) == Array(1...16))
        #expect(ATSDiagnosisRow.all.map(\.offer).count { $0 == .forwardSecret } == 5)
        #expect(ATSDiagnosisRow.all.map(\.offer).count { $0 == .withKeyTransport } == 5)
    }
}
