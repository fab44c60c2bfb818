import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// RFC 6960: what a stapled answer is worth.
@Suite struct `Stapled answers` {
    private static func kind(
        _ chain: TrustFixture.Chain, _ answers: [[UInt8]], _ demand: RevocationDemand = .usableWhenPresent
    ) -> TrustFinding.Kind? {
        var request = TrustFixture.request(chain)
        request.evidence = RevocationEvidence(lists: [], answers: answers)
        request.revocation = demand
        return ServerTrust.evaluate(request).failures.first?.kind
    }

    private static func kind(_ change: (inout AnswerTemplate) -> Void) throws -> TrustFinding.Kind? {
        let chain = try TrustFixture().chain()
        var template = AnswerTemplate()
        change(&template)
        return kind(chain, [try template.give(about: chain.leaf, of: chain.middle, chain.middleKey)])
    }

    @Test func `revoked is refused for good, good is trusted, unknown is no answer`() throws {
        #expect(try Self.kind { $0.word = AnswerTemplate.revoked } == .revoked(at: TrustFixture.now - 7_200, reason: 1))
        #expect(try Self.kind { _ in } == nil)
        #expect(
            try Self.kind { $0.word = AnswerTemplate.unknown } == .revocationUnknown(.answer(.unknownCertificate)))
    }

    @Test func `an answer counts within its time, five minutes of doubt on both sides`() throws {
        let now = TrustFixture.now
        #expect(try Self.kind { $0.thisUpdate = now + 300 } == nil)
        #expect(
            try Self.kind { $0.thisUpdate = now + 301 }
                == .revocationUnknown(.answer(.notYetValid(thisUpdate: now + 301))))
        #expect(try Self.kind { $0.nextUpdate = now - 300 } == nil)
        #expect(try Self.kind { $0.nextUpdate = now - 301 } == .revocationUnknown(.answer(.outdated)))
    }

    @Test func `an answer that names no end counts for a day`() throws {
        func kind(age: Int64) throws -> TrustFinding.Kind? {
            try Self.kind {
                $0.nextUpdate = nil
                $0.thisUpdate = TrustFixture.now - age
            }
        }
        #expect(try kind(age: 86_700) == nil)
        #expect(try kind(age: 86_701) == .revocationUnknown(.answer(.outdated)))
    }

    @Test func `an answer about another certificate says nothing`() throws {
        let chain = try TrustFixture().chain()
        let other = try TrustFixture().chain()
        let answer = try AnswerTemplate(word: AnswerTemplate.revoked)
            .give(about: other.leaf, of: other.middle, other.middleKey)
        #expect(Self.kind(chain, [answer]) == nil)
        #expect(Self.kind(chain, [answer], .hard) == .revocationUnknown(.nothingKnown))
    }

    @Test func `an answer by a stranger, a leaf or the root above is not taken`() throws {
        let chain = try TrustFixture().chain()
        for key in [chain.rootKey, chain.leafKey] {
            let answer = try AnswerTemplate().give(about: chain.leaf, of: chain.middle, key)
            #expect(Self.kind(chain, [answer]) == .revocationUnknown(.answer(.notAuthorized)))
        }
    }

    @Test func `a service is believed when the issuer itself certified it for this, and for no other reason`() throws {
        let chain = try TrustFixture().chain()
        let key = try IssuingKey(generating: .ec256)
        func kind(
            _ change: (inout CertificateTemplate) -> Void, issuer: [UInt8], _ issuerKey: IssuingKey
        ) throws -> TrustFinding.Kind? {
            var template = TrustFixture.certificate("Service", ["extendedKeyUsage": "OCSPSigning"])
            change(&template)
            let service = try CertificateIssuing.issue(template, for: key, issuer: issuer, issuerKey: issuerKey)
            let answer = try AnswerTemplate(service: service).give(about: chain.leaf, of: chain.middle, key)
            return Self.kind(chain, [answer])
        }
        let refused = TrustFinding.Kind.revocationUnknown(.answer(.notAuthorized))
        #expect(try kind({ _ in }, issuer: chain.middle, chain.middleKey) == nil)
        #expect(try kind({ $0.set("extendedKeyUsage", nil) }, issuer: chain.middle, chain.middleKey) == refused)
        #expect(
            try kind({ $0.set("extendedKeyUsage", "anyExtendedKeyUsage") }, issuer: chain.middle, chain.middleKey)
                == refused)
        #expect(try kind({ $0.notAfter = TrustFixture.now - 1 }, issuer: chain.middle, chain.middleKey) == refused)
        #expect(try kind({ $0.hash = .sha1 }, issuer: chain.middle, chain.middleKey) == refused)
        #expect(try kind({ $0.set("keyUsage", "keyAgreement") }, issuer: chain.middle, chain.middleKey) == refused)
        #expect(try kind({ _ in }, issuer: chain.root, chain.rootKey) == refused)
        #expect(try kind({ _ in }, issuer: chain.middle, chain.rootKey) == refused)
    }

    @Test(arguments: [512, 1023, 1024]) func `a service with a key that no certificate may have is not believed`(
        _ bits: Int
    ) throws {
        let chain = try TrustFixture().chain()
        let key = try IssuingKey(generating: .rsa(bits: bits))
        let service = try CertificateIssuing.issue(
            TrustFixture.certificate("Service", ["extendedKeyUsage": "OCSPSigning"]), for: key, issuer: chain.middle,
            issuerKey: chain.middleKey)
        let answer = try AnswerTemplate(service: service).give(about: chain.leaf, of: chain.middle, key)
        #expect(Self.kind(chain, [answer]) == (bits < 1024 ? .revocationUnknown(.answer(.notAuthorized)) : nil))
    }

    @Test func `what is unsuccessful, demands something unknown or is cut short is no answer`() throws {
        let chain = try TrustFixture().chain()
        func read(_ change: (inout AnswerTemplate) -> Void) throws -> OCSPResponse? {
            var template = AnswerTemplate()
            change(&template)
            return OCSPResponse(der: try template.give(about: chain.leaf, of: chain.middle, chain.middleKey))
        }
        #expect(try read { _ in } != nil)
        #expect(try read { $0.status = 6 } == nil)
        #expect(try read { $0.extensions = DERWriting.field("1.2.3.4", critical: true, [5, 0]) } == nil)
        #expect(try read { $0.extensions = DERWriting.field("1.3.6.1.5.5.7.48.1.2", [4, 1, 0]) } != nil)
        let answer = try AnswerTemplate().give(about: chain.leaf, of: chain.middle, chain.middleKey)
        for count in answer.indices { #expect(OCSPResponse(der: Array(answer.prefix(count))) == nil) }
        #expect(try read { $0.service = chain.leaf } != nil)
        // Behind the list of certificates, in its wrapper.
        #expect(try read { ($0.service, $0.afterCertificates) = (chain.leaf, [5, 0]) } == nil)
    }

    @Test func `SecTrust refuses what a stapled answer revokes, under every policy`() throws {
        let chain = try TrustFixture().chain()
        let revoked = try AnswerTemplate(word: AnswerTemplate.revoked)
            .give(about: chain.leaf, of: chain.middle, chain.middleKey)
        let good = try AnswerTemplate().give(about: chain.leaf, of: chain.middle, chain.middleKey)
        let trust = try Self.trust(chain, SecPolicyCreateSSL(true, TrustFixture.host as NSString))
        #expect(Self.code(trust) == 0)
        #expect(SecTrustSetOCSPResponse(trust, Data(revoked) as NSData) == 0)
        #expect(Self.code(trust) == -67820)
        #expect(SecTrustSetOCSPResponse(trust, [Data(good) as NSData] as NSArray) == 0)
        #expect(Self.code(trust) == 0)
        #expect(SecTrustSetOCSPResponse(trust, nil) == 0)
        #expect(Self.code(trust) == 0)
        #expect(SecTrustSetOCSPResponse(trust, "no data" as NSString) == -50)
    }

    @Test func `a policy that needs an answer refuses a chain without one`() throws {
        let chain = try TrustFixture().chain()
        let flags = kSecRevocationUseAnyAvailableMethod | kSecRevocationRequirePositiveResponse
        let trust = try Self.trust(chain, try #require(SecPolicyCreateRevocation(flags)))
        #expect(Self.code(trust) == -67635)
        let answers = [
            try AnswerTemplate().give(about: chain.leaf, of: chain.middle, chain.middleKey),
            try AnswerTemplate().give(about: chain.middle, of: chain.root, chain.rootKey),
        ]
        #expect(SecTrustSetOCSPResponse(trust, answers.map { Data($0) as NSData } as NSArray) == 0)
        #expect(Self.code(trust) == 0)
        let soft = try Self.trust(chain, try #require(SecPolicyCreateRevocation(kSecRevocationOCSPMethod)))
        #expect(Self.code(soft) == 0)
        #expect(SecPolicyCreateRevocation(0) == nil)
    }

    // 0 for a trusted chain.
    private static func code(_ trust: SecTrust) -> Int {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        guard !isTrusted else { return 0 }
        return error.map { ($0 as any Error as NSError).code } ?? 1
    }

    private static func trust(_ chain: TrustFixture.Chain, _ policy: SecPolicy) throws -> SecTrust {
        func certificate(_ der: [UInt8]) throws -> SecCertificate {
            try #require(SecCertificateCreateWithData(nil, Data(der) as NSData))
        }
        var trust: SecTrust?
        let certificates = [try certificate(chain.leaf), try certificate(chain.middle)]
        #expect(SecTrustCreateWithCertificates(certificates as NSArray, policy, &trust) == 0)
        let made = try #require(trust)
        SecTrustSetAnchorCertificates(made, [try certificate(chain.root)] as NSArray)
        SecTrustSetVerifyDate(made, NSDate(timeIntervalSince1970: Double(TrustFixture.now)))
        return made
    }
}
