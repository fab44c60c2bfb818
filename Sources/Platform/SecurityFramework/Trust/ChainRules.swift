internal import PaviseCrypto

/// The rules that a complete path must keep, without a clock and without a network.
struct ChainRules {
    let path: [X509Certificate]
    let anchor: TrustAnchors.Anchor?
    let policy: TrustPolicy
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
        findings += purposes() + lifetime() + name()
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
        let (isAboveHardLimit, isAboveLimit) =
            switch key.kind {
            case .rsa: (key.bits >= 1024, key.bits >= 2048)
            case .ec: (key.bits >= 160, key.bits >= 256)
            case .ed25519, .ed448: (true, policy.purpose == .any)
            case .dsa, .other: (false, false)
            }
        guard isAboveHardLimit else {
            return [TrustFinding(.weakKey(key.text, belowHardLimit: true), certificate: index)]
        }
        guard isAboveLimit || policy.purpose == .any || leafIsAdministratorAnchor else {
            return [TrustFinding(.weakKey(key.text, belowHardLimit: false), certificate: index)]
        }
        return []
    }

    // A self-signature proves nothing, so its hash does not matter.
    private func hash(_ index: Int) -> [TrustFinding] {
        let certificate = path[index]
        let isAnchor = anchor != nil && index == path.count - 1
        let isExempt = isAnchor && anchor?.origin == .administrator
        guard !isExempt, !(certificate.isSelfIssued && certificate.isSigned(by: certificate)) else { return [] }
        guard let hash = certificate.signature.hash else {
            return [TrustFinding(.weakSignature(certificate.signature.text, isUnknown: true), certificate: index)]
        }
        guard !["MD2", "MD4", "MD5", "SHA-1"].contains(hash) else {
            return [TrustFinding(.weakSignature(certificate.signature.text, isUnknown: false), certificate: index)]
        }
        return []
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
        guard let host = policy.host, !leaf.serves(host) else { return [] }
        return [TrustFinding(.wrongHost(host: host, names: leaf.presentedNames), certificate: 0)]
    }
}

extension X509Certificate {
    /// Whether an alternative name serves `host`; the common name is never read.
    func serves(_ host: String) -> Bool {
        let address = IPAddress(host)
        return (extensions.alternativeNames ?? []).contains { name in
            switch name {
            case .dns(let presented): address == nil && HostName.matches(reference: host, presented: presented)
            case .address(let bytes): address?.bytes == bytes
            default: false
            }
        }
    }
}
