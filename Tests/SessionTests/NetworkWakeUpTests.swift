#if canImport(Glibc)
import PaviseLab
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import TestSupport
import Testing

@testable import Pavise
@testable import PaviseSession

/// The real kernel, a real server, and a session that waits for ten minutes.
@Suite struct NetworkWakeUpTests {
    @Test(.long, .enabled(if: OwnNetwork.isPossible, "no network namespace can be made here"))
    func `in a network of its own a session goes on when the link comes up`() throws {
        let done = try OwnNetwork.run("InsideNetworkWakeUpTests")
        #expect(done.status == 0 && done.output.contains("goes on at once\" passed"), "\(done.output)")
    }
}

@Suite(.enabled(if: OwnNetwork.isHere, "started by NetworkWakeUpTests")) struct InsideNetworkWakeUpTests {
    @Test func `goes on at once`() async throws {
        try OwnNetwork.ip("link set lo up")
        let certificates = try CertificateAuthority()
        let authority = try LabAuthority.start(try certificates.issue(), configuration: AuthorityConfiguration())
        let anchors = TrustPolicy.Anchors.only([certificates.anchor])
        let folder = try TemporaryFolder()
        let (memory, key) = (MemoryStore(), MemoryKey())
        var policy = RefreshPolicy()
        policy.failuresUntilDegraded = 1
        policy.backoffBase = .seconds(600)
        policy.backoffCap = .seconds(600)
        // Two programs: the second has no connection from before.
        let made = (0..<2).map { [policy] _ in
            Connections(
                home: PaviseHome(path: folder.path + "/home"),
                environment: SessionEnvironment(chance: { 0.99 }), policy: policy,
                makeClient: { (_) throws(TransportFailure) in try HTTPClient(policy: TrustPolicy(anchors: anchors))
                },
                makeVault: { _ in TokenVault(store: memory, key: key) })
        }
        let origin = try WebURL(authority.issuer).origin
        let first = try made[0].add("lab", origin: origin, issuer: authority.issuer, clientID: "pavise-lab")
        try await first.signIn(
            browser: AddressReader { (url) throws(BrowserFailure) in
                do { _ = try LabBrowser.open(try authority.approve(url.description)) } catch {
                    throw BrowserFailure("\(error)")
                }
            })

        let connection = try made[1].open("lab")
        let session = try #require(connection.session)
        let life = AppLifecycle(lock: nil, connections: made[1])
        #expect(!life.deafness.contains { $0.hasPrefix("The kernel") })
        try OwnNetwork.ip("link set lo down")
        await #expect(throws: SessionFailure.self) { try await session.forceRefresh() }
        #expect(await session.state == .degraded(.network))
        // Nothing happens by itself: the pause is ten minutes.
        try await Task.sleep(for: .seconds(3))
        #expect(await session.state == .degraded(.network))
        let start = ContinuousClock.now
        try OwnNetwork.ip("link set lo up")
        while await session.state != .active, ContinuousClock.now - start < .seconds(60) {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(await session.state == .active)
        #expect(ContinuousClock.now - start < .seconds(60))
        withExtendedLifetime(life) {}
    }
}
#endif
