import Foundation
import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseLabCommands

/// The play of `pavise-lab demo`, scene by scene.
@Suite(.serialized) struct DemoSceneTests {
    // The tests lie beside the program that they belong to.
    private var program: String? {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard let folder = tests.map({ URL(fileURLWithPath: $0).deletingLastPathComponent() }) else { return nil }
        let path = folder.appendingPathComponent("pavise-lab").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    @Test(.long, arguments: 1...13)
    func `the control of each scene holds`(_ number: Int) async throws {
        let scene = try #require(Scene.all.first { $0.number == number })
        let report = await scene.perform(with: program)
        #expect(report.failure == nil, "\(scene.title)")
        #expect(!report.evidence.isEmpty)
    }

    @Test func `the play has thirteen scenes in their order`() {
        #expect(Scene.all.map(\.number) == Array(1...13))
    }

    // Many times: each of them could come early enough by chance.
    @Test(arguments: 1...20)
    func `a byte that is still on its way breaks the silence`(_ round: Int) async throws {
        let server = try LabServer.start(nil) { _ in .text("x") }
        let bytes = Array("round \(round)".utf8)
        try Self.send(bytes, to: server)
        await #expect(throws: SceneFailure.self) { try await requireSilence(server, "the server") }
    }

    // And leaves.
    private static func send(_ bytes: [UInt8], to server: LabServer) throws {
        let socket = try TCPStream.connect(port: server.port)
        try socket.write(bytes.span)
    }

    @Test func `nobody who came, or who said nothing, is silence`() async throws {
        let server = try LabServer.start(nil) { _ in .text("x") }
        try await requireSilence(server, "the server")
        try Self.send([], to: server)
        try await requireSilence(server, "the server")
        #expect(server.counters.connections == 1)
    }

    @Test func `a scene whose control does not hold is reported as failed`() async {
        let scene = Scene(number: 99, title: "open door", attack: "walks in", control: "none") { _ in
            try require(false, "nobody stopped it")
            return []
        }
        let report = await scene.perform(with: nil)
        #expect(!report.isPassed)
        #expect(report.failure == "nobody stopped it")
    }
}
