import PaviseAppLock
import PaviseCrypto
import PaviseJWT
import PavisePrimitives
import SecurityFramework

/// An administrator with a key, who writes orders: right ones, and wrong ones.
struct OrderPen {
    static let issuer = "https://management.example.org"
    static let start: Int64 = 1_900_000_000

    let key: ECPrivateKey
    let name: String

    init(_ name: String = "2030") throws {
        key = try ECPrivateKey(generating: .p256)
        self.name = name
    }

    /// The public half as a managed configuration has it.
    var jwk: String {
        let point = key.publicKey.x963
        let (x, y) = (Base64URL.encode(point[1..<33]), Base64URL.encode(point[33...]))
        return #"{"kty":"EC","crv":"P-256","kid":"\#(name)","x":"\#(x)","y":"\#(y)"}"#
    }

    var rules: OrderRules {
        get throws { try OrderRules(issuer: Self.issuer, keys: [try JSONWebKey(json: Array(jwk.utf8))]) }
    }

    /// What an order says; a test changes one thing of it.
    struct Words {
        var algorithm = "ES256"
        var key: String? = "2030"
        var type = OrderRules.type
        var issuer = OrderPen.issuer
        var audience: String
        var order: JSONValue? = "order-1"
        var issued = OrderPen.start
        var expires = OrderPen.start + 3600
        var action: JSONValue? = "wipe"
        var more: JSONValue?

        init(for installation: String) { audience = installation }

        var input: String {
            let header = JSONValue.fields([
                "alg": .string(algorithm), "kid": key.map { .string($0) }, "typ": .string(type), "crit": more,
            ])
            let claims = JSONValue.fields([
                "iss": .string(issuer), "aud": .string(audience), "jti": order, "iat": .integer(issued),
                "exp": .integer(expires), "action": action,
            ])
            return [header, claims].map { Base64URL.encode(Array($0.text.utf8)) }.joined(separator: ".")
        }
    }

    /// Signs with ES256, whatever the header says.
    func sign(_ words: Words) throws -> String {
        let input = words.input
        let der = try key.sign(digest: Hash.digest(.sha256, Array(input.utf8)))
        return input + "." + Base64URL.encode(ECDSASignature.raw(der: der, curve: .p256) ?? [])
    }

    /// An order for `installation`.
    func write(_ installation: String, _ change: (inout Words) -> Void = { _ in }) throws -> String {
        var words = Words(for: installation)
        words.key = name
        change(&words)
        return try sign(words)
    }

    /// The known trick: the public key as the secret of an HMAC.
    func forge(_ installation: String) -> String {
        var words = Words(for: installation)
        words.algorithm = "HS256"
        words.key = name
        let input = words.input
        let code = MessageDigest.hmac(.sha256, key: Array(jwk.utf8).span, Array(input.utf8))
        return input + "." + Base64URL.encode(code)
    }
}

/// What `body` throws about an order; `nil` when it does not.
func orderFailure<Result>(_ body: () throws -> Result) -> OrderFailure? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? OrderFailure
    }
}
