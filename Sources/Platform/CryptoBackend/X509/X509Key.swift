/// Type and size of a certificate's key.
package struct X509Key: Hashable, Sendable {
    /// The kinds that the trust rules tell apart.
    package enum Kind: Hashable, Sendable {
        case rsa, ec, ed25519, ed448, dsa
        case other(oid: String)
    }

    /// The kind.
    package let kind: Kind
    /// RSA: bits of the modulus. EC: bits of the field. Others: 0.
    package let bits: Int
    /// The key itself: PKCS#1 for RSA, the point for EC.
    package let encoded: [UInt8]
    /// RSA: the modulus, big-endian without zeros in front. Others: empty.
    let modulus: [UInt8]
    /// RSA: the public exponent, as it was sent. Others: empty.
    let exponent: [UInt8]

    /// EC with a named curve that this version knows: the curve.
    package let curve: Curve?

    /// Whether the parameters name a curve (or the key is not EC). Explicit parameters are refused (RFC 5480 §2.1.1).
    package let isNamedCurve: Bool

    init(subjectPublicKeyInfo element: DERElement) throws(DERFailure) {
        var reader = DERReader(element.content)
        var algorithm = try reader.inside()
        let identifier = try algorithm.next(DERTag.objectIdentifier).objectIdentifier()
        let key = try reader.next(DERTag.bitString).octetsOfBitString()
        try reader.finish()
        encoded = Array(key)
        switch identifier {
        case "1.2.840.113549.1.1.1":
            kind = .rsa
            let numbers = try Self.numbers(key)
            bits = try Self.bits(numbers.modulus)
            (modulus, exponent) = (Array(numbers.modulus), Array(numbers.exponent))
            (curve, isNamedCurve) = (nil, true)
        case "1.2.840.10045.2.1":
            kind = .ec
            isNamedCurve = algorithm.nextTag == DERTag.objectIdentifier
            let name = isNamedCurve ? try algorithm.next().objectIdentifier() : ""
            curve = Curve.allCases.first { $0.identifier == name }
            bits = curve?.bits ?? 0
            (modulus, exponent) = ([], [])
        default:
            kind = Self.kind(identifier)
            bits = 0
            (curve, isNamedCurve) = (nil, true)
            (modulus, exponent) = ([], [])
        }
    }

    /// Reads a SubjectPublicKeyInfo and nothing behind it.
    package init(spki: [UInt8]) throws(DERFailure) {
        var reader = DERReader(spki[...])
        let element = try reader.next(DERTag.sequence)
        try reader.finish()
        try self.init(subjectPublicKeyInfo: element)
    }

    /// Type and size for a person: `EC 256`, `RSA 2048`.
    package var text: String {
        switch kind {
        case .rsa: "RSA \(bits)"
        case .ec: "EC \(bits)"
        case .ed25519: "Ed25519"
        case .ed448: "Ed448"
        case .dsa: "DSA"
        case .other(let oid): oid
        }
    }

    private static func kind(_ identifier: String) -> Kind {
        switch identifier {
        case "1.3.101.112": .ed25519
        case "1.3.101.113": .ed448
        case "1.2.840.10040.4.1": .dsa
        default: .other(oid: identifier)
        }
    }

    private static func numbers(
        _ key: ArraySlice<UInt8>
    ) throws(DERFailure) -> (modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>) {
        var reader = DERReader(key)
        var sequence = try reader.inside()
        let modulus = try sequence.next(DERTag.integer).integerBytes().drop { $0 == 0 }
        let exponent = try sequence.next(DERTag.integer).integerBytes()
        try sequence.finish()
        try reader.finish()
        return (modulus, exponent)
    }

    private static func bits(_ modulus: ArraySlice<UInt8>) throws(DERFailure) -> Int {
        guard let first = modulus.first else { throw DERFailure() }
        return modulus.count * 8 - first.leadingZeroBitCount
    }
}

/// How a certificate is signed.
package struct X509SignatureAlgorithm: Hashable, Sendable {
    /// The dotted identifier.
    package let oid: String
    /// The hash inside: a name such as `SHA-256`; `nil` for an algorithm that this version does not know.
    package let hash: String?

    init(_ element: DERElement) throws(DERFailure) {
        var reader = DERReader(element.content)
        oid = try reader.next(DERTag.objectIdentifier).objectIdentifier()
        hash = try oid == Self.pss ? Self.pssHash(&reader) : Self.names[oid]?.hash
    }

    /// Whether its hash is known and not broken.
    package var isStrong: Bool { hash.map { !["MD2", "MD4", "MD5", "SHA-1"].contains($0) } ?? false }

    /// How it is checked; `nil` for a rare way that OpenSSL is to find out.
    package var scheme: SignatureScheme? {
        guard oid != Self.pss, let name = Self.names[oid]?.name else { return nil }
        return Self.schemes[name]
    }

    private static let schemes: [String: SignatureScheme] = [
        "RSA with SHA-1": .rsa(.sha1), "RSA with SHA-224": .rsa(.sha224), "RSA with SHA-256": .rsa(.sha256),
        "RSA with SHA-384": .rsa(.sha384), "RSA with SHA-512": .rsa(.sha512),
        "ECDSA with SHA-1": .ecdsa(.sha1), "ECDSA with SHA-224": .ecdsa(.sha224),
        "ECDSA with SHA-256": .ecdsa(.sha256), "ECDSA with SHA-384": .ecdsa(.sha384),
        "ECDSA with SHA-512": .ecdsa(.sha512), "Ed25519": .edwards, "Ed448": .edwards,
    ]

    /// The algorithm for a person, for example `ECDSA with SHA-256`.
    package var text: String {
        guard oid != Self.pss else { return "RSA-PSS with \(hash ?? "an unknown hash")" }
        return Self.names[oid]?.name ?? oid
    }

    private static let pss = "1.2.840.113549.1.1.10"

    private static func pssHash(_ reader: inout DERReader) throws(DERFailure) -> String? {
        var parameters = try reader.inside()
        guard var wrapper = try parameters.optional(DERTag.context(0, constructed: true)).map({ DERReader($0.content) })
        else { return "SHA-1" }
        var algorithm = try wrapper.inside()
        return try hashes[algorithm.next(DERTag.objectIdentifier).objectIdentifier()]
    }

    private static let hashes = [
        "1.3.14.3.2.26": "SHA-1", "2.16.840.1.101.3.4.2.4": "SHA-224", "2.16.840.1.101.3.4.2.1": "SHA-256",
        "2.16.840.1.101.3.4.2.2": "SHA-384", "2.16.840.1.101.3.4.2.3": "SHA-512",
    ]

    private static let names: [String: (name: String, hash: String)] = [
        "1.2.840.113549.1.1.2": ("RSA with MD2", "MD2"),
        "1.2.840.113549.1.1.3": ("RSA with MD4", "MD4"),
        "1.2.840.113549.1.1.4": ("RSA with MD5", "MD5"),
        "1.2.840.113549.1.1.5": ("RSA with SHA-1", "SHA-1"),
        "1.3.14.3.2.29": ("RSA with SHA-1", "SHA-1"),
        "1.2.840.113549.1.1.14": ("RSA with SHA-224", "SHA-224"),
        "1.2.840.113549.1.1.11": ("RSA with SHA-256", "SHA-256"),
        "1.2.840.113549.1.1.12": ("RSA with SHA-384", "SHA-384"),
        "1.2.840.113549.1.1.13": ("RSA with SHA-512", "SHA-512"),
        "1.2.840.10045.4.1": ("ECDSA with SHA-1", "SHA-1"),
        "1.2.840.10045.4.3.1": ("ECDSA with SHA-224", "SHA-224"),
        "1.2.840.10045.4.3.2": ("ECDSA with SHA-256", "SHA-256"),
        "1.2.840.10045.4.3.3": ("ECDSA with SHA-384", "SHA-384"),
        "1.2.840.10045.4.3.4": ("ECDSA with SHA-512", "SHA-512"),
        "1.2.840.10040.4.3": ("DSA with SHA-1", "SHA-1"),
        "2.16.840.1.101.3.4.3.2": ("DSA with SHA-256", "SHA-256"),
        "1.3.101.112": ("Ed25519", "SHA-512"),
        "1.3.101.113": ("Ed448", "SHAKE256"),
    ]
}
