internal import Foundation
internal import PavisePrimitives
internal import PaviseTransport

extension CertificateRefusal {
    /// What a person needs to judge the certificate.
    var facts: [Report.Fact] {
        let failed = Report.Fact("failures", "Failed", .array(failures.map { .string($0.rawValue) }))
        return (summary?.facts ?? []) + [failed]
    }

    /// What is wrong, as one sentence for each failure.
    var sentences: String { failures.map(\.sentence).joined(separator: " ") }
}

extension CertificateReview {
    /// The same as a refusal: a change without a failure is one of its own.
    var refusal: CertificateRefusal {
        CertificateRefusal(
            failures: failures.isEmpty ? [.keyChanged] : failures, summary: summary, canBeApproved: true)
    }

    /// What is wrong, as one sentence for each failure.
    var sentences: String { refusal.sentences }

    /// What a person needs to judge the certificate: what it says, and where it differs from what the server had
    /// before.
    var facts: [Report.Fact] {
        guard !changes.isEmpty else { return refusal.facts }
        let differences = changes.map { change in
            JSONValue.fields([
                "field": .string(change.field.rawValue), "before": .string(change.old), "now": .string(change.new),
            ])
        }
        let lines = changes.map { "\($0.field.rawValue): \($0.old) → \($0.new)" }
        return refusal.facts + [
            .init("changes", "Differs", .array(differences), words: lines.joined(separator: "; "))
        ]
    }
}

extension CertificateSummary {
    /// What a certificate says, for a person.
    var facts: [Report.Fact] {
        [
            .init("subject", "Subject", subject),
            .init("names", "Names", .array(names.prefix(20).map { .string($0) })),
            .init("issuer", "Issuer", issuer),
            .init("notBefore", "Valid from", Self.date(notBefore)),
            .init("notAfter", "Valid until", Self.date(notAfter)),
            .init("key", "Key", key),
            .init("signature", "Signature", signature),
            .init("fingerprint", "Certificate", fingerprint),
            .init("spki", "SPKI SHA-256", spki),
        ]
    }

    private static func date(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}

extension TrustFailure {
    /// What the failure means for a person.
    var sentence: String {
        switch self {
        case .blocked: "The certificate is on the list of those that are known to be misused."
        case .revoked: "The authority took the certificate back: its key may be in wrong hands."
        case .denied: "The administrator does not allow this server or its certificate."
        case .notTransparent: "The certificate is in no public log, or in too few."
        case .revocationUnknown: "It is not known whether the certificate was taken back."
        case .weakKey: "The key is too weak: anyone with some money can imitate the server."
        case .weakSignature: "The signature is made with a broken hash: the certificate may be forged."
        case .pinMismatch: "The key is not the one that was pinned for this server: this may be an attack."
        case .notCompliant: "The certificate breaks the rules for server certificates."
        case .unknownAuthority: "The authority that signed it is not known to this machine."
        case .selfSigned: "The server signed its certificate itself."
        case .wrongPurpose: "The certificate is not made for servers."
        case .wrongHost: "The certificate is for other names."
        case .expired: "The certificate has expired."
        case .notYetValid: "The certificate is not valid yet; check this machine's clock."
        case .keyChanged:
            "The certificate is valid, but neither its key nor its authority is the one that this server had before."
        }
    }
}
