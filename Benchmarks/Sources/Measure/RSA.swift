internal import CPeers
internal import Foundation
internal import SecurityFramework

private let message = [UInt8](repeating: 5, count: 256)
private let signing = SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256
private let packing = SecKeyAlgorithm.rsaEncryptionOAEPSHA256

/// Microseconds to sign, verify and decrypt with RSA of 2,048 bits, the same key on both sides.
func rsa(_: [String]) throws -> [(String, String)] {
    let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048]
    guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil), let other = SecKeyCopyPublicKey(key),
        let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?,
        let packet = SecKeyCreateEncryptedData(other, packing, Data(message[..<32]) as CFData, nil) as Data?,
        let signature = SecKeyCreateSignature(key, signing, Data(message) as CFData, nil) as Data?
    else { throw MeasureFailure(description: "no RSA key") }
    let encoded = Array(bytes)
    guard let peer = unsafe peer_rsa_new(encoded, encoded.count) else { throw MeasureFailure(description: "no peer") }
    defer { unsafe peer_rsa_free(peer) }
    let theirs = Array(signature)
    var made = [UInt8](repeating: 0, count: 256)
    let sign = try Rounds(30, batch: 10) {
        try demand(SecKeyCreateSignature(key, signing, Data(message) as CFData, nil) != nil)
    } peer: {
        try demand(unsafe peer_rsa_sign(peer, message, message.count, &made, made.count) == 1)
    }
    guard made == theirs else { throw MeasureFailure(description: "the peer's signature is another one") }
    let verify = try Rounds(30, batch: 100) {
        try demand(SecKeyVerifySignature(other, signing, Data(message) as CFData, signature as CFData, nil))
    } peer: {
        try demand(unsafe peer_rsa_verify(peer, message, message.count, theirs, theirs.count) == 1)
    }
    let sealed = Array(packet)
    let open = try Rounds(30, batch: 10) {
        try demand(SecKeyCreateDecryptedData(key, packing, packet as CFData, nil) != nil)
    } peer: {
        var plain = [UInt8](repeating: 0, count: 256)
        var size = plain.count
        try demand(unsafe peer_rsa_open(peer, sealed, sealed.count, &plain, &size) == 1 && size == 32)
    }
    return sign.report("rsaSign") + verify.report("rsaVerify") + open.report("rsaOpen")
}

private func demand(_ worked: Bool) throws {
    guard worked else { throw MeasureFailure(description: "an RSA operation failed") }
}
