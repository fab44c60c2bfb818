internal import CPeers
internal import Foundation
internal import PaviseCrypto
internal import SecurityFramework

private let plain = [UInt8](repeating: 7, count: 1024)
private let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM

/// Microseconds to seal and to open 1 KiB: ECIES with a key in memory and with an enclave key, and AES-256-GCM.
func sealing(_: [String]) throws -> [(String, String)] {
    try ecies() + gcm()
}

private func ecies() throws -> [(String, String)] {
    let software = try key([:])
    let enclave = try key([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave])
    guard let peer = unsafe peer_ecies_new() else { throw MeasureFailure(description: "no peer") }
    defer { unsafe peer_ecies_free(peer) }
    var packet = [UInt8](repeating: 0, count: 65 + plain.count + 16)
    var opened = [UInt8](repeating: 0, count: plain.count)
    let peerSeal = { try demand(unsafe peer_ecies_seal(peer, plain, plain.count, &packet)) }
    let peerOpen = { try demand(unsafe peer_ecies_open(peer, packet, packet.count, &opened)) }
    try peerSeal()
    let ourPacket = try seal(software.publicKey)
    let enclavePacket = try seal(enclave.publicKey)
    let sealed = try Rounds(30, batch: 40, ours: { _ = try seal(software.publicKey) }, peer: peerSeal)
    let open = try Rounds(30, batch: 40, ours: { try openPacket(ourPacket, software.key) }, peer: peerOpen)
    let inside = try Rounds(30, batch: 40, ours: { try openPacket(enclavePacket, enclave.key) }, peer: peerOpen)
    guard opened == plain else { throw MeasureFailure(description: "the peer opened something else") }
    return sealed.report("eciesSeal") + open.report("eciesOpen") + inside.report("enclaveOpen")
}

private func key(_ more: [CFString: Any]) throws -> (key: SecKey, publicKey: SecKey) {
    let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256]
    let all = attributes.merging(more) { $1 }
    var problem: Unmanaged<CFError>?
    guard let key = SecKeyCreateRandomKey(all as CFDictionary, &problem),
        let publicKey = SecKeyCopyPublicKey(key)
    else {
        let reason = unsafe problem?.takeRetainedValue()
        throw MeasureFailure(description: "no key with \(more): \(String(describing: reason))")
    }
    return (key, publicKey)
}

private func seal(_ key: SecKey) throws -> CFData {
    guard let packet = SecKeyCreateEncryptedData(key, algorithm, Data(plain) as CFData, nil) else {
        throw MeasureFailure(description: "not sealed")
    }
    return packet
}

private func openPacket(_ packet: CFData, _ key: SecKey) throws {
    guard let opened = SecKeyCreateDecryptedData(key, algorithm, packet, nil), opened.length == plain.count
    else {
        throw MeasureFailure(description: "not opened")
    }
}

private func demand(_ status: Int32) throws {
    guard status == 1 else { throw MeasureFailure(description: "OpenSSL failed") }
}

// Like with like: into memory that is kept on both sides, and a packet in memory of its own on both sides.
private func gcm() throws -> [(String, String)] {
    let key = [UInt8](repeating: 9, count: 32)
    let nonce = [UInt8](repeating: 1, count: 12)
    let ours = try AESGCM(key: key.span)
    guard let peer = unsafe peer_gcm_new(key) else { throw MeasureFailure(description: "no peer") }
    defer { unsafe peer_gcm_free(peer) }
    var sealed = [UInt8](repeating: 0, count: plain.count + 16)
    var opened = [UInt8](repeating: 0, count: plain.count)
    var kept = [UInt8](repeating: 0, count: plain.count + 16)
    let ourPacket = try ours.seal(plain.span, nonce: nonce, associatedData: [])
    let seal = try Rounds(
        40, batch: 2000, ours: { try sealInPlace(ours, nonce, &kept) },
        peer: { try demand(unsafe peer_gcm_seal(peer, nonce, plain, plain.count, &sealed)) })
    guard sealed == ourPacket, kept == ourPacket else {
        throw MeasureFailure(description: "the peer sealed something else")
    }
    let packet = try Rounds(
        40, batch: 2000, ours: { _ = try ours.seal(plain.span, nonce: nonce, associatedData: []) },
        peer: { try demand(unsafe peer_gcm_packet(peer, nonce, plain, plain.count)) })
    let open = try Rounds(
        40, batch: 2000, ours: { _ = try ours.open(ourPacket.span, nonce: nonce, associatedData: []) },
        peer: { try demand(unsafe peer_gcm_open(peer, nonce, sealed, sealed.count, &opened)) })
    return seal.report("gcmSeal") + packet.report("gcmPacket") + open.report("gcmOpen")
}

private func sealInPlace(_ cipher: borrowing AESGCM, _ nonce: [UInt8], _ target: inout [UInt8]) throws {
    var span = target.mutableSpan
    try unsafe span.withUnsafeMutableBytes { target in
        try unsafe plain.withUnsafeBytes { plain in
            try unsafe cipher.sealPage(
                plain, into: UnsafeMutableRawBufferPointer(rebasing: target[..<plain.count]),
                tag: UnsafeMutableRawBufferPointer(rebasing: target[plain.count...]), nonce: nonce, associatedData: [])
        }
    }
}
