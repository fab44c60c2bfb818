import PaviseAttestation
import PaviseCrypto
import PavisePrimitives

/// Plays an app's key and Apple's authority: makes attestations and assertions with a root of its own, as Apple's page
/// documents them, and anything else on request.
struct AppAttestPen {
    static let application = "A1B2C3D4E5.org.example.diary"
    static let now: Int64 = 1_790_000_000
    let root: [UInt8]
    let key: IssuingKey
    private let intermediate: [UInt8]
    private let intermediateKey: IssuingKey

    init() throws {
        let rootKey = try IssuingKey(generating: .ec384)
        intermediateKey = try IssuingKey(generating: .ec384)
        key = try IssuingKey(generating: .ec256)
        let authority = [
            CertificateTemplate.Extension("basicConstraints", "critical,CA:TRUE"),
            CertificateTemplate.Extension("keyUsage", "critical,keyCertSign,cRLSign"),
            CertificateTemplate.Extension("subjectKeyIdentifier", "hash"),
        ]
        root = try CertificateIssuing.issue(
            Self.template("Test App Attestation Root CA", 1, authority, .sha384), for: rootKey, issuer: nil,
            issuerKey: rootKey)
        intermediate = try CertificateIssuing.issue(
            Self.template("Test App Attestation CA 1", 2, authority, .sha384), for: intermediateKey, issuer: root,
            issuerKey: rootKey)
    }

    private static func template(
        _ name: String, _ serial: UInt8, _ extensions: [CertificateTemplate.Extension],
        _ hash: CertificateTemplate.SignatureHash = .sha256
    ) -> CertificateTemplate {
        CertificateTemplate(
            subject: name, serial: [serial], notBefore: now - 86_400, notAfter: now + 86_400, hash: hash,
            extensions: extensions)
    }

    var verifier: AppAttestVerifier { AppAttestVerifier(application: Self.application, anchors: [root]) }

    /// The point of the key: the last 65 bytes of its SubjectPublicKeyInfo.
    var point: [UInt8] { Array(key.spki.suffix(65)) }
    var keyID: [UInt8] { Hash.digest(.sha256, point) }

    /// What an attestation holds; a test changes parts of it.
    struct Parts {
        var application = AppAttestPen.application
        var counter: UInt32 = 0
        var environment = Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
        var format = "apple-appattest"
        var keyID: [UInt8]?
        /// The authenticator data that the certificate vouches for; the one that is sent without it.
        var signed: [UInt8]?
        var withoutNonce = false
        var isChainCut = false
        var purpose: String?
    }

    func authenticatorData(_ parts: Parts) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(Hash.digest(.sha256, Array(parts.application.utf8)))
        writer.raw([0x40])
        writer.integer(parts.counter)
        writer.raw(parts.environment)
        let identifier = parts.keyID ?? keyID
        writer.integer(UInt16(identifier.count))
        writer.raw(identifier + [0xA5, 0x01, 0x02])
        return writer.bytes
    }

    func attestation(_ challenge: [UInt8], _ change: (inout Parts) -> Void = { _ in }) throws -> [UInt8] {
        try attestation(hash: Hash.digest(.sha256, challenge), change)
    }

    func attestation(hash: [UInt8], _ change: (inout Parts) -> Void = { _ in }) throws -> [UInt8] {
        var parts = Parts()
        change(&parts)
        let data = authenticatorData(parts)
        let nonce = Hash.digest(.sha256, (parts.signed ?? data) + hash)
        let content = Hex.encode([0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + nonce)
        var extensions = [
            CertificateTemplate.Extension("basicConstraints", "CA:FALSE"),
            CertificateTemplate.Extension("keyUsage", "critical,digitalSignature"),
        ]
        if let purpose = parts.purpose { extensions.append(.init("extendedKeyUsage", purpose)) }
        if !parts.withoutNonce { extensions.append(.init("1.2.840.113635.100.8.2", "DER:\(content)")) }
        let leaf = try CertificateIssuing.issue(
            Self.template("key", 3, extensions), for: key, issuer: intermediate, issuerKey: intermediateKey)
        let chain = parts.isChainCut ? [leaf] : [leaf, intermediate]
        return Pen.map([
            ("fmt", Pen.text(parts.format)),
            ("attStmt", Pen.map([("x5c", Pen.array(chain.map(Pen.bytes))), ("receipt", Pen.bytes([1, 2, 3]))])),
            ("authData", Pen.bytes(data)),
        ])
    }

    func assertion(
        over clientData: [UInt8], counter: UInt32, application: String = Self.application, by other: IssuingKey? = nil
    ) throws -> [UInt8] {
        try assertion(
            hash: Hash.digest(.sha256, clientData), counter: counter, application: application, by: other)
    }

    func assertion(
        hash: [UInt8], counter: UInt32, application: String = Self.application, by other: IssuingKey? = nil
    ) throws -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(Hash.digest(.sha256, Array(application.utf8)) + [0x40])
        writer.integer(counter)
        let nonce = Hash.digest(.sha256, writer.bytes + hash)
        return Pen.map([
            ("signature", Pen.bytes(try (other ?? key).sign(nonce))), ("authenticatorData", Pen.bytes(writer.bytes)),
        ])
    }
}

/// Writes CBOR.
enum Pen {
    static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
        switch count {
        case ..<24: [kind << 5 | UInt8(count)]
        case ..<256: [kind << 5 | 24, UInt8(count)]
        default: [kind << 5 | 25, UInt8(count >> 8 & 255), UInt8(count & 255)]
        }
    }
    static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, bytes.count) + bytes }
    static func text(_ text: String) -> [UInt8] { head(3, text.utf8.count) + Array(text.utf8) }
    static func array(_ values: [[UInt8]]) -> [UInt8] { head(4, values.count) + values.flatMap { $0 } }
    static func map(_ members: [(String, [UInt8])]) -> [UInt8] {
        head(5, members.count) + members.flatMap { text($0.0) + $0.1 }
    }
}
