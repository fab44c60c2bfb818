import Foundation
import PaviseCommands
import PaviseLab
import PavisePrimitives
import PaviseVault
import Synchronization
import TestSupport
import Testing

/// `pavise connect --register` (RFC 7591): asked for, kept, deleted again.
@Suite struct RegisterConnectTests {
    private func stage(_ change: (inout AuthorityConfiguration) -> Void = { _ in }) throws -> LabStage {
        var configuration = AuthorityConfiguration()
        configuration.deviceInterval = 2
        change(&configuration)
        let stage = try LabStage(configuration)
        stage.waiting.skip([2]) { [authority = stage.authority] _ in
            for code in authority.deviceCodes { try authority.approveDevice(code) }
        }
        return stage
    }

    private func connect(_ stage: LabStage, _ more: String...) async -> LabStage.Result {
        await stage.run(
            [
                "connect", stage.authority.issuer, "--name", "work", "--register", "--approve-certificate",
                stage.identity.pin, "--json",
            ] + more)
    }

    @Test(arguments: [AuthorityConfiguration.Registration.asAsked, .onlyWithSecret])
    func `a client is made, used, and deleted after the wipe`(_ kind: AuthorityConfiguration.Registration) async throws
    {
        let stage = try stage { $0.registration = kind }
        let result = await connect(stage)
        #expect(result.status == .done, "\(result.output)")
        #expect([result.json?["clientID"]?.string] == stage.authority.registeredClients)
        for secret in stage.authority.registrationSecrets { #expect(!result.output.contains(secret)) }
        stage.authority.expireAccessTokens()
        #expect(await stage.run("fetch", "work", "/api/me").status == .done)
        let gone = await stage.run("disconnect", "work", "--json")
        #expect(gone.json?["deregistered"]?.bool == true && gone.json?["revocation"]?.string == "done")
        #expect(stage.authority.registeredClients.isEmpty && stage.authority.counters.deregistrations == 1)
        // First the tokens, then the client that they belong to.
        let last = stage.authority.server.requests.suffix(2).map(\.method)
        #expect(last == ["POST", "DELETE"])
    }

    @Test func `the end of the client's secret is told`() async throws {
        let stage = try stage { $0.registration = .onlyWithSecret }
        stage.authority.fail(.register, with: .member("client_secret_expires_at", "1900000000"))
        let result = await connect(stage)
        #expect(result.status == .done, "\(result.output)")
        let warnings = result.json?["warnings"]?.array?.compactMap(\.string) ?? []
        #expect(warnings.contains { $0.contains("ends on 2030-03-17") && $0.contains("--register") })
    }

    @Test func `a device registers too, and nothing is registered without being asked for`() async throws {
        let stage = try stage()
        #expect(await stage.connect().status == .done)
        #expect(stage.authority.counters.registrations == 0)
        #expect(await stage.run("disconnect", "work", "--json").json?["deregistered"] == nil)
        let result = await stage.run(
            "connect", stage.authority.issuer, "--name", "work", "--register", "--device", "--approve-certificate",
            stage.identity.pin)
        #expect(result.status == .done && stage.authority.counters.registrations == 1, "\(result.messages)")
    }

    @Test func `the connection keeps its client, and another registration replaces it at the authority`() async throws {
        let stage = try stage()
        let first = await connect(stage).json?["clientID"]?.string
        let again = await stage.run("connect", stage.authority.issuer, "--name", "work", "--json")
        #expect(again.json?["clientID"]?.string == first && stage.authority.counters.registrations == 1)
        let second = await connect(stage).json?["clientID"]?.string
        #expect(second != first && stage.authority.registeredClients == [second])
        #expect(await stage.run("fetch", "work", "/api/me").status == .done)
    }

    @Test func `a registration that cannot be read stops another one before it is made, and a removal says so`()
        async throws
    {
        let store = MemoryStore()
        let stage = try LabStage(makeVault: { _ in TokenVault(store: store, key: ClearKey()) })
        #expect(await connect(stage).status == .done)
        let id = URL(fileURLWithPath: try stage.connection).lastPathComponent
        let name = try #require(ItemName(service: "org.pavise.registration", account: id))
        guard case .found = try store.read(name) else {
            Issue.record("nothing was kept under this name")
            return
        }
        try store.replace([9, 9, 9].span, as: name)
        #expect(await connect(stage).status == .failed)
        #expect(stage.authority.counters.registrations == 1 && stage.authority.registeredClients.count == 1)
        let gone = await stage.run("disconnect", "work", "--json")
        #expect(gone.json?["deregistered"]?.bool == false, "\(gone.output)")
        #expect(stage.authority.counters.deregistrations == 0)
    }

    @Test func `a sign-in that fails takes the client back`() async throws {
        let stage = try stage()
        stage.authority.callbackFault = .accessDenied
        #expect(await connect(stage).status == .failed)
        #expect(stage.authority.counters.registrations == 1 && stage.authority.registeredClients.isEmpty)
        #expect(await stage.run("connections", "--json").json?["connections"]?.array?.isEmpty == true)
    }

    @Test func `a second registration that comes to nothing leaves the first client and its session`() async throws {
        let stage = try stage()
        let first = await connect(stage).json?["clientID"]?.string
        stage.authority.callbackFault = .accessDenied
        #expect(await connect(stage).status == .failed)
        stage.authority.heal()
        #expect(stage.authority.registeredClients == [first])
        stage.authority.expireAccessTokens()
        #expect(await stage.run("fetch", "work", "/api/me").status == .done)
        #expect(await stage.run("disconnect", "work", "--json").json?["deregistered"]?.bool == true)
    }

    @Test func `a second registration that cannot be kept leaves the sign-in that it was for, and is told`()
        async throws
    {
        let store = RegistrationRefusingStore()
        let stage = try LabStage(makeVault: { _ in TokenVault(store: store, key: ClearKey()) })
        #expect(await connect(stage).status == .done)
        store.refuse()
        let again = await connect(stage)
        #expect(again.status == .done && again.output.contains("could not be kept"), "\(again.output)")
        // The tokens of now are the second client's.
        #expect(stage.authority.registeredClients.count == 2)
        stage.authority.expireAccessTokens()
        #expect(await stage.run("fetch", "work", "/api/me").status == .done)
    }

    @Test func `an authority that does not answer the deletion is told, and the wipe is done all the same`()
        async throws
    {
        let stage = try stage()
        _ = await connect(stage)
        stage.authority.fail(.register, with: .status(503))
        let gone = await stage.run("disconnect", "work")
        #expect(gone.status == .done && gone.output.contains("did not confirm that it deleted the client"))
        #expect(await stage.run("connections", "--json").json?["connections"]?.array?.isEmpty == true)
    }

    @Test(arguments: [
        (
            AuthorityFault.answer(
                .json(#"{"client_id":"x","redirect_uris":["https://attacker.example/"]}"#, status: 201)),
            ProgramStatus.refused, "other redirect addresses"
        ),
        (.page(201), .failed, "is none"), (.hangUp, .failed, "did not answer"),
        (.error(400, "access_denied"), .failed, "access_denied"),
    ])
    func `a registration that fails signs nobody in`(
        _ fault: AuthorityFault, _ status: ProgramStatus, _ words: String
    ) async throws {
        let stage = try stage()
        stage.authority.fail(.register, with: fault)
        let result = await connect(stage)
        #expect(result.status == status && result.output.contains(words), "\(result.output)")
        #expect(stage.authority.counters.tokenRequests == 0)
        #expect(await stage.run("connections", "--json").json?["connections"]?.array?.isEmpty == true)
    }

    @Test(arguments: [["--client-id", "x"], ["--client-secret"], ["--basic", "alice"]])
    func `options that name another client contradict it`(_ options: [String]) async throws {
        let stage = try stage()
        let result = await stage.run(["connect", stage.authority.issuer, "--register"] + options)
        #expect(result.status == .usage && result.messages.contains("Choose one of "))
        #expect(stage.authority.server.counters.connections == 0)
    }

    @Test func `no file of the home holds the token that deletes it`() async throws {
        let stage = try stage()
        _ = await connect(stage)
        let secrets = stage.authority.registrationSecrets
        #expect(secrets.count == 1)
        let files = FileManager.default.enumerator(atPath: stage.folder.path)?.compactMap { $0 as? String } ?? []
        #expect(files.contains { $0.hasSuffix("connection.json") })
        for file in files {
            guard let data = FileManager.default.contents(atPath: stage.folder.path + "/" + file) else { continue }
            for secret in secrets { #expect(!String(decoding: data, as: UTF8.self).contains(secret), "\(file)") }
        }
    }
}

/// A store that takes no registration any more when told so.
private final class RegistrationRefusingStore: SecretStore {
    private let store = MemoryStore()
    private let isRefusing = Mutex(false)

    func refuse() { isRefusing.withLock { $0 = true } }

    func read(_ name: ItemName) throws(VaultFailure) -> StoreResult { try store.read(name) }

    func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) { try store.add(bytes, as: name) }

    func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        guard name.service != "org.pavise.registration" || !isRefusing.withLock({ $0 }) else { throw .busy }
        try store.replace(bytes, as: name)
    }

    func delete(_ name: ItemName) throws(VaultFailure) { try store.delete(name) }
}
