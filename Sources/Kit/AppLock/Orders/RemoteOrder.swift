internal import PaviseJWT

/// An order whose signature, issuer, audience and times are right. Whether it was obeyed before, the ledger knows.
struct RemoteOrder: Hashable, Sendable {
    /// `jti`: 1 to 128 visible characters of ASCII.
    let name: String
    /// `iat`, in seconds since 1970.
    let issued: Int64
    /// `action`.
    let action: OrderedAction

    /// Judges an order. Nothing of it is believed before its signature.
    ///
    /// - Parameters:
    ///   - installation: The only audience that counts.
    ///   - seconds: Now, in seconds since 1970.
    init(_ text: String, by rules: OrderRules, for installation: String, at seconds: Int64) throws(OrderFailure) {
        let token: VerifiedToken
        do throws(TokenProblem) {
            let order = try CompactToken(text, limit: OrderRules.limit)
            // An order that names no key is checked with none, also where there is only one.
            guard order.keyIdentifier != nil else { throw TokenProblem.noSuchKey }
            token = try order.verified(by: rules.keys)
            try TokenRules(issuer: rules.issuer, audience: installation, type: OrderRules.type)
                .check(token, at: seconds)
        } catch {
            throw .token(error)
        }
        guard let claims = token.claims, let issued = claims.moment("iat"), let end = claims.moment("exp") else {
            throw .token(.claims)
        }
        let (life, isOver) = end.subtractingReportingOverflow(issued)
        guard !isOver, life > 0, life <= OrderRules.longestLife else { throw .lifetime }
        guard let name = claims.string("jti"), Self.isName(name) else { throw .content("jti") }
        guard let action = claims.string("action").flatMap(OrderedAction.init) else { throw .content("action") }
        self.name = name
        self.issued = issued
        self.action = action
    }

    static func isName(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
