internal import PaviseCrypto
internal import PavisePrimitives

/// Checks a DPoP proof as a server does (RFC 9449 §4.3), with a reader of its own.
struct ProofCheck {
    /// Why a proof is refused: the error of RFC 9449 §5, §7.1.
    enum Refusal: String, Error {
        case invalid = "invalid_dpop_proof"
        case nonce = "use_dpop_nonce"
    }

    /// What the proof must be for.
    var method: String
    /// The address without query.
    var address: String
    var seconds: Int64
    /// By how many seconds a proof may be dated later.
    var lead: Int64
    /// The nonce that must be in it; `nil` demands none.
    var nonce: String?
    /// The access token beside it.
    var token: String?

    /// The key's thumbprint and the proof's own name.
    func check(_ request: LabRequest) throws(Refusal) -> (thumbprint: String, name: String) {
        let proofs = request.fields.filter { $0.name.lowercased() == "dpop" }
        guard proofs.count == 1 else { throw .invalid }
        let parts = proofs[0].value.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let raw = Base64URL.decode(parts[2]), header["typ"] == "dpop+jwt", header["alg"] == "ES256",
            let jwk = header["jwk"], let thumbprint = ProofKeyReading.thumbprint(jwk),
            let key = ProofKeyReading.key(jwk),
            let signature = ECDSASignature.der(raw: raw, curve: .p256)
        else { throw .invalid }
        let digest = Hash.digest(.sha256, Array("\(parts[0]).\(parts[1])".utf8))
        guard key.verify(signature: signature, digest: digest) else { throw .invalid }
        guard let name = claims["jti"]?.string, claims["htm"]?.string == method, claims["htu"]?.string == address,
            let issued = claims["iat"]?.integer, (-300...lead).contains(issued - seconds),
            claims["ath"]?.string == tokenHash
        else { throw .invalid }
        guard nonce == nil || claims["nonce"]?.string == nonce else { throw .nonce }
        return (thumbprint, name)
    }

    private var tokenHash: String? { token.map { Base64URL.encode(Hash.digest(.sha256, Array($0.utf8))) } }

    private static func object(_ text: Substring) -> JSONValue? {
        Base64URL.decode(text).flatMap { try? JSONValue.parse($0) }
    }
}
