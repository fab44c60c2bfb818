import Foundation
import Pavise
import PaviseCommands
import PaviseDevice
import PavisePrimitives
import PaviseTransport
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// A home with a device of its own: a clock that stands still, keys that no other process sees, and a person with
/// answers.
final class DeviceStage: Sendable {
    let time = ManualTime()
    let asker = ScriptedAsker()
    let person = ScriptedPerson()
    let home: PaviseHome
    let device: DeviceEnvironment
    private let folder: TemporaryFolder
    private let secrets = WatchedSecrets()
    private let stopped = Mutex(false)

    /// - Parameter hardware: What the machine says of a TPM. A device that is made on it says that it is one; `nil` is
    ///   a machine that knows none.
    init(hardware: ElementAvailability? = nil) throws {
        folder = try TemporaryFolder()
        home = PaviseHome(path: folder.path + "/home")
        let makers = hardware.map { availability in
            ElementFactory(
                kind: .tpm, availability: { availability },
                open: { folder, mayCreate throws(DeviceFailure) in
                    try SoftwareElement.open(folder, mayCreate: mayCreate)
                })
        }
        device = DeviceEnvironment(
            time: time.source, elements: ElementChoice([makers, .software].compactMap { $0 }),
            places: [ProcessKeys(time: time.source)])
    }

    /// Runs `pavise` with `words`; `typed` is what the person types when asked, one after the other.
    ///
    /// A secret that is printed anywhere fails the test.
    func run(_ words: String..., typing typed: [String] = [], input: [String] = []) async -> LabStage.Result {
        await run(words, typing: typed, input: input)
    }

    /// - Parameter isTerminal: Whether results go to a terminal.
    func run(
        _ words: [String], typing typed: [String] = [], input: [String] = [], isTerminal: Bool = false
    ) async -> LabStage.Result {
        asker.will(type: typed)
        input.forEach { person.willType(secret: $0) }
        return await secrets.run(words, typing: typed + input) { output, messages in
            if isTerminal { output.becomeTerminal() }
            return environment(output, messages)
        }
    }

    /// Runs `pavise` with `words` over streams of the test's own.
    func run(_ words: [String], output: any ByteSink, messages: any ByteSink) async -> ProgramStatus {
        await Program.run(words, in: environment(output, messages))
    }

    /// From now on somebody wants the program to stop.
    func willStop() { stopped.withLock { $0 = true } }

    private func environment(_ output: any ByteSink, _ messages: any ByteSink) -> Environment {
        Environment(
            console: Console(output: output, messages: messages, allowsColour: false), person: person, home: home,
            time: time.source, keychain: MemoryKeychain(), browser: SystemBrowser(), asker: asker, device: device,
            makeVault: Connections.platformVault,
            makeTransport: { policy throws(TransportFailure) in try HTTPClient(policy: policy) },
            stop: { () throws(SystemFailure) in }, isStopped: { self.stopped.withLock { $0 } })
    }

    /// Sets a passcode whose guesses cost nothing; what the command itself sets is tested apart.
    func setPasscode(_ passcode: String, _ policy: ThrottlePolicy = ThrottlePolicy()) throws {
        secrets.insert(passcode)
        try Device.open(home, device).setPasscode(
            SecretBytes(utf8: passcode), policy: policy, cost: Argon2Cost(kibibytes: 8, passes: 1))
    }

    /// A field of `pavise device status --json`.
    func status(_ name: String) async -> JSONValue? { await run("device", "status", "--json").json?[name] }
}

/// Types the answers one after the other, then stops every question. It keeps the questions.
final class ScriptedAsker: PasscodeAsker {
    private let answers = Mutex<[String]>([])
    private let asked = Mutex<[PasscodeQuestion]>([])
    private let watcher = Mutex<(@Sendable (PasscodeQuestion) -> Void)?>(nil)

    /// What was asked so far.
    var questions: [PasscodeQuestion] { asked.withLock { $0 } }

    /// Calls `body` with each question, before it is answered.
    func atEachQuestion(_ body: @escaping @Sendable (PasscodeQuestion) -> Void) { watcher.withLock { $0 = body } }

    func will(type texts: [String]) { answers.withLock { $0 += texts } }

    func ask(_ question: PasscodeQuestion) throws(DeviceFailure) -> SecretBytes {
        asked.withLock { $0.append(question) }
        watcher.withLock { $0 }?(question)
        guard let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw .cancelled }
        return SecretBytes(utf8: answer)
    }
}
