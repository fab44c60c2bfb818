import Foundation
import FoundationNetworking
import PaviseChallenges
import PaviseLab
import SecurityFramework
import Synchronization
import Testing

/// What a delegate of an app gets to see, and what Pavise learns of that.
@Suite struct ServerTrustChallengeTests {
    private final class Sender: NSObject, URLAuthenticationChallengeSender {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }

    private static func trust() throws -> SecTrust {
        let leaf = try CertificateAuthority().issue().chain[0]
        let certificate = try #require(SecCertificateCreateWithData(nil, Data(leaf) as CFData))
        var trust: SecTrust?
        #expect(SecTrustCreateWithCertificates(certificate, SecPolicyCreateBasicX509(), &trust) == errSecSuccess)
        return try #require(trust)
    }

    @Test func `a challenge knows whether anybody asked for its server or its sender`() throws {
        let space = ServerTrustSpace(host: "pavise.example", port: 8443, trust: try Self.trust())
        let challenge = ServerTrustChallenge(space, Sender())
        #expect(!challenge.wasLookedAt)
        #expect(challenge.previousFailureCount == 0 && challenge.proposedCredential == nil && challenge.error == nil)
        #expect(!challenge.wasLookedAt)
        #expect(challenge.protectionSpace.host == "pavise.example" && challenge.protectionSpace.port == 8443)
        #expect(challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust)
        #expect(challenge.wasLookedAt)
        let older = ServerTrustChallenge(space, Sender())
        #expect(older.sender is Sender)
        #expect(older.wasLookedAt)
    }

    @Test func `the credential of an accepted server is nobody's`() throws {
        let credential = URLCredential(trust: try Self.trust())
        #expect(credential.user == nil && credential.password == nil && !credential.hasPassword)
    }
}
