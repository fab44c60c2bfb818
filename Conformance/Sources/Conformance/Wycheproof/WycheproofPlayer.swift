internal import PaviseCrypto
internal import PavisePrimitives

/// How the cases of one schema are played, and which member holds the value that must come out.
struct WycheproofPlayer: Sendable {
    let play: @Sendable (WycheproofCase) -> WycheproofOutcome
    /// The member with the value; `nil` where a verdict is all.
    let member: String?

    func wanted(_ entry: WycheproofCase) -> [UInt8] { member.map(entry.bytes) ?? [] }

    /// The player of a file; `nil` for what Pavise does not have.
    static func of(_ json: JSONValue) -> WycheproofPlayer? {
        if let player = byAlgorithm[json["algorithm"]?.string ?? ""] { return player }
        let words = (json["schema"]?.string ?? "").split(separator: "_").prefix { $0 != "schema" }
        return bySchema[words.filter { $0 != "test" && $0 != "comp" }.joined(separator: "_")]
    }

    private static let byAlgorithm: [String: WycheproofPlayer] = [
        "AES-GCM": WycheproofPlayer(play: Symmetric.gcm, member: "msg"),
        "AES-WRAP": WycheproofPlayer(play: Symmetric.keyWrap, member: "msg"),
        "HKDF-SHA-256": WycheproofPlayer(play: Symmetric.hkdf, member: "okm"),
        "HMACSHA256": WycheproofPlayer(play: Symmetric.hmac, member: nil),
    ]

    private static let bySchema: [String: WycheproofPlayer] = [
        "ecdsa_verify": WycheproofPlayer(play: Signatures.ecdsa, member: nil),
        "ecdsa_p1363_verify": WycheproofPlayer(play: Signatures.ecdsaFixed, member: nil),
        "eddsa_verify": WycheproofPlayer(play: Signatures.ed25519, member: nil),
        "rsassa_pkcs1_verify": WycheproofPlayer(play: Signatures.rsa, member: nil),
        "rsassa_pss_verify": WycheproofPlayer(play: Signatures.pss, member: nil),
        "rsassa_pkcs1_generate": WycheproofPlayer(play: Signatures.rsaMaking, member: "sig"),
        "rsaes_oaep_decrypt": WycheproofPlayer(play: Agreement.oaep, member: "msg"),
        "json_web_signature": WycheproofPlayer(play: WebTokens.signature, member: nil),
        "json_web_key": WycheproofPlayer(play: WebTokens.keySet, member: nil),
        "ecdh_ecpoint": WycheproofPlayer(play: Agreement.point, member: "shared"),
        "ecdh_webcrypto": WycheproofPlayer(play: Agreement.web, member: "shared"),
        "ecdh_pem": WycheproofPlayer(play: Agreement.pem, member: "shared"),
        "ecdh": WycheproofPlayer(play: Agreement.spki, member: "shared"),
        "xdh_jwk": WycheproofPlayer(play: Agreement.x25519, member: "shared"),
    ]
}
