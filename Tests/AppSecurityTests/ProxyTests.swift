import Foundation
import PaviseLab
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import Testing

@testable import Pavise

/// An app that looks at a server, in an environment that names a proxy.
struct ProxiedApp: Codable, Sendable {
    /// Something went otherwise than it has to.
    struct Wrong: Error { let words: String }

    let home: String
    let anchor: [UInt8]
    let address: String
    let follows: Bool

    func run() async throws {
        // Nothing listens there.
        unsafe setenv("https_proxy", "http://127.0.0.1:1", 1)
        for name in ["no_proxy", "NO_PROXY"] { unsafe unsetenv(name) }
        try await SecurityWorld.Place(home: home, anchor: anchor).inHome {
            var configuration = SecurityWorld.quiet
            configuration.managed = .none
            configuration.followsProxyEnvironment = follows
            var parts = SecurityParts()
            parts.home = PaviseHome(path: home)
            parts.watchesSystem = false
            parts.followPressure = { _ in }
            parts.anchors = TrustPolicy.Anchors.only([anchor])
            let app = try AppSecurity(identifier: "org.example.diary", configuration: configuration, parts: parts)
            do throws(PaviseError) {
                guard case .trusted = try await app.review(address).verdict, !follows else {
                    throw PaviseError(CancellationError())
                }
            } catch {
                guard follows, error.code == .network else { throw Wrong(words: "\(error)") }
            }
        }
    }
}

@Suite struct ProxyTests {
    @Test(arguments: [false, true])
    func `an app takes the proxy of its environment where it says so, and not otherwise`(_ follows: Bool) async throws {
        let world = try SecurityWorld()
        let app = ProxiedApp(
            home: world.home, anchor: world.trusted, address: world.authority.issuer, follows: follows)
        await #expect(processExitsWith: .success) { [app = app as ProxiedApp] in try await app.run() }
    }
}
