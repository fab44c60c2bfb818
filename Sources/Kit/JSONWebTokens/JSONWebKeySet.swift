package import PavisePrimitives

/// The keys of one issuer (RFC 7517 §5), those that can check tokens here.
public struct JSONWebKeySet: Sendable {
    /// How many keys are read.
    private static let limit = 100
    /// The largest document that is read, in bytes.
    private static let documentLimit = 65_536

    /// The keys.
    public let keys: [JSONWebKey]

    /// A set of keys that were read one by one.
    ///
    /// - Throws: ``JSONWebKeyProblem/duplicateName``, ``JSONWebKeyProblem/mixedSet``.
    public init(_ keys: [JSONWebKey]) throws(JSONWebKeyProblem) {
        let names = keys.compactMap(\.identifier)
        guard Set(names).count == names.count else { throw .duplicateName }
        guard Set(keys.map(\.algorithm.isSymmetric)).count <= 1 else { throw .mixedSet }
        self.keys = keys
    }

    /// Reads a JWK Set as an issuer publishes it. Keys that are weak, of another kind or for other algorithms are left
    /// out.
    ///
    /// - Parameters:
    ///   - json: The document, at most 64 KiB.
    ///   - algorithms: Those that are accepted from this issuer. An RSA key that names none is for the only RSA
    ///     algorithm among them.
    public init(json: [UInt8], accepting algorithms: Set<TokenAlgorithm>) throws(JSONWebKeyProblem) {
        guard let value = try? JSONValue.parse(json, limit: Self.documentLimit) else { throw .malformed }
        try self.init(value, accepting: algorithms)
    }

    /// Reads a JWK Set from a parsed document.
    package init(_ value: JSONValue, accepting algorithms: Set<TokenAlgorithm>) throws(JSONWebKeyProblem) {
        guard let list = value["keys"]?.array else { throw .malformed }
        guard list.count <= Self.limit else { throw .tooManyKeys }
        guard Set(list.map { $0["kty"] == "oct" }).count <= 1 else { throw .mixedSet }
        // Also where one of the two cannot be used: a name must say one thing.
        let names = list.filter { $0["use"].map { $0 == "sig" } ?? true }.compactMap { $0["kid"]?.string }
        guard Set(names).count == names.count else { throw .duplicateName }
        let plain = algorithms.filter { $0.kind == .rsa }
        try self.init(
            list.compactMap { try? JSONWebKey($0, plainRSA: plain.count == 1 ? plain.first : nil) }
                .filter { algorithms.contains($0.algorithm) })
    }

    /// The key that a token names, or the only one that fits when it names none.
    func key(named name: String?, for algorithm: TokenAlgorithm) throws(TokenProblem) -> JSONWebKey {
        guard let name else {
            let fitting = keys.filter { $0.algorithm == algorithm }
            guard fitting.count == 1 else { throw .noSuchKey }
            return fitting[0]
        }
        guard let key = keys.first(where: { $0.identifier == name }) else { throw .noSuchKey }
        // The key says how it is used. The header may only agree.
        guard key.algorithm == algorithm else { throw .algorithm }
        return key
    }
}
