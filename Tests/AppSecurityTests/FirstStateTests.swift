import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

@testable import Pavise

/// What an app shows first, and what is left when somebody leaves, where nothing else works. `Scripts/marks` prints
/// what these tests measure.
@Suite struct FirstStateTests {
    private struct Me: Decodable, Sendable { let user: String }

    /// What happened before the app was started again.
    enum Before: String, CaseIterable, Sendable {
        case appLocked, signedOut, tokenExpired, sessionEnded
    }

    private func first(_ world: SecurityWorld) async throws -> AccountState? {
        let app = try world.app()
        let begin = ContinuousClock.now
        for await state in app.states(of: "work") {
            if ProcessInfo.processInfo.environment["PAVISE_MARKS"] != nil {
                print("mark: first state: \((ContinuousClock.now - begin) / .milliseconds(1)) ms")
            }
            return state
        }
        return nil
    }

    @Test(arguments: Before.allCases)
    func `FD1: the first state is the right one, and nothing is sent for it`(_ before: Before) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            switch before {
            case .appLocked: try await app.lock.setPIN(SecurityWorld.pin)
            case .signedOut: _ = await account.signOut()
            case .tokenExpired: world.authority.expireAccessTokens()
            case .sessionEnded:
                world.authority.revokeEverything()
                _ = try? await account.get("/api/me", as: Me.self)
                // The ended session takes its tokens back by itself, and nobody waits for that.
                await Self.waited { world.authority.server.requests.contains { $0.target == "/revoke" } }
            }
            let requests = world.authority.server.requests.count
            // With the server within reach, where a request would be counted, and without it.
            var states = [try await first(world)]
            world.authority.stop()
            states.append(try await first(world))
            for state in states {
                switch before {
                case .appLocked: #expect(state == .unknown(.appLocked))
                case .signedOut: #expect(state == .signedOut)
                case .tokenExpired: #expect(state == .signedIn)
                case .sessionEnded:
                    guard case .needsSignIn? = state else {
                        Issue.record("\(state.map { "\($0)" } ?? "nothing")")
                        return
                    }
                }
            }
            #expect(world.authority.server.requests.count == requests)
        }
    }

    /// Waits at most ten seconds for what another task does.
    private static func waited(_ condition: () -> Bool) async {
        let end = ContinuousClock.now + .seconds(10)
        while !condition(), ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(2)) }
    }

    @Test func `FD1: an account whose description was changed is damaged at the start, not locked`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            _ = try await world.signedIn(try world.app())
            let files = try #require(FileManager.default.enumerator(atPath: world.home)).compactMap { $0 as? String }
            let descriptions = files.filter { $0.hasSuffix("/connection.json") }
            #expect(descriptions.count == 1)
            for file in descriptions {
                let path = "\(world.home)/\(file)"
                var text = try String(contentsOfFile: path, encoding: .utf8)
                text.replace("https://", with: "https://other.")
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            }
            let state = try await first(world)
            #expect(state == .unknown(.storeDamaged))
        }
    }

    @Test func `FD6: an account that cannot be read just now is not left out of the names`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            _ = try await world.signedIn(try world.app())
            let app = try world.app()
            #expect { _ = try namesWhileUnreadable(app) } throws: { ($0 as? PaviseError)?.code == .storage }
            #expect(try app.accountNames().count == 1)
        }
    }

    @Test(arguments: ["{", #"{"form": 2}"#, nil])
    func `FD6: an account whose description says no name any more is listed as damaged, and can be removed`(
        _ text: String?
    ) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            _ = try await world.signedIn(try world.app())
            let path = try description(world)
            if let text {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
            let app = try world.app()
            let name = try #require(try app.accountNames().first)
            #expect(name != "work")
            var state: AccountState?
            for await first in app.states(of: name) {
                state = first
                break
            }
            #expect(state == .unknown(.storeDamaged))
            #expect(try await app.remove(name).localFailures.isEmpty)
            #expect(try app.accountNames().isEmpty)
            #expect(!FileManager.default.fileExists(atPath: String(path.dropLast("/connection.json".count))))
        }
    }

    @Test func `FD6: an account whose description was changed can be removed by its name`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            _ = try await world.signedIn(try world.app())
            let path = try description(world)
            var text = try String(contentsOfFile: path, encoding: .utf8)
            text.replace("https://", with: "https://other.")
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let app = try world.app()
            #expect(try app.accountNames() == ["work"])
            let requests = world.authority.server.requests.count
            #expect(try await app.remove("work").localFailures.isEmpty)
            #expect(try app.accountNames().isEmpty)
            // Nobody knows where to.
            #expect(world.authority.server.requests.count == requests)
        }
    }

    @Test func `FD6: an account with a mark of removal that nothing authenticates can be removed by its name`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            _ = try await world.signedIn(try world.app())
            let folder = String(try description(world).dropLast("/connection.json".count))
            let id = try #require(folder.split(separator: "/").last)
            // As an earlier version began a removal, and did not end it.
            try DurableFile.write(Array("PVRM1 \(id)\n".utf8), to: folder + "/removed")
            let app = try world.app()
            #expect(try app.accountNames() == ["work"])
            #expect(try await app.remove("work").localFailures.isEmpty)
            #expect(try app.accountNames().isEmpty)
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    private func description(_ world: SecurityWorld) throws -> String {
        let files = try #require(FileManager.default.enumerator(atPath: world.home)).compactMap { $0 as? String }
        let found = files.filter { $0.hasSuffix("/connection.json") }
        #expect(found.count == 1)
        return "\(world.home)/\(try #require(found.first))"
    }

    // The disk gives no description of an account.
    private func namesWhileUnreadable(_ app: AppSecurity) throws -> [String] {
        let observer = FileObserver(failure: { step in
            step.call == .open && step.path.hasSuffix("/connection.json") ? EIO : nil
        })
        return try FileObserver.$current.withValue(observer) { try app.accountNames() }
    }

    @Test(arguments: [
        (PaviseError.Code.appLocked, AccountState.UnknownReason.appLocked), (.newerVersion, .storeNewer),
        (.damaged, .storeDamaged), (.deviceLocked, .storeLocked), (.storage, .storeLocked),
    ])
    func `FD1: why nobody can say is told`(_ code: PaviseError.Code, _ reason: AccountState.UnknownReason) {
        #expect(AccountState.UnknownReason(code) == reason)
    }

    /// What does not work when somebody signs out.
    enum Trouble: String, CaseIterable, Sendable {
        case offline, serverFails, userDeleted, sessionRevoked
    }

    @Test(arguments: Trouble.allCases)
    func `FD4: a sign-out leaves no token on the disk, whatever the server does`(_ trouble: Trouble) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            _ = try await account.get("/api/me", as: Me.self)
            switch trouble {
            case .offline: world.authority.stop()
            case .serverFails:
                for endpoint in AuthorityEndpoint.allCases { world.authority.fail(endpoint, with: .status(500)) }
            case .userDeleted:
                for endpoint in AuthorityEndpoint.allCases { world.authority.fail(endpoint, with: .status(401)) }
            case .sessionRevoked: world.authority.revokeEverything()
            }
            let report = await account.signOut()
            #expect(report.localFailure == nil)
            #expect(await account.state == .signedOut)
            #expect(await (try world.app().account("work")).state == .signedOut)
            let canaries = world.authority.issuedTokens.map(\.value)
            #expect(!canaries.isEmpty)
            #expect(try CanarySearch.find(canaries, in: world.home).isClean)
        }
    }
}
