internal import Foundation
internal import PavisePrimitives
internal import Security

/// What a certificate says, for people and for records. Nothing in it is a verdict.
///
/// Apple's public API for all its systems reads neither the alternative names nor the issuer nor the signature's
/// algorithm: ``names`` is empty, and the texts say so. The system itself checks all three.
package struct CertificateFacts: Hashable, Sendable {
    private static let unknown = "not shown by this system"

    /// The system's one-line summary of the subject.
    package let subject: String
    /// Empty: not readable with public API.
    package let names: [String] = []
    /// The summary of the issuer, where its certificate is at hand.
    package internal(set) var issuer = CertificateFacts.unknown
    /// First second of validity since 1970.
    package let notBefore: Int64
    /// Last second of validity since 1970.
    package let notAfter: Int64
    /// Type and size of the key, for example `EC 256`.
    package let key: String
    /// Not readable with public API.
    package let signature = CertificateFacts.unknown
    /// The serial number, lower-case hexadecimal.
    package let serial: String
    /// SHA-256 of the certificate, lower-case hexadecimal.
    package let fingerprint: String
    /// SHA-256 of the SubjectPublicKeyInfo, base64: the form of pins.
    package let spki: String
    /// Whether subject and issuer are the same.
    package let isSelfIssued: Bool

    /// Reads a certificate; `nil` when it is not one.
    package init?(der: [UInt8]) {
        guard let certificate = SecCertificateCreateWithData(nil, Data(der) as CFData),
            let start = SecCertificateCopyNotValidBeforeDate(certificate) as Date?,
            let end = SecCertificateCopyNotValidAfterDate(certificate) as Date?,
            let notBefore = Int64(exactly: start.timeIntervalSince1970.rounded(.down)),
            let notAfter = Int64(exactly: end.timeIntervalSince1970.rounded(.down)),
            let keyInfo = SubjectPublicKeyInfo.bytes(of: der)
        else { return nil }
        subject = Self.summary(certificate)
        self.notBefore = notBefore
        self.notAfter = notAfter
        key = SecCertificateCopyKey(certificate).flatMap(Self.text) ?? Self.unknown
        serial =
            unsafe SecCertificateCopySerialNumberData(certificate, nil)
            .map { Hex.encode([UInt8]($0 as Data)) } ?? Self.unknown
        fingerprint = Hex.encode(MessageDigest.sha256(der))
        spki = Base64.encode(MessageDigest.sha256(keyInfo))
        let issuerName = SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?
        isSelfIssued =
            issuerName != nil && issuerName == SecCertificateCopyNormalizedSubjectSequence(certificate) as Data?
    }

    /// The summary of the subject of another certificate.
    static func name(of der: [UInt8]) -> String? {
        SecCertificateCreateWithData(nil, Data(der) as CFData).map(summary)
    }

    // The words are the certificate's own: what moves text is shown as a code point, as on Linux.
    private static func summary(_ certificate: SecCertificate) -> String {
        guard let words = SecCertificateCopySubjectSummary(certificate) as String? else { return unknown }
        return words.unicodeScalars.reduce(into: "") { $0 += $1.shownAsNumber ?? String($1) }
    }

    private static func text(_ key: SecKey) -> String? {
        guard let attributes = SecKeyCopyAttributes(key) as? [String: Any],
            let type = attributes[kSecAttrKeyType as String] as? String,
            let bits = attributes[kSecAttrKeySizeInBits as String] as? Int
        else { return nil }
        if type == kSecAttrKeyTypeRSA as String { return "RSA \(bits)" }
        return type == kSecAttrKeyTypeECSECPrimeRandom as String ? "EC \(bits)" : nil
    }
}
