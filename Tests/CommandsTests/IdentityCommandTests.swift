import Foundation
import PaviseCommands
import PaviseDevice
import PaviseLab
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@Suite struct IdentityCommandTests {
    /// The stage, an authority of people, and the home's own keychain.
    private struct Scene {
        let stage: LabStage
        let people: CertificateAuthority
        private let security: SecurityEnvironment
        static let client = LeafProfile(
            names: ["anna.example"], addresses: [], commonName: "Anna", purposes: [.client])

        init() throws {
            people = try CertificateAuthority(name: "People")
            var configuration = AuthorityConfiguration()
            configuration.clientCertificateName = "anna.example"
            configuration.bindsTokensToCertificates = true
            stage = try LabStage(configuration, isTrusted: true, people: people.anchor)
            var security = SecurityEnvironment(
                home: PaviseHome(path: stage.folder.path + "/home"), accessGroups: ["org.example.test"])
            security.device = DeviceEnvironment(elements: ElementChoice([.software]), places: [])
            self.security = security
        }

        func write(_ bytes: [UInt8], _ name: String) throws -> String {
            let path = stage.folder.path + "/" + name
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return path
        }

        func run(_ words: String...) async -> LabStage.Result {
            await SecurityEnvironment.$override.withValue(security) { await stage.run(words) }
        }

        /// Connects to the server that demands a certificate.
        func connect(_ more: String...) async throws -> LabStage.Result {
            let server = try #require(stage.authority.certificateServer)
            let words = [
                "connect", server.address(), "--issuer", stage.authority.issuer, "--client-id", "pavise-lab", "--name",
                "work",
            ]
            return await SecurityEnvironment.$override.withValue(security) { await stage.run(words + more) }
        }
    }

    @Test func `one of a file is imported, shown and removed`() async throws {
        let scene = try Scene()
        let file = try scene.write(try scene.people.issue(Scene.client).pkcs12(passphrase: "sesame"), "anna.p12")
        #expect(try await scene.connect().status != .done)
        #expect(try await scene.connect("--identity", "anna").messages.contains("no identity “anna”"))
        scene.stage.person.willType(secret: "wrong")
        let wrong = await scene.run("identity", "import", "anna", file)
        #expect(wrong.status == .failed && wrong.messages.contains("passphrase is wrong"))
        #expect(await scene.run("identity", "list").output.contains("There are no identities."))

        scene.stage.person.willType(secret: "sesame")
        let imported = await scene.run("identity", "import", "anna", file)
        #expect(imported.status == .done && imported.output.contains("CN=Anna"))
        #expect(!imported.output.contains("sesame"))
        let connected = try await scene.connect("--identity", "anna", "--json")
        #expect(connected.status == .done && connected.json?["identity"]?.string == "anna")
        #expect(await scene.run("fetch", "work", "/api/me").status == .done)
        let list = await scene.run("identity", "list", "--json").json?["identities"]?.array
        #expect(list?.first?["name"]?.string == "anna" && list?.first?["due"]?.bool == false)
        let days = try #require(list?.first?["daysLeft"]?.integer)
        #expect(days > 1)
        #expect(await scene.run("identity", "list").output.contains("expires in \(days) days"))

        #expect(await scene.run("identity", "remove", "anna").status == .done)
        let missing = await scene.run("fetch", "work", "/api/me")
        #expect(missing.status == .failed && missing.messages.contains("no identity “anna”"))
        #expect(await scene.run("disconnect", "work").status == .done)
    }

    @Test func `one of the element is requested, completed and shown`() async throws {
        let scene = try Scene()
        let request = await scene.run("identity", "request", "anna", "--subject", "Anna", "--json")
        let text = try #require(request.json?["request"]?.string)
        #expect(await scene.run("identity", "list").output.contains("requested"))
        let der = try #require(Base64.decode(text.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()))
        let start = try #require(Hex.decode("3059301306072a8648ce3d020106082a8648ce3d030107034200"))
        let place = try #require(der.firstRange(of: start)).lowerBound
        let chain = try scene.people.issue(Scene.client, forPublicKey: Array(der[place..<place + 91]))
        let file = try scene.write(Array(ServerIdentity.text(of: chain).utf8), "anna.pem")
        let other = await scene.run("identity", "complete", "other", file)
        #expect(other.status == .failed && other.messages.contains("No request waits"))
        #expect(await scene.run("identity", "complete", "anna", file).status == .done)
        #expect(try await scene.connect("--identity", "anna").status == .done)
        #expect(await scene.run("fetch", "work", "/api/me").status == .done)
    }

    @Test(arguments: [
        ["identity", "import", "a/b", "/nowhere"], ["identity", "request", "a", "--subject", "\u{7}"],
        ["identity", "remove", "a"], ["identity", "complete", "a", "/nowhere"],
        ["connect", "https://a.example", "--identity", "/"],
    ])
    func `what cannot be is said in a sentence`(_ words: [String]) async throws {
        let scene = try Scene()
        let stage = scene.stage
        var security = SecurityEnvironment(
            home: PaviseHome(path: stage.folder.path + "/home"), accessGroups: ["org.example.test"])
        security.device = DeviceEnvironment(elements: ElementChoice([.software]), places: [])
        let result = await SecurityEnvironment.$override.withValue(security) { await stage.run(words) }
        #expect(result.status == .failed || result.status == .usage)
        #expect(!result.messages.isEmpty && !result.messages.contains("Problem"))
    }
}
