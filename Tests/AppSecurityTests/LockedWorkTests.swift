import Foundation
import Pavise
import PaviseAppLock
import PaviseLab
import PaviseManaged
import PavisePrimitives
import TestSupport
import Testing

/// Background work while the app lock is closed (app-lock AL43): by the product's permission, and never against an
/// administrator's word.
@Suite struct LockedWorkTests {
    private struct Me: Decodable, Sendable { let user: String }

    private static var permitting: SecurityConfiguration {
        var configuration = SecurityWorld.quiet
        configuration.session.whileLocked = true
        return configuration
    }

    private func name(of account: Account) async throws -> String {
        try await account.get("/api/me", as: Me.self).user
    }

    private func expectLocked(_ body: () async throws -> Void) async {
        await #expect { try await body() } throws: { ($0 as? PaviseError)?.code == .appLocked }
    }

    @Test func `states of the lock that nobody reads any more do not gather until it changes`() throws {
        let world = try SecurityWorld()
        try world.inHomeNow {
            let app = try world.app()
            let before = app.lock.appLock.observerCount
            for _ in 0..<50 { _ = app.lock.states }
            #expect(app.lock.appLock.observerCount <= before + 1)
        }
    }

    @Test func `AL43: with the permission a session is refreshed and used while the app is locked, and nothing else`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app("org.example.diary", Self.permitting)
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            let files = try app.files
            _ = try files.put([1], named: "note", protection: .complete)
            app.lock.lockNow()
            world.authority.expireAccessTokens()
            let background = try account.whileLocked()
            #expect(try await name(of: background) == "alice")
            #expect(world.refreshes == 1)
            await expectLocked { _ = try await name(of: account) }
            #expect(await account.state == .unknown(.appLocked))
            #expect(throws: StorageFailure.locked) { try files.put([2], named: "other", protection: .complete) }
            // The foreground goes on with what the background has got.
            try await app.lock.unlock(SecurityWorld.pin)
            #expect(try await name(of: account) == "alice")
            #expect(world.refreshes == 1)
        }
    }

    @Test func `AL43: an account that was removed opens no other one that has its name now`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app("org.example.diary", Self.permitting)
            let old = try await world.signedIn(app)
            _ = try await app.remove("work")
            let new = try await world.signedIn(app)
            #expect(try await name(of: new.whileLocked()) == "alice")
            #expect { _ = try old.whileLocked() } throws: { ($0 as? PaviseError)?.code == .unknownName }
            await #expect { _ = try await old.review() } throws: { ($0 as? PaviseError)?.code == .unknownName }
        }
    }

    @Test func `AL43: without it nothing is refreshed while the app is locked, and nobody is told otherwise before`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            await expectLocked { _ = try account.whileLocked() }
            app.lock.lockNow()
            world.authority.expireAccessTokens()
            await expectLocked { _ = try account.whileLocked() }
            #expect(world.refreshes == 0)
        }
    }

    @Test func `AL43: an app that keeps passwords has no such permission`() async throws {
        let world = try SecurityWorld()
        var configuration = Self.permitting
        configuration.passwordServers = .named
        try await world.inHome {
            let app = try world.app("org.example.diary", configuration)
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            await expectLocked { _ = try account.whileLocked() }
        }
    }

    @Test func `AL43: an administrator forbids it, also while it is made use of`() async throws {
        let world = try SecurityWorld()
        let path = world.folder.path + "/rules.json"
        try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
        let rules = ManagedFile(path: path)
        try await world.inHome {
            let app = try world.app("org.example.diary", Self.permitting, managed: rules)
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            app.lock.lockNow()
            let background = try account.whileLocked()
            #expect(try await name(of: background) == "alice")
            let before = world.calls
            try Data(#"{"session": {"whileLocked": "forbidden"}}"#.utf8).write(to: URL(fileURLWithPath: path))
            await app.connections.applyRules(to: app.lock.appLock)
            await expectLocked { _ = try await name(of: background) }
            await expectLocked { _ = try account.whileLocked() }
            #expect(world.calls == before)
            // What lay open goes under the lock with the next unlock.
            try await app.lock.unlock(SecurityWorld.pin)
            #expect(try !app.connections.needsSealing())
            #expect(try await name(of: account) == "alice")
            app.lock.lockNow()
            try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
            await app.connections.applyRules(to: app.lock.appLock)
            await expectLocked { _ = try await name(of: try account.whileLocked()) }
            // Rules that cannot be read permit nothing.
            try Data("{".utf8).write(to: URL(fileURLWithPath: path))
            await app.connections.applyRules(to: app.lock.appLock)
            await expectLocked { _ = try account.whileLocked() }
        }
    }

    @Test func `a lock that has opened says so, also where what it guards cannot be sealed again`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            app.lock.lockNow()
            let observer = FileObserver(
                failure: { $0.call == .list && $0.path.hasSuffix("/connections") ? 5 : nil })
            let unlocked = try await FileObserver.$current.withValue(observer) {
                #expect(throws: (any Error).self) { try app.connections.list() }
                return try await app.lock.unlock(SecurityWorld.pin)
            }
            #expect(unlocked.wrongBefore == 0 && app.lock.state.isOpen)
            #expect(try await name(of: account) == "alice")
        }
    }

    @Test func `AL43: a permission that an app's new version brings holds from its first unlock on`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            do {
                let old = try world.app()
                try await old.lock.setPIN(SecurityWorld.pin)
                _ = try await world.signedIn(old)
            }
            let app = try world.app("org.example.diary", Self.permitting)
            let account = try app.account("work")
            await expectLocked { _ = try await name(of: try account.whileLocked()) }
            try await app.lock.unlock(SecurityWorld.pin)
            #expect(try !app.connections.needsSealing())
            app.lock.lockNow()
            #expect(try await name(of: try account.whileLocked()) == "alice")
        }
    }
}
