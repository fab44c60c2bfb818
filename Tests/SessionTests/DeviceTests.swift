import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

@testable import PaviseSession

/// RFC 8628: signing in on a device without a browser.
@Suite struct DeviceTests {
    private func world(
        clock: TimeSource = .system, _ change: (inout AuthorityConfiguration) -> Void = { _ in }
    ) throws -> LabWorld {
        var configuration = AuthorityConfiguration()
        change(&configuration)
        return try LabWorld(configuration, clock: clock)
    }

    private func run(
        _ world: LabWorld, _ pauses: Pauses = Pauses(), time: TimeSource = .system,
        attester: (any ClientAttester)? = nil,
        show: @escaping @Sendable (DevicePrompt) throws -> Void
    ) async throws(SignInFailure) -> SignIn.Success {
        var environment = SessionEnvironment(time: time, sleep: { try await pauses.wait($0) })
        environment.attester = attester
        let signIn = SignIn(client: world.client, browser: AddressReader { _ in }, environment: environment)
        let server = try await signIn.discover(issuer: world.authority.issuer)
        guard let resource = (try? WebURL(world.authority.issuer))?.origin else { throw .wrongMethod }
        let request = SignIn.Request(clientID: "pavise-lab", resource: resource)
        return try await signIn.runOnDevice(at: server, request, into: world.store) { prompt in
            do { try show(prompt) } catch { Issue.record("\(error)") }
        }
    }

    @Test func `a code that a person types elsewhere signs in, with a verified id_token`() async throws {
        let world = try world()
        let authority = world.authority
        let success = try await run(world) { prompt in
            #expect(prompt.address.origin.scheme == .https && prompt.code.count == 8)
            try authority.approveDevice(prompt.code)
        }
        #expect(success.subject == "alice")
        #expect(try await success.session.send(try world.request()).status == 200)
    }

    @Test func `a person who refuses signs nobody in`() async throws {
        let world = try world()
        let authority = world.authority
        await #expect(throws: SignInFailure.refused(code: "access_denied")) {
            try await run(world) { try authority.approveDevice($0.code, as: nil) }
        }
        #expect(try world.record == nil)
    }

    @Test func `nobody is waited for longer than the code holds`() async throws {
        let time = ManualTime()
        let world = try world(clock: time.source) { $0.codeLifetime = 60 }
        let pauses = Pauses(time)
        await #expect(throws: SignInFailure.timeout) { try await run(world, pauses, time: time.source) { _ in } }
        #expect(pauses.all == [Duration](repeating: .seconds(5), count: pauses.all.count))
        #expect((10...12).contains(world.authority.counters.tokenRequests))
    }

    @Test func `an authority without the endpoint is not asked`() async throws {
        let world = try world { $0.offersDevices = false }
        await #expect(throws: SignInFailure.withoutDeviceGrant) { try await run(world) { _ in } }
    }

    @Test func `IN14: an authority that wants an attestation for a code gets one, as at its other endpoints`()
        async throws
    {
        let world = try world { $0.demandsAttestation = true }
        let attester = RecordingAttester()
        // The lab does not believe this one: what counts is that it came.
        await #expect(throws: SignInFailure.refused(code: "invalid_client_attestation")) {
            try await run(world, attester: attester) { _ in Issue.record("a code was shown") }
        }
        #expect(world.authority.counters.refusedAttestations == 1)
        let demands = attester.demands
        #expect(demands.map(\.issuer) == [world.authority.issuer] && demands.map(\.clientID) == ["pavise-lab"])
        #expect(demands.allSatisfy { !$0.challenge.isEmpty })
    }

    @Test(arguments: [
        AuthorityFault.status(500), .page(200), .error(400, "invalid_scope"), .hangUp, .without("device_code"),
        .without("expires_in"), .member("user_code", "\u{202E}abc"), .member("verification_uri", "http://a.example/"),
        .member("verification_uri", "javascript:alert(1)"), .redirect(302, to: "https://127.0.0.1:1/"),
        .twice("user_code", "x"), .oversized(bytes: 200_000),
    ])
    func `an answer that is none shows no code`(_ fault: AuthorityFault) async throws {
        let world = try world()
        world.authority.fail(.device, with: fault)
        await #expect(throws: SignInFailure.self) { try await run(world) { _ in Issue.record("a code was shown") } }
        #expect(world.authority.counters.tokenRequests == 0)
    }

    @Test(arguments: [429, 503])
    func `an authority that has too much to do refuses nobody`(_ status: Int) async throws {
        let world = try world { $0.demandsPushedRequests = true }
        for endpoint in [AuthorityEndpoint.device, .par] {
            world.authority.fail(endpoint, with: .error(status, "temporarily_unavailable"))
        }
        await #expect(throws: SignInFailure.unavailable(.server)) {
            try await run(world) { _ in Issue.record("a code was shown") }
        }
        await #expect(throws: SignInFailure.unavailable(.server)) { try await world.signIn() }
    }

    @Test func `a server that names a time is not asked before it`() {
        var polling = DevicePolling(interval: 5, end: 1_000_000)
        #expect(polling.next(after: .transient(.server, retryAfter: 120), at: 0) == .wait(120))
        // It holds for one question; what the flow itself has learned stays.
        #expect(polling.next(after: .rejected(code: "authorization_pending"), at: 120_000) == .wait(10))
        #expect(polling.next(after: .transient(.server, retryAfter: 0), at: 0) == .wait(20))
        #expect(polling.next(after: .transient(.server, retryAfter: -9), at: 0) == .wait(40))
        #expect(polling.next(after: .transient(.server, retryAfter: .max), at: 0) == .expired)
    }

    @Test func `a wrong id_token stops here too, and nothing is stored`() async throws {
        let world = try world()
        let authority = world.authority
        authority.idTokenFault = .wrongAudience
        await #expect(throws: SignInFailure.identity(.audience)) {
            try await run(world) { try authority.approveDevice($0.code) }
        }
        #expect(try world.record == nil && world.authority.counters.revocations > 0)
    }

    @Test func `a server that asks for patience gets it, and a code ends in time`() {
        var polling = DevicePolling(interval: nil, end: 100_000)
        #expect(polling.next(after: .rejected(code: "authorization_pending"), at: 0) == .wait(5))
        #expect(polling.next(after: .rejected(code: "slow_down"), at: 0) == .wait(10))
        #expect(polling.next(after: .transient(.network), at: 0) == .wait(20))
        #expect(polling.next(after: .transient(.server), at: 0) == .wait(40))
        #expect(polling.next(after: .rejected(code: "slow_down"), at: 0) == .wait(45))
        #expect(polling.next(after: .rejected(code: "authorization_pending"), at: 60_000) == .expired)
        #expect(polling.next(after: .rejected(code: "expired_token"), at: 0) == .expired)
        #expect(polling.next(after: .definitive, at: 0) == .refused(code: "invalid_grant"))
        #expect(polling.next(after: .rejected(code: "access_denied"), at: 0) == .refused(code: "access_denied"))
        #expect(polling.next(after: .keyLost, at: 0) == .keyLost)
        #expect(polling.next(after: .forbidden, at: 0) == .forbidden)
        #expect(
            DevicePolling(interval: -5, end: 0).interval == 1 && DevicePolling(interval: .max, end: 0).interval == 1800)
        // RFC 8628 §3.5: each demand counts, also beyond a minute.
        var slow = DevicePolling(interval: 90, end: 1_000_000)
        #expect(slow.next(after: .rejected(code: "authorization_pending"), at: 0) == .wait(90))
        #expect(slow.next(after: .rejected(code: "slow_down"), at: 0) == .wait(95))
        #expect(slow.next(after: .transient(.network), at: 0) == .wait(95))
    }
}

/// The pauses that were asked for; they pass at once, and the clock with them.
final class Pauses: Sendable {
    private let list = Mutex<[Duration]>([])
    private let time: ManualTime?

    init(_ time: ManualTime? = nil) { self.time = time }

    var all: [Duration] { list.withLock { $0 } }

    func wait(_ pause: Duration) async throws {
        // The flow's own pauses are short; what is longer is the deadline of a request, which is cancelled with it.
        guard pause <= .seconds(5) else { return try await Task.sleep(for: pause) }
        list.withLock { $0.append(pause) }
        time?.advance(seconds: Double(pause.components.seconds))
    }
}

/// Shows what nobody believes, and keeps what it was asked.
private final class RecordingAttester: ClientAttester {
    private let list = Mutex<[AttestationDemand]>([])

    var demands: [AttestationDemand] { list.withLock { $0 } }

    func attestation(for demand: AttestationDemand, through client: HTTPClient) async -> ClientAttestation? {
        list.withLock { $0.append(demand) }
        return ClientAttestation(attestation: "a.b.c", proof: "d.e.f")
    }
}
