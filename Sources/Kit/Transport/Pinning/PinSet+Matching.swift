/// The result of comparing one chain with the pins.
public enum PinMatch: Hashable, Sendable {
    /// No set covers the host.
    case notPinned
    /// Every demand is met.
    case matched
    /// A demand is not met; what was wanted and what came.
    case mismatch(wanted: Set<Pin>, presented: [Pin])
    /// A set that covers the host is over and says that nothing fits any more.
    case expired
}

extension PinSet {
    /// Whether the set speaks about `host`. One dot at the end of `host` does not matter.
    public func covers(_ host: String) -> Bool {
        let name = CanonicalHost.of(host) ?? host.lowercased()
        guard let own = reach.nearness(to: name) else { return false }
        return !nearer.contains { other in
            guard let near = other.reach.nearness(to: name) else { return false }
            return near > own || (other.winsTies && near == own)
        }
    }

    /// The same demands, but for names to which a set of `others` is nearer: one that names them, or a longer part of
    /// them.
    ///
    /// - Parameter winsTies: Whether the others also speak where both are as near.
    package func yielding(to others: [PinSet], winsTies: Bool) -> PinSet {
        var set = self
        set.nearer += others.map { Nearer(reach: $0.reach, winsTies: winsTies) }
        return set
    }

    private var reach: Reach { Reach(hosts: hosts, subdomains: subdomains) }

    /// The names that a set is made for.
    struct Reach: Hashable, Sendable {
        let hosts: Set<String>
        let subdomains: Subdomains

        /// The length of the longest host under which `name` is covered; `nil` where none covers it.
        func nearness(to name: String) -> Int? {
            if hosts.contains(name) { return name.utf8.count }
            return hosts.filter { covers(name, below: $0) }.map(\.utf8.count).max()
        }

        private func covers(_ name: String, below parent: String) -> Bool {
            guard name.hasSuffix(".\(parent)") else { return false }
            switch subdomains {
            case .none: return false
            // pavise:ignore LENGTH The text is ASCII, where both counts are the same.
            case .oneLabel: return !name.dropLast(parent.utf8.count + 1).contains(".")
            case .all: return true
            }
        }
    }

    /// Another set that speaks in the place of one where it is nearer.
    struct Nearer: Hashable, Sendable {
        let reach: Reach
        let winsTies: Bool
    }

    /// Compares what the sets ask of `host` with a path, the leaf first.
    ///
    /// Every set that covers the host counts, and their pins are joined for each kind, as NSPinnedDomains does. A
    /// demand for authorities is only met above the leaf: a path of one certificate fails it.
    ///
    /// - Parameters:
    ///   - sets: All sets; those that only report do not count here.
    ///   - host: The server.
    ///   - path: The keys of the path that was built, the leaf first.
    ///   - certificates: The digests of the same path; empty when they are not known, and then no whole certificate
    ///     matches.
    ///   - seconds: Now, since 1970.
    public static func match(
        _ sets: [PinSet], host: String, path: [Pin], certificates: [CertificateDigest] = [], at seconds: Int64
    ) -> PinMatch {
        var covering = sets.filter { $0.enforcement == .enforced && $0.covers(host) }
        let over = covering.filter { $0.isOver(at: seconds) }
        guard !over.contains(where: { $0.afterExpiry == .refuse }) else { return .expired }
        covering.removeAll { $0.isOver(at: seconds) }
        guard !covering.isEmpty else { return .notPinned }

        let demands = Demands(covering)
        return demands.areMet(by: path, certificates)
            ? .matched : .mismatch(wanted: demands.leaf.union(demands.authority), presented: path)
    }

    // What several sets ask for together.
    private struct Demands {
        var leaf: Set<Pin> = []
        var authority: Set<Pin> = []
        private var leafCertificates: Set<CertificateDigest> = []
        private var authorityCertificates: Set<CertificateDigest> = []

        init(_ sets: [PinSet]) {
            for set in sets {
                leaf.formUnion(set.leaf)
                authority.formUnion(set.authority)
                leafCertificates.formUnion(set.leafCertificates)
                authorityCertificates.formUnion(set.authorityCertificates)
            }
        }

        func areMet(by path: [Pin], _ certificates: [CertificateDigest]) -> Bool {
            let asksLeaf = !leaf.isEmpty || !leafCertificates.isEmpty
            let asksAuthority = !authority.isEmpty || !authorityCertificates.isEmpty
            let leafFits =
                path.first.map(leaf.contains) == true || certificates.first.map(leafCertificates.contains) == true
            let authorityFits =
                path.dropFirst().contains(where: authority.contains)
                || certificates.dropFirst().contains(where: authorityCertificates.contains)
            return (!asksLeaf || leafFits) && (!asksAuthority || authorityFits)
        }
    }

    /// Whether a path meets the demands of this set alone, whatever a mismatch does.
    func isMet(by path: [Pin], _ certificates: [CertificateDigest]) -> Bool {
        Demands([self]).areMet(by: path, certificates)
    }

    func isOver(at seconds: Int64) -> Bool { expires.map { seconds > $0 } ?? false }
}
