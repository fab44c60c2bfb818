internal import PaviseCrypto
internal import PavisePrimitives
internal import Synchronization

/// The authority's RS256 keys: one signs, all are published (RFC 7517).
struct SigningKeys: Sendable {
    struct Named: Sendable {
        let id: String
        let key: IssuingKey
        /// In which period of the rotation it signs, counted from 0.
        var period: Int64 = 0
    }
    private(set) var all: [Named]
    private var period: Int64 = 0
    private var turn: Int64 = 0

    private init(_ first: Named) { all = [first] }

    /// Keys are made once for a process and handed out in turn: RSA takes long, and nothing depends on their freshness.
    static func initial() throws(CryptoFailure) -> SigningKeys { SigningKeys(try pooled()) }

    /// The key that signs now.
    var current: Named? { all.last { $0.period == period } }

    /// Puts a key in front that was never used before; `keepsOld` publishes the old ones as well.
    mutating func rotate(keepsOld: Bool) throws(CryptoFailure) {
        let fresh = try Self.fresh(in: period)
        all = (keepsOld ? all : []) + [fresh]
    }

    /// Does so once for each new number.
    mutating func turn(to number: Int64, keepsOld: Bool) throws(CryptoFailure) {
        guard number != turn else { return }
        try rotate(keepsOld: keepsOld)
        turn = number
    }

    /// Brings the keys to where `rotation` has them, `time` seconds after its start: the key of this period signs, the
    /// next one is published a while before its turn, and the last ones a while after theirs. No key comes back that
    /// went.
    mutating func advance(_ rotation: AuthorityConfiguration.KeyRotation, to time: Int64) throws(CryptoFailure) {
        let (now, passed) = max(0, time).quotientAndRemainder(dividingBy: rotation.every)
        guard now >= period else { return }
        if !all.contains(where: { $0.period == now }) { all.append(try Self.fresh(in: now)) }
        period = now
        all.removeAll { $0.period < now && time >= ($0.period + 1) * rotation.every + rotation.overlap }
        guard passed >= rotation.every - rotation.ahead, !all.contains(where: { $0.period == now + 1 }) else { return }
        all.append(try Self.fresh(in: now + 1))
    }

    private static func fresh(in period: Int64) throws(CryptoFailure) -> Named {
        Named(id: newID(), key: try IssuingKey(generating: .rsa(bits: 2048)), period: period)
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
