import Foundation
import Pavise
import PaviseCommands
import PaviseJWT
import PavisePrimitives
import PaviseVault
import Testing

/// `pavise lock orders|obey`: an administrator's orders, from the managed configuration to the wipe.
@Suite struct LockOrderCommandTests {
    let stage: LockStage
    let signer: OrderSigner
    init() throws {
        stage = try LockStage()
        signer = try OrderSigner()
    }

    private func manage() throws { try stage.manage(signer.rules) }

    /// The path of an order.
    private func write(_ action: String, _ name: String = "order-1") async throws -> String {
        let installation = try #require(await stage.run("lock", "orders", "--json").json?["installation"]?.string)
        let order = try signer.order(action, called: name, for: installation, at: stage.time.source.wallSeconds)
        let path = stage.home.path + "/../\(name).jwt"
        try Data((order + "\n").utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `without keys of an administrator nothing is obeyed, and nobody is enrolled`() async throws {
        for words in [["lock", "orders"], ["lock", "obey", "/dev/null"]] {
            let refused = await stage.runWords(words)
            #expect(refused.status == .refused)
            #expect(refused.messages.contains("the managed configuration names no keys"))
        }
    }

    @Test func `an order wipes every connection once, and the receipt can be sent again`() async throws {
        try manage()
        #expect(await stage.connect() == .done)
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        _ = await stage.run("lock", "now")
        let path = try await write("wipe")
        let obeyed = await stage.run("lock", "obey", path, "--json")
        #expect(obeyed.status == .done)
        #expect(obeyed.json?["result"]?.string == "done" && obeyed.json?["order"]?.string == "order-1")
        #expect(await stage.status("state")?.string == "unset")
        #expect(await stage.run("connections").output.contains("There are no connections."))
        #expect(try findings("canary-password") == [])
        #expect(await stage.connect() == .done)
        let again = await stage.run("lock", "obey", path)
        #expect(again.status == .refused)
        #expect(again.messages.contains("obeyed before (done)"))
        #expect(await stage.run("connections").output.contains("work"))

        let orders = await stage.run("lock", "orders", "--json").json
        let receipt = try #require(orders?["receipts"]?.array?.first?["receipt"]?.string)
        let jwk = try #require(orders?["key"]).text
        let token = try CompactToken(receipt).verified(by: JSONWebKey(json: Array(jwk.utf8)))
        #expect(token.claims?.string("jti") == "order-1")
    }

    // What is sealed hides a canary; what was sealed has to be gone as well.
    private func findings(_ canary: String) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: stage.home.path)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            let content = FileManager.default.contents(atPath: stage.home.path + "/" + name)
            return content?.range(of: Data(canary.utf8)) != nil
                || (name.hasPrefix("connections/") && name != "connections/.lock")
        }
    }

    @Test func `an order to sign out leaves the PIN, and one to lock leaves the connections`() async throws {
        try manage()
        #expect(await stage.connect() == .done)
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        #expect(await stage.run("lock", "obey", try await write("lock")).output.hasPrefix("Locked, as ordered."))
        #expect(await stage.status("state")?.string == "locked")
        #expect(await stage.run("connections").output.contains("work"))
        #expect(await stage.run("lock", "obey", try await write("signOut", "order-2")).status == .done)
        #expect(await stage.run("connections").output.contains("There are no connections."))
        #expect(await stage.run("lock", "unlock", "--pin-stdin", input: ["830597"]).status == .done)
        #expect(await stage.connect() == .done)
    }

    @Test func `what is no order is refused with 3, and a file that is not there is a failure`() async throws {
        try manage()
        _ = await stage.run("lock", "orders")
        let path = stage.home.path + "/../order.jwt"
        for content in ["", "a.b.c", String(repeating: "x", count: 4097), String(repeating: "x", count: 1 << 20)] {
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
            let refused = await stage.run("lock", "obey", path)
            #expect(refused.status == .refused, "\(content.prefix(9))")
            #expect(refused.messages.contains("Refused (order)."))
        }
        #expect(await stage.run("lock", "obey", path + "x").status == .failed)
        #expect(await stage.run("lock", "obey").status == .usage)
    }

    @Test func `the rules in effect name who may order`() async throws {
        try manage()
        let rows = await stage.run("policy", "show", "--json").json?["rules"]?.array
        #expect(rows?.first { $0["name"]?.string == "appLock.orders" }?["value"]?.string == "m, 1 key")
    }
}
