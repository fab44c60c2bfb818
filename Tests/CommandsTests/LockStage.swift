import Foundation
import Pavise
import PaviseAppLock
import PaviseCommands
import PaviseDevice
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// A home with a keychain and a lock whose guesses cost nothing. Each run opens the lock anew, as a process does; what
/// an unlock left is where the kernel's keyring would be.
final class LockStage: Sendable {
    let time = ManualTime()
    let asker = ScriptedAsker()
    let person = ScriptedPerson()
    let server = ScriptedServer()
    let home: PaviseHome
    private let security: SecurityEnvironment
    private let folder: TemporaryFolder
    private let secrets = WatchedSecrets()
    private let isManaged = Mutex(false)

    init() throws {
        folder = try TemporaryFolder()
        home = PaviseHome(path: folder.path + "/home")
        var security = SecurityEnvironment(home: home)
        security.device = DeviceEnvironment(
            time: time.source, elements: ElementChoice([.software]), places: [ProcessKeys(time: time.source)])
        security.device.backupCost = Argon2Cost(kibibytes: 8, passes: 1)
        self.security = security
    }

    /// A home that an older program made.
    init(_ golden: GoldenHome) {
        folder = golden.folder
        home = golden.home
        var security = SecurityEnvironment(home: home, accessGroups: GoldenHome.groups)
        security.device = DeviceEnvironment(
            time: time.source, elements: ElementChoice([.software]), places: [ProcessKeys(time: time.source)])
        security.device.backupCost = Argon2Cost(kibibytes: 8, passes: 1)
        self.security = security
    }

    /// Runs `pavise` with `words`; a PIN that is printed anywhere fails the test.
    func run(_ words: String..., typing typed: [String] = [], input: [String] = []) async -> LabStage.Result {
        await runWords(words, typing: typed, input: input)
    }

    func runWords(_ words: [String], typing typed: [String] = [], input: [String] = []) async -> LabStage.Result {
        asker.will(type: typed)
        input.forEach { person.willType(secret: $0) }
        return await inHome { await secrets.run(words, typing: typed + input, minimum: 4, in: environment) }
    }

    /// The same by a program of another name in the same home.
    func run(as groups: [String], _ words: String..., input: [String] = []) async -> LabStage.Result {
        input.forEach { person.willType(secret: $0) }
        var other = security
        other.accessGroups = groups
        return await SecurityEnvironment.$override.withValue(other) {
            await secrets.run(words, typing: input, minimum: 4, in: environment)
        }
    }

    func inHome<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await SecurityEnvironment.$override.withValue(security) { try await body() }
    }

    /// Lays down an administrator's rules.
    func manage(_ rules: String) throws {
        try Data(rules.utf8).write(to: URL(fileURLWithPath: folder.path + "/managed.json"))
        isManaged.withLock { $0 = true }
    }

    var lock: AppLock {
        var parts = AppLockParts.platform(sharesUnlock: true, home: home, time: time.source)
        parts.code = PlatformPINKeyDerivation(price: PINKeyDerivationBridge.KDFCost(kibibytes: 8, passes: 1))
        return AppLock(parts) { [home] _ in try Connections(home: home).wipe() }
    }

    func environment(_ output: MemorySink, _ messages: MemorySink) -> Environment {
        let lock = lock
        let managed = isManaged.withLock { $0 } ? ManagedFile(path: folder.path + "/managed.json") : .none
        return Environment(
            console: Console(output: output, messages: messages, allowsColour: false), person: person, home: home,
            time: time.source, keychain: MemoryKeychain(), browser: SystemBrowser(), asker: asker,
            device: security.device, makeVault: { lock.guarding($0) },
            makeTransport: { [server] policy in server.transport(under: policy) }, managed: managed, appLock: lock)
    }

    /// A connection with a password.
    func connect(_ name: String = "work") async -> ProgramStatus {
        server.shows([])
        for _ in 0..<2 { server.willAnswer(HTTPResponse(status: 200, fields: HTTPFields(), body: Array("files".utf8))) }
        return await run(
            "connect", "https://cloud.example", "--name", name, "--basic", "ada", input: ["canary-password"]
        )
        .status
    }

    /// A field of `pavise lock status --json`.
    func status(_ name: String) async -> JSONValue? { await run("lock", "status", "--json").json?[name] }
}
