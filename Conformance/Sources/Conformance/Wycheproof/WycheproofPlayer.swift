internal import PaviseCrypto
internal import PavisePrimitives

/// How the cases of one schema are played, and which member holds the value that must come out.
struct WycheproofPlayer: Sendable {
    let play: @Sendable (WycheproofCase) -> WycheproofOutcome
    /// The member with the value; `nil` where a verdict is all.
    var member: String?
    /// Whether a case that is published as acceptable is taken, by the value that it would give. Decided once, in
    /// Documentation/Decisions/0006: refused, but for X25519 and for signatures that a caller asks to be made.
    var takesAcceptable: @Sendable ([UInt8]) -> Bool = { _ in false }
    /// Why Pavise does not say of a case what is published, where it does not; `nil` where it has to.
    var expectation: @Sendable (_ entry: WycheproofCase, _ isToBeAccepted: Bool) -> String? = { _, _ in nil }

    func wanted(_ entry: WycheproofCase) -> [UInt8] { member.map(entry.bytes) ?? [] }

    /// The player of a file. What Pavise does not have is counted, case by case.
    static func of(_ json: JSONValue) -> WycheproofPlayer {
        let algorithm = json["algorithm"]?.string ?? ""
        if let player = byAlgorithm[algorithm] { return player }
        let schema = json["schema"]?.string ?? ""
        let words = schema.split(separator: "_").prefix { $0 != "schema" }
        if let player = bySchema[words.filter { $0 != "test" && $0 != "comp" }.joined(separator: "_")] { return player }
        let name = algorithm.isEmpty ? "The form \(schema)" : algorithm
        return WycheproofPlayer(play: { _ in .notOffered("\(name) is not offered.") })
    }

    private static let byAlgorithm: [String: WycheproofPlayer] = [
        "AES-GCM": WycheproofPlayer(play: Symmetric.gcm, member: "msg"),
        "AES-WRAP": WycheproofPlayer(play: Symmetric.keyWrap, member: "msg"),
        "HKDF-SHA-256": WycheproofPlayer(play: Symmetric.hkdf, member: "okm"),
        "HMACSHA256": WycheproofPlayer(play: Symmetric.hmac),
    ]

    private static let bySchema: [String: WycheproofPlayer] = [
        "ecdsa_verify": WycheproofPlayer(play: Signatures.ecdsa),
        "ecdsa_p1363_verify": WycheproofPlayer(play: Signatures.ecdsaFixed),
        "eddsa_verify": WycheproofPlayer(play: Signatures.ed25519),
        "rsassa_pkcs1_verify": WycheproofPlayer(play: Signatures.rsa),
        "rsassa_pss_verify": WycheproofPlayer(play: Signatures.pss),
        "rsassa_pkcs1_generate": WycheproofPlayer(
            play: Signatures.rsaMaking, member: "sig", takesAcceptable: { _ in true }),
        "rsaes_oaep_decrypt": WycheproofPlayer(play: Agreement.oaep, member: "msg"),
        "json_web_signature": WycheproofPlayer(play: WebTokens.signature, expectation: WebTokens.expectation),
        "json_web_key": WycheproofPlayer(play: WebTokens.signature),
        "json_web_crypto": WycheproofPlayer(play: WebTokens.signature),
        "json_web_encryption": WycheproofPlayer(play: WebTokens.signature),
        "ecdh_ecpoint": WycheproofPlayer(play: Agreement.point, member: "shared"),
        "ecdh_webcrypto": WycheproofPlayer(play: Agreement.web, member: "shared"),
        "ecdh_pem": WycheproofPlayer(play: Agreement.pem, member: "shared"),
        "ecdh": WycheproofPlayer(play: Agreement.spki, member: "shared"),
        "xdh_jwk": WycheproofPlayer(play: Agreement.x25519JWK, member: "shared", takesAcceptable: isNotZero),
        "xdh": WycheproofPlayer(play: Agreement.x25519, member: "shared", takesAcceptable: isNotZero),
    ]

    // A secret of zero says that the other side's key has a small order (RFC 7748 §6.1).
    @Sendable private static func isNotZero(_ secret: [UInt8]) -> Bool { secret.contains { $0 != 0 } }
}
