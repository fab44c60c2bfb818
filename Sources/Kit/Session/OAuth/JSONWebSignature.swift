internal import PavisePrimitives
internal import SecurityFramework

/// A compact JSON Web Signature (RFC 7515 §7.1), RS256 and nothing else (RFC 8725 §3.1).
///
/// The header's own keys and addresses (`jwk`, `jku`, `x5c`, `x5u`) are never used.
struct JSONWebSignature: Sendable {
    /// The key that the header names.
    let keyName: String?
    /// The bytes that were signed for, decoded. They mean nothing before ``verify(with:)``.
    let payload: [UInt8]
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Takes the three parts apart, strictly.
    init(_ text: String) throws(IDTokenProblem) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), let header = try? JSONValue.parse(head), header.members != nil
        else { throw .malformed }
        guard header["alg"] == "RS256" else { throw .algorithm }
        guard header["crit"] == nil else { throw .criticalHeader }
        if let name = header["kid"], name.string == nil { throw .malformed }
        keyName = header["kid"]?.string
        self.payload = payload
        self.signature = signature
        signed = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
    }

    /// Verifies with the one key that fits.
    func verify(with keys: KeySet) throws(IDTokenProblem) {
        let key = try keys.key(named: keyName)
        guard let isValid = SignatureCheck.isRS256(signature, of: signed, key: key.pkcs1) else { throw .unusableKey }
        guard isValid else { throw .signature }
    }
}
