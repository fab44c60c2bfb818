import Foundation
import PaviseCrypto
import PavisePrimitives
import SecurityFramework
import Testing

/// SecPKCS12Import, and what certificates say.
@Suite struct PKCS12FileTests {
    struct Chain {
        let key: IssuingKey
        let root, leaf: [UInt8]

        init(_ kind: IssuingKey.Kind = .ec256) throws {
            let rootKey = try IssuingKey(generating: .ec256)
            key = try IssuingKey(generating: kind)
            root = try CertificateIssuing.issue(
                Self.template("Root", ["basicConstraints": "critical,CA:TRUE"]), for: rootKey, issuer: nil,
                issuerKey: rootKey)
            leaf = try CertificateIssuing.issue(
                Self.template("Leaf", ["subjectAltName": "email:anna@example.com,DNS:example.com"]), for: key,
                issuer: root, issuerKey: rootKey)
        }

        static func template(_ name: String, _ extensions: KeyValuePairs<String, String>) -> CertificateTemplate {
            CertificateTemplate(
                subject: name, serial: name == "Root" ? [1] : [1, 2, 3], notBefore: 1_800_000_000,
                notAfter: 1_900_000_000, hash: .sha256,
                extensions: extensions.map { CertificateTemplate.Extension($0.key, $0.value) })
        }

        func file(
            _ passphrase: String = "secret", _ protection: PKCS12Protection = .modern, name: String? = "Anna's key",
            rounds: Int = 2048
        ) throws -> [UInt8] {
            try key.pkcs12(
                certificate: leaf, authorities: [root], name: name, passphrase: passphrase, protection, rounds: rounds)
        }
    }

    private static func open(_ file: [UInt8], _ options: [CFString: Any]) -> (status: OSStatus, items: [[String: Any]])
    {
        var items: CFArray?
        let status = SecPKCS12Import(Data(file) as CFData, options as CFDictionary, &items)
        return (status, items as? [[String: Any]] ?? [])
    }

    private static func open(_ file: [UInt8], _ passphrase: String = "secret") -> (
        status: OSStatus, items: [[String: Any]]
    ) {
        open(file, [kSecImportExportPassphrase: passphrase])
    }

    @Test func `the module of old ciphers comes from OpenSSL's own folder, whatever OPENSSL_MODULES says`() async throws
    {
        await #expect(processExitsWith: .success) {
            unsafe setenv("OPENSSL_MODULES", "/nonexistent", 1)
            let (status, items) = Self.open(try Chain(.ec256).file("secret", .legacy))
            #expect(status == errSecSuccess && items.count == 1)
        }
    }

    @Test(
        "KEY1: an identity comes out whole", arguments: [PKCS12Protection.modern, .legacy],
        [IssuingKey.Kind.ec256, .ec384, .rsa(bits: 2048)])
    func identity(_ protection: PKCS12Protection, _ kind: IssuingKey.Kind) throws {
        let chain = try Chain(kind)
        let (status, items) = Self.open(try chain.file("secret", protection))
        #expect(status == errSecSuccess && items.count == 1)
        let item = try #require(items.first)
        #expect(item[kSecImportItemLabel as String] as? String == "Anna's key")
        #expect((item[kSecImportItemKeyID as String] as? Data)?.count == 20)
        let certificates = try #require(item[kSecImportItemCertChain as String] as? [SecCertificate])
        #expect(certificates.map(\.der) == [chain.leaf, chain.root])
        let trust = try #require(item[kSecImportItemTrust as String] as AnyObject?)
        #expect(CFGetTypeID(trust) == SecTrustGetTypeID())
        let identity = try #require(item[kSecImportItemIdentity as String] as? SecIdentity)
        var certificate: SecCertificate?
        var key: SecKey?
        #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        #expect(certificate?.der == chain.leaf)
        let name: SecKeyAlgorithm =
            kind == .rsa(bits: 2048) ? .rsaSignatureMessagePKCS1v15SHA256 : .ecdsaSignatureMessageX962SHA256
        let signature = try #require(key).signature(of: Data([1]), name)
        let publicKey = try #require(certificate.flatMap { SecCertificateCopyKey($0) })
        try publicKey.verify(signature, of: Data([1]), name)
    }

    @Test("KEY1: each refusal has its own status")
    func refusals() throws {
        let chain = try Chain()
        let file = try chain.file()
        // Apple takes a missing passphrase as an empty one.
        #expect(Self.open(file, [:]).status == errSecAuthFailed)
        #expect(Self.open(file, [kSecImportExportPassphrase: 7]).status == errSecParam)
        #expect(Self.open(file, "Secret").status == errSecAuthFailed)
        #expect(Self.open(file, "").status == errSecAuthFailed)
        for junk in [[], [0x30], Array("no file".utf8), Array(file.dropLast()), file + [0]] as [[UInt8]] {
            #expect(Self.open(junk).status == errSecDecode)
        }
        #expect(Self.open(try chain.file("secret", .withoutCode)).status == errSecPkcs12VerifyFailure)
        #expect(Self.open([UInt8](repeating: 0x30, count: 5 << 20)).status == errSecDecode)
    }

    @Test("KEY1: an empty passphrase is one, and so are letters of every script", arguments: ["", "päss", "密码", "🔑"])
    func passphrases(_ passphrase: String) throws {
        let file = try Chain().file(passphrase)
        #expect(Self.open(file, passphrase).status == errSecSuccess)
        #expect(Self.open(file, passphrase + "x").status == errSecAuthFailed)
    }

    @Test(
        "KEY1: a file that asks for too much work is not opened",
        arguments: [
            // A file whose check value took other rounds is opened and found wrong.
            ([0x01, 0x00, 0x00], errSecAuthFailed), ([0x7F, 0xFF, 0xFF], errSecDecode),
        ] as [([UInt8], OSStatus)])
    func rounds(_ rounds: [UInt8], _ expected: OSStatus) throws {
        let file = try Chain().file("secret", .modern, rounds: 1000)
        // The rounds of the check value, 1000 as INTEGER, are the last bytes of a file. With one byte more, the two
        // sequences around them grow.
        let wanted: [UInt8] = [0x02, 0x02, 0x03, 0xE8]
        try #require(file.suffix(4) == wanted[...] && file[1] == 0x82)
        var costly = Array(file.dropLast(4)) + [0x02, 0x03] + rounds
        costly[try #require(Self.checkValue(file)) + 1] += 1
        let length = (Int(file[2]) << 8 | Int(file[3])) + 1
        costly[2] = UInt8(length >> 8)
        costly[3] = UInt8(length & 0xFF)
        #expect(Self.open(costly).status == expected)
    }

    @Test func `the rounds of a code that has a key derivation of its own are counted`() {
        #expect(Self.open(Self.file(codeRounds: [0x7F, 0xFF, 0xFF, 0xFF])).status == errSecDecode)
        // An older OpenSSL does not know the code; a newer one finds it wrong.
        #expect([errSecUnsupportedFormat, errSecAuthFailed].contains(Self.open(Self.file(codeRounds: [0x01])).status))
    }

    @Test func `a code that asks for a longer key than any is refused before it is computed`() {
        for length: UInt8 in [0, 65] {
            #expect(Self.open(Self.file(codeRounds: [0x01], keyLength: length)).status == errSecDecode)
        }
        let longest = Self.open(Self.file(codeRounds: [0x01], keyLength: 64)).status
        #expect([errSecUnsupportedFormat, errSecAuthFailed].contains(longest))
    }

    @Test func `an encrypted part without its content is damage`() throws {
        let pkcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D]
        func name(_ rest: UInt8...) -> [UInt8] { DEREncoding.element(DERTag.objectIdentifier, pkcs + rest) }
        let salt = DEREncoding.element(DERTag.octetString, [UInt8](repeating: 7, count: 8))
        let cipher = Self.sequence(name(1, 12, 1, 3), Self.sequence(salt, [0x02, 0x01, 0x01]))
        let part = Self.sequence([0x02, 0x01, 0x00], Self.sequence(name(1, 7, 1), cipher))
        let safes = Self.sequence(
            Self.sequence(name(1, 7, 6), DEREncoding.element(DERTag.context(0, constructed: true), part)))
        let file = try PKCS12Writing.authenticated(contents: safes, passphrase: "secret")
        #expect(Self.open(file).status == errSecDecode)
    }

    // OpenSSL up to 3.0.12 reads where they would be (CVE-2024-0727).
    @Test func `a file whose safes are left out is damage`() {
        #expect(Self.open(Self.file(codeRounds: [0x01], hasSafes: false)).status == errSecDecode)
    }

    private static func sequence(_ parts: [UInt8]...) -> [UInt8] {
        DEREncoding.element(DERTag.sequence, parts.flatMap { $0 })
    }

    // An empty file with a code of PBMAC1 (RFC 9579) that nobody computed.
    private static func file(
        codeRounds rounds: [UInt8], keyLength: UInt8 = 0x20, hasSafes: Bool = true
    ) -> [UInt8] {
        func octets(_ count: Int) -> [UInt8] {
            DEREncoding.element(DERTag.octetString, [UInt8](repeating: 7, count: count))
        }
        let pkcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D]
        func name(_ rest: UInt8...) -> [UInt8] { DEREncoding.element(DERTag.objectIdentifier, pkcs + rest) }
        let content = DEREncoding.element(
            DERTag.context(0, constructed: true), DEREncoding.element(DERTag.octetString, sequence()))
        let hash = sequence(name(2, 9), [0x05, 0x00])
        let derivation = sequence(
            name(1, 5, 12),
            sequence(octets(8), DEREncoding.element(DERTag.integer, rounds), [0x02, 0x01, keyLength], hash))
        let code = sequence(name(1, 5, 14), sequence(derivation, hash))
        return sequence(
            [0x02, 0x01, 0x03], sequence(name(1, 7, 1), hasSafes ? content : []),
            sequence(sequence(code, octets(32)), octets(8), [0x02, 0x01, 0x01]))
    }

    // Where the last part of a file begins: a sequence of one length byte that starts with a sequence of 0x31 bytes.
    private static func checkValue(_ file: [UInt8]) -> Int? {
        (max(0, file.count - 129)..<file.count - 4).first {
            file[$0] == 0x30 && Int(file[$0 + 1]) == file.count - $0 - 2 && file[$0 + 2] == 0x30 && file[$0 + 3] == 0x31
        }
    }

    @Test("KEY1: no byte of a file can be changed")
    func changedBytes() throws {
        let file = try Chain().file("secret", .modern, rounds: 1)
        let (_, items) = Self.open(file)
        let leaf = (items.first?[kSecImportItemCertChain as String] as? [SecCertificate])?.first?.der
        #expect(leaf != nil)
        for index in file.indices {
            var changed = file
            changed[index] ^= 0x41
            let (status, items) = Self.open(changed)
            // A changed byte in the salt's or code's own wrapping may leave the meaning as it was.
            if status == errSecSuccess {
                #expect((items.first?[kSecImportItemCertChain as String] as? [SecCertificate])?.first?.der == leaf)
            } else {
                #expect(
                    [errSecDecode, errSecAuthFailed, errSecUnsupportedFormat, errSecPkcs12VerifyFailure].contains(
                        status))
            }
        }
    }

    @Test("KEY1: without a name the certificate's summary is the label")
    func unnamed() throws {
        let (_, items) = Self.open(try Chain().file("secret", .modern, name: nil))
        #expect(items.first?[kSecImportItemLabel as String] as? String == "Leaf")
    }

    @Test(arguments: ["Ключ", "安娜的钥匙", "é", "🔑 of Anna"])
    func `a key keeps its name in letters of every script, out and in`(_ name: String) throws {
        let chain = try Chain()
        let key = try #require(PEM.blocks("PRIVATE KEY", in: try chain.key.privateKeyPEM())?.first)
        let entry = PKCS12.Entry(certificate: chain.leaf, key: try PrivateKey(der: key), name: name)
        let passphrase = try KeyPassphrase(SecretBytes(utf8: "secret"))
        let file = try PKCS12.file([entry], passphrase, rounds: 1_000)
        #expect(Self.open(file).items.first?[kSecImportItemLabel as String] as? String == name)
    }

    @Test func `a key of a text is kept in one place, which can be overwritten`() throws {
        let pem = try Chain().key.privateKeyPEM()
        var section = try #require(try PEMSection.all(in: Array(pem.utf8), limit: 1).first)
        #expect(!section.der.isEmpty && section.text.isEmpty && !section.isEncrypted)
        section.wipe()
        #expect(section.der.isEmpty)
    }

    @Test("KEY12: an identity is stored when the options say so, and only then")
    func storing() throws {
        let keychain = try KeychainFixture()
        let file = try Chain().file()
        func certificates() -> Int {
            var result: AnyObject?
            let query: [String: Any] = ["class": "cert", "m_Limit": kSecMatchLimitAll, "r_Attributes": true]
            _ = unsafe SecItemCopyMatching(query as CFDictionary, &result)
            return (result as? [Any])?.count ?? 0
        }
        keychain.run {
            #expect(Self.open(file).status == errSecSuccess && keychain.count() == 0 && certificates() == 0)
            let options: [CFString: Any] = [kSecImportExportPassphrase: "secret", kSecUseDataProtectionKeychain: true]
            for _ in 0..<2 {
                #expect(Self.open(file, options).status == errSecSuccess)
                #expect(keychain.count(["labl": "Anna's key"]) == 1 && certificates() == 2)
            }
            #expect(Self.open(file, options.merging([kSecAttrAccessGroup: "foreign"]) { $1 }).status == -34018)
        }
    }
}
