import Dispatch
import Foundation
import PaviseLab
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// Apple's adapter of trust meets the lab's chains: every reason is told, in the words of the adapter, and what cannot
/// be forgiven leaves nothing to approve.
@Suite struct ServerTrustTests {
    /// One server and what the adapter has to say about it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var profile = LeafProfile()
        var host = "localhost"
        var isKnown = true
        let kinds: [TrustFinding.Kind]
        /// Whether a person may approve the certificate.
        var canBeApproved = true
    }

    static let cases = [
        Case(testDescription: "a good one", kinds: []),
        Case(testDescription: "another host", host: "other.example", kinds: [.wrongHost]),
        Case(testDescription: "expired", profile: LeafProfile(validity: .expired), kinds: [.expired]),
        Case(testDescription: "not yet valid", profile: LeafProfile(validity: .notYetValid), kinds: [.notYetValid]),
        Case(testDescription: "an unknown authority", isKnown: false, kinds: [.unknownAuthority]),
        Case(testDescription: "self-signed", profile: LeafProfile(isSelfSigned: true), kinds: [.selfSigned]),
        Case(
            testDescription: "expired, for another host, of an unknown authority",
            profile: LeafProfile(validity: .expired), host: "other.example", isKnown: false,
            kinds: [.unknownAuthority, .wrongHost, .expired]),
        Case(
            testDescription: "for clients", profile: LeafProfile(purposes: [.client]), kinds: [.wrongPurpose],
            canBeApproved: false),
        Case(
            testDescription: "a short key", profile: LeafProfile(key: .rsa(bits: 1024)), kinds: [.weakKey],
            canBeApproved: false),
        Case(
            testDescription: "a broken hash", profile: LeafProfile(signature: .sha1), kinds: [.weakSignature],
            canBeApproved: false),
    ]

    private func verdict(_ item: Case) throws -> TrustVerdict {
        let authority = try CertificateAuthority(hasIntermediate: true)
        let anchor = item.isKnown ? authority.anchor : try CertificateAuthority(name: "Another").anchor
        return ServerTrust.evaluate(
            chain: try authority.issue(item.profile).chain, host: item.host, at: TimeSource.system.wallSeconds,
            anchors: .only([anchor]))
    }

    @Test(arguments: cases)
    func `each fault of a server is told, and what cannot be forgiven cannot be approved`(_ item: Case) throws {
        let verdict = try verdict(item)
        #expect(Set(verdict.failures.map(\.kind)) == Set(item.kinds))
        #expect(verdict.isTrusted == item.kinds.isEmpty)
        #expect((verdict.leaf != nil) == item.canBeApproved)
    }

    @Test(
        arguments: [
            (errSecHostNameMismatch, .wrongHost), (errSecCertificateExpired, .expired),
            (errSecCertificateNotValidYet, .notYetValid), (errSecNotTrusted, .unknownAuthority),
            (errSecCreateChainFailed, .unknownAuthority), (errSecCertificateRevoked, .revoked),
            (errSecIncompleteCertRevocationCheck, .revocationUnknown), (errSecUnsupportedKeySize, .weakKey),
            (errSecInvalidDigestAlgorithm, .weakSignature), (errSecInvalidExtendedKeyUsage, .wrongPurpose),
            (errSecInvalidKeyUsageForPolicy, .wrongPurpose), (errSecInternalComponent, .notCompliant),
            (-1, .notCompliant),
        ] as [(OSStatus, TrustFinding.Kind)])
    func `each status of the system is one reason, and a revoked chain is none that a person can approve`(
        _ status: OSStatus, _ kind: TrustFinding.Kind
    ) throws {
        let leaf = try CertificateAuthority().issue(LeafProfile()).leaf
        let facts = try #require(CertificateFacts(der: leaf))
        #expect(TrustFinding.Kind(status, facts: facts, pathCount: 2, seconds: facts.notAfter + 1) == kind)
    }

    @Test func `only host, time and authority can be approved`() {
        let forgiven = TrustFinding.Kind.allCases.filter(\.canBeForgiven)
        #expect(Set(forgiven) == [.wrongHost, .expired, .notYetValid, .unknownAuthority, .selfSigned])
    }

    @Test func `the leaf that a person would approve is the server's own`() throws {
        let authority = try CertificateAuthority(hasIntermediate: true)
        let identity = try authority.issue(LeafProfile(validity: .expired))
        let verdict = ServerTrust.evaluate(
            chain: identity.chain, host: "localhost", at: TimeSource.system.wallSeconds,
            anchors: .only([authority.anchor]))
        #expect(verdict.leaf?.fingerprint == identity.fingerprint)
        #expect(verdict.leaf?.spki == identity.pin)
        #expect(verdict.path.first == identity.leaf)
    }

    @Test func `the names that a person reads begin no line, turn no text round and write to no terminal`() throws {
        let authority = try CertificateAuthority(name: "Own\u{2029}root")
        let identity = try authority.issue(LeafProfile(commonName: "a\u{2028}b\u{202E}c\u{1B}[2J\nd"))
        let verdict = ServerTrust.evaluate(
            chain: identity.chain, host: "localhost", at: TimeSource.system.wallSeconds,
            anchors: .only([authority.anchor]))
        let leaf = try #require(verdict.leaf)
        #expect(leaf.subject == #"a\u{2028}b\u{202e}c\u{1b}[2J\u{a}d"#)
        #expect(leaf.issuer == #"Own\u{2029}root"#)
    }

    @Test(arguments: [[], [[]], [[0x30, 0x03, 1, 1, 0]], [Array(repeating: 0xFF, count: 10_000)]] as [[[UInt8]]])
    func `what is no chain is refused, with nothing to approve`(_ chain: [[UInt8]]) {
        let verdict = ServerTrust.evaluate(chain: chain, host: "localhost", at: 1_900_000_000, anchors: .only([]))
        #expect(!verdict.isTrusted && verdict.leaf == nil)
        #expect(verdict.failures.map(\.kind) == [.notCompliant])
    }

    /// What no two threads may share.
    private final class Notes {
        var isTrusted: Bool?
    }

    @Test func `the answer on a queue goes to a closure that holds what is not Sendable, as Apple's does`() throws {
        let authority = try CertificateAuthority(hasIntermediate: true)
        let certificates = try authority.issue(LeafProfile()).chain.compactMap {
            SecCertificateCreateWithData(nil, Data($0) as CFData)
        }
        var made: SecTrust?
        let policy = SecPolicyCreateSSL(true, "localhost" as NSString)
        #expect(SecTrustCreateWithCertificates(certificates as CFArray, policy, &made) == errSecSuccess)
        let trust = try #require(made)
        let anchor = try #require(SecCertificateCreateWithData(nil, Data(authority.anchor) as CFData))
        SecTrustSetAnchorCertificates(trust, [anchor] as CFArray)
        let notes = Notes()
        let isDone = DispatchSemaphore(value: 0)
        let status = SecTrustEvaluateAsyncWithError(trust, DispatchQueue.global()) { _, isTrusted, error in
            notes.isTrusted = isTrusted && error == nil
            isDone.signal()
        }
        isDone.wait()
        #expect(status == errSecSuccess && notes.isTrusted == true)
    }
}
