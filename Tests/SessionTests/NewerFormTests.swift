import Pavise
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import TestSupport
import Testing

@testable import PaviseSession

/// FD8: what a later version of the program wrote is told as newer, and neither read by a guess nor replaced.
@Suite struct NewerFormTests {
    private let vault = TokenVault(store: MemoryStore(), key: MemoryKey())
    private let now = ClockReading(wall: 1_900_000_000_000, continuous: 5_000, boot: "b")
    init() throws { try vault.prepare() }

    private func record(_ stamp: TokenVersion = TokenVersion(epoch: 0, generation: 0)) throws -> SessionRecord {
        let server = TokenServer(
            issuer: "https://id.example", clientID: "app", tokenEndpoint: try WebURL("https://id.example/token"))
        let grant = TokenGrant(
            accessToken: SharedSecretBytes("at"), refreshToken: SharedSecretBytes("rt"), lifetime: 60, scopes: [])
        return SessionRecord(
            beginning: grant, server: server, resource: Origin(scheme: .https, host: "id.example", port: 443),
            identity: nil, scopes: [], binding: nil, after: stamp, at: now)
    }

    @Test func `FD8: a session, a password, revocations and a registration of a later version are told as newer`()
        throws
    {
        let session = try record().encoded()
        for form in [UInt8(5), 6, 255] {
            #expect(throws: VaultFailure.newer) { try SessionRecord(decoding: [form] + session.dropFirst()) }
        }
        for form in [UInt8(3), 0x1F] {
            let pair: [UInt8] = [form, 0, 0]
            #expect(throws: VaultFailure.newer) { _ = try BasicPair(decoding: SecretBytes(copying: pair.span)).user }
        }
        #expect(throws: VaultFailure.newer) { try PendingRevocation.decode([2, 0]) }
        try vault.store([2, 0, 0, 0, 0].span, as: Stage.name)
        #expect(throws: VaultFailure.newer) { try ClientRegistration.Management.read(in: vault, as: Stage.name) }
    }

    @Test func `FD8: a sign-in replaces no session of a later version, and a sign-out removes it`() async throws {
        let world = try FileWorld()
        let store = SessionStore(vault: vault, name: Stage.name, folder: world.folder.path)
        let newer = [UInt8](arrayLiteral: 9) + (try record().encoded().dropFirst())
        try vault.store(newer.span, as: Stage.name)
        let fresh = try record()
        await #expect(throws: VaultFailure.newer) { try await store.begin({ _ in fresh }, at: now) }
        try await store.sealAgain()
        guard case .found(let left) = try vault.read(Stage.name) else {
            Issue.record("it is gone")
            return
        }
        #expect(left.withBytes { bytes in Array(bytes) } == newer)
        _ = try await store.signOut(at: now) { $0 }
        guard case .absent = try vault.read(Stage.name) else {
            Issue.record("it is still there")
            return
        }
    }
}
