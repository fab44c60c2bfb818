internal import Foundation
internal import PaviseCrypto

/// What `kSecMatch…` keys ask of a certificate, or of an identity's.
struct CertificateFilter {
    /// Names of issuers, DER: one of them must stand in the chain that the keychain's certificates make.
    var issuers: [DistinguishedName]?
    /// The rules that the certificate must fit by itself, whoever issued it.
    var policy: SecPolicy?
    /// Whether the chain must end in a trusted root.
    var trustedOnly = false
    /// A certificate that has mail addresses must have this one. In lower case.
    var mail: String?
    /// The moment at which the certificate must be valid.
    var validity: Validity?

    enum Validity: Hashable, Sendable {
        case now
        /// Seconds since 1970.
        case at(Int64)
    }

    /// Reads the value of one key.
    ///
    /// - Throws: -50 for a value of another type, or that says nothing.
    mutating func read(_ key: String, _ value: Any) throws(StatusFailure) {
        switch key {
        case "m_Issuers": issuers = try Self.names(value)
        case "m_Policy":
            guard let policy = value as? SecPolicy else { throw StatusFailure(errSecParam) }
            self.policy = policy
        case "m_TrustedOnly":
            guard let trustedOnly = Boolean.exactly(value) else { throw StatusFailure(errSecParam) }
            self.trustedOnly = trustedOnly
        case "m_EmailAddressIfPresent":
            guard let mail = value as? String, !mail.isEmpty else { throw StatusFailure(errSecParam) }
            self.mail = mail.lowercased()
        default: validity = try Self.validity(value)
        }
    }

    private static func names(_ value: Any) throws(StatusFailure) -> [DistinguishedName] {
        guard let list = value as? [Any], list.count <= 1000 else { throw StatusFailure(errSecParam) }
        var names: [DistinguishedName] = []
        for element in list {
            guard let data = element as? Data, let name = DistinguishedName(encoded: Array(data)) else {
                throw StatusFailure(errSecParam)
            }
            names.append(name)
        }
        return names
    }

    private static func validity(_ value: Any) throws(StatusFailure) -> Validity {
        if value is NSNull { return .now }
        guard let date = value as? Date, let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else {
            throw StatusFailure(errSecParam)
        }
        return .at(seconds)
    }

    /// Whether a certificate passes.
    ///
    /// - Parameters:
    ///   - chain: The certificate's issuers as far as the keychain has them, nearest first.
    ///   - now: Seconds since 1970.
    ///   - anchors: Where trust begins.
    func includes(
        _ certificate: X509Certificate, chain: [X509Certificate], now: Int64, anchors: TrustAnchors
    ) -> Bool {
        let time =
            switch validity {
            case .at(let seconds): seconds
            case .now, nil: now
            }
        if validity != nil, !(certificate.notBefore...max(certificate.notBefore, certificate.notAfter)).contains(time) {
            return false
        }
        if let mail, !certificate.mayUse(mail) { return false }
        if let issuers {
            let names = ([certificate] + chain).map(\.issuer)
            guard names.contains(where: { name in issuers.contains { $0.matches(name) } }) else { return false }
        }
        guard trustedOnly || policy != nil else { return true }
        // Whom to trust is another question than what a certificate is for.
        let own = TrustAnchors.only([certificate.der])
        return ServerTrust.evaluate(
            leaf: certificate, others: chain, policy: policy?.policy ?? ChainPolicy(purpose: .any, host: nil),
            at: time, anchors: trustedOnly ? anchors : own
        ).isTrusted
    }
}

extension X509Certificate {
    /// Whether the address is one of the certificate's, or it has none.
    fileprivate func mayUse(_ mail: String) -> Bool {
        let alternatives = (extensions.alternativeNames ?? []).compactMap { name -> String? in
            guard case .mail(let address) = name else { return nil }
            return address
        }
        let addresses = alternatives + subject.values(of: "1.2.840.113549.1.9.1")
        return addresses.isEmpty || addresses.contains { $0.lowercased() == mail }
    }
}
