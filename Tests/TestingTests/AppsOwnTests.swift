import Foundation
import Pavise
import PaviseTesting
import Testing

/// What an app's own test of each fault looks like: ten lines at most. `TenLinesTests` counts them.
@Suite struct `An app's own tests` {
    private struct Me: Decodable, Sendable { let user: String }

    @Test func `deviceLocked: files wait for the unlock, and nobody is signed out`() async throws {
        try await TestWorld.run { world in
            let account = try await world.signIn(world.app())
            let file = try account.files.put([1], named: "night", protection: .complete)
            try await world.during(.deviceLocked) {
                #expect(throws: StorageFailure.locked) { try account.files.get(file, limit: 1) }
                let me = try await account.get("/api/me", as: Me.self)
                #expect(me.user == "alice")
            }
        }
    }

    @Test func `beforeFirstUnlock: nobody knows yet who is signed in`() async throws {
        try await TestWorld.run { world in
            _ = try await world.signIn(world.app())
            try await world.during(.beforeFirstUnlock) {
                #expect { _ = try world.app().account("work") } throws: { ($0 as? PaviseError)?.code == .deviceLocked }
            }
            let again = try world.app().account("work")
            #expect(await again.state == .signedIn)
        }
    }

    @Test(arguments: [Fault.beforeFirstUnlock, .keychainSaysNotFound])
    func `FD1: the first state is “unknown” where nobody can read it, and the sequence goes on after the unlock`(
        _ fault: Fault
    ) async throws {
        try await TestWorld.run { world in
            _ = try await world.signIn(world.app())
            let states = try await world.during(fault) {
                let states = try world.app().states(of: "work")
                var reader = states.makeAsyncIterator()
                #expect(await reader.next() == .unknown(.storeLocked))
                return states
            }
            var reader = states.makeAsyncIterator()
            #expect(await reader.next() == .signedIn)
        }
    }

    @Test func `FD1: a name without an account is signed out, and seen when it is made`() async throws {
        try await TestWorld.run { world in
            let app = try world.app()
            var reader = app.states(of: "work").makeAsyncIterator()
            #expect(await reader.next() == .signedOut)
            _ = try await world.signIn(app)
            #expect(await reader.next() == .signedIn)
        }
    }

    @Test func `keychainSaysNotFound: that is no sign-out either`() async throws {
        try await TestWorld.run { world in
            let account = try await world.signIn(world.app())
            try await world.during(.keychainSaysNotFound) {
                #expect { _ = try world.app().account("work") } throws: { ($0 as? PaviseError)?.recovery == .unlock }
            }
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
        }
    }

    // Documentation/Apps/Testing.md shows this one.
    @Test func `sessionEnded: the person signs in again`() async throws {
        try await TestWorld.run { world in
            let account = try await world.signIn(world.app())
            try await world.during(.sessionEnded) {
                await #expect { _ = try await account.get("/api/me", as: Me.self) } throws: {
                    ($0 as? PaviseError)?.recovery == .signIn
                }
            }
        }
    }

    @Test(arguments: [Fault.refreshTokenSpent, .sessionEnded, .answerLost])
    func `refreshTokenSpent, sessionEnded, answerLost: the person signs in again`(_ fault: Fault) async throws {
        try await TestWorld.run { world in
            let account = try await world.signIn(world.app())
            try await world.during(fault) {
                await #expect { _ = try await account.get("/api/me", as: Me.self) } throws: {
                    ($0 as? PaviseError)?.recovery == .signIn
                }
                guard case .needsSignIn = await account.state else { throw fault }
            }
            #expect(try await world.signIn(world.app()).get("/api/me", as: Me.self).user == "alice")
        }
    }

    @Test func `refreshTokenSpent: the token stays spent when the fault is over`() async throws {
        try await TestWorld.run { world in
            let account = try await world.signIn(world.app())
            try await world.during(.refreshTokenSpent) {}
            await #expect { _ = try await account.get("/api/me", as: Me.self) } throws: {
                ($0 as? PaviseError)?.recovery == .signIn
            }
            #expect(world.authority.counters.reuseDetections == 1)
        }
    }

    @Test func `certificateChanged: nothing is sent to it`() async throws {
        try await TestWorld.run { world in
            let account = try await world.signIn(world.app())
            let before = world.authority.server.requests.count
            try await world.during(.certificateChanged) {
                await #expect { _ = try await account.get("/api/me", as: Me.self) } throws: {
                    ($0 as? PaviseError)?.isSecurityEvent == true
                }
            }
            #expect(world.authority.server.requests.count == before)
        }
    }

    @Test func `clockSetBack: a session does not live longer for it`() async throws {
        try await TestWorld.run { world in
            let account = try await world.signIn(world.app())
            try await world.during(.clockSetBack) {
                world.clock.advance(seconds: 91 * 86_400)
                await #expect { _ = try await account.get("/api/me", as: Me.self) } throws: {
                    ($0 as? PaviseError)?.recovery == .signIn
                }
                guard case .needsSignIn = await account.state else { throw Fault.clockSetBack }
            }
        }
    }

    @Test func `enclaveKeyLost: only signing in again helps, and that does`() async throws {
        try await TestWorld.run { world in
            _ = try await world.signIn(world.app())
            try await world.during(.enclaveKeyLost) {
                let account = try world.app().account("work")
                let state = await account.state
                #expect(state == .needsSignIn(.keyLost))
                let again = try await world.signIn(world.app())
                #expect(await again.state == .signedIn)
            }
        }
    }

    @Test func `restoredFromBackup: the account is not used without its keys`() async throws {
        try await TestWorld.run { world in
            _ = try await world.signIn(world.app())
            try await world.during(.restoredFromBackup) {
                #expect { _ = try world.app().account("work") } throws: { ($0 as? PaviseError)?.code == .damaged }
            }
        }
    }

    @Test func `reinstalled: nobody is signed in, and signing in works`() async throws {
        try await TestWorld.run { world in
            _ = try await world.signIn(world.app())
            try await world.during(.reinstalled) {
                #expect(try world.app().accountNames() == [])
                let account = try await world.signIn(world.app())
                #expect(await account.state == .signedIn)
            }
        }
    }

    @Test func `offline: the account stays, and a sign-out works`() async throws {
        try await TestWorld.run { world in
            let account = try await world.signIn(world.app())
            try await world.during(.offline) {
                await #expect { _ = try await account.get("/api/me", as: Me.self) } throws: {
                    ($0 as? PaviseError)?.code == .network
                }
                #expect(await account.signOut().localFailure == nil)
                #expect(await account.state == .signedOut)
            }
        }
    }

    @Test func `offline: no address answers, and what a test let fail before still does`() async throws {
        try await TestWorld.run { world in
            let account = try await world.signIn(world.app())
            world.authority.fail(.api, with: .answer(.json(#"{"user":"mallory"}"#)))
            try await world.during(.offline) {
                await #expect { _ = try await account.get("/elsewhere", as: Me.self) } throws: {
                    ($0 as? PaviseError)?.code == .network
                }
            }
            #expect(try await account.get("/api/me", as: Me.self).user == "mallory")
        }
    }

    @Test func `two processes share one refresh`() async throws {
        try await TestWorld.run { world in
            let (one, two) = (try await world.signIn(world.app()), try world.app().account("work"))
            world.authority.expireAccessTokens()
            async let first = one.get("/api/me", as: Me.self)
            async let second = two.get("/api/me", as: Me.self)
            #expect(try await [first.user, second.user] == ["alice", "alice"])
            #expect(world.authority.counters.refreshes == 1)
        }
    }

    @Test func `a lock costs a test nothing`() async throws {
        try await TestWorld.run { world in
            let app = try world.app()
            try await app.lock.setPIN("482913")
            let account = try await world.signIn(app)
            app.lock.enterBackground()
            #expect(await account.state == .unknown(.appLocked))
            app.lock.enterForeground()
            try await app.lock.unlock("482913")
            let state = await account.state
            #expect(state == .signedIn)
        }
    }
}

extension Fault: Error {}

/// A test of a fault stays as short as promised.
@Suite struct TenLinesTests {
    @Test func `each test of a fault has ten lines at most, and no fault is without one`() throws {
        let text = try String(contentsOfFile: #filePath, encoding: .utf8)
        let tests = text.components(separatedBy: "    @Test").dropFirst().prefix {
            !$0.contains("ten lines at most, and no")
        }
        for test in tests {
            let body = test.components(separatedBy: "\n").drop { !$0.hasSuffix("{") }.dropFirst()
            let lines = body.prefix { $0 != "    }" }.filter { !$0.allSatisfy { " })".contains($0) } }
            #expect(lines.count <= 10, "\(test.prefix(80))")
        }
        for fault in Fault.allCases { #expect(text.contains("\(fault.rawValue)"), "\(fault)") }
    }
}
