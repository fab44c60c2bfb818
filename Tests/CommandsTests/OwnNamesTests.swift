import Foundation
import Pavise
import PavisePrimitives
import PaviseSession
import SecurityFramework
import Testing

@testable import PaviseCommands

/// No verb about the keychain takes a name of Pavise's own (RV-H1, RV-M7).
@Suite(.ownKeychain) struct OwnNamesTests {
    private static let own = ["org.pavise.applock", "org.pavise.session", "org.pavise.", "org.pavise.x"]
    private static let verbs = [
        "add NAME app", "add --replace NAME app", "get NAME app", "delete NAME app", "list NAME",
        "update NAME app --label x", "update NAME app --new-service mail", "update NAME app --new-account other",
        "update NAME app --internet --label x", "update mail ada --new-service NAME",
    ]
    private static let securityVerbs = [
        "add-generic-password -s NAME -a app -w x", "add-generic-password -U -s NAME -a app -w x",
        "add-internet-password -s NAME -a app -w x", "find-generic-password -s NAME",
        "find-generic-password -s NAME -w",
        "find-internet-password -s NAME", "delete-generic-password -s NAME -a app", "delete-internet-password -s NAME",
    ]

    @Test(arguments: verbs, own)
    func `no verb of the keychain takes one`(_ verb: String, _ name: String) async {
        _ = SecurityOutput("add-generic-password -a ada -s mail -w x")
        let words = verb.split(separator: " ").map { $0 == "NAME" ? name : String($0) }
        let stage = Stage()
        stage.person.willType(secret: "value")
        #expect(await Program.run(["keychain"] + words, in: stage.environment) == .refused)
        #expect(stage.messages.text.contains("own-items"))
        #expect(KeychainBridge.attributes(["class": "genp"]).items.count == 1)
    }

    @Test(arguments: securityVerbs, own)
    func `no command of security takes one`(_ verb: String, _ name: String) {
        let answer = SecurityOutput(verb.split(separator: " ").map { $0 == "NAME" ? name : String($0) })
        #expect(answer.status == 3)
        #expect(KeychainBridge.attributes(["class": "genp"]).items.isEmpty)
    }

    // What an older version left in the program's own group, before it is taken over.
    @Test(arguments: [
        "find-generic-password -a app", "find-generic-password -l x", "find-generic-password",
        "delete-generic-password -a app", "delete-generic-password", "dump-keychain -d",
    ])
    func `what carries such a name is not found, shown or deleted by what is beside it`(_ line: String) {
        let item: [String: Any] = [
            "class": "genp", "svce": "org.pavise.applock", "acct": "app", "labl": "x", "v_Data": Data("canary".utf8),
        ]
        #expect(KeychainBridge.add(item) == errSecSuccess)
        let answer = SecurityOutput(line)
        #expect(answer.output.isEmpty)
        #expect(!answer.messages.contains("canary"))
        #expect(KeychainBridge.attributes(["class": "genp"]).items.count == 1)
    }

    @Test func `neither list nor dump shows one`() async {
        let items: [[String: Any]] = [
            ["class": "genp", "svce": "org.pavise.applock", "acct": "canary", "v_Data": Data("canary".utf8)],
            ["class": "inet", "srvr": "org.pavise.canary", "acct": "canary", "v_Data": Data("canary".utf8)],
        ]
        for item in items { #expect(KeychainBridge.add(item) == errSecSuccess) }
        for words in [["list"], ["dump"], ["dump", "--values"], ["dump", "--values", "--json"]] {
            let stage = Stage()
            let environment = Environment(
                console: Console(output: stage.output, messages: stage.messages, allowsColour: false),
                person: stage.person, home: PaviseHome(path: "/nowhere/pavise"), time: stage.time.source,
                keychain: SystemKeychain(), browser: SystemBrowser(), makeVault: Connections.platformVault,
                makeTransport: { [server = stage.server] policy in server.transport(under: policy) })
            #expect(await Program.run(["keychain"] + words, in: environment) == .done)
            #expect(!(stage.output.text + stage.messages.text).contains("canary"), "\(words)")
        }
    }
}
