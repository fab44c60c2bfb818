import Foundation
import PaviseCommands
import PavisePrimitives
import SecurityFramework
import Testing

@Suite(.ownKeychain) struct KeychainDumpTests {
    private func addInternet(_ account: String, port: Int) {
        let item: [CFString: Any] = [
            kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.org", kSecAttrAccount: account,
            kSecAttrPort: port, kSecValueData: Data("canary \(port)".utf8), kSecAttrComment: "about \(account)",
        ]
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
    }

    private func addGeneric(_ account: String, _ value: Data = Data("canary".utf8)) {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: account,
            kSecValueData: value, kSecAttrGeneric: Data([0, 255]),
        ]
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
    }

    private func value(_ attributes: [CFString: Any]) -> Data? {
        found(attributes.merging([kSecReturnData: true]) { $1 }) as? Data
    }

    @Test func `a dump shows attributes of all classes, and no values`() async throws {
        addGeneric("ada")
        addInternet("bob", port: 443)
        let attributes: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data("tag".utf8)]
        let key: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecPrivateKeyAttrs: attributes,
        ]
        let made = SecKeyCreateRandomKey(key as CFDictionary, nil)
        #expect(made != nil)
        let stage = Stage()
        #expect(await stage.run("keychain", "dump", "--json") == .done)
        let items = try #require(try JSONValue.parse(stage.output.all)["items"]?.array)
        #expect(items.map { $0["class"]?.string } == ["generic", "internet", "key"])
        #expect(items[0]["genericBase64"]?.string == "AP8=")
        #expect(items[1]["server"]?.string == "example.org")
        #expect(items[1]["port"]?.integer == 443)
        #expect(items[1]["comment"]?.string == "about bob")
        #expect(items[2]["applicationTag"]?.string == "tag")
        #expect(items.allSatisfy { $0["created"] != nil && $0["accessGroup"]?.string == "pavise.test" })
        #expect(!stage.output.text.contains("canary"))
    }

    @Test func `with --values the passwords are there, and the person is warned`() async throws {
        addGeneric("ada")
        addGeneric("bob", Data([1, 2, 3]))
        let stage = Stage()
        #expect(await stage.run("keychain", "dump", "--class", "generic", "--values", "--json") == .done)
        let items = try #require(try JSONValue.parse(stage.output.all)["items"]?.array)
        #expect(items.map { $0["value"]?.string } == ["canary", nil])
        #expect(items[1]["valueBase64"]?.string == "AQID")
        #expect(stage.messages.text == "Warning: the passwords follow in the clear.\n")
    }

    @Test func `an empty keychain, one class, and a class that does not exist`() async {
        let empty = Stage()
        #expect(await empty.run("keychain", "dump") == .done)
        #expect(empty.output.text == "There are no items.\n")
        addGeneric("ada")
        let stage = Stage()
        #expect(await stage.run("keychain", "dump", "--class", "generic") == .done)
        #expect(stage.output.text.hasPrefix("generic password  mail  ada\n"))
        #expect(await stage.run("keychain", "dump", "--class", "password") == .usage)
    }

    @Test func `an update changes the value and what is beside it in one step`() async {
        addGeneric("ada")
        let stage = Stage()
        stage.person.willType(secret: "new")
        let words = ["--value", "--label", "Mail", "--new-account", "grace"]
        #expect(await Program.run(["keychain", "update", "mail", "ada"] + words, in: stage.environment) == .done)
        #expect(stage.output.text == "Changed grace of mail.\n")
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "grace", kSecAttrLabel: "Mail",
        ]
        #expect(value(query) == Data("new".utf8))
    }

    @Test func `without --value the value stays`() async {
        addInternet("bob", port: 443)
        let stage = Stage()
        #expect(await stage.run("keychain", "update", "example.org", "bob", "--internet", "--comment", "x") == .done)
        #expect(value([kSecClass: kSecClassInternetPassword, kSecAttrComment: "x"]) == Data("canary 443".utf8))
    }

    @Test func `an update that cannot be meant changes nothing`() async {
        addGeneric("ada")
        addGeneric("bob")
        addInternet("bob", port: 1)
        addInternet("bob", port: 2)
        let stage = Stage()
        #expect(await stage.run("keychain", "update", "mail", "ada") == .usage)
        #expect(await stage.run("keychain", "update", "mail", "nobody", "--label", "x") == .failed)
        #expect(await stage.run("keychain", "update", "mail", "ada", "--new-account", "bob") == .failed)
        #expect(await stage.run("keychain", "update", "example.org", "bob", "--internet", "--label", "x") == .failed)
        #expect(await stage.run("keychain", "update", "mail", "ada", "--value") == .usage)
        #expect(value([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada"]) == Data("canary".utf8))
        #expect(value([kSecClass: kSecClassInternetPassword, kSecAttrLabel: "x"]) == nil)
    }
}
