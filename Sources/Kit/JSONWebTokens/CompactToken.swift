internal import PavisePrimitives

/// A signed token in its compact form (RFC 7515 §7.1), taken apart strictly and not believed yet.
///
/// Its content comes out of ``verified(by:)-(JSONWebKeySet)`` only. Keys and addresses in the header itself (`jwk`,
/// `jku`, `x5c`, `x5u`) are never used, and one that must be understood (`crit`) is refused.
///
/// ```swift
/// let token = try CompactToken(text).verified(by: keys)
/// try TokenRules(issuer: "https://id.example.org", audience: "files").check(token, at: now)
/// let user = token.claims?.string("sub")
/// ```
public struct CompactToken: Sendable {
    /// The longest token that is read unless the caller says otherwise, in bytes.
    public static let usualLimit = 16_384

    /// The key that the header names (`kid`).
    public let keyIdentifier: String?
    /// How the header says that it is signed. The key decides whether that counts.
    public let algorithm: TokenAlgorithm
    /// What kind of token it says it is (`typ`).
    public let type: String?
    private let signed: [UInt8]
    private let payload: [UInt8]
    private let signature: [UInt8]

    /// Takes a token apart.
    ///
    /// - Parameters:
    ///   - text: Three parts of base64url with dots between them.
    ///   - limit: The longest token that is read, in bytes.
    /// - Throws: ``TokenProblem``: `tooLong`, `malformed`, `algorithm` or `criticalHeader`.
    public init(_ text: String, limit: Int = Self.usualLimit) throws(TokenProblem) {
        guard text.utf8.count <= limit else { throw .tooLong(limit: limit) }
        let bytes = Array(text.utf8)
        let dot = UInt8(ascii: ".")
        guard let first = bytes.firstIndex(of: dot), let second = bytes[(first + 1)...].firstIndex(of: dot),
            let head = Base64URL.decode(utf8: bytes[..<first]),
            let payload = Base64URL.decode(utf8: bytes[(first + 1)..<second]),
            let signature = Base64URL.decode(utf8: bytes[(second + 1)...])
        else { throw .malformed }
        let header = try TokenHeader.read(head)
        keyIdentifier = header.keyIdentifier
        algorithm = header.algorithm
        type = header.type
        signed = Array(bytes[..<second])
        self.payload = payload
        self.signature = signature
    }

    /// Checks the signature with the one key of the set that fits.
    ///
    /// A token that names a key is checked with that key or not at all; one that names none only when exactly one key
    /// fits.
    ///
    /// - Throws: ``TokenProblem``: `noSuchKey`, `algorithm` or `signature`.
    public func verified(by keys: JSONWebKeySet) throws(TokenProblem) -> VerifiedToken {
        try verified(key: try keys.key(named: keyIdentifier, for: algorithm))
    }

    /// Checks the signature with one key.
    ///
    /// - Throws: ``TokenProblem``: `noSuchKey` when both have a name and they differ, `algorithm` or `signature`.
    public func verified(by key: JSONWebKey) throws(TokenProblem) -> VerifiedToken {
        if let keyIdentifier, let own = key.identifier, keyIdentifier != own { throw .noSuchKey }
        guard key.algorithm == algorithm else { throw .algorithm }
        return try verified(key: key)
    }

    private func verified(key: JSONWebKey) throws(TokenProblem) -> VerifiedToken {
        guard key.isSignature(signature, of: signed) else { throw .signature }
        return VerifiedToken(payload: payload, type: type, keyIdentifier: key.identifier, algorithm: algorithm)
    }
}

extension CompactToken: CustomStringConvertible, CustomReflectable {
    /// Nothing of its content.
    public var description: String { "unverified \(algorithm.rawValue) token" }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
