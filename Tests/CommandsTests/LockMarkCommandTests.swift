import Foundation
import PaviseCommands
import PavisePrimitives
import PaviseVault
import SecurityFramework
import Testing

/// `pavise lock` where the lock's record, its mark, or the record of orders is lost, and under another identity (RV-H1,
/// RV-M7).
@Suite struct LockMarkCommandTests {
    let stage: LockStage
    init() throws { stage = try LockStage() }

    private func lose(_ account: String) async throws {
        let name = try #require(ItemName(service: "org.pavise.applock", account: account))
        try await stage.inHome { try KeychainStore().delete(name) }
    }

    @Test func `another identity is told that the home is locked, and not that nothing is`() async throws {
        #expect(await stage.run("lock", "status").output.contains("nothing is locked"))
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        let other = await stage.run(as: ["other"], "lock", "status")
        #expect(other.status == .done)
        #expect(other.output.contains("this home is locked by another program"))
        #expect(other.output.contains("pavise.test"))
        #expect(!other.output.contains("nothing is locked"))
        let json = await stage.run(as: ["other"], "lock", "status", "--json").json
        #expect(json?["otherPrograms"]?.array?.compactMap(\.string) == ["pavise.test"])
        #expect(await stage.status("otherPrograms")?.array?.isEmpty == true)
    }

    @Test func `a record that is gone closes a home without connections, and starting over is asked for`() async throws
    {
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        #expect(await stage.run("lock", "remove", "--damaged", "--yes").status == .failed)
        try await lose("app")
        let status = await stage.run("lock", "status")
        #expect(status.output.contains("The record of the lock is gone"))
        #expect(status.output.contains("pavise lock remove --damaged"))
        #expect(await stage.run("lock", "set", "--pin-stdin", input: ["940276"]).status == .failed)
        stage.person.willAnswer("no")
        #expect(await stage.run("lock", "remove", "--damaged").status == .failed)
        #expect(await stage.status("state")?.string == "locked")
        stage.person.willAnswer("wipe")
        #expect(await stage.run("lock", "remove", "--damaged").status == .done)
        #expect(await stage.status("state")?.string == "unset")
        #expect(await stage.run("lock", "set", "--pin-stdin", input: ["940276"]).status == .done)
    }

    @Test func `starting over wipes the connections of a damaged lock`() async throws {
        #expect(await stage.connect() == .done)
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        try await lose("app")
        #expect(await stage.run("lock", "remove", "--damaged", "--yes").status == .done)
        #expect(await stage.run("connections").output.contains("There are no connections."))
        #expect(await stage.connect() == .done)
    }

    @Test func `a lost record of orders closes, and with the PIN it is another installation, told aloud`() async throws
    {
        try stage.manage(OrderSigner().rules)
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        let old = await stage.run("lock", "orders", "--json").json
        #expect(old?["created"]?.integer != nil && old?["renewed"]?.bool == false)
        try await lose("orders")
        let closed = await stage.run("lock", "unlock", "--pin-stdin", input: ["830597"])
        #expect(closed.status == .locked)
        #expect(closed.messages.contains("pavise lock orders --renew"))
        #expect(await stage.run("lock", "orders", "--renew", "--pin-stdin", input: ["940276"]).status == .locked)
        #expect(await stage.run("lock", "orders").status != .done)
        let renewed = await stage.run("lock", "orders", "--renew", "--pin-stdin", input: ["830597"])
        #expect(renewed.status == .done)
        #expect((renewed.output + renewed.messages).contains("tell the administrator"))
        let next = await stage.run("lock", "orders", "--json").json
        #expect(next?["installation"]?.string != old?["installation"]?.string)
        #expect(await stage.run("lock", "unlock", "--pin-stdin", input: ["830597"]).status == .done)
    }

    @Test func `CL4: another installation is told, also where nobody gives orders any more`() async throws {
        try stage.manage(OrderSigner().rules)
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        _ = await stage.run("lock", "orders")
        try await lose("orders")
        try stage.manage("{}")
        let renewed = await stage.run("lock", "orders", "--renew", "--pin-stdin", input: ["830597"])
        #expect(renewed.status == .done)
        #expect(renewed.output.contains("This is another installation now."))
        #expect(await stage.run("lock", "orders").status == .refused)
        #expect(await stage.run("lock", "unlock", "--pin-stdin", input: ["830597"]).status == .done)
    }

    @Test func `a device that is erased takes the lock's mark with it, and a new lock can be set`() async throws {
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        #expect(await stage.run("device", "erase", "--yes").status == .done)
        #expect(await stage.status("state")?.string == "unset")
        #expect(await stage.run("lock", "set", "--pin-stdin", input: ["940276"]).status == .done)
    }
}
