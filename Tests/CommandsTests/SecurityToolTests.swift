import Foundation
import PaviseCommands
import PavisePrimitives
import SecurityFramework
import Testing

@Suite(.ownKeychain) struct SecurityToolTests {
    private static let notFound =
        "security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.\n"

    @Test(arguments: [["-w", "pass word"], ["-p", "pass word"], ["-X", "7061737320776f7264"], ["-wpass word"]])
    func `a password from an argument is stored, and the person is warned`(_ words: [String]) {
        let added = SecurityOutput(["add-generic-password", "-a", "ada", "-s", "mail"] + words)
        #expect(added.status == 0)
        #expect(added.output.isEmpty)
        #expect(added.messages.contains("warning"))
        #expect(!added.messages.contains("pass word"))
        #expect(SecurityOutput("find-generic-password -a ada -s mail -w").output == "pass word\n")
    }

    @Test func `a password that is typed is typed twice, from a pipe once`() {
        #expect(SecurityOutput("add-generic-password -a a -s s -w", typing: "one", "one").status == 0)
        #expect(SecurityOutput("add-generic-password -a b -s s -w", typing: "one").status == 0)
        let wrong = SecurityOutput("add-generic-password -a c -s s -w", typing: "one", "two")
        #expect(wrong.status == 1)
        #expect(wrong.messages == "security: passwords don't match\n")
        #expect(SecurityOutput("add-generic-password -a c -s s -w").status == 2)
        #expect(SecurityOutput("find-generic-password -a b -w").output == "one\n")
        #expect(SecurityOutput("find-generic-password -a c").status == 44)
    }

    @Test(arguments: ["find-generic-password -s x", "find-internet-password", "delete-generic-password -a x"])
    func `what is not there is 44, with the line that scripts look for`(_ line: String) {
        let answer = SecurityOutput(line)
        #expect(answer.status == 44)
        #expect(answer.messages == Self.notFound)
        #expect(answer.output.isEmpty)
        #expect(SecurityOutput("-q " + line).messages.isEmpty)
    }

    @Test func `what exists is 45, and -U changes it`() {
        #expect(SecurityOutput("add-generic-password -a a -s s -j one -w 1").status == 0)
        let again = SecurityOutput("add-generic-password -a a -s s -w 2")
        #expect(again.status == 45)
        #expect(again.messages.contains("SecKeychainItemCreateFromContent (<default>): "))
        #expect(SecurityOutput("find-generic-password -a a -w").output == "1\n")
        #expect(SecurityOutput("add-generic-password -a a -s s -U -w 3").status == 0)
        #expect(SecurityOutput("add-generic-password -a a -s s -U -l label").status == 0)
        #expect(SecurityOutput("find-generic-password -a a -j one -l label -w").output == "3\n")
    }

    @Test func `-U changes the item that stood in the way, not its neighbours`() {
        #expect(SecurityOutput("add-generic-password -a a -s s -w neighbour").status == 0)
        #expect(SecurityOutput("add-generic-password -s s -w own").status == 0)
        #expect(SecurityOutput("add-generic-password -s s -U -w changed").status == 0)
        #expect(SecurityOutput("find-generic-password -a a -w").output == "neighbour\n")
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecReturnData: true,
            kSecMatchLimit: kSecMatchLimitAll,
        ]
        #expect(Set(found(query) as? [Data] ?? []) == [Data("neighbour".utf8), Data("changed".utf8)])
    }

    @Test func `an item is printed as a block, without its password`() throws {
        _ = SecurityOutput("add-generic-password -a ada -s mail -D note -j comment -G gen -c abcd -C wxyz -w secret")
        let found = SecurityOutput("find-generic-password -s mail")
        let lines = found.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "keychain: \"/nowhere/pavise/keychain\"")
        for line in [
            "class: \"genp\"", "attributes:", "    0x00000007 <blob>=\"mail\"", "    \"acct\"<blob>=\"ada\"",
            "    \"crtr\"<uint32>=\"abcd\"", "    \"type\"<uint32>=\"wxyz\"", "    \"desc\"<blob>=\"note\"",
            "    \"icmt\"<blob>=\"comment\"", "    \"gena\"<blob>=\"gen\"", "    \"svce\"<blob>=\"mail\"",
            "    \"invi\"<sint32>=<NULL>",
        ] { #expect(lines.contains(line), "\(line)") }
        let date = try #require(lines.first { $0.hasPrefix("    \"cdat\"<timedate>=0x32") })
        #expect(date.hasSuffix("Z\\000\""))
        #expect(!found.output.contains("secret"))
        #expect(found.messages.isEmpty)
        let shown = SecurityOutput("find-generic-password -s mail -g")
        #expect(shown.output == found.output)
        #expect(shown.messages == "password: \"secret\"\n")
    }

    @Test func `an internet password has its own attributes`() {
        let add = "add-internet-password -a ada -s example.org -r htps -P 8443 -p /x -d realm -t form -w 1"
        #expect(SecurityOutput(add).status == 0)
        #expect(SecurityOutput(add).status == 45)
        let other = "add-internet-password -a ada -s example.org -r ssh -P 22 -w 2"
        #expect(SecurityOutput(other).status == 0)
        let block = SecurityOutput("find-internet-password -s example.org -P 8443").output
        for line in [
            "class: \"inet\"", "    \"port\"<uint32>=0x000020FB ", "    \"ptcl\"<uint32>=\"htps\"",
            "    \"atyp\"<blob>=\"form\"", "    \"sdmn\"<blob>=\"realm\"", "    \"path\"<blob>=\"/x\"",
        ] { #expect(block.contains(line + "\n"), "\(line)") }
        #expect(SecurityOutput("find-internet-password -r ssh -w").output == "2\n")
        #expect(SecurityOutput("delete-internet-password -r ssh").status == 0)
        #expect(SecurityOutput("find-internet-password -a ada -w").output == "1\n")
    }

    @Test(arguments: [
        ("pässword", "70c3a47373776f7264", "0x70C3A47373776F7264  \"p\\303\\244ssword\""),
        ("tab\there", "7461620968657265", "0x7461620968657265  \"tab\\011here\""),
        ("plain \"quoted\"", nil, "\"plain \"quoted\"\""),
    ])
    func `a password that is not printable is shown in digits`(_ password: String, _ plain: String?, _ shown: String) {
        _ = SecurityOutput(["add-generic-password", "-a", "a", "-s", "s", "-w", password])
        #expect(SecurityOutput("find-generic-password -w").output == (plain ?? password) + "\n")
        #expect(SecurityOutput("find-generic-password -g").messages == "password: \(shown)\n")
    }

    @Test func `deleting removes one item, prints it, and says so`() {
        _ = SecurityOutput("add-generic-password -a a -s s -w 1")
        _ = SecurityOutput("add-generic-password -a b -s s -w 2")
        let deleted = SecurityOutput("delete-generic-password -s s login.keychain")
        #expect(deleted.status == 0)
        #expect(deleted.output.contains("\"acct\"<blob>=\"a\""))
        #expect(deleted.messages == "password has been deleted.\n")
        #expect(SecurityOutput("find-generic-password -s s -w").output == "2\n")
    }

    @Test(arguments: [
        "find-generic-password -x", "find-generic-password -a", "add-internet-password -P 99999 -w 1",
        "add-internet-password -r https -w 1", "add-generic-password -X abc", "add-generic-password -s",
        "find-generic-password login.keychain -w", "find-generc-password", "", "error", "error x",
    ])
    func `a command line that cannot be understood is 2`(_ line: String) {
        let answer = SecurityOutput(line)
        #expect(answer.status == 2)
        #expect(answer.output.isEmpty)
        #expect(answer.messages.hasPrefix("security: "))
    }

    @Test func `a word that is near to a command gets a hint`() {
        #expect(SecurityOutput("find-generc-password").messages.contains("Did you mean “find-generic-password”?"))
    }

    @Test(arguments: [
        "create-keychain x", "import x", "lock-keychain", "list-keychains -s x", "set-key-partition-list",
    ])
    func `what has no meaning here is refused, not ignored`(_ line: String) {
        #expect(SecurityOutput(line).status == 1)
    }

    @Test func `options without effect are accepted`() {
        let line = "add-generic-password -a a -s s -A -T /usr/bin/x -T /usr/bin/y -w 1 login.keychain"
        #expect(SecurityOutput(line).status == 0)
        #expect(SecurityOutput("unlock-keychain -p x login.keychain").status == 0)
        #expect(SecurityOutput("list-keychains -d user").output == "    \"/nowhere/pavise/keychain\"\n")
        #expect(SecurityOutput("default-keychain").status == 0)
        #expect(SecurityOutput("show-keychain-info").messages.hasSuffix("no-timeout\n"))
    }

    @Test func `SecItem finds what security stored, and the other way round`() {
        _ = SecurityOutput("add-internet-password -a ada -s example.org -r htps -P 443 -w one")
        let query: [CFString: Any] = [
            kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.org", kSecAttrPort: 443,
            kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecAttrAuthenticationType: kSecAttrAuthenticationTypeDefault,
            kSecReturnData: true,
        ]
        #expect(found(query) as? Data == Data("one".utf8))
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "app", kSecAttrAccount: "bob",
            kSecAttrLabel: "App", kSecValueData: Data("two".utf8), kSecAttrSynchronizable: true,
        ]
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        #expect(SecurityOutput("find-generic-password -l App -w").output == "two\n")
    }

    @Test func `the vault's own records are not shown and not deleted`() {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "org.pavise.session", kSecAttrAccount: "x",
            kSecValueData: Data("sealed".utf8),
        ]
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        #expect(SecurityOutput("find-generic-password").status == 44)
        #expect(SecurityOutput("delete-generic-password").status == 44)
        #expect(SecurityOutput("dump-keychain -d").output.isEmpty)
        _ = SecurityOutput("add-generic-password -a a -s s -w 1")
        #expect(SecurityOutput("find-generic-password -w").output == "1\n")
    }

    @Test func `a dump holds passwords only on request`() {
        _ = SecurityOutput("add-generic-password -a a -s s -w canary")
        #expect(!SecurityOutput("dump-keychain").output.contains("canary"))
        #expect(SecurityOutput("dump-keychain -d").output.hasSuffix("data:\n\"canary\"\n"))
    }

    @Test func `commands come from standard input too, with quotes`() {
        let stage = Stage()
        let text = """
            add-generic-password -a "ada lovelace" -s 'it''s' -w pa\\ ss\\"word

            find-generic-password -a 'ada lovelace' -w
            find-generic-password -a nobody
            """
        #expect(SecurityTool.run(["-i"], in: stage.environment) { text } == 44)
        #expect(stage.output.text == "pa ss\"word\n")
        #expect(!stage.messages.text.contains("warning"))
        #expect(SecurityOutput(["find-generic-password", "-s", "its"]).status == 0)
        #expect(SecurityTool.run(["-i"], in: stage.environment) { "find-generic-password -a 'open" } == 2)
        #expect(SecurityTool.run(["-i"], in: stage.environment) { nil } == 2)
        #expect(SecurityTool.run(["-i"], in: stage.environment) { "-i" } == 2)
        #expect(SecurityTool.run(["-i"], in: stage.environment) { "quit\nfind-generic-password -a nobody" } == 0)
    }

    @Test func `a code is explained`() {
        #expect(SecurityOutput("error 25300").output.hasPrefix("Error: 0xFFFF9D2C -25300 "))
    }

    @Test(arguments: [
        (["/usr/bin/security", "help"], ["help"]), (["security"], []), (["/bin/pavise", "security", "x"], ["x"]),
        (["pavise", "keychain"], nil), (["pavise"], nil), (["/opt/security/pavise", "fetch"], nil),
    ])
    func `the program looks at its own name`(_ words: [String], _ rest: [String]?) {
        #expect(SecurityTool.words(in: words).map(Array.init) == rest)
    }
}
