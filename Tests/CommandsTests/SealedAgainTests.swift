import Pavise
import PaviseAppLock
import PaviseCommands
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import SecurityFramework
import Testing

/// A PIN makes new keys and destroys the old ones (RV-M2).
@Suite struct SealedAgainTests {
    let stage: LockStage
    init() throws { stage = try LockStage() }

    private func status(_ id: ConnectionID, _ end: String) async -> OSStatus {
        await stage.inHome { EnclaveBridge.find(tag: "org.pavise.key.\(id)\(end)") }
    }

    private func setOnly() throws { _ = try stage.lock.setPIN(SecretBytes(utf8: "830597")) }

    private func put(_ bytes: [UInt8], _ id: ConnectionID) throws {
        try KeychainStore().replace(bytes.span, as: .password(of: id))
    }

    private static func stored(_ id: ConnectionID) throws -> [UInt8] {
        guard case .found(let packet) = try KeychainStore().read(.password(of: id)) else { return [] }
        return packet.withBytes { bytes in Array(bytes) }
    }

    private static func isLost(_ id: ConnectionID) -> Bool {
        do throws(VaultFailure) { _ = try Connections.platformVault(id).read(.password(of: id)) } catch {
            return error == .keyLost
        }
        return false
    }

    private func packet(_ id: ConnectionID) async throws -> [UInt8] {
        try await stage.inHome { try Self.stored(id) }
    }

    @Test func `a packet from before the PIN opens nowhere, also where the lock's record is taken away`() async throws {
        #expect(await stage.connect() == .done)
        let id = try #require(try Connections(home: stage.home).list().first?.id)
        let old = try await packet(id)
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        #expect(await status(id, "") == errSecItemNotFound)
        #expect(await status(id, ".locked") == errSecSuccess)
        _ = await stage.run("lock", "now")
        let record = try #require(ItemName(service: "org.pavise.applock", account: "app"))
        try await stage.inHome {
            try put(old, id)
            try KeychainStore().delete(record)
        }
        let sent = stage.server.requests.count
        #expect(await stage.run("fetch", "/files").status != .done)
        #expect(stage.server.requests.count == sent)
        let isLost = await stage.inHome { Self.isLost(id) }
        #expect(isLost)
    }

    @Test func `a removal destroys the key of the time with a PIN, and makes a new one for the time without`()
        async throws
    {
        #expect(await stage.connect() == .done)
        let id = try #require(try Connections(home: stage.home).list().first?.id)
        let old = try await packet(id)
        _ = await stage.run("lock", "set", "--pin-stdin", input: ["830597"])
        #expect(await stage.run("lock", "remove", "--pin-stdin", input: ["830597"]).status == .done)
        #expect(await status(id, "") == errSecSuccess)
        #expect(await status(id, ".locked") == errSecItemNotFound)
        #expect(await stage.run("fetch", "/files").status == .done)
        try await stage.inHome { try put(old, id) }
        // A password that opens is sent, whatever the server makes of it.
        let sent = stage.server.requests.count
        stage.server.willAnswer(HTTPResponse(status: 200, fields: HTTPFields(), body: Array("files".utf8)))
        #expect(await stage.run("fetch", "/files").status != .done)
        #expect(stage.server.requests.count == sent)
    }

    @Test func `what an interruption left is sealed with the next unlock`() async throws {
        #expect(await stage.connect() == .done)
        let id = try #require(try Connections(home: stage.home).list().first?.id)
        // The PIN is durable, and the process ended there.
        try await stage.inHome { try setOnly() }
        #expect(await status(id, "") == errSecSuccess)
        _ = await stage.run("lock", "now")
        #expect(await stage.run("fetch", "/files").status == .locked)
        #expect(await stage.run("lock", "unlock", "--pin-stdin", input: ["830597"]).status == .done)
        #expect(await status(id, "") == errSecItemNotFound)
        let now = try await packet(id)
        #expect(now.first == 0x4C)
        #expect(await stage.run("fetch", "/files").status == .done)
    }
}
