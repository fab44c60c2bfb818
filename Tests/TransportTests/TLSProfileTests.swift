import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseTransport

/// The named profile of BSI TR-02102-2 (TR1 to TR3, Documentation/Controls/Transport.md).
@Suite struct TLSProfileTests {
    private let profile = TLSClientProfile.tr02102

    private func lab(
        _ tls: LabTLS, _ leaf: LeafProfile = LeafProfile(), exception: ATSException? = nil,
        profile: TrustPolicy.TLSProfile = .tr02102
    ) throws -> EnforcedLab {
        try EnforcedLab(.localhost(exception), profile: leaf, tls: tls, profile: profile)
    }

    @Test("TR1: the profile has what TR-02102-2 and ATS both list, and nothing else")
    func lists() {
        // TR-02102-2 §3.3.1 and §3.4.4, without CCM, which App Transport Security does not have.
        #expect(
            Set(profile.suites.split(separator: ":")) == [
                "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-RSA-AES128-GCM-SHA256",
                "ECDHE-RSA-AES256-GCM-SHA384",
            ])
        #expect(
            Set(profile.modernSuites.split(separator: ":")) == ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"])
        #expect(Set(profile.groups.split(separator: ":")) == ["P-256", "P-384", "P-521"])
        #expect(
            profile.signatures.split(separator: ":").allSatisfy {
                $0.hasPrefix("ECDSA+SHA") || $0.hasPrefix("RSA-PSS+SHA") || $0.hasPrefix("rsa_pss_pss_sha")
            })
        #expect(profile.minimumVersion == .tls12)
        let usual = Set(TLSClientProfile.ats.suites.split(separator: ":"))
        #expect(usual.isSuperset(of: profile.suites.split(separator: ":")))
    }

    @Test(
        "TR2: servers that can do what the profile offers are reached, by TLS 1.2 and 1.3",
        arguments: [
            (LabTLS(maximum: .tls12), LeafProfile(), "TLSv1.2", "GCM"),
            (LabTLS(maximum: .tls12), LeafProfile(key: .rsa(bits: 3072)), "TLSv1.2", "GCM"),
            (LabTLS(), LeafProfile(), "TLSv1.3", "TLS_AES_256_GCM_SHA384"),
            (LabTLS(), LeafProfile(key: .rsa(bits: 3072)), "TLSv1.3", "TLS_AES_256_GCM_SHA384"),
        ])
    func reached(_ tls: LabTLS, _ leaf: LeafProfile, _ version: String, _ suite: String) async throws {
        let lab = try lab(tls, leaf)
        let answer = try await lab.get()
        #expect(answer.body == Array("hello".utf8))
        #expect(answer.connection.tlsVersion == version)
        #expect(answer.connection.cipherSuite?.contains(suite) == true)
    }

    @Test(
        "TR2: a server that has only what the profile leaves out is not, whatever an exception allows",
        arguments: [
            LabTLS(minimum: .tls10, maximum: .tls11, securityLevel: 0),
            LabTLS(maximum: .tls12, suites: "ECDHE-ECDSA-CHACHA20-POLY1305"),
            LabTLS(maximum: .tls12, suites: "ECDHE-ECDSA-AES128-SHA"),
            LabTLS(maximum: .tls12, suites: "ECDHE-ECDSA-AES256-SHA384"),
        ])
    func leftOut(_ tls: LabTLS) async throws {
        let exception = ATSException(
            allowsInsecureHTTPLoads: true, requiresForwardSecrecy: false, minimumTLSVersion: .tls10)
        let strict = try lab(tls, exception: exception)
        let found = await failure { () async throws(TransportFailure) in try await strict.get() }
        guard case .tls = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        // The same server under the usual profile with that exception: what is refused is refused by the profile.
        let usual = try lab(tls, exception: exception, profile: .ats)
        #expect(try await usual.get().body == Array("hello".utf8))
    }

    @Test("TR3: an RSA key of 2,048 bits is too small, of 3,072 it is not; an exception changes nothing")
    func keys() async throws {
        let leaf = LeafProfile(key: .rsa(bits: 2048))
        let exception = ATSException(allowsInsecureHTTPLoads: true, requiresForwardSecrecy: false)
        for each in [nil, exception] {
            let strict = try lab(LabTLS(), leaf, exception: each)
            let found = await failure { () async throws(TransportFailure) in try await strict.get() }
            guard case .refusedByATS(let refusal) = found else {
                Issue.record("\(String(describing: found))")
                return
            }
            #expect("\(refusal)".contains("2048"))
        }
        #expect(try await lab(LabTLS(), leaf, profile: .ats).get().status == 200)
    }

    @Test("TR3: no request goes out by plain http, which an exception would allow")
    func plain() async throws {
        let configuration = ATSConfiguration.localhost(ATSException(allowsInsecureHTTPLoads: true))
        var policy = TrustPolicy()
        policy.tls = .tr02102
        let client = try HTTPClient(policy: policy, configuration: configuration)
        let url = try WebURL("http://localhost:9/")
        let found = await failure { () async throws(TransportFailure) in try await client.send(HTTPRequest("GET", url))
        }
        guard case .refusedByATS(let refusal) = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect("\(refusal)".contains("tr-02102-2"))
    }
}
