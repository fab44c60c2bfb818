internal import PaviseCrypto

/// Names that the authorities of a path may vouch for (RFC 5280 §4.2.1.10, §6.1.3).
///
/// Each authority's subtrees are checked on their own, so that a subordinate can only narrow them. A wildcard is
/// treated as every name it can stand for. What cannot be compared is refused.
struct NameConstraintRule {
    let path: [X509Certificate]

    private static let maximumSubtrees = 1_024
    /// How many times a name is compared with a subtree. Whoever makes up a chain has thousands of both to give.
    private static let maximumComparisons = 250_000

    func findings() -> [TrustFinding] {
        let all = path.dropFirst().compactMap(\.extensions.nameConstraints)
        guard !all.isEmpty else { return [] }
        guard all.reduce(0, { $0 + $1.permitted.count }) < Self.maximumSubtrees,
            all.reduce(0, { $0 + $1.excluded.count }) < Self.maximumSubtrees
        else { return [TrustFinding(.notCompliant(.searchLimit), certificate: 0)] }
        guard comparisons <= Self.maximumComparisons else {
            return [TrustFinding(.notCompliant(.searchLimit), certificate: 0)]
        }
        return path.indices.dropFirst().flatMap { findings(of: $0) }
    }

    // At the most: every name below an authority with every subtree of it.
    private var comparisons: Int {
        path.indices.dropFirst().reduce(0) { sum, issuer in
            guard let constraints = path[issuer].extensions.nameConstraints else { return sum }
            let below = path[..<issuer].reduce(0) { $0 + names(of: $1).count }
            return sum + below * (constraints.permitted.count + constraints.excluded.count)
        }
    }

    private func findings(of issuer: Int) -> [TrustFinding] {
        guard let constraints = path[issuer].extensions.nameConstraints else { return [] }
        return path[..<issuer].indices.compactMap { index in
            guard index == 0 || !path[index].isSelfIssued else { return nil }
            let broken = names(of: path[index]).first { !Self.allows(constraints, $0) }
            return broken.map { TrustFinding(.notCompliant(.nameConstraint(Self.text($0))), certificate: index) }
        }
    }

    private func names(of certificate: X509Certificate) -> [GeneralName] {
        let subject: [GeneralName] = certificate.subject.isEmpty ? [] : [.directory(certificate.subject)]
        guard let alternatives = certificate.extensions.alternativeNames else {
            return subject + certificate.subject.values(of: "1.2.840.113549.1.9.1").map(GeneralName.mail)
        }
        return subject + alternatives
    }

    private static func allows(_ constraints: X509Extensions.NameConstraints, _ name: GeneralName) -> Bool {
        let excluded = constraints.excluded.filter { $0.number == name.number }
        guard !excluded.contains(where: { Subtree($0).mayContain(name) }) else { return false }
        let permitted = constraints.permitted.filter { $0.number == name.number }
        return permitted.isEmpty || permitted.contains { Subtree($0).surelyContains(name) }
    }

    private static func text(_ name: GeneralName) -> String {
        switch name {
        case .dns(let text), .mail(let text), .uri(let text): text
        case .address(let bytes): IPAddress(bytes: bytes)?.text ?? "an address"
        case .directory(let name): name.line
        case .other: "a name of another kind"
        }
    }
}

/// One subtree of a name constraint.
struct Subtree {
    private let base: GeneralName

    init(_ base: GeneralName) { self.base = base }

    /// For excluded subtrees: whether any host that `name` can stand for may lie inside. In doubt, yes.
    func mayContain(_ name: GeneralName) -> Bool { contains(name, inDoubt: true) }

    /// For permitted subtrees: whether every host that `name` can stand for lies inside. In doubt, no.
    func surelyContains(_ name: GeneralName) -> Bool { contains(name, inDoubt: false) }

    private func contains(_ name: GeneralName, inDoubt: Bool) -> Bool {
        switch (base, name) {
        case (.dns(let base), .dns(let name)): Self.host(name, within: base, inDoubt: inDoubt)
        case (.mail(let base), .mail(let name)): Self.mail(name, within: base, inDoubt: inDoubt)
        case (.uri(let base), .uri(let name)): Self.uri(name, within: base, inDoubt: inDoubt)
        case (.address(let base), .address(let name)): Self.address(name, within: base, inDoubt: inDoubt)
        case (.directory(let base), .directory(let name)): name.isWithin(base)
        default: inDoubt
        }
    }

    private static func host(_ name: String, within base: String, inDoubt: Bool) -> Bool {
        guard !base.isEmpty else { return true }
        let isSuffixOnly = base.hasPrefix(".")
        let base = ReferenceHostName.labels(isSuffixOnly ? String(base.dropFirst()) : base)
        guard ReferenceHostName.isWellFormed(name), base.allSatisfy({ !$0.isEmpty }) else { return inDoubt }
        var labels = ReferenceHostName.labels(name)
        guard labels.first == "*" else {
            return labels.count >= base.count + (isSuffixOnly ? 1 : 0) && Array(labels.suffix(base.count)) == base
        }
        labels.removeFirst()
        // Every x.P is inside when P is; some x.P is inside when the subtree begins one label below P.
        if labels.count >= base.count { return Array(labels.suffix(base.count)) == base }
        return inDoubt && base.count == labels.count + 1 && Array(base.dropFirst()) == labels
    }

    private static func mail(_ name: String, within base: String, inDoubt: Bool) -> Bool {
        let parts = name.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let local = parts.first, let domain = parts.last, !local.isEmpty else { return inDoubt }
        if base.contains("@") {
            let wanted = base.split(separator: "@", omittingEmptySubsequences: false)
            return wanted.count == 2 && wanted[0] == local && wanted[1].lowercased() == domain.lowercased()
        }
        guard base.hasPrefix(".") else { return base.isEmpty || domain.lowercased() == base.lowercased() }
        return domain.lowercased().hasSuffix(base.lowercased())
    }

    private static func uri(_ name: String, within base: String, inDoubt: Bool) -> Bool {
        guard let start = name.firstRange(of: "://")?.upperBound else { return inDoubt }
        let authority = name[start...].prefix { !"/?#".contains($0) }
        let host = String(authority.split(separator: "@").last ?? "").split(separator: ":").first.map(String.init) ?? ""
        guard ReferenceHostName.isWellFormed(host) else { return inDoubt }
        guard base.hasPrefix(".") else { return ReferenceHostName.labels(host) == ReferenceHostName.labels(base) }
        return Self.host(host, within: base, inDoubt: inDoubt)
    }

    private static func address(_ name: [UInt8], within base: [UInt8], inDoubt: Bool) -> Bool {
        guard base.count == 2 * name.count else { return false }
        let mask = base.suffix(name.count)
        guard isPrefix(mask) else { return inDoubt }
        return zip(name, zip(base, mask)).allSatisfy { byte, rule in byte & rule.1 == rule.0 & rule.1 }
    }

    // RFC 4632: a mask is ones, then zeros.
    private static func isPrefix(_ mask: ArraySlice<UInt8>) -> Bool {
        let rest = mask.drop { $0 == 0xFF }
        guard let edge = rest.first else { return true }
        return (~edge &+ 1) & ~edge == 0 && rest.dropFirst().allSatisfy { $0 == 0 }
    }
}
