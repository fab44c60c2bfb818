internal import PaviseCrypto
internal import PavisePrimitives

/// A P-256 key in a JWK (RFC 7517), public half alone.
enum ProofKeyReading {
    static func key(_ jwk: JSONValue) -> ECPublicKey? {
        guard jwk["kty"] == "EC", jwk["crv"] == "P-256", jwk["d"] == nil,
            let x = jwk["x"]?.string.flatMap({ Base64URL.decode($0) }),
            let y = jwk["y"]?.string.flatMap({ Base64URL.decode($0) })
        else { return nil }
        return try? ECPublicKey(x963: [4] + x + y, curve: .p256)
    }

    /// RFC 7638.
    static func thumbprint(_ jwk: JSONValue) -> String? {
        guard let x = jwk["x"], let y = jwk["y"] else { return nil }
        let text = JSONValue.fields(["crv": "P-256", "kty": "EC", "x": x, "y": y]).text
        return Base64URL.encode(Hash.digest(.sha256, Array(text.utf8)))
    }
}
