import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

@testable import Pavise

private struct Me: Decodable, Sendable { let user: String }

/// A process beside the app, over the same home and at the same server.
struct OtherProcess: Codable, Sendable {
    /// What it tries.
    enum Job: Codable, Sendable {
        /// It belongs to the app: it uses the account, this many times.
        case uses(Int)
        /// It belongs to the app, and the app's lock is closed.
        case findsClosed
        /// It is another program: whatever it does, it gets nothing of the account.
        case isForeign
    }
    /// Something went otherwise than it has to.
    struct Wrong: Error { let words: String }

    let home: String
    let anchor: [UInt8]
    let groups: [String]
    let job: Job

    func run() async throws {
        let world = SecurityWorld.Place(home: home, anchor: anchor, groups: groups)
        try await world.inHome {
            switch job {
            case .uses(let times):
                let account = try world.app().account("work")
                for _ in 1...times {
                    guard try await account.get("/api/me", as: Me.self).user == "alice" else {
                        throw Wrong(words: "another user")
                    }
                }
            case .findsClosed:
                let app = try world.app()
                guard await (try app.account("work")).state == .unknown(.appLocked) else { throw Wrong(words: "open") }
                try await expect(.appLocked) { _ = try await app.account("work").get("/api/me", as: Me.self) }
                try await expect(.wrongPIN) { try await app.lock.unlock("111222") }
            case .isForeign: try await intrude(world)
            }
        }
    }

    private func intrude(_ world: SecurityWorld.Place) async throws {
        guard let app = try? world.app() else { return }
        do {
            let me = try await app.account("work").get("/api/me", as: Me.self)
            throw Wrong(words: "the account of another program answers: \(me.user)")
        } catch is PaviseError {}
        // Nor can it take the account away.
        if let account = try? app.account("work") { _ = await account.signOut() }
        _ = try? await app.connections.remove("work")
    }

    private func expect(_ code: PaviseError.Code, _ body: () async throws -> Void) async throws {
        do { try await body() } catch let error as PaviseError where error.code == code { return }
        throw Wrong(words: "no \(code.rawValue)")
    }
}

/// FD20, and the layout of Documentation/Apps/Processes.md: an app, its extension and a program of another maker.
@Suite struct ProcessesTests {
    private func process(_ world: SecurityWorld, _ job: OtherProcess.Job, _ groups: [String]) -> OtherProcess {
        OtherProcess(home: world.home, anchor: world.trusted, groups: groups, job: job)
    }

    private func run(_ process: OtherProcess) async {
        await #expect(processExitsWith: .success) { [process = process as OtherProcess] in try await process.run() }
    }

    @Test(.long) func `an app and its extension share an account, and two spend no refresh token twice`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            let helper = process(world, .uses(10), ["org.example.test", "org.example.shared"])
            for round in 1...3 {
                // Both meet the same end of their token, and one asks for a new one.
                world.authority.expireAccessTokens()
                async let helped: Void = run(helper)
                for _ in 1...10 { #expect(try await account.get("/api/me", as: Me.self).user == "alice") }
                await helped
                #expect(world.refreshes == round)
            }
            #expect(await account.state == .signedIn)
        }
    }

    @Test(
        .long,
        arguments: [
            ["org.example.daemon"], ["org.example.daemon", "org.example.test"], [],
        ])
    func `a program of other access groups gets nothing of the account, and cannot end it`(
        _ groups: [String]
    ) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            let calls = world.calls
            await run(process(world, .isForeign, groups))
            #expect(world.calls == calls)
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            #expect(try world.app().accountNames() == ["work"])
        }
    }

    @Test(.long) func `while the app's lock is closed its extension gets nothing, and a guess of its counts`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            try await app.lock.setPIN(SecurityWorld.pin)
            app.lock.enterBackground()
            let calls = world.calls
            await run(process(world, .findsClosed, ["org.example.test"]))
            #expect(world.calls == calls)
            app.lock.enterForeground()
            try await app.lock.unlock(SecurityWorld.pin)
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
        }
    }
}
