import Foundation
import PaviseCommands
import PaviseCrypto
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// `pavise backup` and `pavise restore` (HB1 to HB6, Documentation/Controls/Homes.md).
@Suite struct BackupCommandTests {
    let stage: LockStage
    let folder: TemporaryFolder
    init() throws {
        stage = try LockStage()
        folder = try TemporaryFolder()
    }

    private let phrase = "correct horse battery"
    private var file: String { folder.path + "/b" }

    @Test("HB1: a connection and an item come back after the home was lost, and the damaged message says how")
    func thereAndBack() async throws {
        #expect(await stage.connect() == .done)
        let written = await stage.run("backup", file, typing: [phrase, phrase])
        #expect(written.status == .done, "\(written.messages)")
        #expect(written.output.contains("It opens on every machine, for whoever has the passphrase."))
        let checked = await stage.run("restore", "--check", file, "--passphrase-stdin", input: [phrase])
        #expect(checked.status == .done && checked.output.contains("The backup is whole"))

        await stage.inHome { KeychainDiagnostics.close(stage.home) }
        try Folder.remove(stage.home.device)
        let lost = await stage.run("device", "init")
        #expect(lost.status == .failed && lost.messages.contains("pavise restore"), "\(lost.messages)")
        let over = await stage.run("restore", file, "--passphrase-stdin", input: [phrase])
        #expect(over.status == .failed && over.messages.contains("mv \(stage.home.path)"))
        try DurableFile.move(stage.home.path, to: stage.home.path + ".old")

        let restored = await stage.run("restore", "--json", file, "--passphrase-stdin", input: [phrase])
        #expect(restored.status == .done, "\(restored.messages)")
        #expect(restored.json?["restored"]?.bool == true && restored.json?["opens"]?.bool == true)
        #expect(await stage.run("connections").output.contains("work"))
        #expect(await stage.run("doctor").status == .done)
    }

    @Test("HB1: a backup names the other programs whose lock nobody was asked for")
    func locksOfOthers() async throws {
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        let own = await stage.run("backup", file, "--json", "--passphrase-stdin", input: [phrase])
        #expect(own.status == .done && own.json?["otherPrograms"]?.array?.isEmpty == true, "\(own)")
        let other = await stage.run(as: ["other"], "backup", file + "2", "--passphrase-stdin", input: [phrase])
        #expect(other.status == .done && other.output.contains("other programs have counted: pavise.test."), "\(other)")
    }

    @Test("HB2: passphrases that are short, different or wrong write and restore nothing")
    func passphrases() async throws {
        #expect(await stage.run("device", "init").status == .done)
        let short = await stage.run("backup", file, "--passphrase-stdin", input: ["horse"])
        #expect(short.status == .usage && short.messages.contains("at least 12 characters"))
        let different = await stage.run("backup", file, typing: [phrase, "battery horse correct"])
        #expect(different.status == .failed && different.messages.contains("different"))
        #expect(await stage.run("backup", file).status == .failed)
        #expect(!DurableFile.exists(file))
        #expect(await stage.run("backup", file, typing: [phrase, phrase]).status == .done)
        let wrong = await stage.run(
            "restore", "--check", file, "--passphrase-stdin", input: ["battery horse correct"])
        #expect(wrong.status == .failed && wrong.messages.contains("The passphrase is not the one"))
    }

    @Test("RV-H1: a backup gives no tries again: the app lock has to be open, and the device")
    func tries() async throws {
        #expect(await stage.run("device", "init").status == .done)
        #expect(await stage.run("lock", "set", typing: ["482913", "482913"]).status == .done)
        #expect(await stage.run("lock", "now").status == .done)
        let closed = await stage.run("backup", file, "--passphrase-stdin")
        #expect(closed.status == .locked && closed.messages.contains("pavise lock unlock"), "\(closed.messages)")
        for _ in 0..<4 { _ = await stage.run("lock", "unlock", "--pin-stdin", input: ["111222"]) }
        // Also while there is a delay.
        #expect(await stage.run("backup", file, "--passphrase-stdin").status == .locked)
        #expect(!DurableFile.exists(file))
        stage.time.advance(seconds: 86_400)
        #expect(await stage.run("lock", "unlock", "--pin-stdin", input: ["482913"]).status == .done)
        #expect(await stage.run("backup", file, "--passphrase-stdin", input: [phrase]).status == .done)

        let old = "correct-horse-9"
        #expect(await stage.run("device", "passcode", typing: [old, old]).status == .done)
        #expect(await stage.run("device", "lock").status == .done)
        let second = folder.path + "/c"
        let locked = await stage.run("backup", second, "--passphrase-stdin")
        #expect(locked.status == .locked, "\(locked.messages)")
        #expect(!DurableFile.exists(second))
    }

    @Test("HB1: a home that this machine does not open is put back, and that is said with status 1")
    func otherMachine() async throws {
        let made = try DeviceStage(hardware: .usable)
        #expect(await made.run("device", "init").status == .done)
        _ = try HomeBackup.write(
            made.home, to: file, passphrase: SecretBytes(utf8: phrase), cost: Argon2Cost(kibibytes: 8, passes: 1))
        let other = try DeviceStage(hardware: .absent)
        let restored = await other.run("restore", file, "--passphrase-stdin", input: [phrase])
        #expect(restored.status == .failed)
        #expect(restored.output.contains("It does not open on this machine") && restored.output.contains("TPM 2.0"))
        #expect(DurableFile.exists(other.home.device + "/keybag"))
    }
}

/// What a program says of itself: variables, a template, items of another name.
@Suite(.ownKeychain) struct OwnWordsTests {
    private static let documents = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Documentation")
        .standardizedFileURL.path

    @Test("DO3: “help environment” and the page about variables are one list")
    func variables() async throws {
        let page = try String(contentsOfFile: Self.documents + "/Environment.md", encoding: .utf8)
        let table = page.split(separator: "## What the libraries below read")[0].split(separator: "\n")
            .filter { $0.hasPrefix("| `") }.map { $0.filter { $0 != "`" } }
        #expect(table == EnvironmentTopic.own.map { "| \($0.name) | \($0.meaning) |" })
        let stage = Stage()
        #expect(await stage.run("help", "environment") == .done)
        for name in EnvironmentTopic.own.map(\.name) + LibraryVariable.all.map(\.name) {
            #expect(stage.output.text.contains(name))
        }
        #expect(stage.output.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("DO3: the template is the example file with every key, and can be used as it is")
    func template() async throws {
        let stage = Stage()
        #expect(await stage.run("policy", "show", "--template") == .done)
        let example = try DurableFile.read(Self.documents + "/managed.example.json", limit: 1 << 20)
        #expect(stage.output.all == example)
        let folder = try TemporaryFolder()
        try DurableFile.write(stage.output.all.span, to: folder.path + "/m.json")
        #expect(await Stage().run("policy", "check", folder.path + "/m.json") == .done)
    }

    @Test("DO3: a program of another name says whose items it does not see, and which variable shows them")
    func renamed() async throws {
        var environment = SecurityEnvironment.current
        environment.accessGroups = ["pavise-0.1"]
        SecurityEnvironment.$override.withValue(environment) {
            for number in 0..<2 {
                let query: [String: Any] = ["class": "genp", "svce": "mail \(number)", "v_Data": Data("canary".utf8)]
                #expect(SecItemAdd(query as CFDictionary, nil) == errSecSuccess)
            }
        }
        environment.accessGroups = ["pavise-0.2"]
        await SecurityEnvironment.$override.withValue(environment) {
            #expect(KeychainDiagnostics.itemsOfOtherPrograms(environment.home) == ["pavise-0.1": 2])
            let stage = Stage()
            let words = stage.environment.keychain.noteOfOtherPrograms(["pavise-0.1": 2])
            #expect(words?.contains("“pavise-0.1” (2)") == true && words?.contains("PAVISE_APP_ID=pavise-0.1") == true)
            #expect(stage.environment.keychain.noteOfOtherPrograms([:]) == nil)
            stage.keychain.showOthers(["pavise-0.1": 2])
            #expect(await stage.run("keychain", "list") == .done)
            #expect(words?.contains("Items of other programs") == true)
            #expect(stage.output.text.contains(words ?? "-"))
        }
    }
}

/// The program's start (ST3, Documentation/Controls/Integrity.md).
@Suite struct SelfTestStartTests {
    @Test func `ST3: with a wrong answer the program ends with status 1 before it does anything`() async {
        await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
            let status = await Environment.start(selfTest: { .ecdh }) { _ in
                print("opened")
                return 0
            }
            CurrentExecutable.end(status)
        }
    }

    @Test(
        "ST3: only what shows a text of the program alone begins without the known answers",
        arguments: [
            ([], true), (["--version"], true), (["--help"], true), (["-h"], true), (["help", "keychain"], true),
            (["--version", "--verbose"], false), (["keychain", "get", "--help"], false), (["keychain", "help"], false),
            (["security", "help"], false), (["doctor"], false), (["--version", "keychain"], false),
        ] as [([String], Bool)])
    func texts(_ words: [String], _ opensNothing: Bool) {
        #expect(Program.opensNothing(["pavise"] + words) == opensNothing)
    }
}
