import Foundation
import PaviseCommands
import PaviseLab
import PavisePrimitives
import Testing

/// What the program remembers of servers from one run to the next.
@Suite struct ServerMemoryTests {
    private func connected() async throws -> LabStage {
        let stage = try LabStage(isTrusted: true)
        let result = await stage.run(
            "connect", stage.authority.issuer, "--name", "work", "--client-id", "pavise-lab")
        #expect(result.status == .done && !result.messages.contains("another key"))
        return stage
    }

    /// The server shows a valid certificate of another authority that the machine knows.
    private func becomeAnother(_ stage: LabStage) throws -> ServerIdentity {
        let other = try CertificateAuthority(name: "Another Root")
        stage.trust(other)
        let identity = try other.issue()
        try stage.authority.server.use(identity)
        stage.authority.server.forget()
        return identity
    }

    @Test func `a renewed certificate with the same key needs no word`() async throws {
        let stage = try await connected()
        let file = try FileManager.default.attributesOfItem(atPath: stage.connection + "/servers.json")
        #expect((file[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try stage.authority.server.use(stage.certificates.renew(stage.identity))
        let result = await stage.run("fetch", "/api/me")
        #expect(result.status == .done)
        #expect(!result.messages.contains("key"))
    }

    @Test func `another key of the same authority is said once`() async throws {
        let stage = try await connected()
        try stage.authority.server.use(stage.certificates.issue())
        let result = await stage.run("fetch", "/api/me")
        #expect(result.status == .done)
        #expect(result.messages.contains("has another key"))
        #expect(!(await stage.run("fetch", "/api/me").messages.contains("another key")))
    }

    @Test func `another valid server is refused without a terminal, with the difference, and gets no byte`()
        async throws
    {
        let stage = try await connected()
        let other = try becomeAnother(stage)
        let result = await stage.run("fetch", "/api/me", "--json")
        #expect(result.status == .refused)
        let error = result.json?["error"]
        #expect(error?["rule"]?.string == "certificate-changed")
        let changes = error?["facts"]?["changes"]?.array ?? []
        let key = changes.first { $0["field"]?.string == "spki" }
        #expect(key?["before"]?.string == stage.identity.pin && key?["now"]?.string == other.pin)
        #expect(changes.contains { $0["field"]?.string == "issuer" })
        #expect(stage.authority.server.counters.applicationBytes == 0)
        #expect(await stage.run("fetch", "/api/me").status == .refused)
        #expect(stage.authority.server.counters.applicationBytes == 0)
    }

    @Test func `a person sees the difference, and only yes lets the request go`() async throws {
        let stage = try await connected()
        let other = try becomeAnother(stage)
        stage.person.willAnswer("no")
        let refused = await stage.run("fetch", "/api/me")
        #expect(refused.status == .refused)
        #expect(refused.messages.contains("\(stage.identity.pin) → \(other.pin)"))
        #expect(stage.authority.server.counters.applicationBytes == 0)
        stage.person.willAnswer("yes")
        #expect(await stage.run("fetch", "/api/me").status == .done)
        #expect(await stage.run("fetch", "/api/me").status == .done)
        // The old one is another one by now.
        try stage.authority.server.use(stage.identity)
        #expect(await stage.run("fetch", "/api/me").status == .refused)
    }

    @Test func `a script approves the new key by connecting again with its fingerprint`() async throws {
        let stage = try await connected()
        let other = try becomeAnother(stage)
        let words = ["connect", stage.authority.issuer, "--name", "work", "--client-id", "pavise-lab"]
        #expect(await stage.run(words).status == .refused)
        #expect(await stage.run(words + ["--approve-certificate", stage.identity.pin]).status == .refused)
        #expect(stage.authority.server.counters.applicationBytes == 0)
        #expect(await stage.run(words + ["--approve-certificate", other.pin]).status == .done)
        #expect(await stage.run("fetch", "/api/me").status == .done)
    }

    @Test func `tokens are not taken back at another server, and the connection goes all the same`() async throws {
        let stage = try await connected()
        _ = try becomeAnother(stage)
        let result = await stage.run("disconnect", "work", "--json")
        #expect(result.status == .done && result.json?["revocation"]?.string == "queued")
        #expect(stage.authority.server.counters.applicationBytes == 0)
        #expect(try !FileManager.default.fileExists(atPath: stage.connection))
    }

    @Test func `a record that somebody removed makes no server a first one`() async throws {
        let stage = try await connected()
        try FileManager.default.removeItem(atPath: stage.connection + "/servers.json")
        _ = try becomeAnother(stage)
        stage.authority.server.forget()
        let result = await stage.run("fetch", "/api/me")
        #expect(result.status == .failed)
        #expect(result.messages.contains("is gone"), "\(result.messages)")
        #expect(stage.authority.server.counters.connections == 0)
    }

    @Test(arguments: ["", "{}", "[1]", "{\"version\":2}"])
    func `a damaged record stops requests, and not the removal`(_ text: String) async throws {
        let stage = try await connected()
        try Data(text.utf8).write(to: URL(fileURLWithPath: stage.connection + "/servers.json"))
        stage.authority.server.forget()
        #expect(await stage.run("fetch", "/api/me").status == .failed)
        #expect(stage.authority.server.counters.connections == 0)
        #expect(await stage.run("disconnect", "work").status == .done)
        #expect(try !FileManager.default.fileExists(atPath: stage.connection))
    }
}

/// The administrator's file in the program (connections C34 to C40).
@Suite struct ManagedProgramTests {
    private func connect(_ stage: LabStage, _ more: String...) async -> LabStage.Result {
        await stage.run(["connect", stage.authority.issuer, "--name", "work", "--client-id", "pavise-lab"] + more)
    }

    @Test func `a denied key is refused although it is valid, at once and for connections that are there`() async throws
    {
        let stage = try LabStage(isTrusted: true)
        let rules = "{ \"denied\": { \"keys\": [\"\(stage.identity.pin)\"] } }"
        try stage.manage(rules)
        #expect(await connect(stage).status == .refused)
        #expect(await connect(stage, "--approve-certificate", stage.identity.pin).status == .refused)
        #expect(stage.authority.server.counters.applicationBytes == 0)
        try FileManager.default.removeItem(atPath: stage.managed)
        #expect(await connect(stage).status == .done)
        try stage.manage(rules)
        stage.authority.server.forget()
        #expect(await stage.run("fetch", "/api/me").status == .refused)
        #expect(stage.authority.server.counters.applicationBytes == 0)
    }

    @Test func `a certificate that management approved needs nobody's word`() async throws {
        let stage = try LabStage()
        #expect(await connect(stage).status == .refused)
        let url = try #require(URL(string: stage.authority.issuer))
        try stage.manage(
            """
            { "preApproved": [{ "host": "\(url.host ?? "")", "port": \(url.port ?? 0), "key": "\(stage.identity.pin)",
                "failures": ["unknownAuthority"], "expires": 4102444800 }] }
            """)
        #expect(await connect(stage).status == .done)
        #expect(await stage.run("fetch", "/api/me").status == .done)
        try FileManager.default.removeItem(atPath: stage.managed)
        #expect(await stage.run("fetch", "/api/me").status == .refused)
    }

    @Test func `a required key is demanded`() async throws {
        let stage = try LabStage(isTrusted: true)
        let host = try #require(URL(string: stage.authority.issuer)?.host)
        let other = Base64.encode([UInt8](repeating: 7, count: 32))
        try stage.manage(
            """
            { "requiredPins": [{ "hosts": ["\(host)"], "leaf": ["\(other)"], "backup": "notRequired" }] }
            """)
        let result = await connect(stage, "--json")
        #expect(result.status == .refused && result.json?["error"]?["rule"]?.string == "pin")
        #expect(stage.authority.server.counters.applicationBytes == 0)
    }

    @Test func `where persons may approve nothing, a change is refused whatever they say`() async throws {
        let stage = try LabStage(isTrusted: true)
        try stage.manage("{ \"userApproval\": \"forbidden\" }")
        #expect(await connect(stage).status == .done)
        let other = try CertificateAuthority(name: "Another Root")
        stage.trust(other)
        try stage.authority.server.use(other.issue())
        stage.authority.server.forget()
        stage.person.willAnswer("yes")
        #expect(await stage.run("fetch", "/api/me").status == .refused)
        #expect(stage.authority.server.counters.applicationBytes == 0)
    }

    @Test(arguments: [
        ("{ \"denied\": [] }", 0o644, "expected an object"), ("{ \"plainHTTP\": true }", 0o644, "expected one of"),
        ("nothing", 0o644, "no JSON from line 1, column 1"), ("{}", 0o666, "Everybody may change"),
    ])
    func `a file that cannot be used stops everything but a removal`(
        _ text: String, _ mode: Int, _ words: String
    ) async throws {
        let stage = try LabStage(isTrusted: true)
        #expect(await connect(stage).status == .done)
        try stage.manage(text, mode: mode)
        stage.authority.server.forget()
        for words in [["fetch", "/api/me", "--json"], ["connect", stage.authority.issuer, "--json"]] {
            let result = await stage.run(words)
            #expect(result.status == .refused && result.json?["error"]?["rule"]?.string == "managed")
        }
        #expect(await stage.run("fetch", "/api/me").messages.contains(words))
        #expect(stage.authority.server.counters.connections == 0)
        #expect(await stage.run("disconnect", "work").status == .done)
        #expect(stage.authority.server.counters.connections == 0)
    }

    @Test func `a key that nobody knows is reported with the one that may be meant`() async throws {
        let stage = try LabStage(isTrusted: true)
        try stage.manage("{ \"denyed\": {} }")
        let result = await connect(stage)
        #expect(result.status == .done)
        #expect(result.messages.contains("“denyed” is not known. Did you mean “denied”?"))
    }
}
