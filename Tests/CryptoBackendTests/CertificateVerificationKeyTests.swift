import PaviseCrypto
import Testing

/// Key objects are kept and get the point of each new key: none may remember the one before.
@Suite struct `Checking signatures` {
    private static let message = Array("a message".utf8)

    private static func isSignature(_ signature: [UInt8], by spki: [UInt8]) -> Bool {
        CertificateVerificationKey(spki: spki)?.isSignature(signature[...], of: message[...], .ecdsa(.sha256)) ?? false
    }

    @Test(arguments: [IssuingKey.Kind.ec256, .ec384, .other("EC", curve: "P-521"), .other("EC", curve: "P-224")])
    func `each key vouches for its own signature, in any order`(_ kind: IssuingKey.Kind) throws {
        let keys = try (0..<4).map { _ in try IssuingKey(generating: kind) }
        let signatures = try keys.map { try $0.sign(Self.message) }
        for _ in 0..<2 {
            for (one, signature) in signatures.enumerated() {
                for (other, key) in keys.enumerated() {
                    #expect(Self.isSignature(signature, by: key.spki) == (one == other))
                }
            }
        }
    }

    @Test func `a point beside the curve vouches for nothing, and leaves no key behind`() throws {
        let key = try IssuingKey(generating: .ec256)
        let signature = try key.sign(Self.message)
        #expect(Self.isSignature(signature, by: key.spki))
        var beside = key.spki
        beside[beside.count - 1] ^= 1
        #expect(!Self.isSignature(signature, by: beside))
        #expect(Self.isSignature(signature, by: key.spki))
        #expect(!Self.isSignature([], by: key.spki) && !Self.isSignature([0x30, 0], by: key.spki))
    }

    @Test func `many threads check at the same time`() async throws {
        let keys = try (0..<8).map { _ in try IssuingKey(generating: .ec256) }
        let signatures = try keys.map { try $0.sign(Self.message) }
        let wrong = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<50).count { round in
                        let (one, other) = ((task + round) % 8, (task * round) % 8)
                        return Self.isSignature(signatures[one], by: keys[other].spki) != (one == other)
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
