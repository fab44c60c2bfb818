internal import CPeers
internal import Foundation
internal import PaviseJWT
internal import SecurityFramework

/// Microseconds to verify a compact RS256 token of 2,048 bits, from its text to its payload; for the peer, the
/// signature over the same bytes alone.
func webTokens(_: [String]) throws -> [(String, String)] {
    let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048]
    let claims = #"{"iss":"https://id.example.org","sub":"alice","aud":"files","exp":1900000300,"iat":1900000000}"#
    let input = encoded(Data(#"{"alg":"RS256","typ":"JWT","kid":"2026-11"}"#.utf8)) + "." + encoded(Data(claims.utf8))
    let signing = SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256
    guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil), let other = SecKeyCopyPublicKey(key),
        let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?,
        let number = SecKeyCopyExternalRepresentation(other, nil) as Data?, number.count == 270,
        let signature = SecKeyCreateSignature(key, signing, Data(input.utf8) as CFData, nil) as Data?
    else { throw MeasureFailure(description: "no RSA key") }
    let text = input + "." + encoded(signature)
    // PKCS#1: two heads of four bytes, a zero, 256 bytes of modulus, a head of two bytes, the exponent.
    let modulus = encoded(Data(number.dropFirst(9).prefix(256)))
    let set = #"{"keys":[{"kty":"RSA","kid":"2026-11","alg":"RS256","n":"\#(modulus)","e":"AQAB"}]}"#
    let keys = try JSONWebKeySet(json: Array(set.utf8), accepting: [.rs256])
    let pair = Array(bytes)
    guard let peer = unsafe peer_rsa_new(pair, pair.count) else { throw MeasureFailure(description: "no peer") }
    defer { unsafe peer_rsa_free(peer) }
    let (message, theirs) = (Array(input.utf8), Array(signature))
    let verify = try Rounds(60, batch: 200) {
        _ = try CompactToken(text).verified(by: keys)
    } peer: {
        guard unsafe peer_rsa_verify(peer, message, message.count, theirs, theirs.count) == 1 else {
            throw MeasureFailure(description: "the peer's verification failed")
        }
    }
    return verify.report("tokenVerify")
}

private func encoded(_ bytes: Data) -> String {
    bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
}
