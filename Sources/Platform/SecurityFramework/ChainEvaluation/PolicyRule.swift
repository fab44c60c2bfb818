internal import PaviseCrypto

/// Whether a path keeps the policies that its authorities demand (RFC 5280 §6.1.3 d–f, §6.1.4 a–j, §6.1.5).
///
/// The caller asks for no policy, so it is enough to know which policies still hold: a set takes the place of the
/// standard's tree.
struct PolicyRule {
    /// The certificates below the anchor, leaf first.
    let path: [X509Certificate]

    /// Index and nothing else: which certificate has no policy left although each needs one; or one that maps “any”.
    func finding() -> TrustFinding? {
        guard path.contains(where: { !$0.extensions.policies.isEmpty }) else { return nil }
        var state = State(length: path.count)
        for index in path.indices.reversed() {
            guard state.take(path[index], isLast: index == 0) else {
                return TrustFinding(.notCompliant(.policy), certificate: index)
            }
        }
        return nil
    }

    private struct State {
        var valid: Set<String> = [CertificatePolicies.any]
        var explicit: Int
        var mapping: Int
        var any: Int

        init(length: Int) {
            explicit = length + 1
            mapping = length + 1
            any = length + 1
        }

        mutating func take(_ certificate: X509Certificate, isLast: Bool) -> Bool {
            let policies = certificate.extensions.policies
            valid = narrowed(policies.identifiers ?? [], takesAny: any > 0 || (!isLast && certificate.isSelfIssued))
            guard explicit > 0 || !valid.isEmpty else { return false }
            guard !isLast else { return finish(policies) }
            guard map(policies.mappings) else { return false }
            if !certificate.isSelfIssued { count() }
            explicit = min(explicit, policies.requireExplicit ?? explicit)
            mapping = min(mapping, policies.inhibitMapping ?? mapping)
            any = min(any, policies.inhibitAny ?? any)
            return true
        }

        private func finish(_ policies: CertificatePolicies) -> Bool {
            let left = policies.requireExplicit == 0 ? 0 : max(0, explicit - 1)
            return left > 0 || !valid.isEmpty
        }

        private func narrowed(_ identifiers: [String], takesAny: Bool) -> Set<String> {
            let isOpen = valid.contains(CertificatePolicies.any)
            let named = identifiers.filter { $0 != CertificatePolicies.any && (isOpen || valid.contains($0)) }
            guard takesAny, identifiers.contains(CertificatePolicies.any) else { return Set(named) }
            return valid.union(named)
        }

        private mutating func map(_ mappings: [CertificatePolicies.Mapping]) -> Bool {
            let any = CertificatePolicies.any
            guard !mappings.contains(where: { $0.issuer == any || $0.subject == any }) else { return false }
            let isOpen = valid.contains(any)
            let mapped = mappings.filter { isOpen || valid.contains($0.issuer) }.map(\.subject)
            valid.subtract(mappings.map(\.issuer))
            if mapping > 0 { valid.formUnion(mapped) }
            return true
        }

        private mutating func count() {
            explicit = max(0, explicit - 1)
            mapping = max(0, mapping - 1)
            any = max(0, any - 1)
        }
    }
}
