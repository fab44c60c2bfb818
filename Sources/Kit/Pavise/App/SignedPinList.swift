internal import PaviseJWT
internal import PavisePrimitives
internal import PaviseTransport

/// Pins that the app's maker signed: a compact JWS (RFC 7515) with `iss`, `aud` (the app's identifier), `iat`, `exp`,
/// `number`, and `pins`: objects with `hosts`, `subdomains` (`none`, `one` or `all`), `leaf` and `authority`.
struct SignedPinList: Hashable, Sendable {
    /// The header `typ`: nothing else that is signed with the same key is a list (RFC 8725 §3.11).
    static let type = "pavise-pins+jwt"
    /// The longest list that is read, in bytes.
    static let limit = 65_536
    /// The longest time between `iat` and `exp`, in seconds: 400 days.
    static let longestLife: Int64 = 400 * 86_400
    private static let mostSets = 100

    /// Grows with each list.
    let number: Int64
    /// When it is over, in seconds since 1970.
    let expires: Int64
    private let entries: [Entry]

    private struct Entry: Hashable {
        let hosts: Set<String>
        let subdomains: PinSet.Subdomains
        let leaf: Set<Pin>
        let authority: Set<Pin>
    }

    /// Judges a list. Nothing of it is believed before its signature.
    ///
    /// - Parameters:
    ///   - app: The only audience that counts.
    ///   - seconds: Now; `nil` for a list that was judged before: its end is no reason to forget it.
    init(_ text: String, by rules: PinRenewal, for app: String, at seconds: Int64?) throws(PinListFailure) {
        let claims: TokenClaims
        do throws(TokenProblem) {
            let token = try CompactToken(text, limit: Self.limit)
            guard token.keyIdentifier != nil else { throw TokenProblem.noSuchKey }
            let verified = try token.verified(by: rules.keys)
            // One that was judged before had begun by then.
            let begun = ["iat", "nbf"].compactMap { verified.claims?.moment($0) }.max()
            let moment = seconds ?? begun ?? 0
            try TokenRules(issuer: rules.issuer, audience: app, type: Self.type).check(verified, at: moment)
            guard let found = verified.claims else { throw TokenProblem.claims }
            claims = found
        } catch {
            throw .token(error)
        }
        guard let issued = claims.moment("iat"), let expires = claims.moment("exp") else { throw .token(.claims) }
        let (life, isOver) = expires.subtractingReportingOverflow(issued)
        guard !isOver, life > 0, life <= Self.longestLife else { throw .lifetime }
        guard let number = claims.integer("number"), number > 0 else { throw .content("number") }
        self.number = number
        self.expires = expires
        entries = try Self.entries(claims.value["pins"])
        // What cannot be a set of pins is refused now, and not when a server is judged.
        _ = try sets(expires: nil, afterExpiry: .refuse, enforcement: .enforced)
    }

    private static func entries(_ value: JSONValue?) throws(PinListFailure) -> [Entry] {
        guard let list = value?.array, (1...mostSets).contains(list.count) else { throw .content("pins") }
        var entries: [Entry] = []
        for member in list {
            let subdomains: PinSet.Subdomains
            switch member["subdomains"]?.string {
            case nil where member["subdomains"] == nil, "none": subdomains = .none
            case "one": subdomains = .oneLabel
            case "all": subdomains = .all
            default: throw .content("subdomains")
            }
            let hosts = try texts(member["hosts"], "hosts")
            entries.append(
                Entry(
                    hosts: Set(hosts), subdomains: subdomains, leaf: try pins(member["leaf"], "leaf"),
                    authority: try pins(member["authority"], "authority")))
        }
        return entries
    }

    private static func pins(_ value: JSONValue?, _ name: String) throws(PinListFailure) -> Set<Pin> {
        guard value != nil else { return [] }
        let texts = try texts(value, name)
        let pins = texts.compactMap(Pin.init)
        guard pins.count == texts.count else { throw .content(name) }
        return Set(pins)
    }

    private static func texts(_ value: JSONValue?, _ name: String) throws(PinListFailure) -> [String] {
        guard let list = value?.array, (1...mostSets).contains(list.count) else { throw .content(name) }
        let texts = list.compactMap(\.string)
        guard texts.count == list.count else { throw .content(name) }
        return texts
    }

    private func sets(
        expires: Int64?, afterExpiry: PinSet.AfterExpiry, enforcement: PinSet.Enforcement
    ) throws(PinListFailure) -> [PinSet] {
        var sets: [PinSet] = []
        for entry in entries {
            do throws(PinSet.Problem) {
                sets.append(
                    try PinSet(
                        hosts: entry.hosts, subdomains: entry.subdomains, leaf: entry.leaf, authority: entry.authority,
                        expires: expires, afterExpiry: afterExpiry, enforcement: enforcement))
            } catch {
                throw .content("pins")
            }
        }
        return sets
    }

    /// The list's pins beside those that the app was built with. For each host one of the two speaks: whoever names it,
    /// or a longer part of it, and the list where both do. So a list replaces the pins of the hosts that it names, also
    /// those that a parent's set brought them, and takes the pins of no other host away.
    func joined(
        to built: [PinSet], _ afterExpiry: SecurityConfiguration.Pins.AfterExpiry
    ) -> [PinSet] {
        let ending: PinSet.AfterExpiry = afterExpiry == .refuse ? .refuse : .ignorePins
        var own = (try? sets(expires: expires, afterExpiry: ending, enforcement: .enforced)) ?? []
        let named = Set(own.flatMap(\.hosts))
        let kept = built.filter { $0.subdomains != .none || !$0.hosts.isSubset(of: named) }
            .map { $0.yielding(to: own, winsTies: true) }
        if afterExpiry == .report {
            // Never silently: what would have been refused is told before the end and after it.
            own += (try? sets(expires: nil, afterExpiry: .refuse, enforcement: .reportOnly)) ?? []
        }
        // To what always holds: where the app's pins end or only report, the list's go on.
        let lasting = built.filter { $0.enforcement == .enforced && ($0.expires == nil || $0.afterExpiry == .refuse) }
        return kept + own.map { $0.yielding(to: lasting, winsTies: false) }
    }
}
