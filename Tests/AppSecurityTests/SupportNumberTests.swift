import PaviseLab
import PaviseLog
import PaviseSession
import PaviseTransport
import Synchronization
import Testing

@testable import Pavise

/// What a person can name to whoever helps.
@Suite struct SupportNumberTests {
    private final class Lines: LogSink {
        let all = Mutex<[String]>([])
        func write(_ entry: LogEntry) -> Bool {
            all.withLock { $0.append(String(decoding: entry.text, as: UTF8.self)) }
            return true
        }
        func count(of text: String) -> Int { all.withLock { $0.count { $0.contains(text) } } }
    }

    private func failure(_ body: () async throws -> Void) async -> PaviseError? {
        do { try await body() } catch { return error as? PaviseError }
        return nil
    }

    @Test func `FD10: an app's error has a number of its own, and the log has the same`() async throws {
        let world = try SecurityWorld()
        let lines = Lines()
        var configuration = SecurityConfiguration()
        configuration.log = LogOutput(sinks: [lines], policy: .strict)
        let fixed = configuration
        try await world.inHome {
            let app = try world.app("org.example.diary", fixed)
            world.authority.stop()
            var numbers: Set<String> = []
            for _ in 0..<3 {
                let thrown = await failure { _ = try await app.review(world.authority.issuer) }
                let error = try #require(thrown)
                let number = try #require(error.supportID)
                numbers.insert(number)
                // Whoever wraps it once more gives the same number on, and no line more.
                #expect(PaviseError(error).supportID == number)
                #expect(lines.count(of: "error.told error=\(error.code.rawValue) support=\(number)") == 1)
            }
            #expect(numbers.count == 3 && lines.count(of: "error.told") == 3)
            #expect(lines.count(of: "127.0.0.1") == 0)
        }
    }

    @Test func `FD10: an approval, a no and a verdict that end in an error have a number too`() async throws {
        let world = try SecurityWorld(isTrusted: false)
        let lines = Lines()
        var configuration = SecurityConfiguration()
        configuration.log = LogOutput(sinks: [lines], policy: .strict)
        let fixed = configuration
        try await world.inHome {
            func expectNumber(_ code: PaviseError.Code, _ error: PaviseError?) {
                #expect(error?.code == code)
                let number = error?.supportID ?? "none"
                #expect(lines.count(of: "error.told error=\(code.rawValue) support=\(number)") == 1)
            }
            let server = try await world.app("org.example.diary", fixed).review(world.authority.issuer)
            // Who has said no cannot approve the same question.
            try await server.reject()
            expectNumber(.certificateRefused, await failure { try await server.approve() })
            try server.draft.write([9])
            expectNumber(.damaged, await failure { try await server.approve() })
            expectNumber(.damaged, await failure { try await server.reject() })
            var strict = fixed
            strict.transparency = TransparencyPolicy(logs: [], date: nil, scope: .everyServer)
            let refused = try await world.app("org.example.strict", strict).review(world.authority.issuer)
            guard case .refused(let error) = refused.verdict else {
                Issue.record("\(refused.verdict)")
                return
            }
            expectNumber(.certificateRefused, error)
        }
    }

    @Test func `FD10: what a person mends at once, and what nobody wrote down, has no number`() async throws {
        let world = try SecurityWorld()
        let lines = Lines()
        var configuration = SecurityConfiguration()
        configuration.log = LogOutput(sinks: [lines])
        let fixed = configuration
        try await world.inHome {
            let app = try world.app("org.example.diary", fixed)
            try await app.lock.setPIN(SecurityWorld.pin)
            app.lock.lockNow()
            let locked = await failure { _ = try app.files }
            #expect(locked?.code == .appLocked && locked?.supportID == nil)
            let wrong = await failure { try await app.lock.unlock("111222") }
            #expect(wrong?.code == .wrongPIN && wrong?.supportID == nil)
            #expect(lines.count(of: "error.told") == 0)
        }
        #expect(PaviseError(SessionFailure.reloginNeeded(.expired)).supportID == nil)
    }

    @Test func `FD10: an answer that cannot be used, and a body that breaks off, have a number too`() async throws {
        struct Other: Decodable, Sendable { let nobody: Int }
        let world = try SecurityWorld()
        let lines = Lines()
        var configuration = SecurityConfiguration()
        configuration.log = LogOutput(sinks: [lines], policy: .strict)
        let fixed = configuration
        try await world.inHome {
            let account = try await world.signedIn(try world.app("org.example.diary", fixed))
            func isWritten(_ code: PaviseError.Code, _ thrown: PaviseError?) -> Bool {
                guard let thrown, thrown.code == code, let number = thrown.supportID else { return false }
                return lines.count(of: "error.told error=\(code.rawValue) support=\(number)") == 1
            }
            let unreadable = await failure { _ = try await account.get("/api/me", as: Other.self) }
            #expect(isWritten(.server, unreadable))
            let refused = await failure { _ = try await account.get("/api/forbidden", as: Other.self) }
            #expect(isWritten(.forbidden, refused))
            let refusedBody = await failure { for try await _ in account.stream("/api/forbidden") {} }
            #expect(isWritten(.forbidden, refusedBody))
            world.authority.fail(.api, with: .cut(after: 400_000))
            let cut = await failure { for try await _ in account.stream("/api/large/1000000") {} }
            world.authority.heal()
            #expect(isWritten(.network, cut))
            #expect(lines.count(of: "error.told") == 4)
            // What its caller chose, and what the lock says, is mended at once.
            let large = await failure { for try await _ in account.stream("/api/large/70000", limit: 1000) {} }
            #expect(large?.code == .tooLarge && large?.supportID == nil)
        }
    }

    @Test func `a number has eight consonants, and nothing that a mask takes for an identifier`() throws {
        let lines = Lines()
        let log = EventLog(LogOutput(sinks: [lines], policy: .strict))
        for _ in 0..<200 {
            let number = try #require(SupportNumber.random())
            #expect(number.utf8.count == 9 && number.split(separator: "-").map(\.count) == [4, 4])
            #expect(number.allSatisfy { "BCDFGHJKLMNPQRSTVWXZ-".contains($0) })
            log.record(AuditEvent(told: "unknown", support: number))
            #expect(lines.count(of: number) == 1)
        }
    }
}
