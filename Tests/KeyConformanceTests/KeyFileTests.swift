import Foundation
import PaviseCrypto
import SecurityFramework
import TestSupport
import Testing

/// SecItemExport and SecItemImport, with files that OpenSSL's program writes and reads.
@Suite(.enabled(if: OpenSSLTool.isThere, "no openssl program"))
struct `Files of keys and certificates` {
    private struct Read {
        var status: OSStatus
        var format: SecExternalFormat
        var type: SecExternalItemType
        var items: [AnyObject]
    }

    private static func read(
        _ file: Data, _ passphrase: Any? = nil, _ flags: SecKeyImportExportFlags = [],
        as wanted: SecExternalFormat = .formatUnknown, _ type: SecExternalItemType = .itemTypeUnknown
    ) -> Read {
        var (format, type) = (wanted, type)
        var items: CFArray?
        let status = unsafe with(passphrase, flags) {
            SecItemImport(file as CFData, nil, &format, &type, [], $0, nil, &items)
        }
        return Read(status: status, format: format, type: type, items: items.map { Array($0) as [AnyObject] } ?? [])
    }

    private static func write(
        _ items: AnyObject, _ format: SecExternalFormat = .formatUnknown, _ passphrase: Any? = nil,
        _ flags: SecItemImportExportFlags = []
    ) -> (status: OSStatus, file: Data) {
        var file: CFData?
        let status = unsafe with(passphrase) { SecItemExport(items, format, flags, $0, &file) }
        return (status, file.map { Data($0.copiedBytes) } ?? Data())
    }

    private static func with(
        _ passphrase: Any?, _ flags: SecKeyImportExportFlags = [],
        _ body: (UnsafePointer<SecItemImportExportKeyParameters>) -> OSStatus
    ) -> OSStatus {
        let object = passphrase.map { $0 as AnyObject }
        return withExtendedLifetime(object) {
            var parameters = SecItemImportExportKeyParameters()
            parameters.flags = flags
            unsafe parameters.passphrase = object.map { unsafe Unmanaged.passUnretained($0) }
            return unsafe withUnsafePointer(to: parameters) { unsafe body($0) }
        }
    }

    private static func key(_ item: AnyObject?) -> Data? {
        (item as? SecKey).flatMap { SecKeyCopyExternalRepresentation($0, nil)?.copied }
    }

    private static func identity(_ tool: OpenSSLTool, _ kind: String = "ec") throws -> SecIdentity {
        let item = try #require(read(try tool.pkcs12(kind), "secret").items.first)
        return try #require(item as? SecIdentity)
    }

    private static let kinds = ["ec", "ec384", "rsa", "ed25519"]

    @Test(arguments: kinds)
    func `every form that OpenSSL writes of a private key is read, and is the same key`(_ kind: String) throws {
        let tool = try OpenSSLTool()
        let pkcs8 = try tool.key(kind)
        let clear = Self.read(pkcs8)
        #expect(clear.status == 0 && clear.format == .formatBSAFE && clear.type == .itemTypePrivateKey)
        let expected = try #require(Self.key(clear.items.first))
        let der = try tool.run(["pkcs8", "-topk8", "-nocrypt", "-outform", "DER"], pkcs8)
        let sealed = try tool.run(["pkcs8", "-topk8", "-passout", "pass:secret"], pkcs8)
        let sealedDER = try tool.run(["pkcs8", "-topk8", "-passout", "pass:secret", "-outform", "DER"], pkcs8)
        for (file, format) in [
            (der, SecExternalFormat.formatBSAFE), (sealed, .formatWrappedPKCS8), (sealedDER, .formatWrappedPKCS8),
        ] {
            let read = Self.read(file, "secret")
            #expect(read.status == 0 && read.format == format && Self.key(read.items.first) == expected)
        }
        guard kind != "ed25519" else { return }
        let old = try tool.run(["pkey", "-traditional"], pkcs8)
        #expect(Self.read(old).format == .formatOpenSSL && Self.key(Self.read(old).items.first) == expected)
        let oldSealed = try tool.run(["pkey", "-traditional", "-aes128", "-passout", "pass:secret"], pkcs8)
        let read = Self.read(oldSealed, Data("secret".utf8))
        #expect(read.status == 0 && read.format == .formatWrappedOpenSSL && Self.key(read.items.first) == expected)
        #expect(Self.read(oldSealed, "Secret").status == errSecAuthFailed)
        #expect(Self.read(oldSealed).status == errSecPassphraseRequired)
        #expect(Self.read(sealed, "Secret").status == errSecAuthFailed)
        #expect(Self.read(sealed).status == errSecPassphraseRequired)
    }

    @Test(.long, arguments: kinds)
    func `every form of a key that is written is read by OpenSSL, and is the same key`(_ kind: String) throws {
        let tool = try OpenSSLTool()
        let pkcs8 = try tool.key(kind)
        let spki = try tool.run(["pkey", "-pubout", "-outform", "DER"], pkcs8)
        let key = try #require(Self.read(pkcs8).items.first)
        // What a passphrase costs is the same for every kind.
        for (format, passphrase) in [
            (SecExternalFormat.formatOpenSSL, nil), (.formatBSAFE, nil), (.formatUnknown, nil),
            (.formatPEMSequence, nil),
            (.formatWrappedPKCS8, "secret"), (.formatPEMSequence, "secret"),
        ] as [(SecExternalFormat, String?)] {
            guard passphrase == nil || kind == "ec" else { continue }
            let (status, file) = Self.write(key, format, passphrase, .pemArmour)
            #expect(status == 0, "\(format)")
            #expect(try tool.run(["pkey", "-passin", "pass:secret", "-pubout", "-outform", "DER"], file) == spki)
            #expect(String(decoding: file, as: UTF8.self).contains("ENCRYPTED") == (passphrase != nil))
            #expect(Self.key(Self.read(file, passphrase).items.first) == Self.key(key))
        }
        let publicKey = try #require((key as? SecKey).flatMap { SecKeyCopyPublicKey($0) })
        let (status, file) = Self.write(publicKey, .formatOpenSSL)
        #expect(status == 0 && file == spki)
        let back = Self.read(file)
        #expect(back.type == .itemTypePublicKey && Self.key(back.items.first) == Self.key(publicKey))
    }

    @Test func `certificates, PKCS number 7 and sequences go both ways`() throws {
        let tool = try OpenSSLTool()
        let identity = try Self.identity(tool)
        let other = try Self.identity(tool, "rsa")
        let list = [identity.certificate, other.certificate]
        let pem = try tool.run(["x509"], Data(identity.certificate.der))
        #expect(pem == Self.write(identity.certificate, .formatX509Cert, nil, .pemArmour).file)
        let read = Self.read(pem)
        #expect(read.status == 0 && read.format == .formatX509Cert && read.type == .itemTypeCertificate)
        #expect(read.items as? [SecCertificate] == [identity.certificate])
        #expect(Self.write(identity.certificate).file == Data(identity.certificate.der))

        let bag = try tool.run(
            ["crl2pkcs7", "-nocrl", "-certfile", tool.store("two.pem", Self.write(list as NSArray).file)])
        for file in [bag, Self.write(list as NSArray, .formatPKCS7, nil, .pemArmour).file] {
            let read = Self.read(file)
            #expect(read.status == 0 && read.format == .formatPKCS7 && read.type == .itemTypeAggregate)
            #expect(read.items as? [SecCertificate] == list)
            let printed = try tool.run(["pkcs7", "-print_certs", "-noout"], file)
            #expect(String(decoding: printed, as: UTF8.self).components(separatedBy: "subject=").count == 3)
        }

        let sequence = Self.read(Self.write([identity, other.certificate] as NSArray).file)
        #expect(
            sequence.format == .formatPEMSequence && sequence.type == .itemTypeAggregate && sequence.items.count == 3)
        #expect(Self.key(sequence.items[1]) == Self.key(identity.key))
    }

    @Test func `PKCS number 7 in BER is read, and its certificates are the same bytes`() throws {
        let tool = try OpenSSLTool()
        let pem = try tool.key("ec")
        let identity = try Self.identity(tool)
        let signer = try tool.store("signer.pem", try tool.run(["x509"], Data(identity.certificate.der)))
        let key = try tool.store("signer.key", Self.write(identity.key, .formatOpenSSL, nil, .pemArmour).file)
        let words = ["smime", "-sign", "-signer", signer, "-inkey", key, "-binary", "-nodetach", "-stream", "-outform"]
        for form in ["DER", "PEM"] {
            let file = try tool.run(words + [form], pem)
            #expect(form == "PEM" || file[1] == 0x80, "OpenSSL tells its lengths beforehand")
            let read = Self.read(file)
            #expect(read.status == 0 && read.format == .formatPKCS7 && read.type == .itemTypeAggregate)
            #expect(read.items as? [SecCertificate] == [identity.certificate])
            guard form == "DER" else { continue }
            #expect(Self.read(file.dropLast(2)).status == errSecUnknownFormat)
            #expect(Self.read(file + [0, 0]).status == errSecUnknownFormat)
        }
    }

    /// The same file as Java's and Mozilla's programs write it: lengths that are not told beforehand, octets in pieces.
    private static func ber(_ file: Data) throws -> Data {
        func content(_ der: Data) throws -> (tag: UInt8, content: Data, rest: Data) {
            let bytes = Array(der)
            let isLong = bytes[1] > 0x80
            let head = 2 + (isLong ? Int(bytes[1] & 0x7F) : 0)
            let count = isLong ? bytes[2..<head].reduce(0) { $0 << 8 | Int($1) } : Int(bytes[1])
            try #require(bytes.count >= head + count)
            return (bytes[0], Data(bytes[head..<head + count]), Data(bytes[(head + count)...]))
        }
        func open(_ tag: UInt8, _ content: Data) -> Data { Data([tag, 0x80]) + content + Data([0, 0]) }
        let version = try content(try content(file).content)
        let safe = try content(version.rest)
        let name = try content(safe.content)
        let octets = try content(try content(name.rest).content)
        let pieces = stride(from: 0, to: octets.content.count, by: 100).map { start in
            let piece = octets.content.dropFirst(start).prefix(100)
            return Data([0x04, UInt8(piece.count)]) + piece
        }
        let whole = open(0x24, pieces.reduce(Data(), +))
        let inner = Data([name.tag, UInt8(name.content.count)]) + name.content + open(0xA0, whole)
        return open(0x30, Data([0x02, 1, 3]) + open(0x30, inner) + safe.rest)
    }

    @Test func `PKCS number 12 in BER is read by both functions, and what is cut off is not`() throws {
        let tool = try OpenSSLTool()
        let file = try tool.pkcs12("ec")
        let known = try #require(Self.read(file, "secret").items.first as? SecIdentity)
        let ber = try Self.ber(file)
        let read = Self.read(ber, "secret")
        #expect(read.status == 0 && read.format == .formatPKCS12 && read.items.first as? SecIdentity == known)
        #expect(Self.read(ber, "wrong").status == errSecPkcs12VerifyFailure)
        #expect(Self.read(ber.dropLast(2), "secret").status == errSecUnknownFormat)
        var items: CFArray?
        let options = [kSecImportExportPassphrase: "secret", kSecImportToMemoryOnly: true] as [CFString: Any]
        #expect(SecPKCS12Import(ber as CFData, options as CFDictionary, &items) == errSecSuccess)
        let entry = (items as? [[String: Any]])?.first
        #expect(entry?[kSecImportItemIdentity as String] as? SecIdentity == known)
        #expect(SecPKCS12Import(ber.dropLast(2) as CFData, options as CFDictionary, &items) == errSecDecode)
    }

    static let berCases: [(ber: [UInt8], der: [UInt8]?)] = [
        ([0x30, 0x80, 0x02, 1, 5, 0, 0], [0x30, 3, 0x02, 1, 5]),
        ([0x30, 0x80, 0xA0, 0x80, 0x02, 1, 5, 0, 0, 0, 0], [0x30, 5, 0xA0, 3, 0x02, 1, 5]),
        ([0x24, 0x80, 0x04, 1, 7, 0x24, 3, 0x04, 1, 8, 0, 0], [0x04, 2, 7, 8]),
        ([0x30, 0x82, 0, 3, 0x02, 1, 5], [0x30, 0x82, 0, 3, 0x02, 1, 5]), ([0x04, 2, 0, 0], [0x04, 2, 0, 0]),
        ([], nil), ([0x30], nil), ([0x30, 0x80], nil), ([0x30, 0x80, 0], nil), ([0x04, 0x80, 0, 0], nil),
        ([0x30, 0x80, 0, 0, 0], nil), ([0x24, 3, 0x02, 1, 5], nil), ([0x30, 2, 0x02, 9], nil),
        ([0x30, 0x85, 0, 0, 0, 0, 0], nil), ([0x3F, 0], nil), ([0x30, 2, 0x30, 0x80, 0, 0], nil),
        (Array(repeating: [0x30, 0x80], count: 32).flatMap { $0 } + Array(repeating: 0, count: 64), []),
        (Array(repeating: [0x30, 0x80], count: 33).flatMap { $0 } + Array(repeating: 0, count: 66), nil),
        ([0x30, 0x80] + Array(repeating: [0x05, 0], count: 100_000).flatMap { $0 } + [0, 0], nil),
    ]

    @Test(arguments: berCases)
    func `BER becomes DER within its bounds, and what was DER stays`(_ item: (ber: [UInt8], der: [UInt8]?)) {
        let found = BEREncoding.definite(item.ber)
        #expect((found == nil) == (item.der == nil))
        guard let der = item.der, !der.isEmpty else { return }
        #expect(found == der)
    }

    @Test(.long, arguments: ["ec"])
    func `PKCS number 12 files go both ways, with the certificates beside the identity`(_ kind: String) throws {
        let tool = try OpenSSLTool()
        let identity = try Self.identity(tool, kind)
        let other = try Self.identity(tool, "ec384").certificate
        let (status, file) = Self.write([identity, other] as NSArray, .formatPKCS12, "päss")
        #expect(status == 0)
        let read = Self.read(file, "päss")
        #expect(read.status == 0 && read.format == .formatPKCS12 && read.type == .itemTypeAggregate)
        #expect(read.items.first as? SecIdentity == identity && read.items.last as? SecCertificate == other)
        let path = try tool.store("ours.p12", file)
        let text = String(
            decoding: try tool.run(["pkcs12", "-in", path, "-passin", "pass:päss", "-nodes"]), as: UTF8.self)
        #expect(text.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
        #expect(text.components(separatedBy: "BEGIN PRIVATE KEY").count == 2)
        #expect(throws: (any Error).self) { try tool.run(["pkcs12", "-in", path, "-passin", "pass:pass", "-nodes"]) }
        #expect(Self.read(file, "pass").status == errSecPkcs12VerifyFailure)
        #expect(Self.read(file).status == errSecPassphraseRequired)
    }

    @Test func `a format that cannot hold the items, or is not offered, is refused`() throws {
        let identity = try Self.identity(try OpenSSLTool())
        let key = identity.key
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let refused: [(AnyObject, SecExternalFormat, Any?, OSStatus)] = [
            (key, .formatX509Cert, nil, errSecUnsupportedFormat), (key, .formatPKCS7, nil, errSecUnsupportedFormat),
            (key, .formatWrappedOpenSSL, "x", errSecUnsupportedFormat),
            (key, .formatSSHv2, nil, errSecUnsupportedFormat),
            (key, .formatWrappedPKCS8, nil, errSecPassphraseRequired),
            (key, .formatPKCS12, nil, errSecPassphraseRequired),
            (key, .formatWrappedPKCS8, 7, errSecInvalidPasswordRef),
            (key, .formatPKCS12, "a\0b", errSecInvalidPasswordRef),
            (key, .formatPKCS12, String(repeating: "x", count: 1024), errSecInvalidPasswordRef),
            (publicKey, .formatWrappedPKCS8, "x", errSecUnsupportedFormat),
            (publicKey, .formatPKCS12, "x", errSecUnsupportedFormat),
            (identity.certificate, .formatOpenSSL, nil, errSecUnsupportedFormat),
            ([identity, identity] as NSArray, .formatOpenSSL, nil, errSecUnsupportedFormat),
            ("text" as NSString, .formatUnknown, nil, errSecParam), ([] as NSArray, .formatUnknown, nil, errSecParam),
            (Array(repeating: key, count: 101) as NSArray, .formatUnknown, nil, errSecParam),
        ]
        for (item, format, passphrase, status) in refused {
            let written = Self.write(item, format, passphrase)
            #expect(written.status == status && written.file.isEmpty, "\(format)")
        }
    }

    @Test func `what is no such file, or another one than was said, is refused and nothing is given`() throws {
        let tool = try OpenSSLTool()
        let pem = try tool.key("ec")
        let der = try tool.run(["pkey", "-outform", "DER"], pem)
        let text = String(decoding: pem, as: UTF8.self)
        let junk: [(Data, OSStatus)] = [
            (Data(), errSecUnknownFormat), (Data("text".utf8), errSecUnknownFormat),
            (Data(der.dropLast()), errSecUnknownFormat), (der + [0], errSecUnknownFormat),
            (Data(text.replacingOccurrences(of: "PRIVATE", with: "SECRET").utf8), errSecUnknownFormat),
            (Data(text.replacingOccurrences(of: "-----END", with: "-----FIN").utf8), errSecDecode),
            (Data(text.replacingOccurrences(of: "PRIVATE KEY", with: "CERTIFICATE").utf8), errSecDecode),
            (Data(repeating: 0x30, count: 5 << 20), errSecDecode),
            (Data(String(repeating: text, count: 201).utf8), errSecDecode),
        ]
        for (file, status) in junk {
            let read = Self.read(file)
            #expect(read.status == status && read.items.isEmpty && read.format == .formatUnknown)
        }
        #expect(Self.read(pem, as: .formatX509Cert).status == errSecUnknownFormat)
        #expect(Self.read(pem, as: .formatUnknown, .itemTypePublicKey).status == errSecUnknownFormat)
        let two = Data((text + text).utf8)
        #expect(Self.read(two).items.count == 2)
        #expect(Self.read(two, nil, .importOnlyOne).status == errSecMultiplePrivKeys)
        #expect(Self.read(pem, nil, .importOnlyOne).status == 0)
    }

    @Test func `a cipher that is not offered is told from a wrong passphrase`() throws {
        let tool = try OpenSSLTool()
        let pem = try tool.key("ec")
        var sealed = try tool.run(
            ["pkcs8", "-topk8", "-v2", "aes-256-cbc", "-passout", "pass:secret", "-outform", "DER"], pem)
        #expect(Self.read(sealed, "wrong").status == errSecAuthFailed)
        // 2.16.840.1.101.3.4.1.42 is AES-256 in CBC mode; no cipher has the number 127 there.
        let name = Data([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2A])
        let place = try #require(sealed.range(of: name))
        sealed[place.upperBound - 1] = 0x7F
        #expect(Self.read(sealed, "secret").status == errSecUnsupportedFormat)
        let old = try tool.run(["pkey", "-traditional", "-aes128", "-passout", "pass:secret"], pem)
        let other = String(decoding: old, as: UTF8.self).replacingOccurrences(of: "AES-128-CBC", with: "NONE-CBC")
        #expect(Self.read(Data(other.utf8), "secret").status == errSecUnsupportedFormat)
        // One that OpenSSL knows by name, and has in its module of old ciphers alone.
        let start = try #require(other.range(of: "NONE-CBC,"))
        let end = try #require(other.range(of: "\n", range: start.upperBound..<other.endIndex))
        let des = other.replacingCharacters(in: start.lowerBound..<end.lowerBound, with: "DES-CBC,0011223344556677")
        #expect(Self.read(Data(des.utf8), "secret").status == errSecUnsupportedFormat)
        #expect(Self.read(Data(des.utf8), "wrong").status == errSecUnsupportedFormat)
        #expect(Self.read(old, "wrong").status == errSecAuthFailed)
    }

    @Test func `KEY16 a damaged head or base64 of an encrypted key is no wrong passphrase`() throws {
        let tool = try OpenSSLTool()
        let pem = try tool.key("ec")
        let old = try tool.run(["pkey", "-traditional", "-aes128", "-passout", "pass:secret"], pem)
        let text = String(decoding: old, as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("DEK-Info: ") })
        let cipher = "DEK-Info: AES-128-CBC"
        for other in [
            "X-Info: 1", cipher, "\(cipher),", "\(cipher),0011", "\(line)00",
            "\(cipher)," + String(repeating: "Z", count: 32),
        ] {
            let file = Data(text.replacingOccurrences(of: line, with: other).utf8)
            #expect(Self.read(file, "secret").status == errSecUnknownFormat, "\(other)")
        }
        let damaged = Data(text.replacingOccurrences(of: "\n\n", with: "\n\n!").utf8)
        #expect(Self.read(damaged, "secret").status == errSecDecode)
        #expect(Self.read(old, "wrong").status == errSecAuthFailed)
    }

    @Test func `an encrypted key with the line ends of Windows is read`() throws {
        let tool = try OpenSSLTool()
        let pem = try tool.key("ec")
        let old = try tool.run(["pkey", "-traditional", "-aes128", "-passout", "pass:secret"], pem)
        let text = String(decoding: old, as: UTF8.self).replacingOccurrences(of: "\n", with: "\r\n")
        let read = Self.read(Data(text.utf8), "secret")
        #expect(read.status == 0 && Self.key(read.items.first) == Self.key(Self.read(pem).items.first))
    }

    @Test(.long) func `a key that asks for too much work is not opened`() throws {
        let tool = try OpenSSLTool()
        let dear = try tool.run(
            ["pkcs8", "-topk8", "-passout", "pass:x", "-iter", "5000000", "-outform", "DER"], try tool.key("ec"))
        #expect(Self.read(dear, "x").status == errSecDecode)
    }
}
