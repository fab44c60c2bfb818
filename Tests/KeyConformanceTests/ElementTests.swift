import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// KEY13: keys of the secure element.
@Suite struct `Element keys through SecKey` {
    let keychain: KeychainFixture
    init() throws { keychain = try KeychainFixture() }

    static let message = Data("hello".utf8)

    private static func make(_ more: [CFString: Any] = [:]) throws -> SecKey {
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecAttrApplicationTag: Data("element".utf8),
        ]
        return try SecKey.random(parameters.merging(more) { $1 })
    }

    @Test("KEY13: an element signs digests of all five sizes, as the primitive verifies", arguments: hashes)
    func digests(_ hash: String, _ count: Int) throws {
        try keychain.run {
            let key = try Self.make()
            let point = [UInt8](try key.publicHalf().externalRepresentation())
            let peer = try ECPublicKey(x963: point, curve: .p256)
            let digest = Data((0..<count).map { UInt8($0 &+ 1) })
            for name in ["digest-X962:\(hash)", "digest-X962"] {
                let signature = try key.signature(of: digest, algorithm("algid:sign:ECDSA:\(name)"))
                #expect(peer.verify(signature: [UInt8](signature), digest: [UInt8](digest)))
            }
            let raw = try key.signature(of: digest, algorithm("algid:sign:ECDSA:digest-RFC4754:\(hash)"))
            let der = try #require(ECDSASignature.der(raw: [UInt8](raw), curve: .p256))
            #expect(peer.verify(signature: der, digest: [UInt8](digest)))
            #expect(
                statusCode { try key.signature(of: digest + [0], algorithm("algid:sign:ECDSA:digest-X962:\(hash)")) }
                    == -50)
        }
    }

    @Test("KEY13: an element agrees and decrypts in every form", arguments: hashes)
    func secrets(_ hash: String, _ count: Int) throws {
        try keychain.run {
            let key = try Self.make()
            let publicKey = try key.publicHalf()
            let peer = try Keys.one("73", 256)
            let size: [CFString: Any] = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 77]
            for agreement in ["ECDH", "ECDHC"] {
                let name = algorithm("algid:keyexchange:\(agreement):KDFX963:\(hash)")
                #expect(
                    try key.agree(with: peer.publicHalf(), name, size) == peer.agree(with: publicKey, name, size))
                for family in ["AESGCM", "AESGCM-KDFIV"] where hash != "SHA1" || family == "AESGCM" {
                    let name = algorithm("algid:encrypt:ECIES:\(agreement):KDFX963:\(hash):\(family)")
                    let packet = try publicKey.encrypt(Self.message, name)
                    #expect(try key.decrypt(packet, name) == Self.message)
                    var changed = packet
                    changed[packet.count - 1] ^= 1
                    #expect(statusCode { try key.decrypt(changed, name) } == -50)
                }
            }
        }
    }

    @Test("KEY13: an element key gives no bytes, its public half does")
    func export() throws {
        try keychain.run {
            let key = try Self.make()
            #expect(statusCode { try key.externalRepresentation() } == -4)
            #expect(try key.publicHalf().externalRepresentation().count == 65)
            #expect(key.fact(kSecValueData, as: Data.self) == nil)
            #expect(key.fact(kSecAttrTokenID) == kSecAttrTokenIDSecureEnclave as String)
            #expect(key.fact(kSecAttrTokenOID, as: Data.self)?.isEmpty == false)
            #expect(key.fact(kSecAttrIsExtractable) == false && key.fact(kSecAttrIsSensitive) == true)
        }
    }

    @Test("KEY13: an element has no RSA, no other size and no other token")
    func refusals() {
        keychain.run {
            #expect(statusCode { try Self.make([kSecAttrKeySizeInBits: 384]) } == -25311)
            #expect(statusCode { try Self.make([kSecAttrKeyType: kSecAttrKeyTypeRSA]) } == -50)
            #expect(statusCode { try Self.make([kSecAttrKeyType: kSecAttrKeyTypeEd25519]) } == -50)
            #expect(statusCode { try Self.make([kSecAttrTokenID: "another"]) } == -50)
            // A control that could not be made, or something else in its place, is not the same as none.
            let halves: [CFString: Any] = [kSecAttrIsPermanent: false]
            for control in ["text", NSNull(), 1] as [Any] {
                let half: [CFString: Any] = [kSecAttrAccessControl: control]
                #expect(statusCode { try Self.make(halves.merging(half) { $1 }) } == -50)
                #expect(statusCode { try Self.make(halves.merging([kSecPrivateKeyAttrs: half]) { $1 }) } == -50)
            }
            #expect(keychain.count() == 0)
        }
    }

    @Test func `KEY13: bytes never become a key in memory where the element was asked for`() throws {
        let bytes = try Keys.one("73", 256).externalRepresentation()
        let half: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        ]
        func status(_ more: [CFString: Any]) -> Int {
            statusCode { try SecKey.reading(bytes, half.merging(more) { $1 }) }
        }
        #expect(status([:]) == 0)
        let element: [CFString: Any] = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
        #expect(status(element) == -50)
        #expect(status([kSecPrivateKeyAttrs: element]) == -50)
        #expect(status([kSecAttrTokenID: "another"]) == -50)
        #expect(status([kSecAttrAccessControl: NSNull()]) == -50)
    }

    @Test("KEY13: an element does what the list says and nothing else")
    func support() throws {
        try keychain.run {
            let key = try Self.make()
            for name in algorithmNames {
                let operation: SecKeyOperationType =
                    name.contains("sign:") ? .sign : name.contains("encrypt") ? .decrypt : .keyExchange
                let isEC = ["ECDSA", "ECDH", "ECIES"].contains { name.contains($0) }
                #expect(SecKeyIsAlgorithmSupported(key, operation, algorithm(name)) == isEC, "\(name)")
            }
        }
    }

    @Test("KEY13: an element key is found again by another opening of the same home, and nowhere else")
    func restart() throws {
        let key = try keychain.run { try Self.make() }
        try keychain.run {
            let again = try #require(keychain.key(["atag": Data("element".utf8)]))
            let signature = try again.signature(of: Self.message, .ecdsaSignatureMessageX962SHA256)
            try key.publicHalf().verify(signature, of: Self.message, .ecdsaSignatureMessageX962SHA256)
        }
        let stranger = try KeychainFixture()
        stranger.run { #expect(stranger.count() == 0) }
    }
}
