package import PavisePrimitives
internal import SecurityFramework

/// A key that checks tokens: a public one, or a secret that is shared (RFC 7517).
///
/// It is for one algorithm, which is fixed when the key is read. A token whose header names another is refused, so that
/// nobody who writes a header chooses how it is checked (RFC 8725 §3.1).
///
/// ```swift
/// let key = try JSONWebKey(json: bytes)
/// let token = try CompactToken(text).verified(by: key)
/// ```
public struct JSONWebKey: Sendable {
    enum Material: Sendable {
        case stranger(VerificationKey)
        case secret(SharedSecretKey)
    }

    /// The key's name (`kid`), if it has one.
    public let identifier: String?
    /// The only algorithm that it checks.
    public let algorithm: TokenAlgorithm
    /// The members that make the key, in the order of RFC 7638 §3.2; empty for a secret.
    package let publicMembers: JSONValue
    let material: Material

    init(identifier: String?, algorithm: TokenAlgorithm, publicMembers: JSONValue, material: Material) {
        self.identifier = identifier
        self.algorithm = algorithm
        self.publicMembers = publicMembers
        self.material = material
    }

    /// A secret that both sides know, for HS256, HS384 or HS512.
    ///
    /// - Throws: ``JSONWebKeyProblem/shortSecret`` for fewer bytes than the hash has, ``JSONWebKeyProblem/algorithm``
    ///   for another algorithm.
    public init(
        secret: [UInt8], algorithm: TokenAlgorithm, identifier: String? = nil
    ) throws(JSONWebKeyProblem) {
        guard case .secret(let least) = algorithm.kind else { throw .algorithm }
        guard secret.count >= least else { throw .shortSecret }
        self.init(
            identifier: identifier, algorithm: algorithm, publicMembers: .object([]),
            material: .secret(SharedSecretKey(SecretBytes(copying: secret))))
    }

    /// The base64url form of the SHA-256 thumbprint (RFC 7638); `nil` for a shared secret, which nobody should publish.
    public var thumbprint: String? {
        guard publicMembers != .object([]) else { return nil }
        return Base64URL.encode(MessageDigest.sha256(Array(publicMembers.text.utf8)))
    }

    /// Whether this key made `signature` over `message`.
    func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch material {
        case .stranger(let key): key.isSignature(signature, of: message)
        case .secret(let secret): secret.isCode(signature, of: message, algorithm)
        }
    }
}

extension JSONWebKey: CustomStringConvertible, CustomReflectable {
    /// Name and algorithm.
    public var description: String { "\(algorithm.rawValue) key \(identifier ?? "without a name")" }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Owns a shared secret.
final class SharedSecretKey: Sendable {
    private let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Compared in constant time.
    func isCode(_ code: [UInt8], of message: [UInt8], _ algorithm: TokenAlgorithm) -> Bool {
        guard let digest = algorithm.secretDigest else { return false }
        let right = bytes.withBytes { MessageDigest.hmac(digest, key: $0, message) }
        return !right.isEmpty && ConstantTime.equal(right, code)
    }
}
