import Foundation
import PaviseCrypto
import PavisePrimitives
import SecurityFramework

/// Makes SecKey's form of a private key from a bare scalar, as a peer with another library would.
enum P256Peer {
    static func key(_ scalar: Data) throws -> SecKey {
        let bytes = [UInt8](scalar)
        let pair = try ECPrivateKey(scalar: bytes.span, curve: .p256)
        return try Keys.read(Data(pair.publicKey.x963) + scalar, "73", "1")
    }
}

/// The numbers of JSON Web Keys (RFC 7518 §6, RFC 8037 §2).
enum JWKPeer {
    static func number(_ name: String, _ key: JSONValue) -> Data? {
        key[name]?.string.flatMap { Base64URL.decode($0) }.map { Data($0) }
    }

    /// A number of a key on X25519; `nil` for another key.
    static func x25519(_ name: String, _ key: JSONValue) -> Data? {
        guard key["kty"]?.string == "OKP", key["crv"]?.string == "X25519" else { return nil }
        return number(name, key)
    }

    /// 04‖X‖Y of a key on P-256; `nil` where a coordinate has another length.
    static func point(_ key: JSONValue) -> Data? {
        guard key["kty"]?.string == "EC", key["crv"]?.string == "P-256", let x = number("x", key),
            let y = number("y", key), x.count == 32,
            y.count == 32
        else { return nil }
        return Data([4]) + x + y
    }
}
