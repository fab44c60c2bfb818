internal import PaviseCrypto

extension ChainRules {
    /// The rules for the certificate at `index`, which issued the one before it (RFC 5280 §6.1.4).
    func issuer(_ index: Int) -> [TrustFinding] {
        let issuer = path[index]
        var kinds: [TrustFinding.Kind] = []
        if let rule = authority(index) { kinds.append(.notCompliant(rule)) }
        if !issuer.extensions.maySignCertificates { kinds.append(.wrongPurpose(.keyUsage)) }
        if let limit = issuer.extensions.basicConstraints?.pathLength, authorities(below: index) > limit {
            kinds.append(.notCompliant(.pathTooLong(limit: limit)))
        }
        let named = path[index - 1].extensions.authorityKeyIdentifier
        if let named, let own = issuer.extensions.subjectKeyIdentifier, named != own {
            kinds.append(.notCompliant(.keyIdentifierMismatch))
        }
        return kinds.map { TrustFinding($0, certificate: index) }
    }

    // Certificates of versions 1 and 2 cannot say that they are authorities; under an anchor as old they may be.
    private func authority(_ index: Int) -> ComplianceRule? {
        let issuer = path[index]
        guard issuer.version == 3 else {
            let isAnchor = index == path.count - 1
            return isAnchor || (anchor?.certificate.version ?? 3) < 3 ? nil : .missingBasicConstraints
        }
        guard let constraints = issuer.extensions.basicConstraints else { return .missingBasicConstraints }
        return constraints.isAuthority ? nil : .notAuthority
    }

    // Self-issued authorities do not count (RFC 5280 §4.2.1.9).
    private func authorities(below index: Int) -> Int {
        path[..<index].dropFirst().count { !$0.isSelfIssued }
    }

    /// Purposes of the leaf and of the authorities between it and the anchor.
    func purposes() -> [TrustFinding] {
        guard !policy.purposes.isEmpty else { return [] }
        let last = anchor == nil ? path.count : max(1, path.count - 1)
        return path.indices.prefix(last).compactMap { index in
            let listed = path[index].extensions.purposes
            guard !isPurposeAllowed(listed, isLeaf: index == 0) else { return nil }
            return TrustFinding(.wrongPurpose(.extendedKeyUsage(listed ?? [])), certificate: index)
        }
    }

    private func isPurposeAllowed(_ listed: [String]?, isLeaf: Bool) -> Bool {
        guard let listed else { return !(isLeaf && needsExplicitPurpose) }
        if !isLeaf, listed.contains(ChainPolicy.anyPurpose) { return true }
        let isStrict = policy.purpose == .server && needsExplicitPurpose
        return !(isStrict ? [ChainPolicy.serverAuth] : policy.purposes).isDisjoint(with: listed)
    }

    // Public authorities must name the purpose; an app's own roots since July 2019 (the first hour of it in UTC+1).
    private var needsExplicitPurpose: Bool {
        switch policy.purpose {
        case .server: break
        case .code, .timestamp, .endorsementKey: return true
        case .mail: return isPublicMail
        default: return false
        }
        switch anchor?.origin {
        case .system: return true
        case .application: return leaf.notBefore > Lifetime.summer2019
        case .administrator, nil: return false
        }
    }

    /// How long the leaf is valid, by the rules of the day it starts.
    func lifetime() -> [TrustFinding] {
        guard policy.purpose == .server, !leafIsAdministratorAnchor else { return [] }
        let seconds = leaf.notAfter - leaf.notBefore
        let limits = Lifetime.table.filter { entry in
            leaf.notBefore >= entry.from && (!entry.isForSystemRootsOnly || anchor?.origin == .system)
        }
        guard let limit = limits.map(\.limit).min(), seconds > limit else { return [] }
        return [TrustFinding(.notCompliant(.lifetime(seconds: seconds, limit: limit)), certificate: 0)]
    }
}

/// The longest lifetimes of server certificates, by the first second of validity.
enum Lifetime {
    static let summer2019: Int64 = 1_561_935_600

    static let table: [(from: Int64, limit: Int64, isForSystemRootsOnly: Bool)] = [
        (from: 1_519_862_400, limit: 825 * 86_400 + 3_600, isForSystemRootsOnly: true),
        (from: summer2019, limit: 825 * 86_400 + 3_600, isForSystemRootsOnly: false),
        (from: 1_598_918_400, limit: 398 * 86_400, isForSystemRootsOnly: true),
    ]
}
