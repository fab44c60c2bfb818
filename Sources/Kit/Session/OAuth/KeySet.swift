internal import PavisePrimitives

/// An authority's signature keys (RFC 7517), those that can verify RS256.
struct KeySet: Hashable, Sendable {
    /// One RSA key.
    struct Key: Hashable, Sendable {
        let identifier: String?
        let modulus: [UInt8]
        let exponent: [UInt8]
    }

    /// How many keys are read.
    private static let limit = 100
    let keys: [Key]

    /// Reads a JWK Set. Keys of other kinds are left out.
    ///
    /// - Throws: ``IDTokenProblem/unusableKey`` when an identifier stands twice among the usable keys: nobody could say
    ///   which of them signed.
    init(_ document: JSONValue) throws(IDTokenProblem) {
        guard let list = document["keys"]?.array, list.count <= Self.limit else { throw .keysUnavailable }
        keys = list.compactMap(Key.init)
        let names = keys.compactMap(\.identifier)
        guard Set(names).count == names.count else { throw .unusableKey }
    }

    /// The key a token names, or the only one when it names none (oauth J3).
    func key(named name: String?) throws(IDTokenProblem) -> Key {
        let fitting = name.map { name in keys.filter { $0.identifier == name } } ?? keys
        guard fitting.count == 1 else { throw .noSuchKey }
        return fitting[0]
    }
}

extension KeySet.Key {
    /// Reads a JWK of type RSA that is for RS256 signatures, with at least 2048 bits and an odd exponent above 1.
    init?(_ value: JSONValue) {
        guard value["kty"]?.string == "RSA", value["use"].map({ $0 == "sig" }) ?? true,
            value["alg"].map({ $0 == "RS256" }) ?? true,
            value["key_ops"].map({ $0.array?.contains("verify") ?? false }) ?? true,
            let n = value["n"]?.string.flatMap({ Base64URL.decode($0) }),
            let e = value["e"]?.string.flatMap({ Base64URL.decode($0) })
        else { return nil }
        guard let top = n.first, top != 0, (n.count - 1) * 8 + (8 - top.leadingZeroBitCount) >= 2048, n.count <= 1024,
            let low = e.last, let high = e.first, high != 0, e.count <= 8, low & 1 == 1, e != [1]
        else { return nil }
        self.init(identifier: value["kid"]?.string, modulus: n, exponent: e)
    }

    /// PKCS#1 RSAPublicKey in DER (RFC 8017 appendix A.1.1): what the system's keys are made from.
    var pkcs1: [UInt8] {
        let content = Self.element(0x02, Self.positive(modulus)) + Self.element(0x02, Self.positive(exponent))
        return Self.element(0x30, content)
    }

    private static func positive(_ number: [UInt8]) -> [UInt8] {
        number.first.map { $0 & 0x80 != 0 } ?? true ? [0] + number : number
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 128 else { return [tag, UInt8(content.count)] + content }
        let length = withoutLeadingZeros(UInt32(content.count))
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    private static func withoutLeadingZeros(_ number: UInt32) -> [UInt8] {
        let bytes: [UInt8] = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
        return [UInt8](bytes.drop { $0 == 0 })
    }
}
