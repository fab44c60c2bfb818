import PaviseCommands
import PavisePrimitives
import PaviseVault
import Synchronization

/// A stage for one command: streams, a person and a keychain that live in memory.
final class Stage: Sendable {
    let output = MemorySink()
    let messages = MemorySink()
    let keychain: MemoryKeychain
    let person = ScriptedPerson()

    init() { keychain = MemoryKeychain() }

    /// A second stage that sees the keychain of the first.
    init(keychainOf other: Stage) { keychain = other.keychain }

    /// Runs `pavise` with `words`.
    func run(_ words: String...) async -> ProgramStatus { await Program.run(words, in: environment) }

    var environment: Environment {
        Environment(
            console: Console(output: output, messages: messages, allowsColour: true), person: person,
            home: PaviseHome(path: "/nowhere/pavise"), time: ManualTime().source, keychain: keychain)
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

    func answer(to question: String) throws(SystemFailure) -> String? {
        answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

/// A keychain in memory, which can be made to fail.
final class MemoryKeychain: Keychain {
    private let items = Mutex<[KeychainEntry: [UInt8]]>([:])
    private let failure = Mutex<VaultFailure?>(nil)

    func fail(with problem: VaultFailure?) { failure.withLock { $0 = problem } }

    func add(_ value: borrowing SecretBytes, as entry: KeychainEntry) throws(VaultFailure) {
        guard items.withLock({ $0[entry] }) == nil else { throw .duplicate }
        try replace(value, as: entry)
    }

    func replace(_ value: borrowing SecretBytes, as entry: KeychainEntry) throws(VaultFailure) {
        if let problem = failure.withLock({ $0 }) { throw problem }
        let bytes = value.withBytes { span in span.indices.map { span[$0] } }
        items.withLock { $0[entry] = bytes }
    }

    func read(_ entry: KeychainEntry) throws(VaultFailure) -> StoreAnswer {
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
