internal import PaviseCrypto

/// What one list says about one certificate (RFC 5280 §6.3.3). Bad news is taken from a list that is outdated or
/// incomplete too, as long as the issuer signed it; good news only from one without a fault.
struct ListStatus {
    let list: RevocationList
    let certificate: X509Certificate
    let issuer: X509Certificate
    /// Seconds since 1970.
    let time: Int64

    /// `nil` when the list is not about this certificate: another issuer, another key, another part of the
    /// certificates.
    func status() -> RevocationStatus? {
        guard isByIssuer, coversCertificate else { return nil }
        if let defect = signingDefect { return .unknown(.list(defect)) }
        guard let entry = try? list.entry(certificate.serial) else { return noEntry() }
        // A list of changes names what is off the whole list again, too (RFC 5280 §5.3.1): neither good news nor bad.
        guard entry.reason != .removeFromList || !list.extensions.isDelta else { return .unknown(.list(.partial)) }
        return .revoked(time: entry.time, reason: entry.reason)
    }

    // `try?` makes one of "not on the list" and "an entry cannot be read".
    private func noEntry() -> RevocationStatus {
        do {
            _ = try list.entry(certificate.serial)
        } catch {
            return .unknown(.list(.unreadable))
        }
        return contentDefect.map { .unknown(.list($0)) } ?? .good
    }

    private var isByIssuer: Bool {
        guard list.issuer.matches(issuer.subject) else { return false }
        guard let named = list.extensions.authorityKeyIdentifier, let own = issuer.extensions.subjectKeyIdentifier
        else { return true }
        return named == own
    }

    private var coversCertificate: Bool {
        guard let scope = list.extensions.scope else { return true }
        let isAuthority = certificate.extensions.basicConstraints?.isAuthority ?? false
        guard !scope.attributesOnly, !(scope.usersOnly && isAuthority), !(scope.authoritiesOnly && !isAuthority) else {
            return false
        }
        guard !scope.hasRelativeName else { return false }
        return scope.names.isEmpty || scope.names.contains { certificate.extensions.distributionPoints.contains($0) }
    }

    private var signingDefect: RevocationGap.ListDefect? {
        guard issuer.extensions.maySignLists else { return .issuerMayNotSign }
        guard list.isSigned(by: issuer) else { return .badSignature }
        guard list.thisUpdate <= time else { return .notYetValid(thisUpdate: list.thisUpdate) }
        return list.extensions.scope?.isIndirect == true ? .partial : nil
    }

    private var contentDefect: RevocationGap.ListDefect? {
        let extensions = list.extensions
        if let unknown = extensions.unknownCritical.first { return .unknownCriticalExtension(unknown) }
        guard !extensions.isDelta, extensions.scope?.someReasonsOnly != true else { return .partial }
        guard list.version == 2, extensions.number == .present, extensions.namesAuthorityKey else {
            return .notConforming
        }
        guard let next = list.nextUpdate, time <= next else { return .outdated(nextUpdate: list.nextUpdate) }
        return nil
    }
}
