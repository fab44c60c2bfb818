import PaviseCrypto
import SecurityFramework
import Testing

/// Chains with many authorities that only bear the right name.
@Suite struct ForgedPathTests {
    // Authorities called as the right one, with keys that signed nothing.
    private static func forged(_ count: Int, below chain: TrustFixture.Chain) throws -> [[UInt8]] {
        let key = try IssuingKey(generating: .ec256)
        return try (0..<count).map { number in
            var middle = TrustFixture().middle
            middle.serial = [9, UInt8(number)]
            return try CertificateIssuing.issue(middle, for: key, issuer: chain.root, issuerKey: chain.rootKey)
        }
    }

    @Test(arguments: [1, 31, 32, 33, 34, 60])
    func `names alone are no path, however many there are`(_ count: Int) throws {
        let chain = try TrustFixture().chain()
        var request = TrustFixture.request(chain)
        request.chain = [chain.leaf] + (try Self.forged(count, below: chain))
        #expect(!ServerTrust.isTrusted(request))
        #expect(!ServerTrust.evaluate(request).isTrusted)
    }

    @Test(arguments: [1, 31, 32, 33, 60])
    func `the path that is signed is found among those that are not`(_ count: Int) throws {
        let chain = try TrustFixture().chain()
        var request = TrustFixture.request(chain)
        request.chain = [chain.leaf] + (try Self.forged(count, below: chain)) + [chain.middle]
        #expect(ServerTrust.isTrusted(request))
        #expect(ServerTrust.evaluate(request).isTrusted)
    }
}
