import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

@Suite struct CertificateAuthorityTests {
    @Test func `a leaf verifies against its own root and no other`() throws {
        let authority = try CertificateAuthority()
        let leaf = try authority.issue()
        #expect(try OpenSSLProgram.verify(leaf, anchor: authority.anchorPEM).contains(": OK"))
        let other = try CertificateAuthority()
        #expect(try !OpenSSLProgram.verify(leaf, anchor: other.anchorPEM).contains(": OK"))
    }

    @Test func `a chain through an intermediate verifies, also after it was rotated`() throws {
        let authority = try CertificateAuthority(hasIntermediate: true)
        let first = try authority.issue()
        try authority.rotateIntermediate()
        let second = try authority.renew(first)
        #expect(first.chain.count == 2)
        #expect(first.chain[1] != second.chain[1])
        #expect(first.pin == second.pin)
        #expect(first.fingerprint != second.fingerprint)
        for leaf in [first, second] {
            #expect(try OpenSSLProgram.verify(leaf, anchor: authority.anchorPEM).contains(": OK"))
        }
    }

    @Test(arguments: [
        (LeafProfile(validity: .expired), "certificate has expired"),
        (LeafProfile(validity: .notYetValid), "certificate is not yet valid"),
        (LeafProfile(isSelfSigned: true), "self-signed certificate"),
        (LeafProfile(purposes: [.client]), "unsuitable certificate purpose"),
        (LeafProfile(key: .rsa(bits: 1024)), "EE certificate key too weak"),
        (LeafProfile(signature: .sha1), "CA signature digest algorithm too weak"),
    ])
    func `each fault is the one OpenSSL names`(_ profile: LeafProfile, _ words: String) throws {
        let authority = try CertificateAuthority()
        let text = try OpenSSLProgram.verify(try authority.issue(profile), anchor: authority.anchorPEM)
        #expect(text.contains(words))
    }

    @Test func `validity follows the given clock`() throws {
        let clock = ManualTime(wallSeconds: 2_000_000_000)
        let authority = try CertificateAuthority(clock: clock.source)
        let text = try OpenSSLProgram.describe(try authority.issue())
        #expect(text.contains("notBefore=May 18 02:33:20 2033 GMT"))
    }

    @Test func `without names there is no alternative name`() throws {
        let authority = try CertificateAuthority()
        let named = try OpenSSLProgram.describe(try authority.issue())
        #expect(named.contains("DNS:localhost, IP Address:127.0.0.1"))
        let bare = try OpenSSLProgram.describe(try authority.issue(LeafProfile(names: [], addresses: [])))
        #expect(!bare.contains("DNS:"))
    }

    @Test func `an impossible profile is an error`() throws {
        let authority = try CertificateAuthority()
        #expect(throws: LabFailure.self) { try authority.issue(LeafProfile(addresses: ["not an address"])) }
        #expect(throws: LabFailure.self) { try authority.issue(LeafProfile(key: .rsa(bits: 0))) }
    }
}
