internal import Foundation
internal import PaviseCrypto
internal import PavisePrimitives
internal import SecurityFramework

extension FuzzTarget {
    static let keys = [
        pkcs12, pkcs12Safes, pkcs1Private, pkcs1Public, x963, signature, x25519Packet, certificateAccessors,
    ]

    private static var limits: PKCS12Limits {
        var limits = PKCS12Limits()
        limits.rounds = 64
        return limits
    }

    private static func read(_ bytes: [UInt8]) -> PKCS12Content? {
        try? PKCS12.read(bytes, passphrase: SecretBytes(utf8: "secret"), limits: limits)
    }

    // The whole file: without the passphrase nobody makes one that opens with other content.
    private static let pkcs12 = FuzzTarget(
        "pkcs12", seeds: { try Made.files.get() },
        run: { bytes in
            guard let content = read(bytes) else { return }
            let known = (try? Made.certificate.get()) ?? []
            require(content.certificates.allSatisfy { $0.value == known }, "a certificate that nobody packed")
        })

    // What stands behind the authentication code, as a file by somebody who knows the passphrase.
    private static let pkcs12Safes = FuzzTarget(
        "pkcs12-safes", seeds: { try Made.safes.get() },
        run: { bytes in
            guard let file = try? PKCS12Writing.authenticated(contents: bytes, passphrase: "secret"),
                let content = read(file)
            else { return }
            require(content.keys.count + content.certificates.count <= limits.bags, "more bags than allowed")
        })

    private static let pkcs1Private = FuzzTarget(
        "pkcs1-private", seeds: { [try bytes(of: Made.rsa.get().pkcs1())] },
        run: { bytes in
            guard let key = try? RSAPrivateKey(pkcs1: bytes), let again = try? key.pkcs1() else { return }
            require(Self.bytes(of: again) == bytes, "a private key has two forms")
        })

    private static let pkcs1Public = FuzzTarget(
        "pkcs1-public", seeds: { [try Made.rsa.get().publicKey.pkcs1] },
        run: { bytes in
            guard let key = try? RSAPublicKey(pkcs1: bytes) else { return }
            require(key.pkcs1 == bytes, "a public key has two forms")
            require((1024...8192).contains(key.bits), "a size that is not offered")
            _ = key.verify(signature: bytes, digest: [UInt8](repeating: 1, count: 32), padding: .pss(.sha256))
        })

    // Through Apple's call. The first byte chooses the kind and the class.
    private static let x963 = FuzzTarget(
        "x963",
        seeds: {
            let keys = try Curve.allCases.map { curve in
                let key = try ECPrivateKey(generating: curve)
                return key.publicKey.x963 + bytes(of: try key.scalar())
            }
            let points = zip(keys, Curve.allCases).map { Array($0.prefix($1.pointBytes)) }
            let raw = [UInt8](repeating: 9, count: 32)
            return points.map { [0] + $0 } + keys.map { [1] + $0 } + (2..<6).map { [$0] + raw }
        },
        run: { bytes in
            guard let first = bytes.first else { return }
            let type = ["73", "105", "106"][Int(first / 2) % 3]
            let attributes: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeyClass: first % 2 == 0 ? "0" : "1"]
            let given = Array(bytes.dropFirst())
            guard let key = try? SecKey.reading(Data(given), attributes) else { return }
            require((try? key.externalRepresentation()).map { [UInt8]($0) } == given, "a key has two forms")
        })

    private static let signature = FuzzTarget(
        "ecdsa-signature",
        seeds: { [try Made.ec.get().sign(digest: [UInt8](repeating: 1, count: 32)), [0x30, 6, 2, 1, 1, 2, 1, 1]] },
        run: { bytes in
            guard let raw = ECDSASignature.raw(der: bytes, curve: .p256) else { return }
            require(ECDSASignature.der(raw: raw, curve: .p256) == bytes, "a signature has two forms")
            let digest = [UInt8](repeating: 2, count: 32)
            let isForged = (try? Made.ec.get())?.publicKey.verify(signature: bytes, digest: digest) ?? false
            require(!isForged, "a signature that nobody made")
        })

    private static let x25519Packet = FuzzTarget(
        "ecies-x25519", seeds: { [try Made.packet.get()] },
        run: { bytes in
            guard let key = try? Made.x25519.get(), let packet = try? ECIES.Packet(x25519: bytes),
                let secret = try? key.sharedSecret(with: packet.ephemeral),
                (try? ECIES.open(packet, secret: secret, Made.options)) != nil
            else { return }
            // X25519 ignores the highest bit of a point, but the derivation takes the bytes as they stand.
            require(bytes == (try? Made.packet.get()), "a packet that nobody sealed")
        })

    private static let certificateAccessors = FuzzTarget(
        "certificate-accessors", seeds: { [try Made.certificate.get()] },
        run: { bytes in
            guard let certificate = SecCertificateCreateWithData(nil, Data(bytes) as CFData) else { return }
            require(SecCertificateCopyData(certificate) as Data == Data(bytes), "a certificate has two forms")
            _ = SecCertificateCopySubjectSummary(certificate)
            _ = SecCertificateCopyKey(certificate)
            _ = SecCertificateCopySerialNumberData(certificate, nil)
            let name = SecCertificateCopyNormalizedSubjectSequence(certificate)
            var reader = DERReader([UInt8](name as Data? ?? Data())[...])
            guard let element = try? reader.next(), let read = try? DistinguishedName(der: element) else {
                return require(false, "a normalised name is none")
            }
            require(read.normalized == read.der, "a normalised name changes again")
        })

    private static func bytes(of secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { bytes in Array(bytes) }
    }
}

/// What the targets start from, made once in a process.
private enum Made {
    static let rsa = Result { try RSAPrivateKey(generating: 1024) }
    static let ec = Result { try ECPrivateKey(generating: .p256) }
    static let x25519 = Result { try Curve25519PrivateKey(generating: .agreement) }
    static let options = ECIES.Options(hash: .sha256, derivesNonce: true)
    static let packet = Result { try ECIES.seal([1, 2, 3].span, to: x25519.get().publicKey, options) }
    static let issuer = Result { try IssuingKey(generating: .ec256) }

    static let certificate: Result<[UInt8], any Error> = Result {
        let template = CertificateTemplate(
            subject: "Anna", serial: [1], notBefore: 1_800_000_000, notAfter: 1_900_000_000, hash: .sha256,
            extensions: [.init("subjectAltName", "email:a@example.com,DNS:example.com")])
        return try CertificateIssuing.issue(template, for: issuer.get(), issuer: nil, issuerKey: issuer.get())
    }

    static let files: Result<[[UInt8]], any Error> = Result {
        let protections: [PKCS12Protection] = [.modern, .legacy, .withoutCode]
        return try protections.map { protection in
            try issuer.get().pkcs12(
                certificate: certificate.get(), name: "name", passphrase: "secret", protection, rounds: 1)
        }
    }

    // The safes of each file: the octets inside the second element of the file (RFC 7292 §4).
    static let safes: Result<[[UInt8]], any Error> = Result {
        try files.get().map { file in
            var outer = DERReader(file[...])
            var parts = try outer.inside()
            _ = try parts.next()
            var data = try parts.inside()
            _ = try data.next()
            var wrapper = try data.inside(DERTag.context(0, constructed: true))
            return Array(try wrapper.next(DERTag.octetString).content)
        }
    }
}
