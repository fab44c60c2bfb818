import PaviseCommands
import PavisePrimitives
import PaviseVault
import Testing

@Suite struct KeychainCommandsTests {
    @Test func `a secret goes in and comes out byte by byte`() async {
        let stage = Stage()
        stage.person.willType(secret: "pa ss\u{1F511}")
        #expect(await stage.run("keychain", "add", "mail.example", "ada") == .done)
        #expect(stage.output.text == "Stored ada of mail.example.\n")
        let second = Stage(keychainOf: stage)
        #expect(await second.run("keychain", "get", "mail.example", "ada") == .done)
        #expect(second.output.text == "pa ss\u{1F511}")
    }

    @Test func `JSON says how the value is written`() async {
        let stage = Stage()
        stage.person.willType(secret: "secret")
        _ = await stage.run("keychain", "add", "s", "a", "--json")
        let second = Stage(keychainOf: stage)
        #expect(await second.run("keychain", "get", "s", "a", "--json") == .done)
        #expect(
            second.output.text == """
                {
                  "service": "s",
                  "account": "a",
                  "encoding": "utf8",
                  "value": "secret"
                }

                """)
    }

    @Test func `an existing item is not changed unless that is asked for`() async {
        let stage = Stage()
        stage.person.willType(secret: "one")
        stage.person.willType(secret: "two")
        stage.person.willType(secret: "three")
        #expect(await stage.run("keychain", "add", "s", "a") == .done)
        #expect(await stage.run("keychain", "add", "s", "a") == .failed)
        #expect(stage.messages.text == "a of s exists already, and was not changed. Write --replace to replace it.\n")
        #expect(await stage.run("keychain", "add", "s", "a", "--replace") == .done)
        let second = Stage(keychainOf: stage)
        _ = await second.run("keychain", "get", "s", "a")
        #expect(second.output.text == "three")
    }

    @Test(arguments: [["keychain", "add", "s", "a", "hunter2"], ["keychain", "add", "s", "a", "--value=hunter2"]])
    func `a value is never taken from an argument and never repeated`(_ words: [String]) async {
        let stage = Stage()
        #expect(await Program.run(words, in: stage.environment) == .usage)
        #expect(!stage.messages.text.contains("hunter2"))
    }

    @Test(arguments: ["", String(repeating: "x", count: 65_537)])
    func `a value that is empty or too long is refused, never cut`(_ secret: String) async {
        let stage = Stage()
        stage.person.willType(secret: secret)
        #expect(await stage.run("keychain", "add", "s", "a") == .usage)
        #expect(stage.output.text.isEmpty)
        #expect(await stage.run("keychain", "get", "s", "a") == .failed)
    }

    @Test(arguments: ["", "a\nb", "\u{1B}[2J", "\u{202E}", String(repeating: "x", count: 257)])
    func `other names are refused`(_ name: String) async {
        #expect(await Stage().run("keychain", "get", "s", "--", name) == .usage)
    }

    @Test func `the list shows names and no values`() async {
        let stage = Stage()
        for account in ["bob", "ada"] {
            stage.person.willType(secret: "canary")
            _ = await stage.run("keychain", "add", "mail.example", account, "--json")
        }
        let second = Stage(keychainOf: stage)
        #expect(await second.run("keychain", "list") == .done)
        #expect(second.output.text == "SERVICE       ACCOUNT\nmail.example  ada\nmail.example  bob\n")
        #expect(!stage.output.text.contains("canary"))
    }

    @Test func `deleting what is not there fails and says so`() async {
        let stage = Stage()
        #expect(await stage.run("keychain", "delete", "s", "a") == .failed)
        #expect(stage.messages.text == "There is no a of s. “pavise keychain list” shows what there is.\n")
    }

    @Test(arguments: [
        (VaultFailure.locked(status: -25308), ProgramStatus.locked), (.denied(status: -128), .failed),
        (.corrupt(.item), .failed), (.keyLost, .signInNeeded), (.system(status: -4), .failed),
    ])
    func `each answer of the keychain has its status`(_ failure: VaultFailure, _ status: ProgramStatus) async {
        let stage = Stage()
        stage.keychain.fail(with: failure)
        #expect(await stage.run("keychain", "get", "s", "a") == status)
        #expect(stage.messages.text == failure.description + "\n")
        #expect(await stage.run("keychain", "get", "s", "a", "--json") == status)
        #expect((try? JSONValue.parse(stage.output.all))?["error"]?["status"]?.integer == Int64(status.rawValue))
    }

    @Test func `a value on a terminal cannot command it, and in a pipe it is untouched`() async {
        let stage = Stage()
        stage.person.willType(secret: "a\u{1B}[2Jb")
        _ = await stage.run("keychain", "add", "s", "a")
        let pipe = Stage(keychainOf: stage)
        _ = await pipe.run("keychain", "get", "s", "a")
        #expect(pipe.output.text == "a\u{1B}[2Jb")
        let terminal = Stage(keychainOf: stage)
        terminal.output.becomeTerminal()
        _ = await terminal.run("keychain", "get", "s", "a")
        #expect(terminal.output.text == "a\u{FFFD}[2Jb\n")
    }
}
