import Pavise
import PaviseCommands
import PaviseDevice
import PavisePrimitives
import PaviseSession
import PaviseTransport
import PaviseVault
import Synchronization

/// A stage for one command: streams, a person and a keychain that live in memory.
final class Stage: Sendable {
    let output = MemorySink()
    let messages = MemorySink()
    let keychain: MemoryKeychain
    let person = ScriptedPerson()
    let server = ScriptedServer()
    let time = ManualTime()

    init() { keychain = MemoryKeychain() }

    /// A second stage that sees the keychain of the first.
    init(keychainOf other: Stage) { keychain = other.keychain }

    /// Runs `pavise` with `words`.
    func run(_ words: String...) async -> ProgramStatus { await run(words) }

    func run(_ words: [String]) async -> ProgramStatus { await Program.run(words, in: environment) }

    var environment: Environment {
        Environment(
            console: Console(output: output, messages: messages, allowsColour: true), person: person,
            home: PaviseHome(path: "/nowhere/pavise"), time: time.source, keychain: keychain,
            browser: SystemBrowser(), makeVault: Connections.platformVault,
            makeTransport: { [server] policy in server.transport(under: policy) })
    }
}

/// Collects what is written.
final class MemorySink: ByteSink {
    private let bytes = Mutex<[UInt8]>([])
    private let terminal = Mutex(false)

    var isTerminal: Bool { terminal.withLock { $0 } }
    func becomeTerminal() { terminal.withLock { $0 = true } }
    func write(_ more: [UInt8]) throws(SystemFailure) { bytes.withLock { $0 += more } }
    var all: [UInt8] { bytes.withLock { $0 } }
    var text: String { String(decoding: all, as: UTF8.self) }
}

/// Types what the test says.
final class ScriptedPerson: Person {
    private let secrets = Mutex<[String]>([])
    private let answers = Mutex<[String]>([])

    func willType(secret: String) { secrets.withLock { $0.append(secret) } }
    func willAnswer(_ answer: String) { answers.withLock { $0.append(answer) } }

    func secret(_ prompt: String) throws(SystemFailure) -> SecretBytes? {
        guard let text = secrets.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
        return SecretBytes(utf8: text)
    }

    func value(_ prompt: String) throws(ValueProblem) -> SecretBytes? {
        do throws(SystemFailure) { return try secret(prompt) } catch { throw .system(error) }
    }

    func secrets(_ prompts: [String]) throws(SystemFailure) -> [SharedSecretBytes] {
        var given: [SharedSecretBytes] = []
        for prompt in prompts {
            guard let typed = try secret(prompt) else { break }
            given.append(SharedSecretBytes(typed))
        }
        return given
    }

    func answer(to question: String) throws(SystemFailure) -> String? {
        answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

/// A keychain in memory, which can be made to fail.
final class MemoryKeychain: Keychain {
    private let items = Mutex<[KeychainEntry: [UInt8]]>([:])
    private let failure = Mutex<VaultFailure?>(nil)
    private let others = Mutex<[String: Int]>([:])

    var itemsOfOtherPrograms: [String: Int] { others.withLock { $0 } }
    func showOthers(_ counts: [String: Int]) { others.withLock { $0 = counts } }

    func fail(with problem: VaultFailure?) { failure.withLock { $0 = problem } }

    func add(_ value: borrowing SecretBytes, as entry: KeychainEntry) throws(VaultFailure) {
        guard items.withLock({ $0[entry] }) == nil else { throw .duplicate }
        try replace(value, as: entry)
    }

    func replace(_ value: borrowing SecretBytes, as entry: KeychainEntry) throws(VaultFailure) {
        if let problem = failure.withLock({ $0 }) { throw problem }
        let bytes = value.withBytes { span in Array(span) }
        items.withLock { $0[entry] = bytes }
    }

    func read(_ entry: KeychainEntry) throws(VaultFailure) -> StoreResult {
        if let problem = failure.withLock({ $0 }) { throw problem }
        guard let bytes = items.withLock({ $0[entry] }) else { return .absent }
        return .found(SecretBytes(copying: bytes.span))
    }

    func list(service: String?) throws(VaultFailure) -> [KeychainEntry] {
        items.withLock { Array($0.keys) }.filter { service == nil || $0.service == service }
            .sorted { ($0.service, $0.account) < ($1.service, $1.account) }
    }

    func remove(_ entry: KeychainEntry) throws(VaultFailure) -> Bool {
        items.withLock { $0.removeValue(forKey: entry) != nil }
    }
}

/// A server whose certificate and answers the test decides; requests are recorded.
final class ScriptedServer: Sendable {
    private struct State {
        var chain = EvaluatedChain(failures: [], path: [], summary: .sample)
        var answers: [HTTPResponse] = []
        var requests: [HTTPRequest] = []
        var failure: TransportFailure?
        var profiles: [TrustPolicy.TLSProfile] = []
    }
    private let state = Mutex(State())

    func shows(_ failures: [TrustFailure], spki: String = CertificateSummary.sample.spki) {
        let pin = Pin(spki)
        state.withLock {
            $0.chain = EvaluatedChain(failures: failures, path: pin.map { [$0] } ?? [], summary: .sample)
        }
    }

    func fail(with failure: TransportFailure) { state.withLock { $0.failure = failure } }
    func willAnswer(_ answer: HTTPResponse) { state.withLock { $0.answers.append(answer) } }
    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func transport(under policy: TrustPolicy) -> HTTPClient {
        state.withLock { $0.profiles.append(policy.tls) }
        return HTTPClient(policy: policy) { [self] (order) throws(TransportFailure) in
            try answer(order.request, policy)
        } inspecting: { [self] (origin) throws(TransportFailure) in
            if let failure = state.withLock({ $0.failure }) { throw failure }
            return ServerInspection(
                origin: origin, decision: decide(policy, origin), chain: state.withLock { $0.chain },
                connection: ConnectionFacts())
        }
    }

    /// The profiles of the clients that were made since the last question.
    func takeProfiles() -> [TrustPolicy.TLSProfile] {
        state.withLock { state in
            defer { state.profiles = [] }
            return state.profiles
        }
    }

    private func answer(_ request: HTTPRequest, _ policy: TrustPolicy) throws(TransportFailure) -> HTTPResponse {
        if let refusal = decide(policy, request.url.origin).refusal { throw .untrusted(refusal) }
        if let failure = state.withLock({ $0.failure }) { throw failure }
        return state.withLock { state in
            state.requests.append(request)
            guard !state.answers.isEmpty else { return HTTPResponse(status: 404, fields: HTTPFields(), body: []) }
            return state.answers.removeFirst()
        }
    }

    private func decide(_ policy: TrustPolicy, _ origin: Origin) -> TrustDecision {
        policy.decide(on: state.withLock { $0.chain }, at: origin, seconds: 1_900_000_000)
    }

}

extension CertificateSummary {
    static let sample = CertificateSummary(
        subject: "CN=cloud.example", names: ["cloud.example"], issuer: "CN=Somebody\u{1B}[2J", notBefore: 1_899_000_000,
        notAfter: 1_910_000_000, key: "EC 256", signature: "ecdsa-with-SHA256", serial: "01",
        fingerprint: String(repeating: "ab", count: 32), spki: Base64.encode([UInt8](repeating: 7, count: 32)))
}
