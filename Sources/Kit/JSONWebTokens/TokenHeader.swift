internal import PavisePrimitives

/// The members of a header that count (RFC 7515 §4.1).
struct TokenHeader: Sendable {
    let algorithm: TokenAlgorithm
    let keyIdentifier: String?
    let type: String?

    /// The longest header, in bytes.
    private static let limit = 8192

    static func read(_ bytes: [UInt8]) throws(TokenProblem) -> TokenHeader {
        guard let value = try? JSONValue.parse(bytes, limit: limit, depth: 8), let members = value.members else {
            throw .malformed
        }
        var texts: [String: String] = [:]
        for member in members {
            switch member.name {
            // Nothing that must be understood is understood; `b64` would change what is signed (RFC 7797).
            case "crit", "b64": throw .criticalHeader
            case "alg": texts["alg"] = member.value.string
            case "kid", "typ":
                guard let text = member.value.string, text.utf8.count <= 1024 else { throw .malformed }
                texts[member.name] = text
            default: break
            }
        }
        guard let algorithm = texts["alg"].flatMap(TokenAlgorithm.init) else { throw .algorithm }
        return TokenHeader(algorithm: algorithm, keyIdentifier: texts["kid"], type: texts["typ"])
    }
}
