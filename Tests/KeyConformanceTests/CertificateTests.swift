import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// What a certificate says of itself.
@Suite struct `Certificates through their accessors` {
    private func certificate(
        _ name: String = "Leaf", _ extensions: KeyValuePairs<String, String> = [:],
        _ kind: IssuingKey.Kind = .ec256
    ) throws -> SecCertificate {
        let key = try IssuingKey(generating: kind)
        let template = PKCS12FileTests.Chain.template(name, extensions)
        let der = try CertificateIssuing.issue(template, for: key, issuer: nil, issuerKey: key)
        return try #require(SecCertificateCreateWithData(nil, Data(der) as CFData))
    }

    @Test("KEY1: name, serial, dates and bytes come back")
    func basics() throws {
        let certificate = try certificate("Anna Example")
        var name: CFString?
        #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess)
        #expect(name as String? == "Anna Example")
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "Anna Example")
        #expect(SecCertificateCopySerialNumberData(certificate, nil) as Data? == Data([1, 2, 3]))
        #expect(SecCertificateCopySerialNumber(certificate) as Data? == Data([1, 2, 3]))
        #expect(
            SecCertificateCopyNotValidBeforeDate(certificate) as Date? == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(SecCertificateCopyNotValidAfterDate(certificate) as Date? == Date(timeIntervalSince1970: 1_900_000_000))
        #expect(SecCertificateCreateWithData(nil, SecCertificateCopyData(certificate)) == certificate)
        #expect(CFGetTypeID(certificate) == SecCertificateGetTypeID())
    }

    @Test("KEY1: mail addresses are all found")
    func mail() throws {
        var list: CFArray?
        let certificate = try certificate(
            "Anna", ["subjectAltName": "email:anna@example.com,DNS:a.example,email:b@c.example"])
        #expect(SecCertificateCopyEmailAddresses(certificate, &list) == errSecSuccess)
        #expect(list as? [String] == ["anna@example.com", "b@c.example"])
        #expect(SecCertificateCopyEmailAddresses(try self.certificate(), &list) == errSecSuccess)
        #expect(list as? [String] == [])
    }

    @Test(
        "KEY1: the key comes out in the form of its kind", arguments: [IssuingKey.Kind.ec256, .ec384, .rsa(bits: 2048)])
    func key(_ kind: IssuingKey.Kind) throws {
        let certificate = try certificate("Leaf", [:], kind)
        let key = try #require(SecCertificateCopyKey(certificate))
        var older: SecKey?
        #expect(SecCertificateCopyPublicKey(certificate, &older) == errSecSuccess)
        #expect(older == key && SecCertificateCopyPublicKey(certificate) == key)
        switch kind {
        case .ec256: #expect(SecKeyGetBlockSize(key) == 32 && key.fact(kSecAttrKeyType) == "73")
        case .ec384: #expect(SecKeyGetBlockSize(key) == 48 && key.fact(kSecAttrKeyType) == "73")
        case .rsa, .ec, .other: #expect(SecKeyGetBlockSize(key) == 256 && key.fact(kSecAttrKeyType) == "42")
        }
    }

    @Test("KEY1: a normalised name folds PrintableString and leaves the rest")
    func normalised() throws {
        func name(_ tag: UInt8, _ text: String) throws -> [UInt8] {
            let type: [UInt8] = [6, 3, 0x55, 4, 3]
            let pair = DEREncoding.element(0x30, type + DEREncoding.element(tag, Array(text.utf8)))
            return DEREncoding.element(0x30, DEREncoding.element(0x31, pair))
        }
        for (tag, text, expected) in [
            (0x13, "  anna \t Example  AG ", "ANNA EXAMPLE AG"), (0x13, "A", "A"), (0x13, "   ", ""),
            (0x0C, " anna  b ", " anna  b "), (0x16, "Anna", "Anna"), (0x13, String(repeating: "x ", count: 200), ""),
        ] as [(UInt8, String, String)] {
            let der = try name(tag, text)
            var reader = DERReader(der[...])
            let read = try DistinguishedName(der: reader.next())
            let wanted = text.count > 100 ? text.uppercased().trimmingCharacters(in: .whitespaces) : expected
            #expect(try read.normalized == name(tag, wanted))
        }
    }

    @Test("KEY1: of a name without common name the mail address speaks first, then the host")
    func summaries() throws {
        // A certificate whose subject is changed by hand; nobody checks its signature here.
        let der = [UInt8](SecCertificateCopyData(try certificate("X", ["subjectAltName": "DNS:a.example"])) as Data)
        let commonName: [UInt8] = [6, 3, 0x55, 4, 3, 0x0C, 1, UInt8(ascii: "X")]
        let unit: [UInt8] = [6, 3, 0x55, 4, 11, 0x0C, 1, UInt8(ascii: "X")]
        var changed = der
        for index in 0...(der.count - commonName.count) where Array(der[index..<index + 8]) == commonName {
            changed.replaceSubrange(index..<index + 8, with: unit)
        }
        let certificate = try #require(SecCertificateCreateWithData(nil, Data(changed) as CFData))
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "a.example")
        var name: CFString? = "old"
        #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess)
        #expect(name == nil)
    }

    @Test("KEY1: no cut certificate is one")
    func truncations() throws {
        let der = SecCertificateCopyData(try certificate()) as Data
        for count in 0..<der.count {
            #expect(SecCertificateCreateWithData(nil, der.prefix(count) as CFData) == nil)
        }
        #expect(SecCertificateCreateWithData(nil, (der + [0]) as CFData) == nil)
    }
}
