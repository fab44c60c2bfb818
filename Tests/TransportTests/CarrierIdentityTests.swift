import Foundation
import KeychainTestSupport
import PaviseLab
import PaviseTransport
import SecurityFramework
import Synchronization
import Testing

/// A certificate of ours is shown to its own server, after that one was judged (AP-C3).
@Suite struct CarrierIdentityTests {
    private let keychain: ItemFixture
    private let identity: SecIdentity

    init() throws {
        let surroundings = try ItemFixture()
        keychain = surroundings
        let (key, spki) = try surroundings.run { try ClientKey.ec256.make() }
        let issued = try CertificateAuthority(name: "People").issue(
            LeafProfile(names: ["anna.example"], addresses: [], commonName: "Anna", purposes: [.client]),
            forPublicKey: spki)
        let certificate = try #require(SecCertificateCreateWithData(nil, Data(issued[0]) as CFData))
        identity = try #require(SecIdentityCreate(nil, certificate, key))
    }

    private func lab(_ server: StandInServer) throws -> CarrierLab {
        let own = try ClientCertificate(identity, for: WebURL(CarrierLab.home).origin)
        return try CarrierLab(options: ClientOptions(certificates: [own]), server: server)
    }

    @Test func `its own server gets it, and no other one`() async throws {
        let lab = try lab(StandInServer(asksIdentity: true))
        let other = try lab.authority.issue(LeafProfile(names: ["other.example"], addresses: []))
        lab.serve("https://other.example", other, StandInServer(asksIdentity: true))
        _ = try await lab.client.send(lab.request(at: "https://other.example"))
        #expect(lab.network.state.withLock { ($0.identities, $0.identitiesRefused) } == (0, 1))
        _ = try await lab.client.send(lab.request())
        #expect(lab.network.state.withLock { ($0.identities, $0.identitiesRefused) } == (1, 1))
    }

    @Test func `a server that asks before it was judged gets none`() async throws {
        let lab = try lab(StandInServer(asksIdentityFirst: true))
        _ = try await lab.client.send(lab.request())
        #expect(lab.network.state.withLock { ($0.identities, $0.identitiesRefused) } == (0, 1))
    }
}
