import Foundation
import Pavise
import PaviseCommands
import PaviseDevice
import PavisePrimitives
import PaviseProtectedStorage
import PaviseStorage
import PaviseTransport
import SecurityFramework
import TestSupport
import Testing

/// `pavise files renew-keys`: new keys for a container, and none of its data lost.
@Suite struct RenewalCommandTests {
    let stage: DeviceStage
    private let lock = LockSwitch()
    private static let steps = [DatabaseMigration(1, "all", "CREATE TABLE night(note TEXT)")]

    init() throws { stage = try DeviceStage() }

    private func run(_ words: String...) async -> LabStage.Result {
        await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home, lock: lock)) {
            await stage.run(words)
        }
    }

    private func renew(_ words: String...) async -> LabStage.Result {
        await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home, lock: lock)) {
            await stage.run(["files", "renew-keys", "--container", "diary"] + words)
        }
    }

    private func fill() throws {
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home, lock: lock)) {
            let container = try ProtectedContainer.open("diary", in: stage.home)
            for number in 0..<3 {
                let text = [UInt8](repeating: 0x61, count: 70_000)
                _ = try container.files.put(text, named: "night-\(number)", protection: .complete)
            }
            let nights = try container.database("nights", protection: .complete, migrations: Self.steps)
            try nights.write { try $0.run("INSERT INTO night(note) VALUES ('kept')") }
            nights.close()
        }
    }

    private func check() async {
        for number in 0..<3 {
            let file = await run("files", "get", "night-\(number)", "--container", "diary")
            #expect(file.output == String(repeating: "a", count: 70_000))
        }
        let row = await run("database", "shell", "nights", "SELECT note FROM night", "--container", "diary")
        #expect(row.output.contains("kept"))
    }

    private func isThere(_ place: String) -> Bool { DurableFile.exists("\(stage.home.path)/containers/\(place)") }

    @Test func `DR26: everything lies under new keys, and a file of before opens no more`() async throws {
        try fill()
        let before = "\(stage.home.path)/containers/diary/files"
        let id = try #require(try Folder.names(in: before).first)
        let sealed = try DurableFile.read("\(before)/\(id)", limit: 1 << 20)
        let result = await renew("--database", "nights", "--json")
        #expect(result.status == .done && result.json?["container"]?.string == "diary")
        #expect(result.json?["files"]?.integer == 3 && result.json?["databases"]?.integer == 1)
        #expect(result.json?["bytes"]?.integer == 210_000)
        await check()
        #expect(!isThere("diary"))
        try DurableFile.write(sealed, to: "\(stage.home.path)/containers/diary~/files/\(id)")
        #expect(await run("files", "get", id, "--container", "diary").status == .refused)
        #expect(await run("files", "verify", "--container", "diary").status == .refused)
    }

    @Test func `DR26: the files of the home get new keys, and a home without files has none to renew`() async throws {
        #expect(await run("files", "renew-keys").status == .failed)
        #expect(!DurableFile.exists(stage.home.path + "/protected"))
        let folder = try TemporaryFolder()
        try DurableFile.write(Array("Slept well.".utf8), to: folder.path + "/night.txt")
        #expect(await run("files", "put", folder.path + "/night.txt", "--class", "complete").status == .done)
        let result = await run("files", "renew-keys")
        #expect(result.status == .done && result.output.contains("1 file and 0 databases lie under new keys"))
        #expect(await run("files", "get", "night.txt").output == "Slept well.")
    }

    @Test func `DR26: a database that is not named, a wrong name and a lock change nothing`() async throws {
        try fill()
        let unnamed = await renew()
        #expect(unnamed.status == .usage && unnamed.messages.contains("--database"))
        let wrong = await renew("--database", "nigths")
        #expect(wrong.status == .failed && wrong.messages.contains("“nigths”"))
        for name in ["dairy", "Diary", "diary~"] {
            let other = await run("files", "renew-keys", "--container", name)
            #expect(other.status == .failed && other.messages.contains("Did you mean “diary”?"))
        }
        #expect(!isThere("diary~"))
        lock.state = .locked
        #expect(await renew("--database", "nights").status == .locked)
        lock.state = .unlocked
        await check()
    }

    @Test func `DR26: who stops it finds the old container, and nothing of the new one`() async throws {
        try fill()
        stage.willStop()
        let result = await renew("--database", "nights")
        #expect(result.status == .failed && result.messages.contains("Nothing was changed"))
        #expect(isThere("diary") && !isThere("diary~"))
        await check()
    }

    // The third file, the copy of all databases, the closing of the old container, the decision.
    @Test(arguments: 0..<4)
    func `DR26: a kill loses nothing, and the same command goes on`(_ moment: Int) async throws {
        try fill()
        let home = stage.home.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [home = home as String, moment = moment as Int] in
            await RenewalCommandChild.run(home, killedAt: moment)
        }
        await check()
        #expect(await renew("--database", "nights").status == .done)
        await check()
        #expect(isThere("diary") != isThere("diary~"))
    }
}

/// A process that renews the keys and is killed: the code of a test's child.
private enum RenewalCommandChild {
    static func run(_ home: String, killedAt moment: Int) async {
        let home = PaviseHome(path: home)
        let killer: @Sendable (StorageContainer.RenewalStep) -> Bool = { step in
            let steps: [StorageContainer.RenewalStep] = [.fileCopied, .databasesCopied, .closed, .state(4)]
            if step == steps[moment], moment > 0 || Self.isLast(home) { kill(getpid(), SIGKILL) }
            return true
        }
        await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) {
            await StorageContainer.RenewalStep.$observer.withValue(killer) {
                let words = ["files", "renew-keys", "--container", "diary", "--database", "nights"]
                _ = await Program.run(words, in: environment(home))
            }
        }
    }

    private static func isLast(_ home: PaviseHome) -> Bool {
        (try? Folder.names(in: "\(home.path)/containers/diary~/files").count) == 3
    }

    private static func environment(_ home: PaviseHome) -> Environment {
        Environment(
            console: Console(output: MemorySink(), messages: MemorySink(), allowsColour: false),
            person: ScriptedPerson(), home: home, time: .system, keychain: MemoryKeychain(),
            browser: SystemBrowser(), makeVault: Connections.platformVault,
            makeTransport: { policy throws(TransportFailure) in try HTTPClient(policy: policy) },
            stop: { () throws(SystemFailure) in }, isStopped: { false })
    }
}
