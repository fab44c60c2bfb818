/// Why a JSON Web Key is not used (RFC 7517 §4, RFC 7518 §6).
public enum JSONWebKeyProblem: Error, Hashable, Sendable {
    /// No JSON object within bounds, or a member of the wrong type.
    case malformed
    /// A kind of key that is not known here.
    case kind
    /// `alg` is no algorithm of ours, or does not fit the key.
    case algorithm
    /// `use` or `key_ops` says that the key is not for checking signatures.
    case use
    /// It holds its private half: whoever has read it can sign.
    case privateHalf
    /// Below 2048 bits or above 8192, an even or trivial exponent, or a prime structure that is broken
    /// (CVE-2017-15361).
    case weakRSA
    /// The numbers are no point of the curve, or of the wrong length.
    case point
    /// A shared secret that is shorter than its hash (RFC 7518 §3.2).
    case shortSecret
    /// The set holds two keys of one name: nobody could say which of them signed.
    case duplicateName
    /// The set holds public keys beside shared secrets.
    case mixedSet
    /// The set holds more keys than are read.
    case tooManyKeys
}

extension JSONWebKeyProblem: CustomStringConvertible {
    /// What is wrong; the issuer has to mend it.
    public var description: String {
        switch self {
        case .malformed: "the key is not written as RFC 7517 says"
        case .kind: "the key is of a kind that is not known"
        case .algorithm: "the key's algorithm is not known or does not fit it"
        case .use: "the key is not for checking signatures"
        case .privateHalf: "the key shows its private half; replace it"
        case .weakRSA: "the RSA key is too weak; replace it"
        case .point: "the key is no point of its curve"
        case .shortSecret: "the shared secret is shorter than its hash; replace it"
        case .duplicateName: "two keys of the set have one name"
        case .mixedSet: "the set mixes public keys and shared secrets"
        case .tooManyKeys: "the set holds more keys than are read"
        }
    }
}
