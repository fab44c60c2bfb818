internal import PavisePrimitives
internal import SecurityFramework

extension CertificateApproval: Codable {
    private enum Key: String, CodingKey {
        case connection, origin, spki, fingerprint, failures, created, expires, approver, evidence
    }

    /// Reads what ``encode(to:)`` wrote. Approvals of an older Pavise have no connection, no approver and no evidence:
    /// a person gave them.
    ///
    /// - Throws: `DecodingError` also for one that nobody can have given: over http, longer than ``longestTime``,
    ///   ending before it begins, of a failure that cannot be approved.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        connection = try values.decodeIfPresent(String.self, forKey: .connection)
        origin = try values.decode(Origin.self, forKey: .origin)
        spki = try values.decode(Pin.self, forKey: .spki)
        fingerprint = try values.decode(String.self, forKey: .fingerprint)
        failures = try values.decode(Set<TrustFailure>.self, forKey: .failures)
        created = try values.decode(Int64.self, forKey: .created)
        expires = try values.decode(Int64.self, forKey: .expires)
        approver = try values.decodeIfPresent(Approver.self, forKey: .approver) ?? .person
        evidence = try values.decodeIfPresent(CertificateDigest.self, forKey: .evidence)
        guard isSensible else {
            throw DecodingError.dataCorruptedError(
                forKey: .expires, in: values, debugDescription: "an approval that nobody can have given")
        }
    }

    /// Writes every field that is there; the failures in the order of their importance.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(connection, forKey: .connection)
        try values.encode(origin, forKey: .origin)
        try values.encode(spki, forKey: .spki)
        try values.encode(fingerprint, forKey: .fingerprint)
        try values.encode(TrustFailure.allCases.filter(failures.contains), forKey: .failures)
        try values.encode(created, forKey: .created)
        try values.encode(expires, forKey: .expires)
        try values.encode(approver, forKey: .approver)
        try values.encodeIfPresent(evidence, forKey: .evidence)
    }
}

extension CertificateRefusal {
    /// SHA-256 of what a person was shown about the server at `origin`: what failed and each field of the summary, one
    /// to a line. It proves later which screen an approval belongs to. `nil` when there was nothing to show.
    public func evidence(at origin: Origin) -> CertificateDigest? {
        guard let summary else { return nil }
        let failed = TrustFailure.allCases.filter(failures.contains).map(\.rawValue).joined(separator: ",")
        let lines =
            ["pavise approval 1", "\(origin)", failed, summary.subject, summary.issuer]
            + summary.names.map { "name \($0)" }
            + [
                "\(summary.notBefore)", "\(summary.notAfter)", summary.key, summary.signature, summary.serial,
                summary.fingerprint, summary.spki,
            ]
        // A line break inside a field would make two lines of one; certificates may hold one.
        let text = lines.map { $0.replacing("\\", with: "\\\\").replacing("\n", with: "\\n") }.joined(separator: "\n")
        return CertificateDigest(Hex.encode(MessageDigest.sha256(Array(text.utf8))))
    }
}
