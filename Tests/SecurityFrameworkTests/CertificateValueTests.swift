import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// SecCertificateCopyValues: keys, labels, types and values as macOS gives them.
@Suite struct `Values of a certificate` {
    private static func certificate(
        serial: [UInt8] = [1, 2, 3], _ extensions: KeyValuePairs<String, String> = [:]
    ) throws -> SecCertificate {
        var template = TrustFixture.certificate("Leaf", extensions)
        template.serial = serial
        let key = try IssuingKey(generating: .ec256)
        let der = try CertificateIssuing.issue(template, for: key, issuer: nil, issuerKey: key)
        return try #require(SecCertificateCreateWithData(nil, Data(der) as CFData))
    }

    private static func values(_ certificate: SecCertificate, _ keys: [Any]? = nil) -> [String: [String: Any]]? {
        SecCertificateCopyValues(certificate, keys.map { $0 as NSArray }, nil) as? [String: [String: Any]]
    }

    private static let full: KeyValuePairs<String, String> = [
        "subjectAltName": "DNS:a.example.com,DNS:b.example.com,email:anna@example.com",
        "keyUsage": "critical,digitalSignature,keyAgreement,decipherOnly",
        "extendedKeyUsage": "serverAuth,1.2.840.113635.100.4.1",
    ]

    @Test func `each property has a type, labels and a value`() throws {
        let all = try #require(Self.values(Self.certificate(Self.full)))
        for (key, property) in all {
            #expect(Set(property.keys) == ["type", "label", "localized label", "value"], "\(key)")
        }
        let types = Dictionary(all.map { ($0.key, $0.value["type"] as? String ?? "") }) { $1 }
        #expect(
            types == [
                "2.5.4.3": "array", "1.2.840.113549.1.9.1": "array", "DNSNAMES": "array", "2.5.29.37": "array",
                "2.5.29.15": "number", "2.5.29.17": "section",
                "2.16.840.1.113741.2.1.3.2.1": "section", "2.16.840.1.113741.2.1.1.1.2": "string",
                "2.16.840.1.113741.2.1.1.1.3": "string", "2.16.840.1.113741.2.1.1.1.5": "section",
                "2.16.840.1.113741.2.1.1.1.6": "number", "2.16.840.1.113741.2.1.1.1.7": "number",
                "2.16.840.1.113741.2.1.1.1.8": "section", "2.16.840.1.113741.2.1.1.1.10": "data",
                "2.16.840.1.113741.2.1.3.2.2": "data",
            ])
    }

    private static func value<Value>(_ key: CFString, _ certificate: SecCertificate) -> Value? {
        values(certificate, [key])?[key as String]?[kSecPropertyKeyValue as String] as? Value
    }

    @Test func `names, addresses, purposes and usages are told as lists and numbers`() throws {
        let certificate = try Self.certificate(Self.full)
        #expect(Self.value(kSecOIDCommonName, certificate) == ["Leaf"])
        #expect(Self.value(kSecOIDEmailAddress, certificate) == ["anna@example.com"])
        #expect(Self.value("DNSNAMES", certificate) == ["a.example.com", "b.example.com"])
        #expect(Self.value(kSecOIDKeyUsage, certificate) == 0b1_0001_0001)
        let purposes = [Data([43, 6, 1, 5, 5, 7, 3, 1]), Data([42, 134, 72, 134, 247, 99, 100, 4, 1])]
        #expect(Self.value(kSecOIDExtendedKeyUsage, certificate) == purposes)
        #expect(Self.value(kSecOIDX509V1Version, certificate) == "3")
    }

    @Test func `what a certificate does not have is not told`() throws {
        let certificate = try Self.certificate()
        for key in [kSecOIDEmailAddress, kSecOIDExtendedKeyUsage, "DNSNAMES"] {
            #expect(Self.values(certificate, [key])?.isEmpty == true)
        }
        #expect(Self.value(kSecOIDKeyUsage, certificate) == 0)
    }

    @Test func `the validity is numbers of seconds since 2001`() throws {
        let certificate = try Self.certificate()
        let start: Double? = Self.value(kSecOIDX509V1ValidityNotBefore, certificate)
        let end: Double? = Self.value(kSecOIDX509V1ValidityNotAfter, certificate)
        #expect(start == Double(TrustFixture.now - 30 * TrustFixture.day - 978_307_200))
        #expect(end == Double(TrustFixture.now + 60 * TrustFixture.day - 978_307_200))
    }

    @Test func `a serial number is decimal up to eight bytes, and hexadecimal beyond`() throws {
        let short = try Self.certificate(serial: [1, 2, 3])
        #expect(Self.value(kSecOIDX509V1SerialNumber, short) == "66051")
        let long = try Self.certificate(serial: [0x0A, 0xFF, 1, 2, 3, 4, 5, 6, 7])
        #expect(Self.value(kSecOIDX509V1SerialNumber, long) == "0A FF 01 02 03 04 05 06 07")
    }

    @Test func `a name is a section with a property for each part`() throws {
        let subject: [[String: Any]]? = Self.value(kSecOIDX509V1SubjectName, try Self.certificate())
        #expect(subject?.count == 1)
        #expect(subject?.first?["label"] as? String == kSecOIDCommonName as String)
        #expect(subject?.first?["value"] as? String == "Leaf" && subject?.first?["type"] as? String == "string")
    }

    @Test func `keys choose, unknown ones are left out, and what is no text is refused`() throws {
        let certificate = try Self.certificate(Self.full)
        let chosen = Self.values(certificate, [kSecOIDCommonName, "1.2.3", kSecOIDBasicConstraints])
        #expect(chosen.map { Set($0.keys) } == ["2.5.4.3"])
        #expect(Self.values(certificate, [])?.isEmpty == true)
        #expect(Self.values(certificate, [kSecOIDCommonName, 7]) == nil)
    }

    private static func section(_ key: CFString, _ certificate: SecCertificate) -> [[String]]? {
        let entries: [[String: Any]]? = value(key, certificate)
        return entries?.map { [$0["label"] as? String ?? "", $0["type"] as? String ?? "", "\($0["value"] ?? "")"] }
    }

    @Test func `extensions are sections that begin with whether they are critical`() throws {
        let certificate = try Self.certificate([
            "subjectAltName": "DNS:a.example.com,email:anna@example.com,URI:https://a.example.com,IP:10.0.0.1,IP:::1",
            "basicConstraints": "critical,CA:TRUE,pathlen:2",
            "certificatePolicies": "DER:30:0E:30:04:06:02:2A:03:30:06:06:04:55:1D:20:00",
            "subjectKeyIdentifier": "hash",
            "authorityInfoAccess": "OCSP;URI:http://ocsp.example.com,caIssuers;URI:http://ca.example.com/ca.cer",
        ])
        #expect(
            Self.section(kSecOIDAuthorityInfoAccess, certificate) == [
                ["Critical", "string", "No"], ["Access Method", "string", "1.3.6.1.5.5.7.48.1"],
                ["URI", "url", "http://ocsp.example.com"], ["Access Method", "string", "1.3.6.1.5.5.7.48.2"],
                ["URI", "url", "http://ca.example.com/ca.cer"],
            ])
        #expect(
            Self.section(kSecOIDSubjectAltName, certificate) == [
                ["Critical", "string", "No"], ["DNS Name", "string", "a.example.com"],
                ["Email Address", "string", "anna@example.com"], ["URI", "url", "https://a.example.com"],
                ["IP Address", "string", "10.0.0.1"],
                ["IP Address", "string", "0000:0000:0000:0000:0000:0000:0000:0001"],
            ])
        #expect(
            Self.section(kSecOIDBasicConstraints, certificate) == [
                ["Critical", "string", "Yes"], ["Certificate Authority", "string", "Yes"],
                ["Path Length Constraint", "string", "2"],
            ])
        #expect(
            Self.section(kSecOIDCertificatePolicies, certificate) == [
                ["Critical", "string", "No"], ["Policy Identifier #1", "string", "1.2.3"],
                ["Policy Identifier #2", "string", "2.5.29.32.0"],
            ])
        #expect(
            Self.section(kSecOIDX509V1SignatureAlgorithm, certificate) == [
                ["Algorithm", "string", "1.2.840.10045.4.3.2"]
            ])
        let identifier: [[String: Any]]? = Self.value(kSecOIDSubjectKeyIdentifier, certificate)
        #expect((identifier?.last?["value"] as? Data)?.count == 20)
        #expect(Self.section(kSecOIDAuthorityKeyIdentifier, try Self.certificate()) == nil)
        #expect(Self.section(kSecOIDAuthorityInfoAccess, try Self.certificate()) == nil)
    }
}
