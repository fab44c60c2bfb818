import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// KEY11: key exchange.
@Suite struct `Key exchange through SecKey` {
    static var size: CFString { SecKeyKeyExchangeParameter.requestedSize.rawValue }
    static var info: CFString { SecKeyKeyExchangeParameter.sharedInfo.rawValue }
    static let kinds = Keys.kinds.filter { $0.type == "73" || $0.type == "106" }

    @Test("KEY11: both sides and both names give one secret, as wide as the field", arguments: kinds)
    func plain(_ type: String, _ bits: Int) throws {
        let (one, other) = (try Keys.one(type, bits), try Keys.make(type, bits))
        let secret = try one.agree(with: other.publicHalf(), .ecdhKeyExchangeStandard)
        #expect(secret.count == (bits + 7) / 8)
        #expect(try other.agree(with: one.publicHalf(), .ecdhKeyExchangeCofactor) == secret)
    }

    @Test("KEY11: the derived bytes are those of X9.63 written a second time", arguments: kinds)
    func derived(_ type: String, _ bits: Int) throws {
        let (one, other) = (try Keys.one(type, bits), try Keys.make(type, bits))
        let secret = [UInt8](try one.agree(with: other.publicHalf(), .ecdhKeyExchangeStandard))
        for hash in HashFunction.allCases {
            for agreement in ["ECDH", "ECDHC"] {
                let name = algorithm("algid:keyexchange:\(agreement):KDFX963:\(hash.rawValue.uppercased())")
                for count in [1, 31, 32, 33, 1000] {
                    for info in [nil, Data("info".utf8)] {
                        var parameters: [CFString: Any] = [Self.size: count]
                        parameters[Self.info] = info
                        let expected = ECIESPeer.derive(hash, secret, [UInt8](info ?? Data()), count)
                        #expect(try [UInt8](one.agree(with: other.publicHalf(), name, parameters)) == expected)
                        #expect(try [UInt8](other.agree(with: one.publicHalf(), name, parameters)) == expected)
                    }
                }
            }
        }
    }

    @Test("KEY11: without a size, or with one that is none, nothing is derived")
    func sizes() throws {
        let (one, other) = (try Keys.one("73", 256), try Keys.make("73", 256).publicHalf())
        let name = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256
        #expect(statusCode { try one.agree(with: other, name) } == -50)
        for wrong in [0 as Any, -1, "many", Int.max, Data()] {
            #expect(statusCode { try one.agree(with: other, name, [Self.size: wrong]) } == -50)
        }
    }

    @Test("KEY11: a key of another curve or kind, or a private one, is refused", arguments: kinds)
    func strangers(_ type: String, _ bits: Int) throws {
        let key = try Keys.one(type, bits)
        for (other, size) in Keys.kinds where (other, size) != (type, bits) {
            let peer = try Keys.one(other, size).publicHalf()
            #expect(statusCode { try key.agree(with: peer, .ecdhKeyExchangeStandard) } == -50)
        }
        #expect(statusCode { try key.agree(with: key, .ecdhKeyExchangeStandard) } == -50)
    }

    @Test(
        "KEY11: an X25519 peer of small order is refused",
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ])
    func smallOrder(_ point: String) throws {
        let peer = try Keys.read(Data(hex: point), "106", "0")
        #expect(statusCode { try Keys.one("106", 256).agree(with: peer, .ecdhKeyExchangeStandard) } == -50)
        #expect(statusCode { try peer.encrypt(Data(), .eciesEncryptionStandardX963SHA256AESGCM) } == -50)
    }
}
