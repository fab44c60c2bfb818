import PaviseCrypto
import PavisePrimitives

/// An administrator who orders something from afar.
struct OrderSigner {
    private let key: ECPrivateKey

    init() throws { key = try ECPrivateKey(generating: .p256) }

    /// The managed configuration that names this one's key.
    var rules: String {
        let point = key.publicKey.x963
        let (x, y) = (Base64URL.encode(point[1..<33]), Base64URL.encode(point[33...]))
        let jwk = #"{ "kty": "EC", "crv": "P-256", "kid": "k", "x": "\#(x)", "y": "\#(y)" }"#
        return #"{ "appLock": { "orders": { "issuer": "m", "keys": [\#(jwk)] } } }"#
    }

    /// An order that is valid for a minute from `now` on.
    func order(_ action: String, called name: String, for installation: String, at now: Int64) throws -> String {
        let header = #"{"alg":"ES256","kid":"k","typ":"pavise-order+jwt"}"#
        let times = #""iat":\#(now),"exp":\#(now + 60)"#
        let claims = #"{"iss":"m","aud":"\#(installation)","jti":"\#(name)",\#(times),"action":"\#(action)"}"#
        let input = [header, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        let der = try key.sign(digest: Hash.digest(.sha256, Array(input.utf8)))
        return input + "." + Base64URL.encode(ECDSASignature.raw(der: der, curve: .p256) ?? [])
    }
}
