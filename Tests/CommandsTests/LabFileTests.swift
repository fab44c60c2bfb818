import Foundation
import Pavise
import PaviseArguments
import PaviseCommands
import PaviseLab
import PavisePrimitives
import PaviseSession
import PaviseTransport
import TestSupport
import Testing

@testable import PaviseLabCommands

/// The files that `pavise-lab` writes where it is told: none of somebody else's is written over.
@Suite struct LabFileTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// A scene that begins nothing; by then the anchors are written.
    private struct Unplayed: LabScene {
        func start(_ authority: CertificateAuthority) throws -> any LabShow { throw LabFailure.request("begun") }
    }

    private func invocation(_ words: String...) throws -> Invocation {
        guard case .run(let invocation) = try Parser(LabProgram.commands.root).parse(words) else {
            throw UsageError(.missingCommand, path: words)
        }
        return invocation
    }

    private func environment(_ stage: Stage = Stage()) -> Environment {
        // Who is stopped in this way hears no signals.
        return Environment(
            console: Console(output: stage.output, messages: stage.messages, allowsColour: false),
            person: stage.person, home: PaviseHome(path: "/nowhere/pavise"), time: stage.time.source,
            keychain: stage.keychain, browser: SystemBrowser(), makeVault: Connections.platformVault,
            makeTransport: { policy throws(TransportFailure) in try HTTPClient(policy: policy) },
            stop: { () throws(SystemFailure) in })
    }

    /// How a run ends whose authority goes to `path`.
    private func status(writing path: String) async throws -> ProgramStatus? {
        let run = LabRun(try invocation("mitm", "--anchors", path), environment())
        do {
            try await run.play(Unplayed())
        } catch let failure as CommandFailure {
            return failure.status
        }
        return nil
    }

    @Test func `CL7: only an authority of the lab is written over, and taken away`() async throws {
        let path = folder.path + "/anchors.pem"
        let others = [Array("my own file".utf8), Array(try CertificateAuthority(name: "Own").anchorPEM.utf8)]
        for own in others {
            try Data(own).write(to: URL(fileURLWithPath: path))
            #expect(try await status(writing: path) == .usage)
            #expect(FileManager.default.contents(atPath: path) == Data(own))
        }
        // What a run left that was killed.
        try Data(try CertificateAuthority().anchorPEM.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try await status(writing: path) == .failed)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `CL7: only an identity of the lab is written over`() throws {
        let path = folder.path + "/own.p12"
        try Data("an identity".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: CommandFailure.self) {
            _ = try LabAuthorityScene(invocation("authority", "--identity", path))
        }
        let person = LeafProfile(names: ["anna.example"], addresses: [], commonName: "Anna", purposes: [.client])
        let file = try CertificateAuthority(name: "People").issue(person).pkcs12(passphrase: "lab")
        try Data(file).write(to: URL(fileURLWithPath: path))
        _ = try LabAuthorityScene(invocation("authority", "--identity", path))
    }

    @Test func `settings that changed before the authority ran hold as well`() async throws {
        let path = folder.path + "/settings"
        try Data("offers-logout=yes\n".utf8).write(to: URL(fileURLWithPath: path))
        let scene = try LabAuthorityScene(invocation("authority", "--settings", path))
        try Data("offers-logout=no\n".utf8).write(to: URL(fileURLWithPath: path))
        let certificates = try CertificateAuthority()
        let show = try scene.start(certificates)
        defer { show.stop() }
        let watching = Task { [environment = environment()] in await show.watch(environment) }
        defer { watching.cancel() }
        let issuer = show.opening(anchors: path).data["issuer"]?.string ?? ""
        let client = try HTTPClient(policy: TrustPolicy(anchors: .only([certificates.anchor])))
        let metadata = try WebURL(issuer + "/.well-known/openid-configuration")
        var offersLogout = true
        // It looks at once; the limit is for one that never does.
        for _ in 0..<500 where offersLogout {
            try await Task.sleep(for: .milliseconds(20))
            let answer = try await client.send(HTTPRequest("GET", metadata))
            offersLogout = try JSONValue.parse(answer.body)["end_session_endpoint"] != nil
        }
        #expect(!offersLogout)
    }

    @Test func `what the command line sets stays, and a line that is taken out is as if it had never been there`()
        async throws
    {
        let path = folder.path + "/settings"
        try Data("offers-logout=no\nnames-issuer=yes\naudience-is-array=yes\n".utf8).write(
            to: URL(fileURLWithPath: path))
        let scene = try LabAuthorityScene(
            invocation(
                "authority", "--settings", path, "--set", "names-issuer=no", "--set", "fault-jwks=status:418",
                "--client-id", "own"))
        let certificates = try CertificateAuthority()
        let show = try scene.start(certificates)
        defer { show.stop() }
        try Data("names-issuer=yes\nclient-id=other\nfault-jwks=status:503\n".utf8).write(
            to: URL(fileURLWithPath: path))
        let stage = Stage()
        let watching = Task { [environment = environment(stage)] in await show.watch(environment) }
        defer { watching.cancel() }
        let issuer = show.opening(anchors: path).data["issuer"]?.string ?? ""
        let client = try HTTPClient(policy: TrustPolicy(anchors: .only([certificates.anchor])))
        let address = try WebURL(issuer + "/.well-known/openid-configuration")
        var metadata = JSONValue.fields([:])
        // It looks at once; the limit is for one that never takes the line back.
        for _ in 0..<500 where metadata["end_session_endpoint"] == nil {
            try await Task.sleep(for: .milliseconds(20))
            metadata = try JSONValue.parse(try await client.send(HTTPRequest("GET", address)).body)
        }
        #expect(metadata["end_session_endpoint"] != nil)
        #expect(metadata["authorization_response_iss_parameter_supported"]?.bool == false)
        let keys = try WebURL(metadata["jwks_uri"]?.string ?? "")
        #expect(try await client.send(HTTPRequest("GET", keys)).status == 418)
        for _ in 0..<500 where stage.messages.all.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        #expect(stage.messages.text.contains(": 1 settings hold now."), "\(stage.messages.text)")
    }

    @Test func `a wrong setting is said, also after a file that was empty`() async throws {
        let path = folder.path + "/settings"
        try Data().write(to: URL(fileURLWithPath: path))
        let show = try LabAuthorityScene(invocation("authority", "--settings", path)).start(try CertificateAuthority())
        defer { show.stop() }
        try Data("offers-logout=perhaps\n".utf8).write(to: URL(fileURLWithPath: path))
        let stage = Stage()
        let watching = Task { [environment = environment(stage)] in await show.watch(environment) }
        defer { watching.cancel() }
        // It looks at once; the limit is for one that never says it.
        for _ in 0..<500 where stage.messages.all.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        #expect(stage.messages.text.contains("value"), "\(stage.messages.text)")
    }
}
