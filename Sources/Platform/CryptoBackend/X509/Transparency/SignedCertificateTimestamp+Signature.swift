extension SignedCertificateTimestamp {
    /// What a log signs.
    package enum Entry: Hashable, Sendable {
        /// The certificate as it is: for timestamps of the handshake or of a status answer.
        case certificate([UInt8])
        /// The certificate without its timestamps, under its issuer's key: for timestamps inside it.
        case withoutTimestamps(issuerKeyHash: [UInt8], body: [UInt8])

        /// The entry for timestamps inside `certificate`; `nil` when there are none to take out.
        package static func inside(_ certificate: X509Certificate, issuer: X509Certificate) -> Entry? {
            guard let body = try? PrecertificateBody.make(certificate) else { return nil }
            return .withoutTimestamps(issuerKeyHash: Hash.digest(.sha256, issuer.spki), body: body)
        }
    }

    /// Whether the log with this SubjectPublicKeyInfo signed the timestamp over the entry.
    package func isSigned(bySPKI spki: [UInt8], over entry: Entry) -> Bool {
        guard let scheme, log == Hash.digest(.sha256, spki), let key = CertificateVerificationKey(spki: spki) else {
            return false
        }
        return key.isSignature(signature, of: signedBytes(entry)[...], scheme)
    }

    /// The bytes that a log signs (RFC 6962 §3.2).
    package func signedBytes(_ entry: Entry) -> [UInt8] {
        let content: [UInt8] =
            switch entry {
            case .certificate(let der): [0, 0] + Self.big(UInt64(der.count), 3) + der
            case .withoutTimestamps(let hash, let body): [0, 1] + hash + Self.big(UInt64(body.count), 3) + body
            }
        return [0, 0] + Self.big(milliseconds, 8) + content + Self.big(UInt64(extensions.count), 2) + extensions
    }

    private static func big(_ number: UInt64, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
}

/// The signed part of a certificate with the list of timestamps taken out, as the log saw it (RFC 6962 §3.2).
enum PrecertificateBody {
    static func make(_ certificate: X509Certificate) throws(DERFailure) -> [UInt8] {
        var outer = DERReader(certificate.signedPart)
        var body = try outer.inside()
        var content: [UInt8] = []
        var isFound = false
        while !body.isAtEnd {
            let element = try body.next()
            guard element.tag == DERTag.context(3, constructed: true) else {
                content += element.whole
                continue
            }
            let remaining = try extensions(element)
            isFound = remaining.isShorter
            guard !remaining.bytes.isEmpty else { continue }
            content += DEREncoding.element(element.tag, DEREncoding.element(DERTag.sequence, remaining.bytes))
        }
        guard isFound else { throw DERFailure() }
        return DEREncoding.element(DERTag.sequence, content)
    }

    private static func extensions(_ element: DERElement) throws(DERFailure) -> (bytes: [UInt8], isShorter: Bool) {
        var wrapper = DERReader(element.content)
        var list = try wrapper.inside()
        var bytes: [UInt8] = []
        var isShorter = false
        while !list.isAtEnd {
            let entry = try list.next(DERTag.sequence)
            var fields = DERReader(entry.content)
            guard try fields.next().objectIdentifier() == "1.3.6.1.4.1.11129.2.4.2" else {
                bytes += entry.whole
                continue
            }
            isShorter = true
        }
        return (bytes, isShorter)
    }
}
