import Foundation
import Pavise
import PaviseCommands
import PaviseLab
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
    private let makeVault: Connections.MakeVault

    /// - Parameter makeVault: Where sessions lie; `nil` keeps them in memory, in the clear.
    init(
        _ configuration: AuthorityConfiguration = AuthorityConfiguration(), makeVault: Connections.MakeVault? = nil
    ) throws {
        let store = MemoryStore()
        self.makeVault = makeVault ?? { _ in TokenVault(store: store, key: ClearKey()) }
        identity = try CertificateAuthority().issue()
        authority = try LabAuthority.start(identity, configuration: configuration)
        folder = try TemporaryFolder()
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

    func run(_ words: [String]) async -> Result {
        let output = MemorySink()
        let messages = MemorySink()
        let environment = Environment(
            console: Console(output: output, messages: messages, allowsColour: false), person: person,
            home: PaviseHome(path: folder.path + "/home"), time: .system, keychain: MemoryKeychain(),
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
            makeTransport: { policy throws(TransportFailure) in try CurlTransport(policy: policy) })
        let status = await Program.run(words, in: environment)
        return Result(status: status, output: output.text, messages: messages.text)
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

    func read(_ name: ItemName) throws(VaultFailure) -> StoreAnswer {
        guard let bytes = items.withLock({ $0[name] }) else { return .absent }
        return .found(SecretBytes(copying: bytes.span))
    }

    func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) { try replace(bytes, as: name) }

    func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        let copy = bytes.indices.map { bytes[$0] }
        items.withLock { $0[name] = copy }
    }

    func delete(_ name: ItemName) throws(VaultFailure) { items.withLock { $0[name] = nil } }
}

/// A key that seals nothing: these tests are about commands.
struct ClearKey: SealingKey {
    func prepare() throws(VaultFailure) {}
    func seal(_ plain: Span<UInt8>) throws(VaultFailure) -> [UInt8] { plain.indices.map { plain[$0] } }
    func open(_ packet: Span<UInt8>) throws(VaultFailure) -> SecretBytes { SecretBytes(copying: packet) }
    func destroy() throws(VaultFailure) {}
}
