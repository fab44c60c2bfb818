import Foundation
import PaviseAppLock
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
        /// The same, and then it is killed.
        case dies(after: Int)
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
    var identifier = "org.example.diary"

    func run() async throws {
        let world = SecurityWorld.Place(home: home, anchor: anchor, groups: groups)
        try await world.inHome {
            switch job {
            case .uses(let times): try await use(world, times)
            case .dies(let times):
                try await use(world, times)
                kill(getpid(), SIGKILL)
            case .findsClosed:
                let app = try world.app()
                guard await (try app.account("work")).state == .unknown(.appLocked) else { throw Wrong(words: "open") }
                try await expect(.appLocked) { _ = try await app.account("work").get("/api/me", as: Me.self) }
                try await expect(.wrongPIN) { try await app.lock.unlock("111222") }
            case .isForeign: try await intrude(world)
            }
        }
    }

    private func use(_ world: SecurityWorld.Place, _ times: Int) async throws {
        let account = try world.app(identifier).account("work")
        for _ in 1...times {
            guard try await account.get("/api/me", as: Me.self).user == "alice" else {
                throw Wrong(words: "another user")
            }
        }
    }

    private func intrude(_ world: SecurityWorld.Place) async throws {
        let app: AppSecurity
        do throws(PaviseError) { app = try world.app() } catch {
            // A program without any access group has no keychain. Every other one gets as far as the account.
            guard groups.isEmpty else { throw Wrong(words: "the foreign app did not open: \(error)") }
            return
        }
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
    private func process(
        _ world: SecurityWorld, _ job: OtherProcess.Job, _ groups: [String], _ identifier: String = "org.example.diary"
    ) -> OtherProcess {
        OtherProcess(home: world.home, anchor: world.trusted, groups: groups, job: job, identifier: identifier)
    }

    private func run(_ process: OtherProcess) async {
        await #expect(processExitsWith: .success) { [process = process as OtherProcess] in try await process.run() }
    }

    private func die(_ process: OtherProcess) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [process = process as OtherProcess] in
            try await process.run()
        }
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

    @Test(.long) func `FD20: an app, its extension and a service work at once, and one that dies ends nothing`()
        async throws
    {
        let world = try SecurityWorld()
        let (app, service) = (["org.example.test"], ["org.example.daemon"])
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            let place = SecurityWorld.Place(home: world.home, anchor: world.trusted, groups: service)
            try await place.inHome {
                let own = try place.app("org.example.daemon")
                let server = try await own.review(world.authority.issuer)
                _ = try await own.connect(server, as: "work", clientID: "pavise-lab", options: world.willing)
            }
            world.authority.expireAccessTokens()
            async let helped: Void = run(process(world, .uses(10), app))
            async let served: Void = run(process(world, .uses(10), service, "org.example.daemon"))
            async let died: Void = die(process(world, .dies(after: 3), app))
            for _ in 1...10 { #expect(try await account.get("/api/me", as: Me.self).user == "alice") }
            _ = await (helped, served, died)
            // One for each account.
            #expect(world.refreshes == 2)
            world.authority.expireAccessTokens()
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            #expect(world.refreshes == 3)
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
            // The app's own guess comes on top of the extension's.
            await #expect { try await app.lock.unlock("111333") } throws: { ($0 as? PaviseError)?.code == .wrongPIN }
            let unlocked = try await app.lock.unlock(SecurityWorld.pin)
            #expect(unlocked.wrongBefore == 2)
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
        }
    }
}
