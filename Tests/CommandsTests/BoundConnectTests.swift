import Pavise
import PaviseAppLock
import PaviseCommands
import PaviseLab
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// `pavise connect --dpop`: tokens bound to a key of the secure element, by the program.
@Suite struct BoundConnectTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func stage(
        _ change: (inout AuthorityConfiguration) -> Void = { $0.offersProof = true },
        makeVault: @escaping Connections.MakeVault = Connections.platformVault
    ) throws -> LabStage {
        var configuration = AuthorityConfiguration()
        change(&configuration)
        return try LabStage(configuration, makeVault: makeVault)
    }

    private func inKeychain(_ body: () async throws -> Void) async rethrows {
        let home = PaviseHome(path: folder.path + "/keychain")
        let surroundings = SecurityEnvironment(home: home, accessGroups: ["org.pavise.test"])
        try await SecurityEnvironment.$override.withValue(surroundings, operation: body)
    }

    // The program's vault is made under its lock, and has to hold the same keys.
    @Test(arguments: [false, true])
    func `the whole story with bound tokens: connect, list, fetch, refresh, disconnect`(isUnderLock: Bool) async throws
    {
        try await inKeychain {
            let lock = AppLock.program(home: PaviseHome(path: folder.path + "/lock"))
            let stage = try stage {
                $0.offersProof = true
            } makeVault: { id in
                isUnderLock ? lock.guarding(id) : Connections.platformVault(id)
            }
            #expect(await stage.connect().status == .done)
            let list = await stage.run("connections", "--json").json?["connections"]?.array?.first
            #expect(list?["bound"]?.bool == true && list?["state"]?.string == "signed in")
            #expect(await stage.run("fetch", "/api/me").status == .done)
            stage.authority.expireAccessTokens()
            #expect(await stage.run("fetch", "/api/me").status == .done)
            #expect(stage.authority.counters.rotations == 1)
            #expect(await stage.run("disconnect", "work").status == .done)
            #expect(stage.authority.counters.provedRevocations == 2)
        }
    }

    @Test func `connecting with never gives bearer tokens, and always refuses an authority without it`() async throws {
        try await inKeychain {
            let stage = try stage()
            #expect(await stage.connect("--dpop", "never").status == .done)
            let list = await stage.run("connections", "--json").json?["connections"]?.array?.first
            #expect(list?["bound"]?.bool == false)
            let bare = try self.stage { _ in }
            let refused = await bare.connect("--dpop", "always", "--json")
            #expect(refused.status == .refused)
            #expect(refused.json?["error"]?["rule"]?.string == "dpop")
            #expect(bare.authority.counters.tokenRequests == 0)
            #expect(await bare.connect("--dpop", "perhaps").status == .usage)
        }
    }

    @Test func `a key that is gone asks for a sign-in and sends nothing`() async throws {
        try await inKeychain {
            let stage = try stage()
            #expect(await stage.connect().status == .done)
            let list = await stage.run("connections", "--json").json?["connections"]?.array?.first
            let id = list?["id"]?.string ?? ""
            #expect(EnclaveBridge.delete(tag: "org.pavise.binding.\(id)") == errSecSuccess)
            let calls = stage.authority.counters.refusedCalls + stage.authority.counters.grantedCalls
            #expect(await stage.run("fetch", "/api/me").status == .signInNeeded)
            #expect(stage.authority.counters.refusedCalls + stage.authority.counters.grantedCalls == calls)
            #expect(stage.authority.counters.refreshRequests == 0)
            #expect(await stage.connect().status == .done)
            #expect(await stage.run("fetch", "/api/me").status == .done)
        }
    }
}
