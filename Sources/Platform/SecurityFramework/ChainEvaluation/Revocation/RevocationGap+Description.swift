extension RevocationGap {
    /// One sentence for a person.
    package var sentence: String {
        switch self {
        case .nothingKnown: "Nobody says whether the certificate is revoked."
        case .list(let defect): "The issuer's revocation list cannot be used: \(defect.words)."
        case .answer(let defect): "The answer about revocation cannot be used: \(defect.words)."
        }
    }
}

extension RevocationGap.ListDefect {
    fileprivate var words: String {
        switch self {
        case .issuerMayNotSign: "the issuer's key may not sign lists"
        case .badSignature: "the issuer did not sign it"
        case .notYetValid: "it is from the future"
        case .outdated(.some): "there must be a newer one"
        case .outdated(nil): "it does not say when there is a newer one"
        case .unknownCriticalExtension(let oid): "it demands a rule that is not known here (\(oid))"
        case .notConforming: "it lacks its number or the issuer's key identifier, or its number is marked critical"
        case .partial: "it covers a part of the revocations only"
        case .unreadable: "an entry cannot be read"
        }
    }
}

extension RevocationGap.AnswerDefect {
    fileprivate var words: String {
        switch self {
        case .notAuthorized: "the issuer did not sign it, nor anybody whom the issuer delegated"
        case .notYetValid: "it is from the future"
        case .outdated: "there must be a newer one"
        case .unknownCertificate: "the service does not know the certificate"
        }
    }
}
