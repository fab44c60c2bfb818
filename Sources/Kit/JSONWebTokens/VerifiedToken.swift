internal import PavisePrimitives

/// A token whose signature is right. Only ``CompactToken`` makes one.
///
/// A right signature says who wrote it, and no more: whether it is for you, and still valid, ``TokenRules`` say.
public struct VerifiedToken: Sendable {
    /// The bytes that were signed.
    public let payload: [UInt8]
    /// The `typ` header.
    public let type: String?
    /// The name of the key that checked it.
    public let keyIdentifier: String?
    /// How it was signed.
    public let algorithm: TokenAlgorithm

    init(payload: [UInt8], type: String?, keyIdentifier: String?, algorithm: TokenAlgorithm) {
        self.payload = payload
        self.type = type
        self.keyIdentifier = keyIdentifier
        self.algorithm = algorithm
    }

    /// The members of the payload, read at each call; `nil` when it is no JSON object within bounds (64 KiB, depth 16,
    /// no doubled members).
    public var claims: TokenClaims? { (try? JSONValue.parse(payload)).flatMap(TokenClaims.init) }
}

extension VerifiedToken: CustomStringConvertible, CustomReflectable {
    /// Nothing of its content.
    public var description: String { "verified \(algorithm.rawValue) token" }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
