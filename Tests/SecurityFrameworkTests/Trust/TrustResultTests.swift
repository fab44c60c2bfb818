import Foundation
import PaviseCrypto
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// SecTrustCopyResult and SecTrustSetSignedCertificateTimestamps, by the header's words on each key.
@Suite struct `Results of trust` {
    typealias Log = `Timestamps in chains`.Log

    private static func trust(
        _ chain: TrustFixture.Chain, host: String = TrustFixture.host, _ more: [SecPolicy] = []
    ) throws -> SecTrust {
        var made: SecTrust?
        let certificates = [chain.leaf, chain.middle].compactMap {
            SecCertificateCreateWithData(nil, Data($0) as CFData)
        }
        let policies = [SecPolicyCreateSSL(true, host as NSString)] + more
        #expect(SecTrustCreateWithCertificates(certificates as CFArray, policies as CFArray, &made) == errSecSuccess)
        let trust = try #require(made)
        SecTrustSetVerifyDate(trust, NSDate(timeIntervalSince1970: TimeInterval(TrustFixture.now)))
        let root = try #require(SecCertificateCreateWithData(nil, Data(chain.root) as CFData))
        SecTrustSetAnchorCertificates(trust, [root] as CFArray)
        return trust
    }

    private static func result(_ trust: SecTrust) throws -> [String: Any] {
        try #require(SecTrustCopyResult(trust) as? [String: Any])
    }

    private static func answer(
        _ certificate: [UInt8], of issuer: [UInt8], _ key: IssuingKey, isRevoked: Bool = false, to end: Int64
    ) throws -> CFData {
        let now = TrustFixture.now
        return Data(
            try OCSPIssuing.answer(
                about: certificate, of: issuer, key: key, isRevoked: isRevoked, from: now - 60, to: now + end))
            as CFData
    }

    private static func date(_ seconds: Int64) -> Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }

    @Test func `a trusted chain tells its result and the time it was judged at, and nothing more`() throws {
        let trust = try Self.trust(TrustFixture().chain())
        let result = try Self.result(trust)
        #expect(result[kSecTrustResultValue as String] as? UInt32 == SecTrustResultType.unspecified.rawValue)
        #expect(result[kSecTrustEvaluationDate as String] as? Date == Self.date(TrustFixture.now))
        #expect(Set(result.keys) == ["TrustResultValue", "TrustEvaluationDate"])
    }

    @Test func `an untrusted chain tells its result, and no merits`() throws {
        let chain = try TrustFixture().chain()
        let trust = try Self.trust(chain, host: "other.example.com")
        let leaf = try Self.answer(chain.leaf, of: chain.middle, chain.middleKey, to: 60)
        let middle = try Self.answer(chain.middle, of: chain.root, chain.rootKey, to: 60)
        SecTrustSetOCSPResponse(trust, [leaf, middle] as CFArray)
        let result = try Self.result(trust)
        #expect(result[kSecTrustResultValue as String] as? UInt32 == 5)
        #expect(Set(result.keys) == ["TrustResultValue", "TrustEvaluationDate"])
    }

    @Test func `good answers for every certificate say that it was checked, until the first of them ends`() throws {
        let chain = try TrustFixture().chain()
        let trust = try Self.trust(chain)
        let leaf = try Self.answer(chain.leaf, of: chain.middle, chain.middleKey, to: 600)
        let middle = try Self.answer(chain.middle, of: chain.root, chain.rootKey, to: 120)
        SecTrustSetOCSPResponse(trust, [leaf, middle] as CFArray)
        let whole = try Self.result(trust)
        #expect(whole[kSecTrustRevocationChecked as String] as? Bool == true)
        #expect(
            whole[kSecTrustRevocationValidUntilDate as String] as? Date == Self.date(TrustFixture.now + 120))
        SecTrustSetOCSPResponse(trust, leaf)
        let part = try Self.result(trust)
        #expect(part[kSecTrustRevocationChecked as String] as? Bool == false)
        #expect(part[kSecTrustRevocationValidUntilDate as String] == nil)
        SecTrustSetOCSPResponse(trust, nil)
        #expect(try Self.result(trust)[kSecTrustRevocationChecked as String] == nil)
    }

    @Test func `of two good answers about one certificate the later end counts`() throws {
        let chain = try TrustFixture().chain()
        let trust = try Self.trust(chain)
        let answers = [
            try Self.answer(chain.leaf, of: chain.middle, chain.middleKey, to: 60),
            try Self.answer(chain.leaf, of: chain.middle, chain.middleKey, to: 90),
            try Self.answer(chain.middle, of: chain.root, chain.rootKey, to: 120),
        ]
        SecTrustSetOCSPResponse(trust, answers as CFArray)
        let until = try Self.result(trust)[kSecTrustRevocationValidUntilDate as String] as? Date
        #expect(until == Self.date(TrustFixture.now + 90))
    }

    @Test func `a policy of revocation without an answer says that nothing was checked`() throws {
        let chain = try TrustFixture().chain()
        let policy = try #require(SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod))
        let trust = try Self.trust(chain, [policy])
        #expect(try Self.result(trust)[kSecTrustRevocationChecked as String] as? Bool == false)
        let revoked = try Self.answer(chain.leaf, of: chain.middle, chain.middleKey, isRevoked: true, to: 60)
        SecTrustSetOCSPResponse(trust, revoked)
        let result = try Self.result(trust)
        #expect(result[kSecTrustResultValue as String] as? UInt32 == SecTrustResultType.fatalTrustFailure.rawValue)
        #expect(result[kSecTrustRevocationChecked as String] == nil)
    }

    private static func isLogged(_ trust: SecTrust, _ logs: [Log], date: Int64? = nil) throws -> Bool {
        var environment = SecurityEnvironment(home: PaviseHome(path: try TemporaryFolder().path))
        environment.logs = TransparencyLogList(logs.map(\.entry), date: date)
        return try SecurityEnvironment.$override.withValue(environment) {
            try result(trust)[kSecTrustCertificateTransparency as String] as? Bool ?? false
        }
    }

    private static func promises(_ logs: [Log], _ certificate: [UInt8]) throws -> CFArray {
        try logs.map { Data(try $0.promise(.certificate(certificate))) } as CFArray
    }

    @Test func `timestamps of the handshake of two known logs qualify a chain`() throws {
        let logs = [try Log(), try Log()]
        let chain = try TrustFixture().chain()
        let trust = try Self.trust(chain)
        #expect(try !Self.isLogged(trust, logs))
        #expect(try SecTrustSetSignedCertificateTimestamps(trust, Self.promises(logs, chain.leaf)) == errSecSuccess)
        #expect(try Self.isLogged(trust, logs))
        #expect(try !Self.isLogged(trust, [logs[0]]) && !Self.isLogged(trust, []))
        #expect(try Self.isLogged(trust, logs, date: TrustFixture.now - 60 * TrustFixture.day))
        #expect(try !Self.isLogged(trust, logs, date: TrustFixture.now - 60 * TrustFixture.day - 1))
        #expect(SecTrustSetSignedCertificateTimestamps(trust, nil) == errSecSuccess)
        #expect(try !Self.isLogged(trust, logs))
    }

    @Test func `timestamps inside the certificate qualify it, and those of another certificate do not`() throws {
        let logs = [try Log(), try Log()]
        #expect(try Self.isLogged(Self.trust(`Timestamps in chains`.chain(logs)), logs))
        let chain = try TrustFixture().chain()
        let trust = try Self.trust(chain)
        SecTrustSetSignedCertificateTimestamps(trust, try Self.promises(logs, chain.middle))
        #expect(try !Self.isLogged(trust, logs))
    }

    @Test func `what is no timestamp does not hide those that are, and what is no data is refused`() throws {
        let logs = [try Log(), try Log()]
        let chain = try TrustFixture().chain()
        let trust = try Self.trust(chain)
        let junk = [Data(), Data([1]), Data(repeating: 7, count: 70_000)]
        let good = try Self.promises(logs, chain.leaf) as? [Data] ?? []
        #expect(SecTrustSetSignedCertificateTimestamps(trust, (junk + good) as CFArray) == errSecSuccess)
        #expect(try Self.isLogged(trust, logs))
        #expect(SecTrustSetSignedCertificateTimestamps(trust, ["text"] as CFArray) == errSecParam)
        #expect(try Self.isLogged(trust, logs))
    }

    @Test func `new timestamps drop the result`() throws {
        let trust = try Self.trust(TrustFixture().chain())
        #expect(try Self.result(trust).count == 2)
        SecTrustSetSignedCertificateTimestamps(trust, [] as CFArray)
        var result = SecTrustResultType.otherError
        SecTrustGetTrustResult(trust, &result)
        #expect(result == .invalid)
    }
}
