public import PaviseJWT

/// What an administrator may order remotely (app-lock AL25).
public enum OrderedAction: String, Hashable, Sendable, CaseIterable {
    /// The lock closes at once.
    case lock
    /// The sessions end on this device; the PIN stays, and with it what else is sealed.
    case signOut
    /// Everything goes, as after the last wrong PIN.
    case wipe
}

/// Whose orders an app lock obeys. There is no default: without an administrator's keys every order is refused.
///
/// An order is a compact JWS (RFC 7515) with the header `typ` of ``type``, a `kid` that names one of the keys, and the
/// claims `iss`, `aud` (the identifier of this installation), `jti`, `iat`, `exp` and `action`.
///
/// ```swift
/// let rules = try OrderRules(issuer: "https://management.example.org", keys: [JSONWebKey(json: bytes)])
/// let receipt = try lock.obey(text, by: rules)
/// ```
public struct OrderRules: Sendable {
    /// Why rules cannot be used.
    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// No issuer, or no key.
        case empty
        /// A key without a name (`kid`): an order could not say which one signed it.
        case unnamedKey
        /// A key for another algorithm than ES256 and EdDSA.
        case algorithm
        /// Two keys of one name.
        case duplicateName

        /// One sentence that says what to write.
        public var description: String {
            switch self {
            case .empty: "Orders need an issuer and at least one key."
            case .unnamedKey: "Each key for orders needs a name (kid)."
            case .algorithm: "Orders are signed with ES256 or EdDSA."
            case .duplicateName: "Two keys for orders have one name."
            }
        }
    }

    /// Who orders (`iss`), compared as text.
    public let issuer: String
    let keys: JSONWebKeySet

    /// The header `typ` of an order: nothing else that somebody signs with the same key is one (RFC 8725 §3.11).
    public static let type = "pavise-order+jwt"
    /// The header `typ` of a receipt.
    public static let receiptType = "pavise-receipt+jwt"
    /// The longest order that is read, in bytes.
    public static let limit = 4096
    /// The longest time between `iat` and `exp`, in seconds: 30 days.
    public static let longestLife: Int64 = 30 * 86_400
    /// How orders may be signed.
    public static let algorithms: Set<TokenAlgorithm> = [.es256, .edDSA]

    /// Rules of an administrator.
    ///
    /// - Throws: ``Problem`` where an order could not be judged by them.
    public init(issuer: String, keys: [JSONWebKey]) throws(Problem) {
        guard !issuer.isEmpty, !keys.isEmpty else { throw .empty }
        guard keys.allSatisfy({ $0.identifier?.isEmpty == false }) else { throw .unnamedKey }
        guard keys.allSatisfy({ Self.algorithms.contains($0.algorithm) }) else { throw .algorithm }
        guard let set = try? JSONWebKeySet(keys) else { throw .duplicateName }
        self.issuer = issuer
        self.keys = set
    }
}
