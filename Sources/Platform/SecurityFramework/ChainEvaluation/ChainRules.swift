internal import PaviseCrypto

/// The rules that a complete path must keep, without a clock and without a network.
struct ChainRules {
    let path: [X509Certificate]
    let anchor: TrustAnchors.Anchor?
    let policy: ChainPolicy
    /// Seconds since 1970.
    let time: Int64

    var leaf: X509Certificate { path[0] }

    /// Whether the server's certificate itself was put into the store by a person.
    var leafIsAdministratorAnchor: Bool { path.count == 1 && anchor?.origin == .administrator }

    /// Everything that is wrong, most important first.
    func findings() -> [TrustFinding] {
        var findings: [TrustFinding] = []
        for index in path.indices {
            findings += dates(index) + key(index) + hash(index) + extensions(index) + identity(index)
            if index > 0 { findings += issuer(index) }
        }
        findings += NameConstraintRule(path: path).findings()
        findings += purposes() + usage() + lifetime() + name() + length() + policies()
        return TrustVerdict.sorted(findings)
    }

    private func dates(_ index: Int) -> [TrustFinding] {
        let certificate = path[index]
        guard time >= certificate.notBefore else {
            return [TrustFinding(.notYetValid(notBefore: certificate.notBefore), certificate: index)]
        }
        guard time <= certificate.notAfter else {
            return [TrustFinding(.expired(notAfter: certificate.notAfter), certificate: index)]
        }
        return []
    }

    private func key(_ index: Int) -> [TrustFinding] {
        let key = path[index].key
        let isAboveLimit =
            switch key.kind {
            case .rsa: key.bits >= 2048
            case .ec: key.bits >= 256
            case .ed25519, .ed448: policy.allowsSmallKeys(anchor?.origin)
            case .dsa, .other: false
            }
        guard Self.isAboveHardLimit(key) else {
            return [TrustFinding(.weakKey(key.text, belowHardLimit: true), certificate: index)]
        }
        guard isAboveLimit || policy.allowsSmallKeys(anchor?.origin) || leafIsAdministratorAnchor else {
            return [TrustFinding(.weakKey(key.text, belowHardLimit: false), certificate: index)]
        }
        return []
    }

    /// Whether a key is strong enough to be taken where a person or the policy allows small ones. Whatever vouches for
    /// something here has one.
    static func isAboveHardLimit(_ key: X509Key) -> Bool {
        switch key.kind {
        case .rsa: key.bits >= 1024
        case .ec: key.bits >= 160
        case .ed25519, .ed448: true
        case .dsa, .other: false
        }
    }

    // A self-signature proves nothing, so its hash does not matter. It is checked last: that costs more than all else
    // here.
    private func hash(_ index: Int) -> [TrustFinding] {
        let certificate = path[index]
        let hash = certificate.signature.hash
        guard hash.map({ ["MD2", "MD4", "MD5", "SHA-1"].contains($0) }) ?? true else { return [] }
        let isAnchor = anchor != nil && index == path.count - 1
        let isExempt = isAnchor && anchor?.origin == .administrator
        guard !isExempt, !(certificate.isSelfIssued && certificate.isSigned(by: certificate)) else { return [] }
        return [TrustFinding(.weakSignature(certificate.signature.text, isUnknown: hash == nil), certificate: index)]
    }

    private func extensions(_ index: Int) -> [TrustFinding] {
        let extensions = path[index].extensions
        let isAnchor = anchor != nil && index == path.count - 1
        let rules =
            extensions.repeated.map(ComplianceRule.repeatedExtension)
            + extensions.unreadable.map(ComplianceRule.unreadable)
            + (isAnchor ? [] : extensions.unknownCritical.map(ComplianceRule.unknownCriticalExtension))
        return rules.map { TrustFinding(.notCompliant($0), certificate: index) }
    }

    // RFC 5280 §4.1.2.6: only a leaf may have an empty subject, and then its alternative names are critical.
    private func identity(_ index: Int) -> [TrustFinding] {
        let certificate = path[index]
        guard certificate.subject.isEmpty else { return [] }
        let isAuthority = index > 0 || certificate.extensions.basicConstraints?.isAuthority == true
        guard isAuthority || !certificate.extensions.alternativeNamesAreCritical else { return [] }
        return [TrustFinding(.notCompliant(.emptySubject), certificate: index)]
    }

    private func name() -> [TrustFinding] {
        let missing =
            policy.mail.first { !leaf.holds(mail: $0) } ?? policy.host.flatMap { leaf.serves($0) ? nil : $0 }
            ?? foreignName
        guard let missing else { return [] }
        return [TrustFinding(.wrongHost(host: missing, names: leaf.presentedNames), certificate: 0)]
    }

    // Without an anchor the top of the path is some authority, whose demands count as well.
    private func policies() -> [TrustFinding] {
        let below = anchor == nil || path.count == 1 ? path : Array(path.dropLast())
        return PolicyRule(path: below).finding().map { [$0] } ?? []
    }

    private func length() -> [TrustFinding] {
        guard let limit = policy.maximumAuthorities, path.count > 1 else { return [] }
        let authorities = path.dropFirst().dropLast(anchor == nil ? 0 : 1).count { !$0.isSelfIssued }
        guard authorities > limit else { return [] }
        return [TrustFinding(.notCompliant(.pathTooLong(limit: limit)), certificate: path.count - 1)]
    }
}

extension X509Certificate {
    /// Whether an alternative name serves `host`; the common name is never read.
    func serves(_ host: String) -> Bool {
        let address = IPAddress(host)
        return (extensions.alternativeNames ?? []).contains { name in
            switch name {
            case .dns(let presented): address == nil && ReferenceHostName.matches(reference: host, presented: presented)
            case .address(let bytes): address?.bytes == bytes
            default: false
            }
        }
    }

    /// Whether an alternative name is this mail address. Only the host's case does not count (RFC 5280 §7.5).
    func holds(mail address: String) -> Bool {
        (extensions.alternativeNames ?? []).contains { name in
            guard case .mail(let presented) = name else { return false }
            return MailAddress(presented).map { $0 == MailAddress(address) } ?? false
        }
    }
}
