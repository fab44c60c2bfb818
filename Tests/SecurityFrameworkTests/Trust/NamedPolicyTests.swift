import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// SecPolicyCreateWithProperties: what each named policy demands, by the header and by Apple's published rules.
@Suite struct `Policies by name` {
    private static func policy(_ identifier: CFString, _ properties: [CFString: Any]? = nil) -> SecPolicy? {
        SecPolicyCreateWithProperties(identifier, properties.map { $0 as NSDictionary })
    }

    private static func properties(_ policy: SecPolicy?) -> [String: Any] {
        policy.flatMap { SecPolicyCopyProperties($0) as? [String: Any] } ?? [:]
    }

    /// The code of the first failure of a leaf with these extensions; 0 where there is none.
    private static func code(
        _ identifier: CFString, _ properties: [CFString: Any]? = nil, leaf: KeyValuePairs<String, String?> = [:],
        middle: KeyValuePairs<String, String?> = [:], kind: IssuingKey.Kind = .ec256
    ) throws -> Int {
        var fixture = TrustFixture()
        fixture.leafKind = kind
        for (name, value) in leaf { fixture.leaf.set(name, value) }
        for (name, value) in middle { fixture.middle.set(name, value) }
        let chain = try fixture.chain()
        let certificates = [chain.leaf, chain.middle, chain.root].compactMap {
            SecCertificateCreateWithData(nil, Data($0) as CFData)
        }
        var made: SecTrust?
        let policy = try #require(Self.policy(identifier, properties))
        SecTrustCreateWithCertificates(Array(certificates.dropLast()) as CFArray, policy, &made)
        let trust = try #require(made)
        SecTrustSetVerifyDate(trust, NSDate(timeIntervalSince1970: TimeInterval(TrustFixture.now)))
        SecTrustSetAnchorCertificates(trust, [certificates[2]] as CFArray)
        var error: CFError?
        _ = SecTrustEvaluateWithError(trust, &error)
        return error?.code ?? 0
    }

    @Test func `the older functions' policies have names, too`() {
        #expect(Self.policy(kSecPolicyAppleX509Basic) == SecPolicyCreateBasicX509())
        let name: [CFString: Any] = [kSecPolicyName: "a.example.com"]
        let server = SecPolicyCreateSSL(true, "a.example.com" as NSString)
        #expect(Self.policy(kSecPolicyAppleSSL, name) == server)
        #expect(Self.policy(kSecPolicyAppleSSLServer, name.merging([kSecPolicyClient: true]) { $1 }) == server)
        #expect(Self.policy(kSecPolicyAppleSSL, [kSecPolicyClient: true]) == SecPolicyCreateSSL(false, nil))
        #expect(Self.policy(kSecPolicyAppleSSLClient) == SecPolicyCreateSSL(false, nil))
        #expect(
            Self.policy(kSecPolicyAppleRevocation)
                == SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod))
        let hard = kSecRevocationOCSPMethod | kSecRevocationRequirePositiveResponse
        #expect(
            Self.policy(kSecPolicyAppleRevocation, [kSecPolicyRevocationFlags: hard])
                == SecPolicyCreateRevocation(hard))
        #expect(Self.policy(kSecPolicyAppleRevocation, [kSecPolicyRevocationFlags: 0]) == nil)
    }

    @Test func `what is not known here is no policy, never a weaker one`() {
        let all: [CFString: Any] = [kSecPolicyName: "a.example.com", kSecPolicyTeamIdentifier: "ABCDE12345"]
        let identifiers = [
            kSecPolicyApplePKINITClient, kSecPolicyApplePKINITServer, kSecPolicyAppleIDValidation,
            kSecPolicyMacAppStoreReceipt, kSecPolicyApplePassbookSigning, kSecPolicyApplePayIssuerEncryption, "",
            "1.2.840.113635.100.1", "1.2.840.113635.100.1.999", "ssl",
        ]
        for identifier in identifiers {
            #expect(Self.policy(identifier) == nil && Self.policy(identifier, all) == nil, "\(identifier)")
        }
    }

    @Test func `a property of another kind makes no policy`() {
        #expect(SecPolicyCreateWithProperties(NSNumber(value: 3), nil) == nil)
        for name in [7, ["a.example.com"], [7]] as [Any] {
            #expect(Self.policy(kSecPolicyAppleSSL, [kSecPolicyName: name]) == nil)
            #expect(Self.policy(kSecPolicyAppleSMIME, [kSecPolicyName: name]) == nil)
        }
        #expect(Self.policy(kSecPolicyAppleEAP, [kSecPolicyName: [7]]) == nil)
        #expect(Self.policy(kSecPolicyAppleEAP, [kSecPolicyName: ["a.example.com"]]) != nil)
        #expect(Self.policy(kSecPolicyAppleRevocation, [kSecPolicyRevocationFlags: "all"]) == nil)
        for client in [1, "true"] as [Any] {
            #expect(Self.policy(kSecPolicyAppleSSL, [kSecPolicyClient: client]) == nil)
        }
    }

    @Test func `a client of TLS has the name that its policy asks for`() throws {
        let client: KeyValuePairs<String, String?> = ["extendedKeyUsage": "clientAuth"]
        func code(_ name: String?) throws -> Int {
            var properties: [CFString: Any] = [kSecPolicyClient: true]
            properties[kSecPolicyName] = name
            return try Self.code(kSecPolicyAppleSSL, properties, leaf: client)
        }
        #expect(try code(TrustFixture.host) == 0 && code(nil) == 0)
        #expect(try code("other.example.com") == -67602)
        let policy = SecPolicyCreateSSL(false, "a.example.com" as NSString)
        #expect(Self.properties(policy)["SecPolicyName"] as? String == "a.example.com")
        #expect(Self.policy(kSecPolicyAppleSSLClient, [kSecPolicyName: "a.example.com"]) == policy)
    }

    @Test func `the properties come back under the policy's own identifier`() {
        let mail = Self.properties(Self.policy(kSecPolicyAppleSMIME, [kSecPolicyName: "anna@example.com"]))
        #expect(mail["SecPolicyOid"] as? String == "1.2.840.113635.100.1.8")
        #expect(mail["SecPolicyName"] as? String == "anna@example.com" && mail["SecPolicyClient"] == nil)
        let network = Self.properties(Self.policy(kSecPolicyAppleEAPClient, [kSecPolicyName: ["a", "b"]]))
        #expect(network["SecPolicyOid"] as? String == kSecPolicyAppleEAP as String)
        #expect(network["SecPolicyName"] as? [String] == ["a", "b"] && network["SecPolicyClient"] as? Bool == true)
        let tunnel = Self.properties(Self.policy(kSecPolicyAppleIPSecServer, [kSecPolicyName: "a"]))
        #expect(tunnel["SecPolicyOid"] as? String == kSecPolicyAppleIPsec as String)
        for identifier in [kSecPolicyAppleCodeSigning, kSecPolicyAppleTimeStamping, kSecPolicyAppleSSL] {
            #expect(Self.properties(Self.policy(identifier))["SecPolicyOid"] as? String == identifier as String)
        }
    }

    private static let mail = "email:Anna@example.com"

    @Test func `mail demands the address, whatever its case, and the purpose where purposes are named`() throws {
        func code(_ address: String, _ purposes: String?, usage: String? = nil) throws -> Int {
            try Self.code(
                kSecPolicyAppleSMIME, [kSecPolicyName: address],
                leaf: ["subjectAltName": Self.mail, "extendedKeyUsage": purposes, "keyUsage": usage])
        }
        #expect(try code("anna@EXAMPLE.com", "emailProtection") == 0)
        #expect(try code("anna@example.com", nil) == 0)
        #expect(try code("bert@example.com", "emailProtection") == -67602)
        #expect(try code("anna@example.com", "serverAuth") == -67609)
        #expect(try code("anna@example.com", "anyExtendedKeyUsage") == -67609)
        #expect(try code("anna@example.com", nil, usage: "digitalSignature") == 0)
        #expect(try code("anna@example.com", nil, usage: "keyAgreement") == 0)
        #expect(try code("anna@example.com", nil, usage: "keyCertSign") == -67608)
    }

    @Test func `code demands its purpose in words, and a key usage that signs`() throws {
        func code(_ purposes: String?, _ usage: String?) throws -> Int {
            try Self.code(kSecPolicyAppleCodeSigning, leaf: ["extendedKeyUsage": purposes, "keyUsage": usage])
        }
        #expect(try code("codeSigning", "digitalSignature") == 0 && code("codeSigning", "nonRepudiation") == 0)
        #expect(try code("anyExtendedKeyUsage", "digitalSignature") == 0)
        #expect(try code(nil, "digitalSignature") == -67609 && code("serverAuth", "digitalSignature") == -67609)
        #expect(try code("codeSigning", "keyEncipherment") == -67608 && code("codeSigning", nil) == -67608)
    }

    @Test func `an authority that names purposes must name the one that is asked for, or any`() throws {
        func code(_ purposes: String?) throws -> Int {
            try Self.code(
                kSecPolicyAppleTimeStamping, leaf: ["extendedKeyUsage": "timeStamping"],
                middle: ["extendedKeyUsage": purposes])
        }
        #expect(try code(nil) == 0 && code("timeStamping") == 0 && code("anyExtendedKeyUsage") == 0)
        #expect(try code("serverAuth") == -67609)
    }

    @Test func `times demand their purpose, and any other is none`() throws {
        func code(_ purposes: String?) throws -> Int {
            try Self.code(kSecPolicyAppleTimeStamping, leaf: ["extendedKeyUsage": purposes])
        }
        #expect(try code("timeStamping") == 0)
        #expect(try code("anyExtendedKeyUsage") == -67609 && code(nil) == -67609 && code("serverAuth") == -67609)
    }

    @Test func `a network's server has one of the expected names, which alone may have a wildcard`() throws {
        func code(_ names: [String]?, leaf: String = "DNS:\(TrustFixture.host)") throws -> Int {
            try Self.code(
                kSecPolicyAppleEAP, names.map { [kSecPolicyName: $0] }, leaf: ["subjectAltName": leaf])
        }
        #expect(try code(nil) == 0 && code(["other.example.com", TrustFixture.host]) == 0)
        #expect(try code(["*.example.com"]) == 0)
        #expect(try code(["other.example.com"]) == -67602 && code([]) == -67602)
        #expect(try code([TrustFixture.host], leaf: "DNS:*.example.com") == -67602)
        #expect(try code(["*.example.com"], leaf: "DNS:*.example.com") == -67602)
    }

    @Test func `networks demand the purpose of their side, tunnels demand none`() throws {
        let clients: KeyValuePairs<String, String?> = ["extendedKeyUsage": "clientAuth"]
        #expect(try Self.code(kSecPolicyAppleEAPServer, leaf: clients) == -67609)
        #expect(try Self.code(kSecPolicyAppleEAPClient, leaf: clients) == 0)
        #expect(try Self.code(kSecPolicyAppleIPSecServer, leaf: clients) == 0)
        let host: [CFString: Any] = [kSecPolicyName: "other.example.com"]
        #expect(try Self.code(kSecPolicyAppleIPsec, host) == -67602)
        #expect(try Self.code(kSecPolicyAppleIPsec, [kSecPolicyName: TrustFixture.host]) == 0)
    }

    @Test func `a small key is too weak for mail, and not for a company's network`() throws {
        let leaf: KeyValuePairs<String, String?> = ["extendedKeyUsage": "emailProtection,serverAuth"]
        #expect(try Self.code(kSecPolicyAppleSMIME, leaf: leaf, kind: .rsa(bits: 1024)) == -67735)
        #expect(try Self.code(kSecPolicyAppleEAP, leaf: leaf, kind: .rsa(bits: 1024)) == 0)
    }
}
