internal import PaviseAttestation
internal import PaviseCrypto
internal import PavisePrimitives

/// A root of the targets' own, and keys below it: what lies behind the root is reached with it. Nobody has the keys of
/// Apple's root, or of a maker's.
enum AttestationAuthority {
    static let now: Int64 = 1_790_000_000
    static let application = Hash.digest(.sha256, Array("A1B2C3D4E5.org.example".utf8))
    private static let rootKey = Result { try IssuingKey(generating: .ec256) }
    /// The key in a Secure Enclave that is vouched for.
    static let enclave = Result { try IssuingKey(generating: .ec256) }
    private static let endorsement = Result { try IssuingKey(generating: .ec256) }
    /// The key in a TPM that signs quotes.
    static let quoting = Result { try ECPrivateKey(generating: .p256) }

    static let root = Result { () throws -> [UInt8] in
        let key = try rootKey.get()
        let template = draft(
            "Root of the fuzz targets", 1,
            [("basicConstraints", "critical,CA:TRUE"), ("keyUsage", "critical,keyCertSign,cRLSign")])
        return try CertificateIssuing.issue(template, for: key, issuer: nil, issuerKey: key)
    }

    private static func draft(
        _ name: String, _ serial: UInt8, _ extensions: [(String, String)]
    ) -> CertificateTemplate {
        CertificateTemplate(
            subject: name, serial: [serial], notBefore: now - 86_400, notAfter: now + 86_400, hash: .sha256,
            extensions: extensions.map { CertificateTemplate.Extension($0.0, $0.1) })
    }

    static func point(_ key: IssuingKey) -> [UInt8] { Array(key.spki.suffix(65)) }

    // MARK: App Attest

    /// The authenticator data of a key's first use, as Apple's page documents it.
    static func authenticatorData() throws -> [UInt8] {
        let identifier = Hash.digest(.sha256, point(try enclave.get()))
        let environment = Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
        var bytes = application + [0x40, 0, 0, 0, 0]
        bytes += environment + sized(identifier)
        return bytes + [0xA5, 0x01, 0x02]
    }

    /// An attestation with these authenticator data, whatever they are, which the root vouches for.
    static func attestation(of data: [UInt8], challenge: [UInt8]) throws -> [UInt8] {
        let nonce = Hash.digest(.sha256, data + Hash.digest(.sha256, challenge))
        let content = Hex.encode([0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + nonce)
        let template = draft(
            "key", 3,
            [
                ("basicConstraints", "CA:FALSE"), ("keyUsage", "critical,digitalSignature"),
                ("1.2.840.113635.100.8.2", "DER:\(content)"),
            ])
        let leaf = try CertificateIssuing.issue(
            template, for: enclave.get(), issuer: root.get(), issuerKey: rootKey.get())
        var bytes: [UInt8] = [0xA3, 0x63]
        bytes += Array("fmt".utf8) + [0x6F] + Array("apple-appattest".utf8)
        bytes += [0x67] + Array("attStmt".utf8) + [0xA2, 0x63] + Array("x5c".utf8) + [0x81] + string(leaf)
        bytes += [0x67] + Array("receipt".utf8) + [0x40]
        bytes += [0x68] + Array("authData".utf8) + string(data)
        return bytes
    }

    // A byte string of CBOR with the shortest form of its length (RFC 8949 §3), of 24 bytes or more.
    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        bytes.count < 256 ? [0x58, UInt8(bytes.count)] + bytes : [0x59] + sized(bytes)
    }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8 & 255), UInt8(bytes.count & 255)] + bytes
    }

    // MARK: TPM

    /// A TPM that this root vouches for wants this key known for its quotes.
    static func enrolment(
        endorsement area: [UInt8]? = nil, attestation: [UInt8]? = nil
    ) throws -> TPMEnrolment {
        TPMEnrolment(
            endorsementKey: try area ?? endorsementArea(), certificates: [try certificate.get()],
            attestationKey: try attestation ?? attestationArea())
    }

    private static let certificate = Result { () throws -> [UInt8] in
        let template = draft(
            "TPM", 2,
            [
                ("basicConstraints", "critical,CA:FALSE"), ("keyUsage", "critical,keyAgreement"),
                ("extendedKeyUsage", "2.23.133.8.1"),
            ])
        return try CertificateIssuing.issue(
            template, for: endorsement.get(), issuer: root.get(), issuerKey: rootKey.get())
    }

    // TPMT_PUBLIC of P-256 keys: attributes, no policy, AES-128 in CFB mode or none, ECDSA with SHA-256 or none.
    static func endorsementArea() throws -> [UInt8] {
        let start: [UInt8] = [0, 0x23, 0, 0x0B, 0, 3, 0, 0xB2, 0, 0, 0, 6, 0, 128, 0, 0x43, 0, 0x10, 0, 3, 0, 0x10]
        return start + coordinates(point(try endorsement.get()))
    }
    static func attestationArea() throws -> [UInt8] {
        let start: [UInt8] = [0, 0x23, 0, 0x0B, 0, 5, 4, 0x72, 0, 0, 0, 0x10, 0, 0x18, 0, 0x0B, 0, 3, 0, 0x10]
        return start + coordinates(try quoting.get().publicKey.x963)
    }

    private static func coordinates(_ point: [UInt8]) -> [UInt8] {
        sized(Array(point[1..<33])) + sized(Array(point[33...]))
    }

    /// The values of the registers 0 to 7 that the quote is about.
    static let registers = Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, [UInt8](repeating: 5, count: 32)) })

    /// TPMS_ATTEST of a quote over ``registers`` with the nonce 1, 2.
    static let quote: [UInt8] = {
        let values: [UInt8] = (0..<8).flatMap { registers[$0] ?? [] }
        var bytes: [UInt8] = [0xFF, 0x54, 0x43, 0x47, 0x80, 0x18, 0, 34, 0, 0x0B]
        bytes += [UInt8](repeating: 7, count: 32) + [0, 2, 1, 2]
        bytes += [UInt8](repeating: 0, count: 16) + [1]
        bytes += [UInt8](repeating: 0, count: 8) + [0, 0, 0, 1, 0, 0x0B, 3, 0xFF, 0, 0]
        return bytes + sized(Hash.digest(.sha256, values))
    }()

    /// TPMT_SIGNATURE of the TPM's key over anything.
    static func signature(of bytes: [UInt8]) throws -> [UInt8] {
        let der = try quoting.get().sign(digest: Hash.digest(.sha256, bytes))
        let raw = ECDSASignature.raw(der: der, curve: .p256) ?? []
        return [0, 0x18, 0, 0x0B] + sized(Array(raw.prefix(32))) + sized(Array(raw.suffix(32)))
    }

    static let ownSignature = Result { try signature(of: quote) }

    /// What a server keeps of ``quoting``.
    static let quotingKey = Result { () throws -> TPMAttestationKey in
        let text = "{\"point\":\(try quoting.get().publicKey.x963),\"name\":[],\"endorsement\":[]}"
        return try JSONValue.parse(Array(text.utf8)).decoded(as: TPMAttestationKey.self)
    }
}
