import Foundation
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseCrypto

/// Packets that macOS made, and packets with fixed keys that exercise every option.
@Suite(.enabled(if: Vectors.has("ecies"), "no vectors in PAVISE_VECTORS: ecies")) struct `ECIES packets` {
    struct Vector: Sendable, CustomStringConvertible {
        let name: String
        let curve: Curve
        let options: ECIES.Options
        let scalar, ephemeralScalar, packet, plain, secret: [UInt8]
        var description: String { name }

        func key() throws -> ECPrivateKey { try ECPrivateKey(scalar: scalar.span, curve: curve) }

        func open(_ packet: [UInt8], _ options: ECIES.Options) throws -> [UInt8] {
            let parts = try ECIES.Packet(packet, curve: curve)
            let shared = try key().sharedSecret(with: parts.ephemeral)
            let plain = try ECIES.open(parts, secret: shared, options)
            return plain.withBytes { bytes in Array(bytes) }
        }
    }

    static func bytes(_ value: JSONValue?) -> [UInt8] { Hex.decode(value?.string ?? "") ?? [] }

    static let foreign: [Vector] = {
        guard let file = try? JSONValue.parse(Vectors.read("ecies/ecies_vectors_mit_only.json")) else { return [] }
        return (file.array ?? []).compactMap { entry in
            let name = entry["alg"]?.string ?? ""
            let parts = name.split(separator: "-")
            guard parts.count == 3, let bits = Int(parts[0].dropFirst()), let curve = Curve(bits: bits),
                let hash = HashFunction(rawValue: parts[1].lowercased())
            else { return nil }
            return Vector(
                name: name, curve: curve, options: .init(hash: hash, derivesNonce: parts[2] == "VIV"),
                scalar: Array(bytes(entry["priv"]).dropFirst(curve.pointBytes)), ephemeralScalar: [],
                packet: bytes(entry["packet"]), plain: bytes(entry["pt"]), secret: bytes(entry["z"]))
        }
    }()

    static let own: [Vector] = {
        guard let file = try? JSONValue.parse(Vectors.read("ecies/ecies_selfmade_vectors.json")) else { return [] }
        return (file.array ?? []).enumerated().map { index, entry in
            var options = ECIES.Options(hash: .sha256, derivesNonce: entry["variableIV"]?.bool ?? false)
            options.sharedInfo = bytes(entry["sharedInfo"])
            options.associatedData = bytes(entry["aad"])
            options.keyBytes = entry["keyBytes"]?.integer.map { Int($0) }
            return Vector(
                name: "own \(index)", curve: .p256, options: options, scalar: bytes(entry["static_priv"]),
                ephemeralScalar: bytes(entry["eph_priv"]), packet: bytes(entry["packet"]), plain: Array("hello".utf8),
                secret: bytes(entry["z"]))
        }
    }()

    @Test func `fourteen packets are there`() { #expect(Self.foreign.count == 8 && Self.own.count == 6) }

    @Test(arguments: foreign + own)
    func `a known packet opens`(_ vector: Vector) throws {
        let parts = try ECIES.Packet(vector.packet, curve: vector.curve)
        let shared = try vector.key().sharedSecret(with: parts.ephemeral)
        #expect(shared.withBytes { bytes in Array(bytes) } == vector.secret)
        #expect(try vector.open(vector.packet, vector.options) == vector.plain)
    }

    @Test(arguments: own)
    func `with the same ephemeral key the same packet comes out`(_ vector: Vector) throws {
        let ephemeral = try ECPrivateKey(scalar: vector.ephemeralScalar.span, curve: .p256)
        let packet = try ECIES.seal(
            vector.plain.span, to: vector.key().publicKey, vector.options, ephemeral: ephemeral)
        #expect(packet == vector.packet)
    }

    @Test(arguments: [foreign[0], own[3]])
    func `no changed byte and no cut goes unnoticed`(_ vector: Vector) throws {
        for index in vector.packet.indices {
            var changed = vector.packet
            changed[index] ^= 1
            #expect(throws: CryptoFailure.authentication) { try vector.open(changed, vector.options) }
        }
        for length in 0..<vector.packet.count {
            #expect(throws: CryptoFailure.authentication) {
                try vector.open(Array(vector.packet.prefix(length)), vector.options)
            }
        }
    }

    @Test(arguments: foreign)
    func `the other nonce family and another hash do not open it`(_ vector: Vector) {
        let other = ECIES.Options(hash: vector.options.hash, derivesNonce: !vector.options.derivesNonce)
        let hash = ECIES.Options(hash: .sha1, derivesNonce: vector.options.derivesNonce)
        for options in [other, hash] {
            #expect(throws: CryptoFailure.authentication) { try vector.open(vector.packet, options) }
        }
    }
}

@Suite struct `ECIES of our own making` {
    @Test(arguments: Curve.allCases, HashFunction.allCases)
    func `packets of every size open again`(_ curve: Curve, _ hash: HashFunction) throws {
        let key = try ECPrivateKey(generating: curve)
        for (count, derivesNonce) in [(0, false), (1, true), (15, false), (16, true), (17, false), (65_536, true)] {
            let options = ECIES.Options(hash: hash, derivesNonce: derivesNonce)
            let plain = [UInt8](repeating: 7, count: count)
            let packet = try ECIES.seal(plain.span, to: key.publicKey, options)
            #expect(packet.count == curve.pointBytes + count + 16)
            let parts = try ECIES.Packet(packet, curve: curve)
            let opened = try ECIES.open(parts, secret: key.sharedSecret(with: parts.ephemeral), options)
            #expect(opened.withBytes { bytes in Array(bytes) } == plain)
        }
    }

    @Test func `no ephemeral key repeats`() throws {
        let key = try ECPrivateKey(generating: .p256)
        let options = ECIES.Options(hash: .sha256, derivesNonce: false)
        let plain: [UInt8] = [1]
        var seen: Set<[UInt8]> = []
        for _ in 0..<500 {
            let packet = try ECIES.seal(plain.span, to: key.publicKey, options)
            #expect(seen.insert(Array(packet.prefix(65))).inserted)
        }
    }

    @Test func `a shared secret that begins with zero keeps its width`() throws {
        let key = try ECPrivateKey(generating: .p521)
        var found = false
        for _ in 0..<2_000 where !found {
            let other = try ECPrivateKey(generating: .p521)
            let secret = try key.sharedSecret(with: other.publicKey)
            #expect(secret.count == 66)
            found = secret.withBytes { $0[0] == 0 }
        }
        #expect(found)
    }

    @Test(arguments: Curve.allCases)
    func `both forms of a signature convert into each other`(_ curve: Curve) throws {
        let key = try ECPrivateKey(generating: curve)
        for round in 0..<40 {
            let digest = Hash.digest(.sha256, [UInt8(round)])
            let der = try key.sign(digest: digest)
            let raw = try #require(ECDSASignature.raw(der: der, curve: curve))
            #expect(raw.count == 2 * curve.fieldBytes)
            #expect(ECDSASignature.der(raw: raw, curve: curve) == der)
        }
        #expect(ECDSASignature.der(raw: [1, 2, 3], curve: curve) == nil)
        #expect(ECDSASignature.raw(der: [0x30, 0], curve: curve) == nil)
    }
}
