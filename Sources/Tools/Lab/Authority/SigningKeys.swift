internal import PaviseCrypto
internal import PavisePrimitives
internal import Synchronization

/// The authority's RS256 keys: one signs, all are published (RFC 7517).
struct SigningKeys: Sendable {
    struct Named: Sendable {
        let id: String
        let key: IssuingKey
    }

    /// A key that signs no more.
    private struct Past: Sendable {
        let named: Named
        /// When the last token that it signed is over.
        var needed: Int64
        /// Until when it is published; `nil` without a schedule.
        var until: Int64?
    }

    // All times are seconds since the authority's start.
    private var signing: Named
    private var next: Named?
    private var past: [Past] = []
    /// When the key that signs began to, by its schedule.
    private var begins: Int64 = 0
    /// When it ends by the schedule that was seen last; `nil` before there was one.
    private var ends: Int64?
    /// When the last token that it signed is over.
    private var needed: Int64 = 0
    private var turn: Int64 = 0

    private init(_ first: Named) { signing = first }

    /// Keys are made once for a process and handed out in turn: RSA takes long, and nothing depends on their freshness.
    static func initial() throws(CryptoFailure) -> SigningKeys { SigningKeys(try pooled()) }

    /// The key that signs now.
    var current: Named? { signing }

    /// Those that are published, oldest first.
    private var all: [Named] { past.map(\.named) + [signing] + [next].compactMap(\.self) }

    /// Puts a key in front that was never used before; `keepsOld` publishes the old ones as well.
    mutating func rotate(keepsOld: Bool) throws(CryptoFailure) {
        let fresh = try Self.fresh()
        if keepsOld { past.append(Past(named: signing, needed: needed)) } else { (past, next) = ([], nil) }
        (signing, needed) = (fresh, 0)
    }

    /// Does so once for each new number.
    mutating func turn(to number: Int64, keepsOld: Bool) throws(CryptoFailure) {
        guard number != turn else { return }
        try rotate(keepsOld: keepsOld)
        turn = number
    }

    /// Brings the keys to where `rotation` has them, `time` seconds after its start: the key of this period signs, the
    /// next one is published a while before its turn, and the last ones a while after theirs, and as long as something
    /// that they signed is good. No key comes back that went. The schedule may be another one than before.
    mutating func advance(_ rotation: AuthorityConfiguration.KeyRotation, to time: Int64) throws(CryptoFailure) {
        if time >= Self.sum(begins, rotation.every) {
            let following: Named = if let next { next } else { try Self.fresh() }
            // By the schedule that it had, it signed until its end; else until now.
            let last = min(time, ends ?? time)
            past.append(Past(named: signing, needed: needed, until: Self.sum(last, rotation.overlap)))
            (signing, next, needed) = (following, nil, 0)
            begins += (time - begins) / rotation.every * rotation.every
        }
        let end = Self.sum(begins, rotation.every)
        ends = end
        for index in past.indices where past[index].until == nil {
            past[index].until = Self.sum(end, rotation.overlap)
        }
        past.removeAll { key in key.until.map { time >= max($0, key.needed) } ?? false }
        guard next == nil, time >= end - rotation.ahead else { return }
        next = try Self.fresh()
    }

    /// The key of this name has signed what is good until `end`.
    mutating func promise(_ end: Int64, by id: String) {
        if signing.id == id { needed = max(needed, end) }
        for index in past.indices where past[index].named.id == id {
            past[index].needed = max(past[index].needed, end)
        }
    }

    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, isOver) = one.addingReportingOverflow(other)
        return isOver ? .max : sum
    }

    private static func fresh() throws(CryptoFailure) -> Named {
        Named(id: newID(), key: try IssuingKey(generating: .rsa(bits: 2048)))
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

extension AuthorityConfiguration {
    /// How long something that is signed may be good, where it was to be `wanted` seconds: not longer than its key
    /// stays published.
    func signedLifetime(_ wanted: Int64) -> Int64 { keyRotation.map { min(wanted, $0.overlap) } ?? wanted }

    /// How long an access token is good.
    var accessLifetime: Int64 {
        accessTokenForm == .jwt ? signedLifetime(accessTokenLifetime) : accessTokenLifetime
    }
}
