internal import PaviseJWT
internal import PavisePrimitives

/// Signed tokens and sets of keys: whether a token is accepted with the key or set of its group.
enum WebTokens {
    static func signature(_ entry: WycheproofCase) -> WycheproofOutcome {
        guard entry.test["jws"] != nil else { return .notOffered("Encrypted web tokens are not offered.") }
        return accepts(entry) ? .gave([]) : .refused
    }

    /// Why a signature is judged otherwise than published. Each reason is looked for in the case itself.
    static func expectation(_ entry: WycheproofCase, isToBeAccepted: Bool) -> String? {
        switch (entry.number, isToBeAccepted) {
        case (346, true), (350, true): named(.ps384, entry)
        case (347, true), (351, true): named(.es512, entry)
        case (367, false), (370, false):
            isRepeated(entry) ? "Published as invalid; letter for letter a valid case of the same key." : nil
        case (372, true), (373, true):
            token(entry).contains("?")
                ? "Published as valid; holds a letter that is not of base64url, as the invalid case 371 does." : nil
        default: nil
        }
    }

    // The key says another algorithm than its valid token, or none that is registered. As it stands it refuses the
    // token; it has to accept it when the caller says what the key is for.
    private static func named(_ algorithm: TokenAlgorithm, _ entry: WycheproofCase) -> String? {
        guard accepts(entry, pinnedTo: algorithm), let key = key(entry)?["alg"]?.string else { return nil }
        return "The key says \(key) and the token \(algorithm.rawValue): refused as it stands, accepted when the "
            + "caller names \(algorithm.rawValue) for the key, as this suite then does."
    }

    private static func isRepeated(_ entry: WycheproofCase) -> Bool {
        (entry.group["tests"]?.array ?? []).contains { other in
            other["result"]?.string == "valid" && other["jws"]?.string == token(entry)
        }
    }

    private static func token(_ entry: WycheproofCase) -> String { entry.test["jws"]?.string ?? "" }

    private static func key(_ entry: WycheproofCase) -> JSONValue? { entry.group["public"] ?? entry.group["private"] }

    private static func accepts(_ entry: WycheproofCase, pinnedTo algorithm: TokenAlgorithm? = nil) -> Bool {
        guard let key = key(entry), let token = try? CompactToken(token(entry)) else { return false }
        do {
            guard key["keys"] == nil else {
                _ = try token.verified(by: JSONWebKeySet(key, accepting: Set(TokenAlgorithm.allCases)))
                return true
            }
            _ = try token.verified(by: JSONWebKey(key, pinnedTo: algorithm))
            return true
        } catch {
            return false
        }
    }
}
