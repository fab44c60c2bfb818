package import PavisePrimitives
internal import SecurityFramework

extension JSONWebKey {
    /// The longest key that is read, in bytes.
    private static let limit = 65_536
    /// Members that only a private or secret key has (RFC 7518 §6).
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth"]

    /// Reads one key.
    ///
    /// - Parameters:
    ///   - json: A JWK of at most 64 KiB.
    ///   - algorithm: The algorithm to use it for. It takes the place of what the key says of itself: only for a key
    ///     that somebody configured by hand. Without it the key's `alg` holds, else the only one that its curve has,
    ///     else RS256.
    public init(json: [UInt8], pinnedTo algorithm: TokenAlgorithm? = nil) throws(JSONWebKeyProblem) {
        guard let value = try? JSONValue.parse(json, limit: Self.limit) else { throw .malformed }
        try self.init(value, pinnedTo: algorithm)
    }

    /// Reads one key from a parsed document.
    package init(
        _ value: JSONValue, pinnedTo pinned: TokenAlgorithm? = nil, plainRSA: TokenAlgorithm? = .rs256
    ) throws(JSONWebKeyProblem) {
        guard value.members != nil, let type = try Self.text("kty", value) else { throw .malformed }
        let identifier = try Self.text("kid", value)
        try Self.checkUse(value)
        let stated = try Self.text("alg", value)
        guard let algorithm = pinned ?? (stated.map(TokenAlgorithm.init) ?? Self.usual(type, value, plainRSA)) else {
            throw .algorithm
        }
        if type != "oct" {
            guard Self.privateMembers.allSatisfy({ value[$0] == nil }), value["k"] == nil else { throw .privateHalf }
        }
        switch (type, algorithm.kind) {
        case ("RSA", .rsa): try self.init(rsa: value, identifier, algorithm)
        case ("EC", .curve(let curve, let bits)):
            guard try Self.text("crv", value) == curve else { throw .algorithm }
            try self.init(point: value, bits: bits, identifier, algorithm)
        case ("OKP", .edwards): try self.init(edwards: value, identifier, algorithm)
        case ("oct", .secret):
            try self.init(secret: try Self.bytes("k", value), algorithm: algorithm, identifier: identifier)
        case ("RSA", _), ("EC", _), ("OKP", _), ("oct", _): throw .algorithm
        default: throw .kind
        }
    }

    // What a key without `alg` is for. A secret must say it.
    private static func usual(_ type: String, _ value: JSONValue, _ plainRSA: TokenAlgorithm?) -> TokenAlgorithm? {
        switch (type, value["crv"]?.string) {
        case ("RSA", _): plainRSA
        case ("EC", "P-256"): .es256
        case ("EC", "P-384"): .es384
        case ("EC", "P-521"): .es512
        case ("OKP", "Ed25519"): .edDSA
        default: nil
        }
    }

    private static func checkUse(_ value: JSONValue) throws(JSONWebKeyProblem) {
        if let use = try text("use", value) { guard use == "sig" else { throw .use } }
        guard let operations = value["key_ops"] else { return }
        guard let operations = operations.array else { throw .malformed }
        guard operations.contains("verify") else { throw .use }
    }

    private init(
        rsa value: JSONValue, _ identifier: String?, _ algorithm: TokenAlgorithm
    ) throws(JSONWebKeyProblem) {
        let modulus = try Self.bytes("n", value)
        let exponent = try Self.bytes("e", value)
        guard RSAStrength.isEnough(modulus: modulus, exponent: exponent),
            let key = VerificationKey(modulus: modulus, exponent: exponent, algorithm.form)
        else { throw .weakRSA }
        self.init(
            identifier: identifier, algorithm: algorithm,
            publicMembers: .fields(["e": value["e"], "kty": "RSA", "n": value["n"]]), material: .stranger(key))
    }

    private init(
        point value: JSONValue, bits: Int, _ identifier: String?, _ algorithm: TokenAlgorithm
    ) throws(JSONWebKeyProblem) {
        // RFC 7518 §6.2.1.2: exactly as wide as the field.
        guard let key = VerificationKey(x: try Self.bytes("x", value), y: try Self.bytes("y", value), algorithm.form)
        else {
            throw .point
        }
        self.init(
            identifier: identifier, algorithm: algorithm,
            publicMembers: .fields(["crv": value["crv"], "kty": "EC", "x": value["x"], "y": value["y"]]),
            material: .stranger(key))
    }

    private init(
        edwards value: JSONValue, _ identifier: String?, _ algorithm: TokenAlgorithm
    ) throws(JSONWebKeyProblem) {
        guard try Self.text("crv", value) == "Ed25519" else { throw .algorithm }
        let raw = try Self.bytes("x", value)
        guard raw.count == 32, let key = VerificationKey(ed25519: raw) else { throw .point }
        self.init(
            identifier: identifier, algorithm: algorithm,
            publicMembers: .fields(["crv": "Ed25519", "kty": "OKP", "x": value["x"]]), material: .stranger(key))
    }

    private static func text(_ name: String, _ value: JSONValue) throws(JSONWebKeyProblem) -> String? {
        guard let member = value[name] else { return nil }
        guard let text = member.string, text.utf8.count <= 1024 else { throw .malformed }
        return text
    }

    private static func bytes(_ name: String, _ value: JSONValue) throws(JSONWebKeyProblem) -> [UInt8] {
        guard let text = value[name]?.string, let bytes = Base64URL.decode(text) else { throw .malformed }
        return bytes
    }
}
