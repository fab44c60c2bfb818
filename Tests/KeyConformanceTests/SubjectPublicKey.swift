import Foundation
import PaviseCrypto

/// What a peer does before it hands a foreign key to SecKey: it takes the wrapping off.
enum SubjectPublicKey {
    /// The point inside a SubjectPublicKeyInfo in DER that names P-256; `nil` for every other curve, form or encoding.
    static func bytes(of spki: Data) -> Data? {
        do {
            var reader = DERReader([UInt8](spki)[...])
            var info = try reader.inside()
            try reader.finish()
            var algorithm = try info.inside()
            let type = try algorithm.next(DERTag.objectIdentifier).objectIdentifier()
            guard type == "1.2.840.10045.2.1",
                try algorithm.next(DERTag.objectIdentifier).objectIdentifier() == "1.2.840.10045.3.1.7"
            else { return nil }
            try algorithm.finish()
            let key = try info.next(DERTag.bitString).octetsOfBitString()
            try info.finish()
            return Data(key)
        } catch {
            return nil
        }
    }

    /// The PKCS#1 key inside PKCS#8 (RFC 5958 §2).
    static func privateBytes(of pkcs8: Data) throws -> Data {
        var reader = DERReader([UInt8](pkcs8)[...])
        var info = try reader.inside()
        _ = try info.next()
        _ = try info.next()
        return Data(try info.next(DERTag.octetString).content)
    }
}
