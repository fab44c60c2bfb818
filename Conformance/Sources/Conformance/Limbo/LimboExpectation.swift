/// Where a published verdict is not ours, by rule: the suite judges how certificates are to be issued, Apple's systems
/// judge whether a path can be relied on. Nothing here names a case for any other reason than its rule.
struct LimboExpectation: Sendable {
    /// The beginning of the ids.
    let family: String
    /// What the rest of the id holds; empty fits all.
    let holding: String
    /// What Pavise says, as Apple's systems do.
    let isAccepted: Bool
    /// Apple's rule.
    let reason: String

    private init(_ family: String, _ holding: String = "", accepts reason: String) {
        self.family = family
        self.holding = holding
        isAccepted = true
        self.reason = reason
    }

    /// The expectation that fits, if there is one.
    static func rule(_ id: String) -> LimboExpectation? {
        all.first { rule in
            id.hasPrefix(rule.family)
                && (rule.holding.isEmpty || id.dropFirst(rule.family.count).contains(rule.holding))
        }
    }

    private static let identifiers =
        "Key identifiers are compared only when subject and issuer both carry one; missing, critical or odd ones are fine."

    private static let all = [
        LimboExpectation(
            "webpki::cn::", accepts: "The common name is never read; alternative names alone count."),
        LimboExpectation("webpki::aki::", accepts: identifiers),
        LimboExpectation("rfc5280::aki::", "missing", accepts: identifiers),
        LimboExpectation("rfc5280::aki::", "critical", accepts: identifiers),
        LimboExpectation("rfc5280::ski::", accepts: identifiers),
        LimboExpectation(
            "rfc5280::serial::", accepts: "A serial number is 1 to 37 bytes long; its value is not judged."),
        LimboExpectation(
            "webpki::eku::",
            accepts:
                "Under an app's own anchor a leaf from before July 2019 need not name a purpose, and may name any; "
                + "purposes of a root are not read."),
        LimboExpectation(
            "webpki::forbidden-rsa-", "not-divisible", accepts: "An RSA key has a least size and no other demand."),
        LimboExpectation(
            "rfc5280::nc::invalid-dnsname-leading-period",
            accepts: "A DNS constraint that begins with a dot is read as a suffix."),
        LimboExpectation(
            "rfc5280::nc::not-allowed-in-ee",
            accepts: "Name constraints bind the certificates below; below a leaf there are none."),
        LimboExpectation(
            "rfc5280::unknown-critical-extension-root",
            accepts: "An anchor is exempt from the rule about unknown critical extensions (RFC 5280 §6.1.1 d)."),
    ]
}
