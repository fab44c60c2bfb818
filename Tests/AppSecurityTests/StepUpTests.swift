import PaviseLab
import PavisePrimitives
import PaviseSession
import PaviseTransport
import Synchronization
import TestSupport
import Testing

@testable import Pavise

/// A server that wants more than a token (RFC 9470).
@Suite struct `A server's demand for a stronger sign-in` {
    private struct Reply: Decodable, Sendable { let path: String }

    /// A person who agrees, and how many times they were asked.
    private static func counting(_ world: SecurityWorld) -> (SignInOptions, @Sendable () -> [String]) {
        let asked = Mutex<[String]>([])
        let authority = world.authority
        var options = SignInOptions()
        options.browser = AddressReader { (url) throws(BrowserFailure) in
            asked.withLock { $0.append(url.description) }
            do { _ = try LabBrowser.open(try authority.approve(url.description)) } catch {
                throw BrowserFailure("\(error)")
            }
        }
        return (options, { asked.withLock { $0 } })
    }

    @Test(arguments: ["/api/level/phr", "/api/recent/0"])
    func `FD21: it becomes one sign-in for everybody who met it, and the requests go on once`(_ path: String)
        async throws
    {
        // Its seconds pass when they are told to, or the next one would come between a sign-in and its request.
        let clock = ManualTime(wallSeconds: TimeSource.system.wallSeconds - 2)
        let world = try SecurityWorld(clock: clock.source)
        try await world.inHome {
            let app = try world.app()
            let (options, asked) = Self.counting(world)
            let server = try await app.review(world.authority.issuer)
            let account = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            clock.advance(seconds: 2)
            let before = world.calls
            async let one = account.get(path, as: Reply.self)
            async let two = account.get(path, as: Reply.self)
            #expect(try await [one.path, two.path] == [path, path])
            #expect(asked().count == 2)
            #expect(asked().last?.contains(path.hasPrefix("/api/level") ? "acr_values=phr" : "max_age=0") == true)
            #expect(world.calls - before <= 4)
            #expect(await account.state == .signedIn)
            // What there was before is taken back or forgotten: nothing is refreshed for it.
            #expect(world.authority.counters.refreshes == 0)
        }
    }

    @Test func `FD21: who signs out while the page is open stays signed out`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let leaving = Mutex<Account?>(nil)
            let authority = world.authority
            var options = SignInOptions()
            options.browser = AddressReader { (url) async throws(BrowserFailure) in
                if let account = leaving.withLock({ $0 }) { _ = await account.signOut() }
                do { _ = try LabBrowser.open(try authority.approve(url.description)) } catch {
                    throw BrowserFailure("\(error)")
                }
            }
            let server = try await app.review(world.authority.issuer)
            let account = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            leaving.withLock { $0 = account }
            await #expect(throws: PaviseError.self) {
                _ = try await account.get("/api/level/phr", as: Reply.self)
            }
            leaving.withLock { $0 = nil }
            #expect(await account.state == .signedOut)
            #expect(await (try app.account("work")).state == .signedOut)
        }
    }

    @Test func `FD21: a sign-in that ended since a request left is noted, and one that failed is not`() async throws {
        let stepUp = StepUp()
        var fields = HTTPFields()
        fields.append("WWW-Authenticate", "Bearer error=\"insufficient_user_authentication\", acr_values=\"phr\"")
        let demand = try #require(StepUpDemand(HTTPResponse(status: 401, fields: fields, body: [])))
        let before = await stepUp.count
        await #expect(throws: PaviseError(SignInFailure.cancelled)) {
            try await stepUp.satisfy(demand) { () async throws(PaviseError) in
                throw PaviseError(SignInFailure.cancelled)
            }
        }
        #expect(await !stepUp.isSatisfied(demand, since: before))
        try await stepUp.satisfy(demand) { () async throws(PaviseError) in }
        #expect(await stepUp.isSatisfied(demand, since: before))
        #expect(await !stepUp.isSatisfied(demand, since: stepUp.count))
    }

    @Test func `FD21: a request whose answer comes after the sign-in asks nobody again`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let (options, asked) = Self.counting(world)
            let server = try await app.review(world.authority.issuer)
            let account = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            // The answer to the first of two is on its way for longer than the sign-in of the second one takes.
            let gate = LabGate()
            world.authority.fail(.api, with: .late(gate), times: 1)
            async let late = account.get("/api/level/phr", as: Reply.self)
            #expect(await gate.waitForArrivals(1))
            #expect(try await account.get("/api/level/phr", as: Reply.self).path == "/api/level/phr")
            gate.open()
            #expect(try await late.path == "/api/level/phr")
            #expect(asked().count == 2)
        }
    }

    /// How many pages are open, at most were at once, and were opened.
    private final class Pages: Sendable {
        private let counts = Mutex((open: 0, most: 0, all: 0))

        func show() async {
            counts.withLock { $0 = ($0.open + 1, max($0.most, $0.open + 1), $0.all + 1) }
            for _ in 0..<20 { await Task.yield() }
            counts.withLock { $0.open -= 1 }
        }

        var most: Int { counts.withLock { $0.most } }
        var all: Int { counts.withLock { $0.all } }
    }

    private static func demand(_ level: String) throws -> StepUpDemand {
        let challenge = "Bearer error=\"insufficient_user_authentication\", acr_values=\"\(level)\""
        var fields = HTTPFields()
        fields.append("WWW-Authenticate", challenge)
        return try #require(StepUpDemand(HTTPResponse(status: 401, fields: fields, body: [])))
    }

    @Test(arguments: [["phr"], ["phr", "phrh"]])
    func `FD21: one page is open at a time, whoever wakes late and whatever else is demanded`(_ levels: [String])
        async throws
    {
        let (stepUp, pages) = (StepUp(), Pages())
        let demands = try levels.map(Self.demand)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                let demand = demands[number % demands.count]
                group.addTask {
                    for _ in 0..<50 { try await stepUp.satisfy(demand) { await pages.show() } }
                }
            }
            try await group.waitForAll()
        }
        #expect(pages.most == 1)
        #expect(pages.all >= 50 && pages.all <= 400)
    }

    private final class Order: Sendable {
        let shown = Mutex<[String]>([])
        let isDone = Mutex(false)
    }

    @Test func `FD21: another demand waits for the page that is open, and gets one of its own`() async throws {
        let (stepUp, order) = (StepUp(), Order())
        let (first, second) = (try Self.demand("phr"), try Self.demand("phrh"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await stepUp.satisfy(first) {
                    order.shown.withLock { $0.append("phr") }
                    while !order.isDone.withLock({ $0 }) { await Task.yield() }
                }
            }
            while order.shown.withLock({ $0.isEmpty }) { await Task.yield() }
            group.addTask { try await stepUp.satisfy(second) { order.shown.withLock { $0.append("phrh") } } }
            for _ in 0..<50 { await Task.yield() }
            #expect(order.shown.withLock { $0 } == ["phr"])
            order.isDone.withLock { $0 = true }
            try await group.waitForAll()
        }
        #expect(order.shown.withLock { $0 } == ["phr", "phrh"])
    }

    @Test func `FD21: two values of one account open one page`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let (options, asked) = Self.counting(world)
            let server = try await app.review(world.authority.issuer)
            let account = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            let other = try app.account("work", options: options)
            async let one = account.get("/api/level/phr", as: Reply.self)
            async let two = other.get("/api/level/phr", as: Reply.self)
            #expect(try await [one.path, two.path] == ["/api/level/phr", "/api/level/phr"])
            #expect(asked().count == 2)
        }
    }

    @Test func `a demand that the sign-in does not satisfy is told, and nobody is asked twice`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let (options, asked) = Self.counting(world)
            let server = try await app.review(world.authority.issuer)
            let account = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            let challenge = "Bearer error=\"insufficient_user_authentication\", acr_values=\"phrh\""
            world.authority.fail(
                .api, with: .answer(LabResponse(status: 401).with("WWW-Authenticate", challenge)), times: 2)
            await #expect {
                _ = try await account.get("/api/me", as: Reply.self)
            } throws: {
                ($0 as? PaviseError)?.code == .strongerSignInNeeded && ($0 as? PaviseError)?.recovery == .signIn
            }
            #expect(asked().count == 2)
            #expect(try await account.get("/api/me", as: Reply.self).path == "/api/me")
        }
    }

    @Test func `an app may decide itself`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            var (options, asked) = Self.counting(world)
            options.answersStepUp = false
            let server = try await app.review(world.authority.issuer)
            let account = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            await #expect {
                for try await _ in account.stream("/api/level/phr") {}
            } throws: {
                ($0 as? PaviseError)?.code == .strongerSignInNeeded
            }
            #expect(asked().count == 1)
        }
    }

    @Test(arguments: [
        "Bearer error=\"insufficient_user_authentication\"",
        "Bearer error=\"insufficient_user_authentication\", max_age=\"-1\"",
        "Basic error=\"insufficient_user_authentication\", max_age=\"1\"",
        "Bearer error=\"insufficient_user_authentication\", acr_values=\"a\", acr_values=\"b\"",
    ])
    func `what is no demand opens no browser`(_ challenge: String) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let (options, asked) = Self.counting(world)
            let server = try await app.review(world.authority.issuer)
            let account = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            world.authority.fail(
                .api, with: .answer(LabResponse(status: 401).with("WWW-Authenticate", challenge)), times: 4)
            await #expect(throws: PaviseError.self) { _ = try await account.get("/api/me", as: Reply.self) }
            #expect(asked().count == 1)
        }
    }
}
