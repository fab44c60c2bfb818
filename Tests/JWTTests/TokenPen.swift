import PaviseCrypto
import PavisePrimitives

@testable import PaviseJWT

/// Writes tokens, right and wrong ones.
struct TokenPen {
    static let shared = TokenPen()
    let key: ECPrivateKey?

    private init() { key = try? ECPrivateKey(generating: .p256) }

    /// The public key as it is published.
    func jwk(_ more: String = "") -> String {
        let point = key?.publicKey.x963 ?? []
        let (x, y) = (Base64URL.encode(point.dropFirst().prefix(32)), Base64URL.encode(point.suffix(32)))
        return #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"\#(more)}"#
    }

    /// A token with this header and payload, signed with ES256 whatever the header says.
    func write(_ header: String = #"{"alg":"ES256"}"#, _ payload: String = #"{"sub":"alice"}"#) throws -> String {
        let input = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        let der = try key?.sign(digest: Hash.digest(.sha256, Array(input.utf8))) ?? []
        return input + "." + Base64URL.encode(ECDSASignature.raw(der: der, curve: .p256) ?? [])
    }

    static func key(_ json: String, pinnedTo algorithm: TokenAlgorithm? = nil) throws(JSONWebKeyProblem) -> JSONWebKey {
        try JSONWebKey(json: Array(json.utf8), pinnedTo: algorithm)
    }

    static func keys(
        _ keys: String..., accepting: Set<TokenAlgorithm> = [.es256, .rs256]
    ) throws(JSONWebKeyProblem) -> JSONWebKeySet {
        let text = #"{"keys":["# + keys.joined(separator: ",") + "]}"
        return try JSONWebKeySet(json: Array(text.utf8), accepting: accepting)
    }
}
