import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseJWT

/// The cookbook of RFC 7520 with RFC 7797 and RFC 8037, and examples of RFC 7515: what is accepted and what is not
/// (Documentation/WebTokens.md says why).
@Suite struct CookbookTests {
    static let files = [
        "jws/4_1.rsa_v15_signature", "jws/4_2.rsa-pss_signature", "jws/4_3.ecdsa_signature",
        "jws/4_4.hmac-sha2_integrity_protection", "jws/4_5.signature_with_detached_content",
        "jws/4_6.protecting_specific_header_fields", "jws/4_7.protecting_content_only", "jws/4_8.multiple_signatures",
        "curve25519/jws", "curve25519/ecdh-es", "rfc7797/4.2.hmac-sha2_b64_false", "rfc7797/hmac-sha2_b64_false",
        "6.nesting_signatures_and_encryption",
        "jwe/5_1.key_encryption_using_rsa_v15_and_aes-hmac-sha2", "jwe/5_2.key_encryption_using_rsa-oaep_with_aes-gcm",
        "jwe/5_3.key_wrap_using_pbes2-aes-keywrap_with-aes-cbc-hmac-sha2",
        "jwe/5_4.key_agreement_with_key_wrapping_using_ecdh-es_and_aes-keywrap_with_aes-gcm",
        "jwe/5_5.key_agreement_using_ecdh-es_with_aes-cbc-hmac-sha2", "jwe/5_6.direct_encryption_using_aes-gcm",
        "jwe/5_7.key_wrap_using_aes-gcm_keywrap_with_aes-cbc-hmac-sha2",
        "jwe/5_8.key_wrap_using_aes-keywrap_with_aes-gcm", "jwe/5_9.compressed_content",
        "jwe/5_10.including_additional_authentication_data", "jwe/5_11.protecting_specific_header_fields",
        "jwe/5_12.protecting_content_only", "jwe/5_13.encrypting_to_multiple_recipients",
    ]
    static let accepted = files.prefix(4) + ["curve25519/jws"]

    @Test(.enabled(if: Vectors.has("jose"), "no vectors in PAVISE_VECTORS: jose"), arguments: files)
    func `compact signatures are accepted, every other form is refused`(_ file: String) throws {
        let vector = try JSONValue.parse(try Vectors.read("jose/\(file).json"), limit: 1 << 20, depth: 32)
        let key = Self.publicHalf(vector["input"]?["key"] ?? .null)
        let algorithm = (vector["input"]?["alg"]?.string).flatMap(TokenAlgorithm.init)
        let outputs = (vector["output"] ?? vector["encrypt"]?["output"])?.members ?? []
        for member in outputs {
            let text = member.value.string ?? member.value.text
            let isAccepted = accepts(text, key, algorithm)
            #expect(isAccepted == (Self.accepted.contains(file) && member.name == "compact"), "\(member.name)")
        }
        #expect(!outputs.isEmpty)
    }

    @Test(
        .enabled(if: Vectors.has("jose"), "no vectors in PAVISE_VECTORS: jose"),
        arguments: [
            ("3_1.ec_public_key", nil), ("3_2.ec_private_key", .privateHalf), ("3_3.rsa_public_key", nil),
            ("3_4.rsa_private_key", .privateHalf), ("3_5.symmetric_key_mac_computation", nil),
            ("3_6.symmetric_key_encryption", .use),
        ] as [(String, JSONWebKeyProblem?)])
    func `public keys and secrets for signatures are read`(_ file: String, _ problem: JSONWebKeyProblem?) throws {
        let bytes = try Vectors.read("jose/jwk/\(file).json")
        do throws(JSONWebKeyProblem) {
            _ = try JSONWebKey(json: bytes)
            #expect(problem == nil)
        } catch {
            #expect(error == problem)
        }
    }

    @Test(arguments: [
        (
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            #"{"kty":"oct","alg":"HS256","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}"#,
            true
        ),
        (
            "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
            #"{"kty":"RSA","alg":"RS256","e":"AQAB","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"}"#,
            true
        ),
        (
            "eyJhbGciOiJFUzUxMiJ9.UGF5bG9hZA.AdwMgeerwtHoh-l192l60hp9wAHZFVJbLfD_UxMi70cwnZOYaRI1bKPWROc-mZZqwqT2SI-KGDKB34XO0aw_7XdtAG8GaSwFKdCAPZgoXD2YBJZCPEX3xKpRwcdOO8KpEHwJjyqOgzDO7iKvU8vcnwNrmxYbSW9ERBXukOXolLzeO_Jn",
            #"{"kty":"EC","crv":"P-521","x":"AekpBQ8ST8a8VcfVOTNl353vSrDCLLJXmPk06wTjxrrjcBpXp5EOnYG_NjFZ6OvLFV1jSfS9tsz4qUxcWceqwQGk","y":"ADSmRA43Z1DSNx_RvcLI87cdL07l6jQyyBXMoxVg_l2Th-x3S1WDhjDly79ajL4Kkd0AZMaZmh9ubmf63e3kyMj2"}"#,
            true
        ),
        (
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
            #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#,
            true
        ),
        (
            "eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.",
            #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#,
            false
        ),
    ])
    func `the examples of RFC 7515 appendices A,1 to A,5, and none of them with another bit`(
        _ text: String, _ key: String, _ isRight: Bool
    ) throws {
        let key = try JSONValue.parse(Array(key.utf8))
        #expect(accepts(text, key, nil) == isRight)
        // A character in the midst of the signature, and one of the content.
        for place in [text.utf8.count - 20, text.utf8.count / 3] {
            var changed = Array(text.utf8)
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(!accepts(String(decoding: changed, as: UTF8.self), key, nil))
        }
    }

    private func accepts(_ text: String, _ key: JSONValue, _ algorithm: TokenAlgorithm?) -> Bool {
        do {
            _ = try CompactToken(text).verified(by: try JSONWebKey(key, pinnedTo: algorithm))
            return true
        } catch {
            return false
        }
    }

    // The cookbook prints private keys; ours refuses those.
    private static func publicHalf(_ key: JSONValue) -> JSONValue {
        .object((key.members ?? []).filter { !["d", "p", "q", "dp", "dq", "qi"].contains($0.name) })
    }
}
