internal import PaviseCrypto
internal import PavisePrimitives

/// What stands in a file: certificates, requests for certificates, public keys, in PEM or DER.
package enum KeyFile {
    /// One entry.
    package struct Entry: Hashable, Sendable {
        /// What it is.
        package enum Kind: String, Hashable, Sendable {
            case certificate, request, key
        }

        package let kind: Kind
        /// The bytes, DER.
        package let der: [UInt8]
        /// SHA-256 of the SubjectPublicKeyInfo, base64: the form of pins.
        package let pin: String
        /// What a certificate says; `nil` for the other kinds.
        package let facts: CertificateFacts?
    }

    /// The largest file that is read, in bytes.
    package static let maximumSize = 8 << 20

    /// The certificates, then the requests, then the keys, each in their order; none when the bytes hold none, or one
    /// of them cannot be read.
    package static func entries(_ bytes: [UInt8]) -> [Entry] {
        guard bytes.count <= maximumSize else { return [] }
        var blocks: [Entry?] = []
        for (label, kind) in labels {
            // One that is cut off, or whose base64 is wrong, cannot be read either.
            guard let found = PEM.blocks(label, in: bytes) else { return [] }
            blocks += found.map { entry(kind, $0) }
        }
        guard blocks.isEmpty else { return blocks.contains(nil) ? [] : blocks.compactMap(\.self) }
        return [Entry.Kind.certificate, .request, .key].lazy.compactMap { entry($0, bytes) }.first.map { [$0] } ?? []
    }

    /// Whether a private key in PEM stands in the bytes. It is not read.
    package static func holdsPrivateKey(_ bytes: [UInt8]) -> Bool {
        bytes.count <= maximumSize && String(decoding: bytes, as: UTF8.self).contains("PRIVATE KEY-----")
    }

    private static let labels: [(String, Entry.Kind)] = [
        ("CERTIFICATE", .certificate), ("CERTIFICATE REQUEST", .request), ("NEW CERTIFICATE REQUEST", .request),
        ("PUBLIC KEY", .key),
    ]

    private static func entry(_ kind: Entry.Kind, _ der: [UInt8]) -> Entry? {
        let facts = kind == .certificate ? CertificateFacts(der: der) : nil
        guard let spki = spki(kind, der) else { return nil }
        return Entry(kind: kind, der: der, pin: Base64.encode(Hash.digest(.sha256, spki)), facts: facts)
    }

    private static func spki(_ kind: Entry.Kind, _ der: [UInt8]) -> [UInt8]? {
        switch kind {
        case .certificate: try? X509Certificate(der: der).spki
        case .request: try? requestKey(der)
        case .key: (try? X509Key(spki: der)).map { _ in der }
        }
    }

    // PKCS#10 (RFC 2986 §4): version, subject, key, attributes; then the signature, which a pin does not need.
    private static func requestKey(_ der: [UInt8]) throws(DERFailure) -> [UInt8] {
        var outer = DERReader(der[...])
        var request = try outer.inside()
        try outer.finish()
        var information = try request.inside()
        _ = try request.next(DERTag.sequence)
        _ = try request.next(DERTag.bitString)
        try request.finish()
        guard try information.next(DERTag.integer).smallInteger() == 0 else { throw DERFailure() }
        _ = try DistinguishedName(der: try information.next())
        let spki = Array(try information.next(DERTag.sequence).whole)
        _ = try X509Key(spki: spki)
        return spki
    }
}
