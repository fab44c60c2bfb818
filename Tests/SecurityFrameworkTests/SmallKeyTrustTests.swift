import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// SecKey reads RSA keys from 512 bits on. Trust does not take one: what a person approves does not reach below 1,024
/// bits.
@Suite struct SmallKeyTrustTests {
    @Test(arguments: [512, 768, 1023]) func `a certificate with a small key is refused beyond repair`(_ bits: Int)
        throws
    {
        var fixture = TrustFixture()
        fixture.leafKind = .rsa(bits: bits)
        let verdict = try fixture.chain().verdict()
        #expect(verdict.isFatal && !verdict.isTrusted)
        #expect(verdict.failures.map(\.code).contains(-67735))
    }

    @Test(arguments: [512, 1023]) func `an authority with a small key is refused beyond repair`(_ bits: Int) throws {
        var fixture = TrustFixture()
        fixture.rootKind = .rsa(bits: bits)
        #expect(try fixture.chain().verdict().isFatal)
    }
}
