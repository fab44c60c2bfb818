internal import PaviseCrypto

/// Finds paths from a leaf to an anchor among certificates that a stranger sent.
///
/// The search is bounded: depth, steps and signature checks. Hostile sets end at a limit, not in an endless loop.
struct PathBuilder {
    /// A chain of issuers from the leaf on.
    struct Path {
        let certificates: [X509Certificate]
        /// The anchor that the last certificate is, where there is one.
        let anchor: TrustAnchors.Anchor?
    }

    /// When the signatures of a path are checked.
    enum Order {
        /// While the path grows: each one that is offered is signed, and only such are judged.
        case signaturesFirst
        /// When the path has pleased: most of the work is saved where none does.
        case signaturesLast
    }

    static let maximumDepth = 10
    static let maximumCertificates = 64
    private static let maximumSteps = 4_000
    private static let maximumSignatures = 200
    /// How many paths are offered before their signatures are known. Names alone can be had in any number.
    private static let maximumUnsigned = 32

    private let leaf: X509Certificate
    private let others: [X509Certificate]
    private let anchors: TrustAnchors
    private let order: Order
    private var steps = 0
    private var unsigned = 0
    private var signatures = 0
    private var checked: [SignaturePair: Bool] = [:]
    /// The longest chain that ends nowhere, for the report.
    private(set) var longest: [X509Certificate] = []
    /// Whether a limit ended the search.
    private(set) var reachedLimit = false

    init(
        leaf: X509Certificate, others: [X509Certificate], anchors: TrustAnchors, order: Order = .signaturesFirst
    ) {
        self.order = order
        self.leaf = leaf
        self.others = Self.distinct(others.prefix(Self.maximumCertificates))
        self.anchors = anchors
    }

    // The same certificate sent many times must not cost many checks.
    private static func distinct(_ certificates: ArraySlice<X509Certificate>) -> [X509Certificate] {
        certificates.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Gives each complete path to `accept` until it returns true and the path is signed; says whether there is one.
    @discardableResult
    mutating func search(_ accept: (Path) -> Bool) -> Bool {
        if let anchor = anchors.anchor(leaf), accept(Path(certificates: [leaf], anchor: anchor)) { return true }
        if extend([leaf], accept) { return true }
        if longest.isEmpty { longest = [leaf] }
        return false
    }

    private mutating func extend(_ path: [X509Certificate], _ accept: (Path) -> Bool) -> Bool {
        guard let last = path.last, path.count < Self.maximumDepth, takeStep() else { return false }
        for anchor in anchors.issuers(of: last) where !isUsed(anchor.certificate, in: path) {
            guard mayBeSigned(last, by: anchor.certificate) else { continue }
            if offer(Path(certificates: path + [anchor.certificate], anchor: anchor), accept) { return true }
        }
        var isDeadEnd = true
        for candidate in candidates(for: last) where !isUsed(candidate, in: path) && mayBeSigned(last, by: candidate) {
            isDeadEnd = false
            if extend(path + [candidate], accept) { return true }
        }
        if isDeadEnd, path.count > longest.count { longest = path }
        return false
    }

    private mutating func offer(_ path: Path, _ accept: (Path) -> Bool) -> Bool {
        guard order == .signaturesLast else { return accept(path) }
        unsigned += 1
        guard unsigned <= Self.maximumUnsigned else {
            reachedLimit = true
            return false
        }
        guard accept(path) else { return false }
        for (certificate, issuer) in zip(path.certificates, path.certificates.dropFirst()) {
            guard isSigned(certificate, by: issuer) else { return false }
        }
        return true
    }

    private mutating func mayBeSigned(_ certificate: X509Certificate, by issuer: X509Certificate) -> Bool {
        order == .signaturesLast || isSigned(certificate, by: issuer)
    }

    // Those whose key identifier fits come first; a wrong identifier is judged later, by the rules.
    private func candidates(for certificate: X509Certificate) -> [X509Certificate] {
        let byName = others.filter { $0.subject.matches(certificate.issuer) }
        guard let wanted = certificate.extensions.authorityKeyIdentifier else { return byName }
        let fits = byName.filter { $0.extensions.subjectKeyIdentifier == wanted }
        return fits + byName.filter { $0.extensions.subjectKeyIdentifier != wanted }
    }

    // The same authority with the same key twice would be a circle.
    private func isUsed(_ candidate: X509Certificate, in path: [X509Certificate]) -> Bool {
        path.contains { $0.spki == candidate.spki && $0.subject.matches(candidate.subject) }
    }

    private mutating func takeStep() -> Bool {
        steps += 1
        reachedLimit = reachedLimit || steps > Self.maximumSteps
        return !reachedLimit
    }

    private mutating func isSigned(_ certificate: X509Certificate, by issuer: X509Certificate) -> Bool {
        let pair = SignaturePair(certificate: ObjectIdentifier(certificate), issuer: ObjectIdentifier(issuer))
        if let known = checked[pair] { return known }
        guard signatures < Self.maximumSignatures else {
            reachedLimit = true
            return false
        }
        signatures += 1
        let result = certificate.isSigned(by: issuer)
        checked[pair] = result
        return result
    }
}

/// A certificate and one that may have issued it, both alive while the builder is.
private struct SignaturePair: Hashable {
    let certificate: ObjectIdentifier
    let issuer: ObjectIdentifier
}
