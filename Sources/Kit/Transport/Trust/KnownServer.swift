/// What a server showed when it was last trusted: what the next certificate is compared with.
public struct KnownServer: Hashable, Sendable, Codable {
    /// What its certificate said.
    public let summary: CertificateSummary
    /// Its key.
    public let key: Pin
    /// The keys above it, the root included. Never compared as a chain: rotating an intermediate asks nobody.
    public let authorities: Set<Pin>

    /// Takes over what a chain showed; `nil` when its leaf could not be read.
    public init?(_ chain: EvaluatedChain) {
        guard let summary = chain.summary, let key = chain.path.first ?? Pin(summary.spki) else { return nil }
        self.summary = summary
        self.key = key
        authorities = Set(chain.path.dropFirst())
    }

    /// A server of which only the leaf is known; `nil` when its key could not be read.
    init?(_ summary: CertificateSummary) {
        guard let key = Pin(summary.spki) else { return nil }
        self.summary = summary
        self.key = key
        authorities = []
    }

    /// How a server went from this to what it shows now, both valid.
    ///
    /// - Returns: `nil` when `rule` wants a person to look at the difference.
    func renewal(to shown: KnownServer, under rule: ManagedTrust.Renewal) -> ServerTrustState.Note? {
        if summary.fingerprint == shown.summary.fingerprint { return .unchanged }
        switch rule {
        case .alwaysAsk: return nil
        case .sameKey: return key == shown.key ? .renewedKey : nil
        case .sameIssuers, .validIsEnough:
            if key == shown.key { return .renewedKey }
            if !authorities.isDisjoint(with: shown.authorities) { return .renewedAuthority }
            return rule == .validIsEnough ? .renewedValid : nil
        }
    }
}

/// One field in which a certificate differs from the one before.
public struct CertificateChange: Hashable, Sendable {
    /// Which field.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        /// What the property of ``CertificateSummary`` with the same name says.
        case subject, names, issuer, notBefore, notAfter, key, signature, serial, fingerprint, spki
    }

    /// Which field.
    public let field: Field
    /// What was there; numbers as text, lists joined by a comma.
    public let old: String
    /// What is there now.
    public let new: String

    /// The fields in which two certificates differ, in the order of ``Field``.
    public static func between(_ old: CertificateSummary, _ new: CertificateSummary) -> [CertificateChange] {
        Field.allCases.compactMap { field in
            let (one, other) = (text(field, old), text(field, new))
            return one == other ? nil : CertificateChange(field: field, old: one, new: other)
        }
    }

    private static func text(_ field: Field, _ summary: CertificateSummary) -> String {
        switch field {
        case .subject: summary.subject
        case .names: summary.names.joined(separator: ", ")
        case .issuer: summary.issuer
        case .notBefore: HTTPDate.text(summary.notBefore)
        case .notAfter: HTTPDate.text(summary.notAfter)
        case .key: summary.key
        case .signature: summary.signature
        case .serial: summary.serial
        case .fingerprint: summary.fingerprint
        case .spki: summary.spki
        }
    }
}
