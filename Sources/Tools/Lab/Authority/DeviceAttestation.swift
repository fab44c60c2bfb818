internal import PaviseAttestation
internal import PaviseCrypto
internal import PavisePrimitives

/// What the lab's authority knows of attested devices: it is both the attester and the authorization server of
/// draft-ietf-oauth-attestation-based-client-auth.
struct DeviceAttestation: Sendable {
    /// A device whose attestation key is known.
    struct Device: Sendable {
        let key: TPMAttestationKey
        /// The registers of its first quote: what later ones must have.
        var registers: [Int: [UInt8]]?
    }

    /// A challenge that was given out: good for one quote or assertion, then for one request with the key of that.
    struct Challenge: Sendable {
        let expires: Int64
        var thumbprint: String?
    }

    /// An installation of an app whose key of App Attest is known, with the counter of its last assertion.
    struct Installation: Sendable {
        let app: AttestedApp
        var key: AttestedKey
    }

    var enrolments: [String: TPMCredentialChallenge] = [:]
    var installations: [String: Installation] = [:]
    var devices: [String: Device] = [:]
    var challenges: [String: Challenge] = [:]
    /// Attestations and proofs that came already.
    var proofNames: Set<String> = []

    /// Gives a challenge out; those that nobody used in time are forgotten.
    mutating func give(_ challenge: String, at now: Int64) {
        challenges = challenges.filter { $0.value.expires > now }
        challenges[challenge] = Challenge(expires: now + 60)
    }

    /// What a quote covers: the challenge and the key that will use it.
    static func nonce(_ challenge: String, _ thumbprint: String) -> [UInt8] {
        Hash.digest(.sha256, Array("\(challenge).\(thumbprint)".utf8))
    }
}

/// Signs what the lab's attester says (ES256).
struct AttesterKey: Sendable {
    private let key: ECPrivateKey

    init() throws(CryptoFailure) { key = try ECPrivateKey(generating: .p256) }

    func token(_ type: String, _ claims: JSONValue) -> String {
        SignedToken.make(header: .fields(["alg": "ES256", "typ": .string(type)]), claims: claims) { input in
            let der = try? key.sign(digest: Hash.digest(.sha256, input))
            return der.flatMap { ECDSASignature.raw(der: $0, curve: .p256) } ?? []
        }
    }

    /// The claims of a token of this key's; `nil` for anything else.
    func claims(of token: String, type: String) -> JSONValue? { CompactJWS(token)?.claims(type, by: key.publicKey) }
}

/// A compact JWS with ES256 as a server reads it (RFC 7515 §5.2).
struct CompactJWS {
    private let header: JSONValue
    private let body: JSONValue
    private let input: [UInt8]
    private let signature: [UInt8]

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let body = Self.object(parts[1]),
            let raw = Base64URL.decode(parts[2]), let signature = ECDSASignature.der(raw: raw, curve: .p256)
        else { return nil }
        self.header = header
        self.body = body
        self.signature = signature
        input = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// The claims, where `key` signed them as a token of this type.
    func claims(_ type: String, by key: ECPublicKey) -> JSONValue? {
        guard header["alg"] == "ES256", header["typ"]?.string == type,
            key.verify(signature: signature, digest: Hash.digest(.sha256, input))
        else { return nil }
        return body
    }

    private static func object(_ text: Substring) -> JSONValue? {
        Base64URL.decode(text).flatMap { try? JSONValue.parse($0) }
    }
}
