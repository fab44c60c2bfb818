import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

@testable import PaviseSession

/// A process that holds the lock of a refresh and stands still holds nobody up beyond its lease, and what it does when
/// it goes on spends no token twice (session SR19, PD18).
@Suite(.serialized) struct StoppedHolderTests {
    private let folder: TemporaryFolder
    private let certificates: CertificateAuthority
    private let authority: LabAuthority

    init() throws {
        folder = try TemporaryFolder()
        certificates = try CertificateAuthority()
        authority = try LabAuthority.start(try certificates.issue())
    }

    private var child: StoppedChild {
        StoppedChild(
            files: LogoutChild(folder: folder.path, issuer: authority.issuer, anchor: certificates.anchor))
    }

    @Test func `who was stopped before it sent is replaced, sends nothing when it goes on, and takes the new token`()
        async throws
    {
        try await signIn()
        let story = try Story(folder.path) { [child] process in
            try await Self.comesToRest(process)
            defer { kill(process, SIGCONT) }
            try await Self.refresh(child)
        }
        await #expect(processExitsWith: .success) {
            [child = child as StoppedChild] in try await child.run(.beforeTheRequest)
        }
        try await story.end()
        #expect(authority.counters.refreshRequests == 1)
        #expect(authority.counters.reuseDetections == 0 && authority.counters.revokedFamilies == 0)
    }

    @Test func `who was stopped before the answer came is replaced as after a kill: with a grace time nothing is lost`()
        async throws
    {
        authority.configuration.rotation = .grace(seconds: 60)
        try await signIn()
        let gate = LabGate()
        authority.fail(.token, with: .late(gate), times: 1)
        let story = try Story(folder.path) { [child] process in
            await gate.waitForArrivals(1)
            kill(process, SIGSTOP)
            defer { kill(process, SIGCONT) }
            try await Self.comesToRest(process)
            gate.open()
            try await Self.refresh(child)
        }
        await #expect(processExitsWith: .success) {
            [child = child as StoppedChild] in try await child.run(.beforeTheAnswer)
        }
        try await story.end()
        #expect(authority.counters.graceAnswers == 1)
        #expect(authority.counters.reuseDetections == 0 && authority.counters.revokedFamilies == 0)
    }

    @Test func `without a grace time that is a lost answer, and both processes say so`() async throws {
        try await signIn()
        let gate = LabGate()
        authority.fail(.token, with: .late(gate), times: 1)
        let story = try Story(folder.path) { [child] process in
            await gate.waitForArrivals(1)
            kill(process, SIGSTOP)
            defer { kill(process, SIGCONT) }
            try await Self.comesToRest(process)
            gate.open()
            await #expect(throws: SessionFailure.reloginNeeded(.lostRotation)) { try await Self.refresh(child) }
        }
        await #expect(processExitsWith: .failure) {
            [child = child as StoppedChild] in try await child.run(.beforeTheAnswer)
        }
        try await story.end()
        try await child.files.inKeychain {
            let work = try child.connections().open("work")
            #expect(await work.session?.state == .reloginNeeded(.lostRotation))
        }
    }

    @Test func `a lease that ends before anything was sent is taken anew, and the token is spent once`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        // The journal takes a minute and more, once.
        stage.memory.set { [time = stage.time] state in
            state.writes = 0
            state.onWrite = { if $0 == 1 { time.advance(seconds: 61) } }
        }
        #expect(try await stage.session().accessToken().stamp.generation == 2)
        #expect(stage.server.refreshCalls == 1)
    }

    @Test func `no answer is waited for beyond the lease`() async throws {
        let stage = try Stage(ScriptedServer(onToken: { try? await Task.sleep(for: .seconds(86_400)) }))
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        var policy = RefreshPolicy()
        policy.lockLease = .seconds(10)
        let session = stage.session(policy)
        let caller = Task { try await session.accessToken() }
        // The client's own limit, and one second.
        #expect(await stage.naps.isSleeping(from: .seconds(11), upTo: .seconds(11)))
        caller.cancel()
    }

    @Test func `a refusal that comes after another holder has stored its record is no sign-out`() async throws {
        let gate = Gate()
        let stage = try Stage(ScriptedServer(onToken: { await gate.wait() }))
        try await stage.signIn()
        stage.time.advance(seconds: 1801)
        stage.server.script(.status(400, body: #"{"error":"invalid_client"}"#))
        let session = stage.session()
        let caller = Task { try await session.accessToken() }
        await gate.waitForGuest()
        // Who replaced this one, which was stopped.
        let old = try #require(try stage.record)
        let grant = TokenGrant(
            accessToken: SharedSecretBytes("at-9"), refreshToken: SharedSecretBytes("rt-9"), lifetime: 1800)
        let newer = old.renewed(by: grant, at: ClockReading(stage.time.source))
        guard case .done = try await stage.store.swap(old.stamp, for: newer) else {
            Issue.record("not stored")
            return
        }
        gate.open()
        #expect(try await caller.value.stamp.generation == 2)
        #expect(await session.state == .active)
    }

    // What another process does meanwhile: it needs a token, while the first one is on its way to another.
    private static func refresh(_ child: StoppedChild) async throws {
        try await child.files.inKeychain {
            let work = try child.connections().open("work")
            let session = try #require(work.session)
            let begin = ContinuousClock.now
            // The journal of the one that stands still comes before any use of the session (SR12).
            #expect(try await session.accessToken().stamp.generation == 2)
            // A lease of three seconds and two of patience, on a machine that may be busy.
            #expect(ContinuousClock.now - begin < .seconds(40))
            #expect(try await work.send(HTTPRequest("GET", work.url("/api/files"))).status == 200)
        }
    }

    private func signIn() async throws {
        let browser = AddressReader { [authority] (url) throws(BrowserFailure) in
            do { _ = try LabBrowser.open(try authority.approve("\(url)")) } catch { throw BrowserFailure("\(error)") }
        }
        try await child.files.inKeychain {
            let origin = try WebURL(authority.issuer).origin
            let work = try child.connections().add(
                "work", origin: origin, clientID: "pavise-lab", scopes: ["openid", "api"])
            try await work.signIn(browser: browser, binding: .never)
        }
    }

    // Each thread of a process that was stopped stands still a moment later.
    private static func comesToRest(_ process: Int32) async throws {
        while true {
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
            let states = try threads.map { thread -> Substring in
                let text = String(
                    decoding: try InputFile.read("/proc/\(process)/task/\(thread)/stat", limit: 1 << 16),
                    as: UTF8.self)
                return text[text.index(after: text.lastIndex(of: ")") ?? text.startIndex)...].prefix(2)
            }
            if states.allSatisfy({ $0 == " T" }) { return }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// What a test does beside its child, from the child's word on.
private struct Story {
    private let pipe: TestPipe
    private let task: Task<Void, any Error>

    init(_ folder: String, _ body: @escaping @Sendable (_ process: Int32) async throws -> Void) throws {
        let pipe = try TestPipe(folder: folder)
        self.pipe = pipe
        let process = Thread.working { () throws -> Int32 in
            var found: Int32?
            try pipe.listen { line in
                if line.hasPrefix("ready ") { found = Int32(line.dropFirst(6)) }
                return true
            }
            guard let found else { throw LabFailure.request("the child ended early") }
            return found
        }
        task = Task { try await body(try await process.value) }
    }

    /// Waits for the end of it. The child has ended.
    func end() async throws {
        try pipe.end()
        try await task.value
    }
}
