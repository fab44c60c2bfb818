import Foundation
import Pavise
import PaviseAppLock
import PaviseCommands
import PaviseDevice
import PaviseLab
import PaviseLabCommands
import PaviseManaged
import PavisePrimitives
import PaviseSession
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport

/// A stage with a real server, the lab's authority, that nobody trusts until somebody approves it.
final class LabStage: Sendable {
    let authority: LabAuthority
    let identity: ServerIdentity
    let folder: TemporaryFolder
    let person = ScriptedPerson()
    /// What happens while the program waits for a person at another device.
    let waiting = DeviceWaiting()
    /// Signed the server's certificate.
    let certificates: CertificateAuthority
    /// The administrator's file.
    let managed: String
    private let anchors = Mutex<[[UInt8]]>([])
    private let makeVault: Connections.MakeVault
    private let time: TimeSource
    private let authorities: [String]
    private let findTPM: @Sendable () throws(TPMFailure) -> TPMAddress.Search
    private let appLock: AppLock?

    /// - Parameters:
    ///   - makeVault: Where sessions lie; `nil` keeps them in memory, in the clear.
    ///   - isTrusted: Whether the machine knows the authority of the certificate.
    ///   - time: The clock that the program sees.
    ///   - people: The root of the certificates that a second server demands.
    ///   - authorities: The variables that are said to name authorities.
    ///   - findTPM: The TPM that speaks for the machine.
    ///   - clock: The clock that the authority sees.
    ///   - appLock: The app lock over the connections.
    init(
        _ configuration: AuthorityConfiguration = AuthorityConfiguration(), makeVault: Connections.MakeVault? = nil,
        isTrusted: Bool = false, time: TimeSource = .system, authorities: [String] = [], people: [UInt8]? = nil,
        findTPM: @escaping @Sendable () throws(TPMFailure) -> TPMAddress.Search = { .none },
        clock: TimeSource = .system, appLock: AppLock? = nil
    ) throws {
        self.findTPM = findTPM
        self.appLock = appLock
        self.time = time
        self.authorities = authorities
        let store = MemoryStore()
        self.makeVault = makeVault ?? { _ in TokenVault(store: store, key: ClearKey()) }
        certificates = try CertificateAuthority()
        identity = try certificates.issue()
        authority = try LabAuthority.start(identity, people: people, configuration: configuration, clock: clock)
        folder = try TemporaryFolder()
        managed = folder.path + "/managed.json"
        if isTrusted { trust(certificates) }
    }

    /// The machine knows this authority too.
    func trust(_ authority: CertificateAuthority) { anchors.withLock { $0.append(authority.anchor) } }

    /// Writes the administrator's file.
    func manage(_ text: String, mode: Int = 0o644) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: managed))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: managed)
    }

    /// The folder of the only connection.
    var connection: String {
        get throws {
            let home = folder.path + "/home/connections"
            let names = try FileManager.default.contentsOfDirectory(atPath: home).filter { !$0.hasPrefix(".") }
            return home + "/" + (names.first ?? "none")
        }
    }

    /// What one run of the program gave.
    struct Result {
        let status: ProgramStatus
        let output: String
        let messages: String
        /// The output as JSON.
        var json: JSONValue? { try? JSONValue.parse(Array(output.utf8)) }
    }

    /// Runs `pavise` with `words`; a browser plays the person at once.
    func run(_ words: String...) async -> Result { await run(words) }

    func run(_ words: [String]) async -> Result { await run { await Program.run(words, in: $0) } }

    /// Runs `pavise-lab` with `words` on the same home.
    func runLab(_ words: String...) async -> Result { await runLab(words) }

    func runLab(_ words: [String]) async -> Result { await run { await LabProgram.run(words, in: $0) } }

    /// Answers authorities for this machine's TPM.
    var attester: DeviceAttester { environment(MemorySink(), MemorySink()).attester }

    private func run(_ body: (Environment) async -> ProgramStatus) async -> Result {
        let output = MemorySink()
        let messages = MemorySink()
        if waiting.isAtTerminal { messages.becomeTerminal() }
        let status = await body(environment(output, messages))
        return Result(status: status, output: output.text, messages: messages.text)
    }

    private func environment(_ output: MemorySink, _ messages: MemorySink) -> Environment {
        Environment(
            console: Console(output: output, messages: messages, allowsColour: false), person: person,
            home: PaviseHome(path: folder.path + "/home"), time: time, keychain: MemoryKeychain(),
            browser: AddressReader { [authority] url throws(BrowserFailure) in
                let address = "\(url)"
                // A thread of its own, as a browser has: it blocks until the listener answers.
                let isOpen = await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        let callback = try? authority.approve(address)
                        continuation.resume(returning: callback.flatMap { try? LabBrowser.open($0) } != nil)
                    }
                }
                guard isOpen else { throw BrowserFailure("the authority did not approve") }
            },
            makeVault: makeVault,
            makeTransport: { [self] policy throws(TransportFailure) in
                var policy = policy
                let known = anchors.withLock { $0 }
                if !known.isEmpty { policy.anchors = .only(known) }
                return try HTTPClient(policy: policy)
            }, managed: ManagedFile(system: managed, named: nil), stop: waiting.stop, sleep: waiting.sleep,
            appLock: appLock, authorities: authorities, findTPM: findTPM)
    }

    /// Connects under the name `work`, approving the lab's certificate.
    func connect(_ more: String...) async -> Result {
        await run(
            [
                "connect", authority.issuer, "--name", "work", "--client-id", "pavise-lab", "--approve-certificate",
                identity.pin,
            ]
                + more)
    }

    deinit { authority.stop() }
}

/// Sealed packets in memory.
final class MemoryStore: SecretStore {
    private let items = Mutex<[ItemName: [UInt8]]>([:])

    func read(_ name: ItemName) throws(VaultFailure) -> StoreResult {
        guard let bytes = items.withLock({ $0[name] }) else { return .absent }
        return .found(SecretBytes(copying: bytes.span))
    }

    func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) { try replace(bytes, as: name) }

    func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        let copy = Array(bytes)
        items.withLock { $0[name] = copy }
    }

    func delete(_ name: ItemName) throws(VaultFailure) { items.withLock { $0[name] = nil } }
}

/// A key that seals nothing: these tests are about commands.
struct ClearKey: SealingKey {
    func prepare() throws(VaultFailure) {}
    func seal(_ plain: Span<UInt8>) throws(VaultFailure) -> [UInt8] { Array(plain) }
    func open(_ packet: Span<UInt8>) throws(VaultFailure) -> SecretBytes { SecretBytes(copying: packet) }
    func destroy() throws(VaultFailure) {}
}
