import PaviseAttestation
import PaviseCrypto
import PavisePrimitives

/// Plays a TPM and its maker in software: writes endorsement certificates, public areas, quotes and event logs as
/// TPM 2.0 part 2 has them, and anything else on request.
struct TPMPen {
    static let now: Int64 = 1_790_000_000
    let root: [UInt8]
    let attestationKey: ECPrivateKey
    let endorsementKey: ECPrivateKey
    private let rootKey: IssuingKey
    /// The certified key. `IssuingKey` gives no ECDH, so that this one is in the certificate and nothing opens with it.
    let certified: IssuingKey

    init() throws {
        rootKey = try IssuingKey(generating: .ec256)
        certified = try IssuingKey(generating: .ec256)
        attestationKey = try ECPrivateKey(generating: .p256)
        endorsementKey = try ECPrivateKey(generating: .p256)
        let authority = [
            CertificateTemplate.Extension("basicConstraints", "critical,CA:TRUE"),
            CertificateTemplate.Extension("keyUsage", "critical,keyCertSign,cRLSign"),
        ]
        root = try CertificateIssuing.issue(
            Self.template("Test maker of TPMs", 1, authority), for: rootKey, issuer: nil, issuerKey: rootKey)
    }

    private static func template(
        _ name: String, _ serial: UInt8, _ extensions: [CertificateTemplate.Extension]
    ) -> CertificateTemplate {
        CertificateTemplate(
            subject: name, serial: [serial], notBefore: now - 86_400, notAfter: now + 86_400, hash: .sha256,
            extensions: extensions)
    }

    var verifier: TPMQuoteVerifier { TPMQuoteVerifier(roots: [root]) }

    /// The certificate of ``certified``.
    func certificate(purpose: String? = "2.23.133.8.1") throws -> [UInt8] {
        var extensions = [
            CertificateTemplate.Extension("basicConstraints", "critical,CA:FALSE"),
            CertificateTemplate.Extension("keyUsage", "critical,keyAgreement"),
        ]
        if let purpose { extensions.append(.init("extendedKeyUsage", purpose)) }
        return try CertificateIssuing.issue(
            Self.template("TPM", 2, extensions), for: certified, issuer: root, issuerKey: rootKey)
    }

    /// What a TPMT_PUBLIC of a P-256 key holds; a test changes parts of it.
    struct Area {
        var attributes: UInt32
        var nameHash: UInt16 = 0x000B
        var symmetric: [UInt16]
        var scheme: [UInt16]
        var curve: UInt16 = 0x0003
        var point: [UInt8]

        /// An attestation key's.
        static func attestation(_ point: [UInt8]) -> Area {
            Area(attributes: 0x0005_0472, symmetric: [0x0010], scheme: [0x0018, 0x000B], point: point)
        }

        /// An endorsement key's.
        static func endorsement(_ point: [UInt8]) -> Area {
            Area(attributes: 0x0003_00B2, symmetric: [0x0006, 128, 0x0043], scheme: [0x0010], point: point)
        }

        var bytes: [UInt8] {
            var writer = ByteWriter()
            writer.integer(UInt16(0x0023))
            writer.integer(nameHash)
            writer.integer(attributes)
            writer.raw(TPMPen.sized([]))
            for number in symmetric + scheme + [curve, 0x0010] { writer.integer(number) }
            writer.raw(TPMPen.sized(Array(point[1..<33])) + TPMPen.sized(Array(point[33...])))
            return writer.bytes
        }
    }

    static func sized(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes }

    func enrolment(_ change: (inout Area) -> Void = { _ in }) throws -> TPMEnrolment {
        var area = Area.attestation(attestationKey.publicKey.x963)
        change(&area)
        return TPMEnrolment(
            endorsementKey: Area.endorsement(Array(certified.spki.suffix(65))).bytes,
            certificates: [try certificate()], attestationKey: area.bytes)
    }

    /// The key as a server keeps it after an enrolment.
    func key() throws -> TPMAttestationKey {
        let challenge = try verifier.challenge(for: enrolment(), at: Self.now)
        return try verifier.key(from: challenge.secret, for: challenge)
    }

    /// What a quote holds; a test changes parts of it.
    struct Parts {
        var magic: UInt32 = 0xFF54_4347
        var kind: UInt16 = 0x8018
        var nonce = TPMPen.nonce
        var safe: UInt8 = 1
        var banks: UInt32 = 1
        var bank: UInt16 = 0x000B
        var registers = Set(0...7)
        var values = TPMPen.values(Set(0...7))
        var digest: [UInt8]?
        var tail: [UInt8] = []
        var signer: ECPrivateKey?
        var eventLog: [UInt8]?
    }

    static let nonce = Array("nonce of this quote".utf8)

    static func values(_ registers: Set<Int>) -> [Int: [UInt8]] {
        Dictionary(uniqueKeysWithValues: registers.map { ($0, [UInt8](repeating: UInt8($0), count: 32)) })
    }

    func evidence(_ change: (inout Parts) -> Void = { _ in }) throws -> TPMQuoteEvidence {
        var parts = Parts()
        change(&parts)
        var writer = ByteWriter()
        writer.integer(parts.magic)
        writer.integer(parts.kind)
        writer.raw(Self.sized([0x00, 0x0B] + [UInt8](repeating: 7, count: 32)))
        writer.raw(Self.sized(parts.nonce))
        writer.integer(UInt64(123_456))
        writer.integer(UInt32(5))
        writer.integer(UInt32(6))
        writer.integer(parts.safe)
        writer.integer(UInt64(0x0001_0002_0003_0004))
        writer.integer(parts.banks)
        writer.integer(parts.bank)
        let mask = parts.registers.reduce(UInt32(0)) { $0 | 1 << UInt32($1) }
        writer.raw([3, UInt8(mask & 255), UInt8(mask >> 8 & 255), UInt8(mask >> 16 & 255)])
        let digest = Hash.digest(.sha256, parts.registers.sorted().flatMap { parts.values[$0] ?? [] })
        writer.raw(Self.sized(parts.digest ?? digest) + parts.tail)
        return TPMQuoteEvidence(
            quote: writer.bytes, signature: try signature(of: writer.bytes, by: parts.signer ?? attestationKey),
            registers: parts.values, eventLog: parts.eventLog)
    }

    func signature(of quote: [UInt8], by key: ECPrivateKey) throws -> [UInt8] {
        let der = try key.sign(digest: Hash.digest(.sha256, quote))
        let raw = ECDSASignature.raw(der: der, curve: .p256) ?? []
        return [0x00, 0x18, 0x00, 0x0B] + Self.sized(Array(raw.prefix(32))) + Self.sized(Array(raw.suffix(32)))
    }
}

/// Writes event logs.
enum EventLogPen {
    static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Value(8 * $0)) }
    }

    /// The first event.
    static func head(
        algorithms: [(UInt16, UInt16)] = [(0x0004, 20), (0x000B, 32)], signature: String = "Spec ID Event03\0"
    ) -> [UInt8] {
        var inner = Array(signature.utf8) + little(UInt32(0)) + [0, 2, 0, 2] + little(UInt32(algorithms.count))
        for (algorithm, size) in algorithms { inner += little(algorithm) + little(size) }
        inner += [0]
        return little(UInt32(0)) + little(UInt32(3)) + [UInt8](repeating: 0, count: 20)
            + little(UInt32(inner.count)) + inner
    }

    static func event(_ register: UInt32, type: UInt32 = 8, digest: [UInt8], content: [UInt8] = []) -> [UInt8] {
        little(register) + little(type) + little(UInt32(2)) + little(UInt16(0x0004))
            + [UInt8](repeating: 0, count: 20) + little(UInt16(0x000B)) + digest + little(UInt32(content.count))
            + content
    }

    /// What a register holds after `digests`.
    static func extended(_ digests: [[UInt8]], from start: [UInt8] = [UInt8](repeating: 0, count: 32)) -> [UInt8] {
        digests.reduce(start) { Hash.digest(.sha256, $0 + $1) }
    }
}
