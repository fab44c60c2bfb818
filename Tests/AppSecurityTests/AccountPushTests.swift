import Pavise
import PaviseLab
import PavisePrimitives
import PavisePrivacy
import PaviseStorage
import PaviseVault
import Synchronization
import Testing

/// The servers of an app's accounts, as far as they know push tokens.
private final class PushServers: Sendable {
    struct State {
        var known: [String: Set<[UInt8]>] = [:]
        var isReachable = true
        var asked = 0
        var removals = 0
    }
    let state = Mutex(State())

    func known(_ account: String = "work") -> Set<[UInt8]> { state.withLock { $0.known[account] ?? [] } }
    func services(_ account: String) -> any PushServices { Services(account: account, servers: self) }

    private struct Services: PushServices {
        struct Unreachable: Error {}
        let account: String
        let servers: PushServers

        func askPermission(_ action: UserAction) async -> Bool {
            servers.state.withLock { $0.asked += 1 }
            return true
        }
        func isAllowed() async -> Bool { true }
        func register() async {}
        func removeNotices() async { servers.state.withLock { $0.removals += 1 } }

        func send(_ token: [UInt8]) async throws {
            _ = try PushKey.make()
            try servers.state.withLock { state in
                guard state.isReachable else { throw Unreachable() }
                state.known[account, default: []].insert(token)
            }
        }

        func delete(_ token: [UInt8]) async throws {
            try servers.state.withLock { state in
                guard state.isReachable else { throw Unreachable() }
                state.known[account]?.remove(token)
            }
        }
    }
}

@Suite struct AccountPushTests {
    enum Ending: String, CaseIterable, Sendable {
        case signOut, removal, wipe, revoked
    }
    private let servers = PushServers()

    private func app(_ world: SecurityWorld) async throws -> AppSecurity {
        let app = try world.app()
        try await app.followPush { [servers] account in servers.services(account) }
        return app
    }

    @Test(arguments: Ending.allCases)
    func `PR16: whatever ends an account takes back its notices and its token, at a server that is back later too`(
        _ ending: Ending
    ) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let first = try await app(world)
            try await first.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(first)
            #expect(try await account.wantPush(UserAction()))
            try await first.pushRegistered(as: [1])
            #expect(servers.known() == [[1]])
            // The system gave another one.
            try await first.pushRegistered(as: [2])
            #expect(servers.known() == [[2]])
            servers.state.withLock { $0.isReachable = false }
            switch ending {
            case .signOut: _ = await account.signOut()
            case .removal: _ = try await first.remove("work")
            case .wipe: try await first.wipe()
            case .revoked: #expect(try await account.endSession(by: world.authority.logoutToken(name: "1")))
            }
            let removals = servers.state.withLock { $0.removals }
            #expect(removals > 0)
            #expect(servers.known() == [[2]])
            servers.state.withLock { $0.isReachable = true }
            _ = try await app(world)
            #expect(servers.known().isEmpty)
            let key = try PushKey.find()
            #expect(key == nil)
        }
    }

    @Test func `PR16: an account that was signed out while nobody followed loses its token at the next start`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let first = try await app(world)
            let account = try await world.signedIn(first)
            #expect(try await account.wantPush(UserAction()))
            try await first.pushRegistered(as: [1])
            // As another program of the same accounts does, or a kill after the tokens were wiped.
            _ = await account.connection.signOut()
            #expect(servers.known() == [[1]])
            _ = try await app(world)
            #expect(servers.known().isEmpty)
        }
    }

    @Test func `PR16: an app that says later what it does for notices takes back what ended before`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let first = try await app(world)
            #expect(try await world.signedIn(first).wantPush(UserAction()))
            try await first.pushRegistered(as: [1])
            let early = try world.app()
            _ = try await early.remove("work")
            #expect(servers.known() == [[1]])
            try await early.followPush { [servers] account in servers.services(account) }
            #expect(servers.known().isEmpty)
        }
    }

    @Test func `PR16: of two accounts the one that stays keeps its token`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let both = try await app(world)
            let work = try await world.signedIn(both)
            let home = try await world.signedIn(both, as: "home")
            for account in [work, home] { #expect(try await account.wantPush(UserAction())) }
            try await both.pushRegistered(as: [1])
            #expect(servers.known() == [[1]] && servers.known("home") == [[1]])
            _ = await work.signOut()
            #expect(servers.known().isEmpty && servers.known("home") == [[1]])
            #expect(try await !work.isPushWanted())
            #expect(try await home.isPushWanted())
            let key = try PushKey.find()
            #expect(key != nil)
            try await home.refusePush()
            #expect(servers.known("home").isEmpty)
        }
    }

    @Test func `PR16: what is damaged of one account keeps no other from losing its token`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let first = try await app(world)
            let work = try await world.signedIn(first)
            let home = try await world.signedIn(first, as: "home")
            for account in [work, home] { #expect(try await account.wantPush(UserAction())) }
            try await first.pushRegistered(as: [1])
            let item = ItemName(checkedService: "org.pavise.push", "token.\(work.connection.descriptor.id.text)")
            let damage: [UInt8] = [9]
            try damage.withSpan { span throws(VaultFailure) in try KeychainStore().replace(span, as: item) }
            let next = try world.app()
            await #expect {
                try await next.followPush { [servers] account in servers.services(account) }
            } throws: {
                ($0 as? PaviseError)?.code == .damaged
            }
            await #expect { try await next.pushRegistered(as: [2]) } throws: {
                ($0 as? PaviseError)?.code == .damaged
            }
            #expect(servers.known() == [[1]] && servers.known("home") == [[2]])
            await #expect { try await next.wipe() } throws: { ($0 as? PaviseError)?.code == .damaged }
            #expect(servers.known() == [[1]] && servers.known("home").isEmpty)
            let key = try PushKey.find()
            #expect(key == nil)
            // It was told, and is gone: another wipe has nothing to say.
            try await next.wipe()
            let isGone = if case .absent = try KeychainStore().read(item) { true } else { false }
            #expect(isGone)
        }
    }

    @Test func `PR15: without an action of the person no account is registered`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let both = try await app(world)
            let account = try await world.signedIn(both)
            try await both.pushRegistered(as: [1])
            let asked = servers.state.withLock { $0.asked }
            #expect(servers.known().isEmpty && asked == 0)
            #expect(try await !account.isPushWanted())
        }
    }
}
