import PaviseCrypto
import SecurityFramework
import TestSupport
import Testing

/// Chains that somebody tampered with: nothing traps, and nothing but the true chain is trusted.
@Suite struct `Damaged chains` {
    @Test func `every truncation of a certificate is refused for good`() throws {
        let chain = try TrustFixture().chain()
        for count in chain.leaf.indices {
            let verdict = ServerTrust.evaluate(
                chain: [Array(chain.leaf.prefix(count)), chain.middle], host: TrustFixture.host, at: TrustFixture.now,
                anchors: .only([chain.root]))
            #expect(!verdict.isTrusted && verdict.isFatal)
        }
        for count in chain.middle.indices {
            var request = TrustFixture.request(chain)
            request.chain[1] = Array(chain.middle.prefix(count))
            #expect(ServerTrust.evaluate(request).failures.map(\.code) == [-25318])
            #expect(!ServerTrust.isTrusted(request))
        }
    }

    @Test(.long) func `no bit of a leaf can be turned around, and no byte of an issuer`() throws {
        let chain = try TrustFixture().chain()
        for index in chain.leaf.indices {
            for bit in 0..<8 {
                var leaf = chain.leaf
                leaf[index] ^= 1 << bit
                let verdict = ServerTrust.evaluate(
                    chain: [leaf, chain.middle], host: TrustFixture.host, at: TrustFixture.now,
                    anchors: .only([chain.root]))
                #expect(!verdict.isTrusted, "byte \(index), bit \(bit)")
                var request = TrustFixture.request(chain)
                request.chain[0] = leaf
                #expect(!ServerTrust.isTrusted(request), "byte \(index), bit \(bit)")
            }
        }
        for index in chain.middle.indices {
            var middle = chain.middle
            middle[index] ^= 1
            let verdict = ServerTrust.evaluate(
                chain: [chain.leaf, middle], host: TrustFixture.host, at: TrustFixture.now, anchors: .only([chain.root])
            )
            #expect(!verdict.isTrusted, "byte \(index)")
        }
    }

    @Test func `random splices are refused`() throws {
        let chain = try TrustFixture().chain()
        var random = SplitMix(state: 4)
        for _ in 0..<3_000 {
            var leaf = chain.leaf
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let start = Int.random(in: 0..<leaf.count, using: &random)
                let end = min(leaf.count, start + Int.random(in: 0...16, using: &random))
                let from = Int.random(in: 0..<chain.middle.count, using: &random)
                leaf.replaceSubrange(
                    start..<end, with: chain.middle[from..<min(chain.middle.count, from + end - start)])
            }
            let verdict = ServerTrust.evaluate(
                chain: [leaf, chain.middle], host: TrustFixture.host, at: TrustFixture.now,
                anchors: .only([chain.root]))
            #expect(verdict.isTrusted == (leaf == chain.leaf))
        }
    }

    @Test func `a thousand certificates end at a limit`() throws {
        let chain = try TrustFixture().chain()
        let verdict = ServerTrust.evaluate(
            chain: [chain.leaf] + [[UInt8]](repeating: chain.root, count: 1_000) + [chain.middle],
            host: TrustFixture.host, at: TrustFixture.now, anchors: .only([chain.root]))
        #expect(verdict.failures.first?.kind == .unknownAuthority(missingIssuer: "CN=Middle"))
    }
}

/// The same numbers in each run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
