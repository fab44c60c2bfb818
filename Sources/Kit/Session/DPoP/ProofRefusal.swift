internal import PavisePrimitives
package import PaviseTransport

/// Why a server refuses a request for its proof alone, in a way that one more try can mend (RFC 9449 §7.1, §8, §9).
package enum ProofRefusal: String, Hashable, Sendable {
    /// It wants a nonce, or another one.
    case nonce = "use_dpop_nonce"
    /// It does not believe the proof: often the clocks differ.
    case proof = "invalid_dpop_proof"

    /// Reads an answer: at the token endpoint by its body, at a resource by its challenge.
    package init?(_ response: HTTPResponse) {
        guard let code = Self.code(response), let refusal = ProofRefusal(rawValue: code) else { return nil }
        self = refusal
    }

    private static func code(_ response: HTTPResponse) -> String? {
        guard [400, 401, 403].contains(response.status) else { return nil }
        // RFC 9110 §11.6.1: one field may hold the challenges of several schemes, `Bearer, DPoP error="…"`.
        let challenges = response.fields.all("WWW-Authenticate").flatMap { Challenge.parse($0) ?? [] }
        let codes = challenges.filter { $0.scheme == "dpop" }.compactMap { $0["error"] }
        let named = codes.first { ProofRefusal(rawValue: $0) != nil }
        if response.status == 401, let named { return named }
        return response.jsonObject?["error"]?.string
    }
}
