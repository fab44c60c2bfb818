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

    /// How a run ends whose authority goes to `path`.
    private func status(writing path: String) async throws -> ProgramStatus? {
        let stage = Stage()
        // Who is stopped in this way hears no signals.
        let environment = Environment(
            console: Console(output: stage.output, messages: stage.messages, allowsColour: false),
            person: stage.person, home: PaviseHome(path: "/nowhere/pavise"), time: stage.time.source,
            keychain: stage.keychain, browser: SystemBrowser(), makeVault: Connections.platformVault,
            makeTransport: { policy throws(TransportFailure) in try HTTPClient(policy: policy) },
            stop: { () throws(SystemFailure) in })
        let run = LabRun(try invocation("mitm", "--anchors", path), environment)
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
}
