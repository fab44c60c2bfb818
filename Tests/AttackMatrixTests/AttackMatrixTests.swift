import Foundation
import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseAttackedClients

extension AttackEnd {
    fileprivate var isCrash: Bool { if case .stopped(.crash, _) = self { true } else { false } }
}

/// What all plays share: the certificates, and the connection of the program.
enum Matrix {
    /// The program: it lies beside the tests.
    static let program: String? = {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard let tests else { return nil }
        let path = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("pavise").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// Every case at every target, played once for all tests, several at a time.
    private static let played = Task { () throws -> [String: AttackRow] in
        let workshop = try AttackFixtures()
        var targets: [any AttackedClient] = [AttackedTransport(), AttackedURLSession(), AttackedAppSecurity()]
        if let program { targets.append(try await AttackedProgram(program: program, workshop: workshop)) }
        let rows = await AttackRun(workshop, targets: targets).play(AttackTable.all)
        return Dictionary(rows.map { (key($0.attack, $0.target), $0) }, uniquingKeysWith: { one, _ in one })
    }

    /// What came out of a case; `nil` at the target of a program that is not beside the tests.
    static func row(_ attack: AttackCase, _ target: AttackedClientName) async throws -> AttackRow? {
        try await played.value[key(attack, target)]
    }

    private static func key(_ attack: AttackCase, _ target: AttackedClientName) -> String {
        "\(attack.id) \(target.rawValue)"
    }
}

@Suite struct `The attack matrix` {
    @Test(.long, arguments: AttackTable.all, AttackedClientName.allCases)
    func `each control stops its attack at each target, and nothing but the attack`(
        _ attack: AttackCase, _ target: AttackedClientName
    ) async throws {
        guard let row = try await Matrix.row(attack, target) else {
            #expect(target == .fetch && Matrix.program == nil)
            return
        }
        #expect(row.isStopped, "\((row.faults + row.twinFaults).joined(separator: "; "))")
    }

    @Test func `has at least sixty cases, each family and each case once`() {
        #expect(AttackTable.all.count >= 60)
        #expect(Set(AttackTable.all.map(\.id)).count == AttackTable.all.count)
        #expect(Set(AttackTable.all.map(\.family)) == ["trust", "pins", "ats", "redirects", "credentials", "answers"])
    }

    static let inHandshakes = AttackTable.all.filter { attack in
        attack.expected.front == .handshake && attack.expected.endings.contains(.handshake)
    }

    @Test(arguments: inHandshakes)
    func `a server that a handshake has to stop agrees with a client that minds nothing`(
        _ attack: AttackCase
    ) async throws {
        #expect(Self.inHandshakes.count >= 20)
        let stage = try AttackStage(attack.scene, from: try AttackFixtures())
        defer { stage.end() }
        try Self.connect(to: stage.front.port)
        #expect(await stage.front.wait(within: .seconds(10)) { $0.handshakes + $0.failedHandshakes > 0 })
        #expect(stage.front.counters.handshakes == 1, "\(stage.front.handshakeFailures)")
    }

    // The program takes every version, suite, curve and certificate, says nothing and goes.
    private static func connect(to port: UInt16) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-min_protocol", "TLSv1", "-cipher",
            "ALL:COMPLEMENTOFALL:@SECLEVEL=0", "-groups", "X25519:P-256:P-384:P-521:secp224r1",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
    }

    @Test func `an outcome that differs at a target has its reason`() {
        for attack in AttackTable.all {
            #expect(attack.elsewhere.values.allSatisfy { $0.note != nil }, "\(attack.id)")
        }
    }

    @Test func `the judge sees a credential that goes astray, and a client that stops everything`() async throws {
        let workshop = try AttackFixtures()
        let leaking = AttackCase("x/leak", "", "", expected: .kept(trap: .withoutCanary, .answer)) {
            $0.trap = AttackServer()
            $0.request.address = "https://{trap}/"
        }
        let silent = AttackCase("x/silent", "", "") {
            $0.front.certificate.leaf.validity = .expired
        }
        let rows = await AttackRun(workshop, targets: [AttackedURLSession(), ClosedClient()]).play([leaking, silent])
        #expect(rows.map(\.faults.isEmpty) == [false, false, true, true])
        #expect(rows.map(\.twinFaults.isEmpty) == [true, false, true, false])
        let report = AttackReport(rows)
        #expect(!report.isClean)
        #expect(report.text.contains("FAILED x/leak at URLSession: the other server: a canary"))
        #expect(report.text.contains("attacks: 1 of 4 plays of 2 cases stopped (2 x)"))
        let data = try JSONValue.parse(Array(report.json.utf8))
        #expect(data["cases"]?.integer == 2)
        #expect(data["stopped"]?.integer == 1)
        #expect(data["rows"]?.array?.first?["doors"]?.array?.first?["stopped"]?.bool == false)
    }

    @Test func `a program that crashes at an answer has stopped no attack`() async throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/program"
        // It ends as a trap does, or fails as the program does.
        try Data("#!/bin/sh\n[ \"$1\" = crash ] && kill -ILL $$\nexit 1\n".utf8)
            .write(to: URL(fileURLWithPath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let runner = ProgramRunner(program: program, home: folder.path + "/home", roots: folder.path + "/roots.pem")
        let crashed = try await runner.run(["crash"], input: "")
        #expect(crashed.end.isCrash && crashed.hasCrashed)
        let failed = try await runner.run(["fail"], input: "")
        #expect(!failed.end.isCrash && failed.status == 1)
        let expected = AttackTable.all.flatMap { attack in
            AttackedClientName.allCases.map { attack.expectation(at: $0) }
        }
        #expect(expected.allSatisfy { !$0.endings.contains(.crash) })
    }

    @Test func `a program that says more than a pipe holds, on either stream and before it reads, comes to its end`()
        async throws
    {
        let folder = try TemporaryFolder()
        let program = folder.path + "/program"
        let much = "head -c 300000 /dev/zero | tr '\\0' x"
        try Data("#!/bin/sh\n\(much) >&2\n\(much)\nwc -c\nexit 3\n".utf8).write(to: URL(fileURLWithPath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let runner = ProgramRunner(program: program, home: folder.path + "/home", roots: folder.path + "/roots.pem")
        let run = try await runner.run([], input: String(repeating: "y", count: 300_000))
        #expect(run.status == 3 && run.messages.utf8.count == 300_000)
        #expect(run.output.hasPrefix("xxx") && run.output.hasSuffix("300000\n"))
    }

    @Test func `the judge sees an attack that nobody met`() async throws {
        let cut = AttackCase("x/cut", "", "", expected: AttackExpectation(front: .anything, endings: [.noAnswer])) {
            $0.front.script = { _, _ in .hangUp }
        }
        let proxy = AttackCase("x/proxy", "", "", expected: AttackExpectation(front: .nothing, endings: [.noAnswer])) {
            $0.proxy = .hangUp
        }
        let run = AttackRun(try AttackFixtures(), targets: [ClosedClient(ending: .noAnswer)])
        let rows = await run.play([cut, proxy])
        #expect(rows.map(\.faults) == [["the server: no request came"], ["the proxy: nobody came"]])
    }
}

/// A target through which nothing goes.
private struct ClosedClient: AttackedClient, AttackedSession {
    let name = AttackedClientName.client
    var ending = AttackExpectation.Ending.certificate

    func session(on stage: AttackStage) async throws -> any AttackedSession { self }
    func send(_ request: AttackRequest) async -> AttackEnd { .stopped(ending, words: "closed") }
    func use(_ pins: [AttackPins]) async throws {}
}
