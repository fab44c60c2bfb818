/// What pins say about one chain.
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
        let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
        if hosts.contains(name) { return true }
        return hosts.contains { parent in
            guard name.hasSuffix(".\(parent)") else { return false }
            switch subdomains {
            case .none: return false
            case .oneLabel: return !name.dropLast(parent.utf8.count + 1).contains(".")
            case .all: return true
            }
        }
    }

    /// Compares what the sets ask of `host` with a path, the leaf first.
    ///
    /// Every set that covers the host counts, and their pins are joined for each kind, as NSPinnedDomains does. A demand for
    /// authorities is only met above the leaf: a path of one certificate fails it.
    public static func match(_ sets: [PinSet], host: String, path: [Pin], at seconds: Int64) -> PinMatch {
        var covering = sets.filter { $0.covers(host) }
        let over = covering.filter { $0.isOver(at: seconds) }
        guard !over.contains(where: { $0.afterExpiry == .refuse }) else { return .expired }
        covering.removeAll { $0.isOver(at: seconds) }
        guard !covering.isEmpty else { return .notPinned }

        let leaf = covering.reduce(into: Set<Pin>()) { $0.formUnion($1.leaf) }
        let authority = covering.reduce(into: Set<Pin>()) { $0.formUnion($1.authority) }
        let leafFits = leaf.isEmpty || path.first.map(leaf.contains) == true
        let authorityFits = authority.isEmpty || path.dropFirst().contains(where: authority.contains)
        guard leafFits && authorityFits else { return .mismatch(wanted: leaf.union(authority), presented: path) }
        return .matched
    }

    private func isOver(at seconds: Int64) -> Bool { expires.map { seconds > $0 } ?? false }
}
