/// One thing that the linter found.
package struct ATSLintFinding: Hashable, Sendable {
    package let rule: ATSLintRule
    /// The line of the key, from 1; `nil` in a binary property list.
    package let line: Int?
    /// The names down to the key, the first one from the top of the file.
    package let path: [String]
    /// What it means, in one or two sentences.
    package let text: String
    /// What to write instead; `nil` when there is nothing narrower.
    package let alternative: String?
    /// Whether App Review wants a justification for the key.
    package let needsJustification: Bool

    package init(
        _ rule: ATSLintRule, line: Int?, path: [String], _ text: String, alternative: String? = nil,
        needsJustification: Bool = false
    ) {
        self.rule = rule
        self.line = line
        self.path = path
        self.text = text
        self.alternative = alternative
        self.needsJustification = needsJustification
    }

    /// The path as PlistBuddy writes it, without the first colon.
    package var keyPath: String { path.joined(separator: ":") }
}

/// The keys that the linter knows.
package enum ATSKey {
    static let root = "NSAppTransportSecurity"
    static let arbitraryLoads = "NSAllowsArbitraryLoads"
    static let media = "NSAllowsArbitraryLoadsForMedia"
    static let web = "NSAllowsArbitraryLoadsInWebContent"
    static let local = "NSAllowsLocalNetworking"
    static let exceptions = "NSExceptionDomains"
    static let pins = "NSPinnedDomains"
    static let subdomains = "NSIncludesSubdomains"
    static let insecure = "NSExceptionAllowsInsecureHTTPLoads"
    static let minimum = "NSExceptionMinimumTLSVersion"
    static let forwardSecrecy = "NSExceptionRequiresForwardSecrecy"
    static let transparency = "NSRequiresCertificateTransparency"
    static let authorities = "NSPinnedCAIdentities"
    static let leaves = "NSPinnedLeafIdentities"
    static let digest = "SPKI-SHA256-BASE64"
    static let pinningRequired = "SecTrustPinningRequired"

    static let global = [arbitraryLoads, media, web, local, exceptions, pins]
    static let entry = [subdomains, insecure, minimum, forwardSecrecy]
    static let pinned = [subdomains, authorities, leaves]

    /// Names of the betas and of iOS 9 that current code does not read.
    static func isLegacy(_ name: String) -> Bool {
        name.hasPrefix("NSThirdParty") || name.hasPrefix("NSTemporary") || name == "NSAllowsArbitraryLoadsInMedia"
    }

    /// The known name that differs least from `name`; `nil` when none is near.
    package static func nearest(to name: String, among known: [String]) -> String? {
        let ranked = known.map { (name: $0, distance: distance(name, $0)) }.min { $0.distance < $1.distance }
        guard let best = ranked, best.distance <= max(3, name.utf8.count / 3) else { return nil }
        return best.name
    }

    // Levenshtein's distance over bytes, case ignored, of at most 64 bytes each.
    private static func distance(_ one: String, _ other: String) -> Int {
        let one = Array(one.lowercased().utf8.prefix(64))
        let other = Array(other.lowercased().utf8.prefix(64))
        var row = Array(0...other.count)
        for (index, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, candidate) in other.enumerated() {
                let cost = min(row[column] + 1, row[column + 1] + 1, diagonal + (byte == candidate ? 0 : 1))
                diagonal = row[column + 1]
                row[column + 1] = cost
            }
        }
        return row[other.count]
    }
}
