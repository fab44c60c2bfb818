internal import PaviseJWT
internal import PavisePrimitives

/// Signed tokens and sets of keys: whether a token is accepted with the key or set of its group.
enum WebTokens {
    /// Cases whose key names another algorithm than its valid token, or none that is registered: whoever configures such a
    /// key says what it is for.
    private static let pinned: [Int64: TokenAlgorithm] = [346: .ps384, 350: .ps384, 347: .es512, 351: .es512]
    /// Cases that contradict others of the file, and what is done with them.
    private static let contradictory: [Int64: String] = [
        367: "Published as invalid; letter for letter the valid case 357.",
        370: "Published as invalid; letter for letter the valid case 357.",
        372: "Published as valid; holds a letter that is not of base64url, as the invalid case 371 does.",
        373: "Published as valid; holds a letter that is not of base64url, as the invalid case 371 does.",
    ]

    static func signature(_ entry: WycheproofCase) -> WycheproofOutcome {
        let number = entry.test["tcId"]?.integer ?? 0
        let isAccepted = accepts(entry) { _ = try $0.verified(by: try JSONWebKey($1, pinnedTo: pinned[number])) }
        if let reason = contradictory[number], isAccepted != (entry.result == "valid") { return .contradicted(reason) }
        return isAccepted ? .gave([]) : .refused
    }

    static func keySet(_ entry: WycheproofCase) -> WycheproofOutcome {
        let all = Set(TokenAlgorithm.allCases)
        return accepts(entry) { _ = try $0.verified(by: try JSONWebKeySet($1, accepting: all)) } ? .gave([]) : .refused
    }

    private static func accepts(_ entry: WycheproofCase, _ verify: (CompactToken, JSONValue) throws -> Void) -> Bool {
        guard let key = entry.group["public"] ?? entry.group["private"],
            let token = try? CompactToken(entry.test["jws"]?.string ?? "")
        else { return false }
        return (try? verify(token, key)) != nil
    }
}
