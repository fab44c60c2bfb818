internal import PaviseCrypto
internal import PavisePrimitives
internal import Synchronization

/// The authority's RS256 keys: the newest signs, all are published (RFC 7517).
struct SigningKeys: Sendable {
    struct Named: Sendable {
        let id: String
        let key: IssuingKey
    }
    private(set) var all: [Named]

    /// Keys are made once for a process and handed out in turn: RSA takes long, and nothing depends on their freshness.
    static func initial() throws(CryptoFailure) -> SigningKeys { SigningKeys(all: [try pooled()]) }

    /// The key that signs now.
    var current: Named? { all.last }

    /// Puts a key in front that was never used before; `keepsOld` publishes the old ones as well.
    mutating func rotate(keepsOld: Bool) throws(CryptoFailure) {
        let fresh = Named(id: Self.newID(), key: try IssuingKey(generating: .rsa(bits: 2048)))
        all = (keepsOld ? all : []) + [fresh]
    }

    /// The set as JSON; without identifiers a client must find the key by itself.
    func document(withIDs: Bool = true) -> String {
        let keys = all.map { Self.jwk($0, withID: withIDs) }
        return JSONValue.fields(["keys": .array(keys)]).text
    }

    static func jwk(_ named: Named, withID: Bool = true) -> JSONValue {
        let (modulus, exponent) = named.key.rsaNumbers()
        return .fields([
            "kty": "RSA", "use": "sig", "alg": "RS256", "kid": withID ? .string(named.id) : nil,
            "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent)),
        ])
    }

    /// A fresh identifier.
    static func newID() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

    private static let pool = Mutex<(keys: [Named], next: Int)>(([], 0))

    private static func pooled() throws(CryptoFailure) -> Named {
        let ready: Named? = pool.withLock { pool in
            guard pool.keys.count == 2 else { return nil }
            pool.next += 1
            return pool.keys[pool.next % 2]
        }
        if let ready { return ready }
        let fresh = Named(id: newID(), key: try IssuingKey(generating: .rsa(bits: 2048)))
        pool.withLock { if $0.keys.count < 2 { $0.keys.append(fresh) } }
        return fresh
    }
}

/// Compact JWS (RFC 7515 §7.1).
enum SignedToken {
    static func make(header: JSONValue, claims: JSONValue, sign: ([UInt8]) -> [UInt8]) -> String {
        let input = Base64URL.encode(Array(header.text.utf8)) + "." + Base64URL.encode(Array(claims.text.utf8))
        return input + "." + Base64URL.encode(sign(Array(input.utf8)))
    }

    /// Signed with RS256 by `key`. Signing cannot fail for a key that exists; an empty signature would be refused.
    static func make(_ key: SigningKeys.Named, type: String, claims: JSONValue) -> String {
        let header = JSONValue.fields(["alg": "RS256", "typ": .string(type), "kid": .string(key.id)])
        return make(header: header, claims: claims) { (try? key.key.sign($0)) ?? [] }
    }
}
