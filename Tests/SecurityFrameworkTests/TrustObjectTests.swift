import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// Certificates, policies and trust objects through Apple's functions.
@Suite struct `Trust objects` {
    private static func certificate(_ der: [UInt8]) throws -> SecCertificate {
        try #require(SecCertificateCreateWithData(nil, Data(der) as CFData))
    }

    private static func trust(_ chain: TrustFixture.Chain, host: String?) throws -> SecTrust {
        var made: SecTrust?
        let certificates = try [certificate(chain.leaf), certificate(chain.middle)]
        let policy = SecPolicyCreateSSL(true, host as CFString?)
        let status = SecTrustCreateWithCertificates(certificates as CFArray, policy, &made)
        #expect(status == errSecSuccess)
        let trust = try #require(made)
        #expect(SecTrustSetVerifyDate(trust, NSDate(timeIntervalSince1970: TimeInterval(TrustFixture.now))) == 0)
        #expect(try SecTrustSetAnchorCertificates(trust, [certificate(chain.root)] as CFArray) == errSecSuccess)
        return trust
    }

    private static func error(_ trust: SecTrust) -> NSError? {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        #expect(isTrusted == (error == nil))
        return error
    }

    private static func result(_ trust: SecTrust) -> SecTrustResultType {
        var result = SecTrustResultType.otherError
        SecTrustGetTrustResult(trust, &result)
        return result
    }

    @Test func `a sound chain evaluates to true and gives its path and key`() throws {
        let chain = try TrustFixture().chain()
        let trust = try Self.trust(chain, host: TrustFixture.host)
        #expect(Self.result(trust) == .invalid)
        #expect(Self.error(trust) == nil && Self.result(trust) == .unspecified)
        let path = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        #expect(path?.map(\.der) == [chain.leaf, chain.middle, chain.root])
        let key = try #require(SecTrustCopyKey(trust))
        #expect(key == SecCertificateCopyKey(try Self.certificate(chain.leaf)))
    }

    @Test func `an error carries the first finding, and all findings underneath`() throws {
        var fixture = TrustFixture()
        fixture.leaf.notAfter = TrustFixture.now - 1
        let trust = try Self.trust(fixture.chain(), host: "other.example.com")
        let error = try #require(Self.error(trust))
        #expect(error.domain == "NSOSStatusErrorDomain" && error.code == -67602)
        let details = (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedDescription ?? ""
        #expect(details.contains("-67602") && details.contains("-67818"))
        #expect(Self.result(trust) == .recoverableTrustFailure)
    }

    @Test func `setting anchors means these and no others; any change drops the result`() throws {
        let chain = try TrustFixture().chain()
        let trust = try Self.trust(chain, host: TrustFixture.host)
        #expect(Self.error(trust) == nil)
        #expect(SecTrustSetAnchorCertificates(trust, [] as CFArray) == errSecSuccess)
        #expect(Self.result(trust) == .invalid)
        #expect(Self.error(trust)?.code == -25318)
        #expect(SecTrustSetAnchorCertificates(trust, nil) == errSecSuccess)
        #expect(Self.error(trust)?.code == -25318)
    }

    @Test func `other policies ask for less`() throws {
        let trust = try Self.trust(TrustFixture().chain(), host: "other.example.com")
        #expect(Self.error(trust)?.code == -67602)
        #expect(SecTrustSetPolicies(trust, SecPolicyCreateBasicX509()) == errSecSuccess)
        #expect(Self.error(trust) == nil)
        let both = [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, "other.example.com" as NSString)]
        #expect(SecTrustSetPolicies(trust, both as CFArray) == errSecSuccess)
        #expect(Self.error(trust)?.code == -67602)
        #expect(SecTrustSetPolicies(trust, [] as CFArray) == errSecParam)
        #expect(SecTrustSetPolicies(trust, "no policy" as NSString) == errSecParam)
    }

    @Test func `exceptions hold for one leaf and what failed, and nothing fatal`() throws {
        var fixture = TrustFixture()
        fixture.leaf.notAfter = TrustFixture.now - 1
        let chain = try fixture.chain()
        let trust = try Self.trust(chain, host: TrustFixture.host)
        let exceptions = try #require(SecTrustCopyExceptions(trust))
        #expect(SecTrustSetExceptions(trust, exceptions))
        #expect(Self.error(trust) == nil && Self.result(trust) == .proceed)
        #expect(SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "other.example.com" as NSString)) == 0)
        #expect(Self.error(trust)?.code == -67602)
        let other = try Self.trust(fixture.chain(), host: TrustFixture.host)
        #expect(!SecTrustSetExceptions(other, exceptions) && Self.error(other)?.code == -67818)
        #expect(!SecTrustSetExceptions(trust, Data([1, 2, 3]) as CFData) && !SecTrustSetExceptions(trust, nil))
        fixture.leafKind = .rsa(bits: 512)
        let fatal = try Self.trust(fixture.chain(), host: TrustFixture.host)
        #expect(SecTrustSetExceptions(fatal, SecTrustCopyExceptions(fatal)))
        #expect(Self.error(fatal)?.code == -67735 && Self.result(fatal) == .fatalTrustFailure)
    }

    @Test func `exceptions that somebody else wrote excuse nothing fatal`() throws {
        var fixture = TrustFixture()
        fixture.leafKind = .rsa(bits: 512)
        let chain = try fixture.chain()
        let trust = try Self.trust(chain, host: TrustFixture.host)
        // As SecTrustCopyExceptions writes them: the leaf's digest, then the certificate's index and the code.
        let code = UInt32(bitPattern: -67735)
        let entry = [UInt8(0)] + stride(from: 24, through: 0, by: -8).map { UInt8(code >> UInt32($0) & 255) }
        let written = Data(Hash.digest(.sha256, chain.leaf) + entry)
        #expect(SecTrustSetExceptions(trust, written as CFData))
        #expect(Self.error(trust)?.code == -67735 && Self.result(trust) == .fatalTrustFailure)
    }

    @Test func `a certificate gives its parts`() throws {
        let certificate = try Self.certificate(TrustFixture().chain().leaf)
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "Leaf")
        #expect(SecCertificateCopySerialNumberData(certificate, nil) as Data? == Data([1, 2, 3]))
        #expect(SecCertificateCopyData(certificate) as Data == Data(certificate.der))
        #expect(CFGetTypeID(certificate) == SecCertificateGetTypeID())
        #expect(SecCertificateCreateWithData(nil, Data(certificate.der + [0]) as CFData) == nil)
        #expect(SecCertificateCreateWithData(nil, Data() as CFData) == nil)
        #expect(certificate == SecCertificateCreateWithData(nil, Data(certificate.der) as CFData))
    }
}
