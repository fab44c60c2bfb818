import Foundation
import PaviseCommands
import PavisePrimitives
import SecurityFramework
import Testing

/// `pavise keychain groups`.
@Suite struct KeychainGroupsTests {
    let stage: LockStage
    init() throws { stage = try LockStage() }

    // The stage's own keychain of commands is in memory; these lie in the home, as a program of that group stores them.
    private func add(_ service: String, as group: String) async {
        await stage.inHome {
            var other = SecurityEnvironment.current
            other.accessGroups = [group]
            SecurityEnvironment.$override.withValue(other) {
                let query: [String: Any] = [
                    "class": "genp", "svce": service, "acct": "ada", "v_Data": Data("value".utf8),
                ]
                #expect(SecItemAdd(query as CFDictionary, nil) == errSecSuccess)
            }
        }
    }

    @Test func `the groups of all programs are told with the number of their items, and none of Pavise's own`()
        async throws
    {
        await add("mail", as: "notes")
        await add("files", as: "notes")
        await add("mail", as: "pavise.test")
        // The record of the lock is one of Pavise's own items.
        #expect(await stage.run("lock", "set", "--pin-stdin", input: ["830597"]).status == .done)
        let told = await stage.run("keychain", "groups", "--json")
        #expect(told.status == .done)
        let groups = told.json?["groups"]?.array ?? []
        #expect(groups.map { $0["group"]?.string } == ["notes", "pavise.test"])
        #expect(groups.map { $0["items"]?.integer } == [2, 1])
        #expect(groups.map { $0["own"]?.bool } == [false, true])
        let table = await stage.run("keychain", "groups")
        #expect(table.output.contains("notes") && table.output.contains("this program's"))
        #expect(!table.output.contains("value") && !table.output.contains("ada"))
    }

    @Test func `where there is no keychain none is made, and a damaged one is told`() async throws {
        let none = await stage.run("keychain", "groups")
        #expect(none.status == .done && none.output.contains("There are no items."))
        #expect(!DurableFile.exists(stage.home.keychain + "/items.db"))
        await add("mail", as: "notes")
        await stage.inHome { KeychainDiagnostics.close(stage.home) }
        try DurableFile.write([UInt8](repeating: 7, count: 8192).span, to: stage.home.keychain + "/items.db")
        let damaged = await stage.run("keychain", "groups")
        #expect(damaged.status == .failed && !damaged.messages.isEmpty)
    }
}
