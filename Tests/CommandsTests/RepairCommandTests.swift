import Foundation
import PaviseCommands
import PavisePrimitives
import SecurityFramework
import Testing

/// `pavise keychain repair`.
@Suite struct RepairCommandTests {
    let stage: LockStage
    init() throws { stage = try LockStage() }

    private var database: String { stage.home.keychain + "/items.db" }

    /// Items of two classes, and a flipped bit on a page of theirs.
    private func damage() async throws {
        await stage.inHome {
            for number in 0..<12 {
                let value = Data(String(repeating: "canary \(number) ", count: 60).utf8)
                let query: [String: Any] = [
                    "class": number < 9 ? "genp" : "inet", number < 9 ? "svce" : "srvr": "mail \(number)",
                    "acct": "ada",
                    "v_Data": value,
                ]
                #expect(SecItemAdd(query as CFDictionary, nil) == errSecSuccess)
            }
            KeychainDiagnostics.close(stage.home)
        }
        var bytes = try DurableFile.read(database, limit: 1 << 24)
        bytes[bytes.count - 3000] ^= 1
        try DurableFile.write(bytes.span, to: database)
    }

    private func asides() throws -> [String] {
        try Folder.names(in: stage.home.path).filter { $0.hasPrefix("keychain-set-aside-") }
    }

    @Test func `a whole keychain, and none at all, are nothing to repair`() async throws {
        let none = await stage.run("keychain", "repair")
        #expect(none.status == .done && none.output.contains("There is no keychain"))
        await stage.inHome {
            let query: [String: Any] = ["class": "genp", "svce": "mail", "v_Data": Data("canary".utf8)]
            #expect(SecItemAdd(query as CFDictionary, nil) == errSecSuccess)
        }
        let whole = await stage.run("keychain", "repair", "--json")
        #expect(whole.status == .done)
        #expect(whole.json?["damaged"]?.bool == false && whole.json?["items"]?.integer == 1)
        #expect(try asides().isEmpty)
    }

    @Test func `what is readable and lost is shown first, and without a yes nothing changes`() async throws {
        try await damage()
        let before = try DurableFile.read(database, limit: 1 << 24)
        stage.person.willAnswer("no")
        let refused = await stage.run("keychain", "repair")
        #expect(refused.status == .failed)
        #expect(refused.messages.contains("Nothing was changed. Type “repair”, or write --yes."))
        #expect(refused.messages.contains("generic password mail 0 ada"))
        #expect(refused.messages.contains("READABLE"))
        #expect(refused.messages.contains("cannot be read; what else was in them is not known"))
        #expect(!(refused.messages + refused.output).contains("canary"))
        let silent = await stage.run("keychain", "repair", "--json")
        #expect(silent.status == .done)
        #expect(silent.json?["repaired"]?.bool == false && silent.json?["damaged"]?.bool == true)
        #expect(try DurableFile.read(database, limit: 1 << 24) == before)
        #expect(try asides().isEmpty)
    }

    @Test func `with a yes the keychain works again, and the old files are where it says`() async throws {
        try await damage()
        let before = try DurableFile.read(database, limit: 1 << 24)
        stage.person.willAnswer("repair")
        let repaired = await stage.run("keychain", "repair")
        #expect(repaired.status == .done)
        let aside = stage.home.path + "/" + (try #require(try asides().first))
        #expect(repaired.output.contains("The keychain is repaired. The old files are in \(aside);"))
        #expect(try DurableFile.read(aside + "/items.db", limit: 1 << 24) == before)
        let whole = await stage.run("keychain", "repair", "--json")
        #expect(whole.json?["damaged"]?.bool == false)
        #expect((whole.json?["items"]?.integer ?? 0) >= 6)
    }

    @Test func `a script repairs with --yes and reads what became of each item`() async throws {
        try await damage()
        let repaired = await stage.run("keychain", "repair", "--yes", "--json")
        #expect(repaired.status == .done)
        #expect(repaired.json?["repaired"]?.bool == true)
        let folder = try #require(repaired.json?["setAside"]?.string)
        #expect(DurableFile.exists(folder + "/items.db"))
        let items = try #require(repaired.json?["items"]?.array)
        #expect(items.count == Int(repaired.json?["readable"]?.integer ?? 0) && items.count >= 6)
        let told = items.filter { $0["fate"]?.string == "readable" && $0["name"]?.string?.hasSuffix("ada") == true }
        #expect(told.count == items.count)
        let classes = Set(items.compactMap { $0["class"]?.string })
        #expect(classes.isSubset(of: ["genp", "inet"]))
    }

    @Test func `a keychain whose device is gone is not repaired, and the message says what to put back`() async throws {
        try await damage()
        try DurableFile.move(stage.home.device, to: stage.home.path + "/elsewhere")
        let refused = await stage.run("keychain", "repair", "--yes")
        #expect(refused.status == .failed)
        #expect(
            refused.messages.contains("Put the folder back from a copy") && refused.messages.contains("pavise restore"))
        #expect(try asides().isEmpty)
    }
}
