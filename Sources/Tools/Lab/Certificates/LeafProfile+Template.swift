internal import PaviseCrypto
internal import PavisePrimitives

extension LeafProfile {
    /// The certificate to be signed, for an authority whose clock shows `now`.
    func template(now: Int64) throws(CryptoFailure) -> CertificateTemplate {
        let (notBefore, notAfter) = validity.seconds(at: now)
        return CertificateTemplate(
            subject: commonName, serial: try SerialNumber.random(), notBefore: notBefore, notAfter: notAfter,
            hash: signature.hash, extensions: extensions)
    }

    private var extensions: [CertificateTemplate.Extension] {
        var list: [CertificateTemplate.Extension] = [
            .init("basicConstraints", "critical,CA:FALSE"),
            .init("keyUsage", key.isRSA ? "critical,digitalSignature,keyEncipherment" : "critical,digitalSignature"),
            .init("subjectKeyIdentifier", "hash"),
        ]
        if !isSelfSigned { list.append(.init("authorityKeyIdentifier", "keyid")) }
        if !purposes.isEmpty {
            list.append(.init("extendedKeyUsage", purposes.map(\.rawValue).joined(separator: ",")))
        }
        let alternatives = names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }
        if !alternatives.isEmpty { list.append(.init("subjectAltName", alternatives.joined(separator: ","))) }
        if demandsUnknown { list.append(.unknownDemand) }
        return list
    }
}

extension LeafProfile.Key {
    var kind: IssuingKey.Kind {
        switch self {
        case .ec256: .ec256
        case .ec384: .ec384
        case .ec(let curve): .ec(curve: curve)
        case .rsa(let bits): .rsa(bits: bits)
        }
    }

    var isRSA: Bool {
        guard case .rsa = self else { return false }
        return true
    }
}

extension LeafProfile.Signature {
    var hash: CertificateTemplate.SignatureHash {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha1: .sha1
        }
    }
}

extension CertificateTemplate.Extension {
    /// A critical extension that nobody knows (RFC 5280 §4.2: whoever does not know it must refuse).
    static let unknownDemand = CertificateTemplate.Extension("1.3.6.1.4.1.55555.7.1", "critical,DER:05:00")
}

/// Serial numbers (RFC 5280 §4.1.2.2): positive, 127 random bits, so that two never meet.
enum SerialNumber {
    static func random() throws(CryptoFailure) -> [UInt8] {
        guard var bytes = try? Entropy.kernel.bytes(16) else { throw .entropy }
        bytes[0] = bytes[0] & 0x7F | 0x40
        return bytes
    }
}
