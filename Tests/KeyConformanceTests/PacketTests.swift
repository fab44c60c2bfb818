import Foundation
import PaviseCrypto
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// KEY4 to KEY7: ECIES packets.
@Suite struct `ECIES packets through SecKey` {
    struct Vector: Sendable, CustomStringConvertible {
        let description: String
        let key, packet, plain: Data
        let hash: String
        let derivesNonce: Bool

        func algorithm(_ agreement: String = "ECDH", derivesNonce other: Bool? = nil) -> SecKeyAlgorithm {
            let family = other ?? derivesNonce ? "AESGCM-KDFIV" : "AESGCM"
            return KeyConformanceTests.algorithm("algid:encrypt:ECIES:\(agreement):KDFX963:\(hash):\(family)")
        }

        func secKey() throws -> SecKey { try Keys.read(key, "73", "1") }
    }

    private static func bytes(_ value: JSONValue?) -> Data { Data(Hex.decode(value?.string ?? "") ?? []) }

    // Eight packets of macOS, and the two of our own that use no private parameter.
    static let vectors: [Vector] = {
        let foreign = (try? JSONValue.parse(Vectors.read("ecies/ecies_vectors_mit_only.json")))?.array ?? []
        let own = (try? JSONValue.parse(Vectors.read("ecies/ecies_selfmade_vectors.json")))?.array ?? []
        let opened = foreign.compactMap { entry -> Vector? in
            let name = entry["alg"]?.string ?? ""
            let parts = name.split(separator: "-")
            guard parts.count == 3 else { return nil }
            return Vector(
                description: name, key: bytes(entry["priv"]), packet: bytes(entry["packet"]), plain: bytes(entry["pt"]),
                hash: String(parts[1]), derivesNonce: parts[2] == "VIV")
        }
        let plain = own.compactMap { entry -> Vector? in
            guard entry["sharedInfo"]?.string == "", entry["keyBytes"]?.integer == 16,
                let scalar = Hex.decode(entry["static_priv"]?.string ?? ""),
                let key = try? ECPrivateKey(scalar: scalar.span, curve: .p256)
            else { return nil }
            return Vector(
                description: "own", key: Data(key.publicKey.x963 + scalar), packet: bytes(entry["packet"]),
                plain: Data("hello".utf8), hash: "SHA256", derivesNonce: entry["variableIV"]?.bool ?? false)
        }
        return opened + plain
    }()

    @Test("KEY4: ten vectors are there", .enabled(if: Vectors.has("ecies"), "no vectors in PAVISE_VECTORS: ecies"))
    func vectorCount() { #expect(Self.vectors.count == 10) }

    @Test("KEY4: the vectors open, under both names of the agreement", arguments: vectors)
    func known(_ vector: Vector) throws {
        for agreement in ["ECDH", "ECDHC"] {
            #expect(try vector.secKey().decrypt(vector.packet, vector.algorithm(agreement)) == vector.plain)
        }
    }

    @Test("KEY4: every changed byte and every truncation is -50", arguments: vectors)
    func defects(_ vector: Vector) throws {
        let key = try vector.secKey()
        for index in vector.packet.indices {
            var changed = vector.packet
            changed[index] ^= UInt8.random(in: 1...255)
            #expect(statusCode { try key.decrypt(changed, vector.algorithm()) } == -50, "byte \(index)")
            #expect(statusCode { try key.decrypt(vector.packet.prefix(index), vector.algorithm()) } == -50, "\(index)")
        }
        #expect(statusCode { try key.decrypt(vector.packet + [0], vector.algorithm()) } == -50)
    }

    @Test("KEY4: one family never opens the other", arguments: vectors)
    func families(_ vector: Vector) throws {
        let other = vector.algorithm(derivesNonce: !vector.derivesNonce)
        #expect(statusCode { try vector.secKey().decrypt(vector.packet, other) } == -50)
    }

    @Test("KEY4: all defects of a packet have one text", arguments: [("73", 256), ("106", 256)])
    func oneError(_ type: String, _ bits: Int) throws {
        let key = try Keys.one(type, bits)
        let algorithm = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
        let packet = try key.publicHalf().encrypt(Data("text".utf8), algorithm)
        var texts: Set<String> = []
        for index in [0, 1, 31, 32, packet.count - 17, packet.count - 1] {
            var changed = packet
            changed[index] ^= 1
            texts.insert(
                #expect(throws: NSError.self) { try key.decrypt(changed, algorithm) }?.localizedDescription ?? "")
        }
        for bytes in [Data(), packet.prefix(20), packet.dropLast(), Data(count: packet.count)] {
            texts.insert(
                #expect(throws: NSError.self) { try key.decrypt(bytes, algorithm) }?.localizedDescription ?? "")
        }
        #expect(texts.count == 1)
    }

    static let sizes = [0, 1, 15, 16, 17, 65_536]

    @Test("KEY5: packets go both ways between SecKey and a second implementation", .long, arguments: Curve.allCases)
    func bothWays(_ curve: Curve) throws {
        let key = try Keys.one("73", curve.bits)
        let publicKey = try key.publicHalf()
        let point = [UInt8](try publicKey.externalRepresentation())
        let scalar = [UInt8](try key.externalRepresentation().suffix(curve.fieldBytes))
        for hash in HashFunction.allCases {
            for derivesNonce in hash == .sha1 ? [false] : [false, true] {
                let peer = ECIESPeer(hash: hash, curve: curve, derivesNonce: derivesNonce)
                let family = derivesNonce ? "AESGCM-KDFIV" : "AESGCM"
                let name = algorithm("algid:encrypt:ECIES:ECDHC:KDFX963:\(hash.rawValue.uppercased()):\(family)")
                for size in Self.sizes {
                    let plain = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
                    let packet = try publicKey.encrypt(Data(plain), name)
                    #expect(packet.count == curve.pointBytes + size + 16)
                    #expect(try peer.open([UInt8](packet), scalar: scalar) == plain)
                    #expect(try key.decrypt(Data(peer.seal(plain, to: point)), name) == Data(plain))
                }
            }
        }
    }

    @Test("KEY5: X25519 packets begin with 32 bytes and open", arguments: hashes)
    func x25519(_ hash: String, _ count: Int) throws {
        let key = try Keys.one("106", 256)
        for size in Self.sizes {
            let plain = Data(repeating: 3, count: size)
            let name = algorithm("algid:encrypt:ECIES:ECDH:KDFX963:\(hash):AESGCM")
            let packet = try key.publicHalf().encrypt(plain, name)
            #expect(packet.count == 32 + size + 16)
            #expect(try key.decrypt(packet, name) == plain)
        }
    }

    @Test("KEY6: of 10,000 packets no two have one ephemeral key", .long)
    func freshKeys() throws {
        let publicKey = try Keys.one("73", 256).publicHalf()
        let plain = Data([1])
        var seen: Set<Data> = []
        for _ in 0..<10_000 {
            seen.insert(try publicKey.encrypt(plain, .eciesEncryptionStandardX963SHA256AESGCM).prefix(65))
        }
        #expect(seen.count == 10_000)
    }

    @Test("KEY7: a secret of P-521 that begins with zero bytes keeps its width")
    func leadingZeros() throws {
        let key = try Keys.one("73", 521)
        var found = 0
        while found < 3 {
            let other = try Keys.make("73", 521)
            let secret = try key.agree(with: other.publicHalf(), .ecdhKeyExchangeStandard)
            #expect(secret.count == 66)
            guard secret.first == 0 else { continue }
            found += 1
            let derived = try key.agree(
                with: other.publicHalf(), .ecdhKeyExchangeStandardX963SHA512,
                [SecKeyKeyExchangeParameter.requestedSize.rawValue: 48])
            #expect([UInt8](derived) == ECIESPeer.derive(.sha512, [UInt8](secret), [], 48))
        }
    }
}
