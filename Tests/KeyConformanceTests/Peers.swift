import Foundation
import PaviseCrypto
import PavisePrimitives

/// SHA-1 by the primitive alone.
enum SHA1Peer {
    static func digest(_ bytes: Data) throws -> Data { Data(Hash.digest(.sha1, [UInt8](bytes))) }
}

/// ECIES and X9.63 written a second time from the text of the format, over AES-GCM, hash and ECDH of the primitives.
struct ECIESPeer {
    let hash: HashFunction
    let curve: Curve
    let derivesNonce: Bool

    /// H(Z ‖ counter ‖ shared info), cut to length.
    static func derive(_ hash: HashFunction, _ secret: [UInt8], _ info: [UInt8], _ count: Int) -> [UInt8] {
        var derived: [UInt8] = []
        var counter: UInt32 = 1
        while derived.count < count {
            let number = [24, 16, 8, 0].map { UInt8(counter >> $0 & 255) }
            derived += Hash.digest(hash, secret + number + info)
            counter += 1
        }
        return Array(derived.prefix(count))
    }

    private func keys(_ secret: [UInt8], _ point: [UInt8]) -> (key: [UInt8], nonce: [UInt8]) {
        let size = curve.bits <= 256 ? 16 : 32
        let derived = Self.derive(hash, secret, point, size + (derivesNonce ? 16 : 0))
        return (
            Array(derived.prefix(size)),
            derivesNonce ? Array(derived.suffix(16)) : [UInt8](repeating: 0, count: 16)
        )
    }

    static func secret(_ key: ECPrivateKey, _ peer: ECPublicKey) throws -> [UInt8] {
        let secret = try key.sharedSecret(with: peer)
        return secret.withBytes { bytes in Array(bytes) }
    }

    func seal(_ plain: [UInt8], to point: [UInt8]) throws -> [UInt8] {
        let ephemeral = try ECPrivateKey(generating: curve)
        let recipient = try ECPublicKey(x963: point, curve: curve)
        let own = ephemeral.publicKey.x963
        let (key, nonce) = keys(try Self.secret(ephemeral, recipient), own)
        let cipher = try AESGCM(key: key.span)
        return own + (try cipher.seal(plain.span, nonce: nonce, associatedData: []))
    }

    func open(_ packet: [UInt8], scalar: [UInt8]) throws -> [UInt8] {
        let key = try ECPrivateKey(scalar: scalar.span, curve: curve)
        let point = Array(packet.prefix(curve.pointBytes))
        let (gcmKey, nonce) = keys(try Self.secret(key, ECPublicKey(x963: point, curve: curve)), point)
        let sealed = Array(packet.dropFirst(curve.pointBytes))
        let cipher = try AESGCM(key: gcmKey.span)
        let plain = try cipher.open(sealed.span, nonce: nonce, associatedData: [])
        return plain.withBytes { bytes in Array(bytes) }
    }
}
