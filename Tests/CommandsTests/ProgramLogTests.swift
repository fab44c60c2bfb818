import Foundation
import PaviseAppLock
import PaviseCommands
import PaviseIntegrity
import PaviseLog
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import Synchronization
import TestSupport
import Testing

/// What the program does with `--log`, and with findings about the device.
@Suite struct ProgramLogTests {
    @Test(arguments: [
        (["pavise", "--log", "lock", "now"], ["pavise", "lock", "now"], true),
        (["pavise", "lock", "now", "--log"], ["pavise", "lock", "now"], true),
        (["pavise", "fetch", "--", "--log"], ["pavise", "fetch", "--", "--log"], false),
        (["pavise"], ["pavise"], false),
    ])
    func `the word is taken before a double dash, and nowhere else`(
        _ words: [String], _ left: [String], _ isThere: Bool
    ) {
        var words = words
        #expect(ProgramLog.take(from: &words) == isThere)
        #expect(words == left)
    }

    @Test func `nothing is logged unless somebody asks for it`() {
        #expect(ProgramLog.output(isWanted: false, variable: nil) == nil)
        #expect(ProgramLog.output(isWanted: false, variable: "elsewhere") == nil)
        #expect(ProgramLog.output(isWanted: true, variable: nil) != nil)
        #expect(ProgramLog.output(isWanted: false, variable: "stderr") != nil)
        #expect(
            ProgramLog.output(isWanted: false, variable: "system")
                === ProgramLog.output(isWanted: false, variable: "system"))
    }

    @Test func `IN10: the program ends on findings where an administrator wants it, and only there`() throws {
        let tracer = IntegrityReport(
            checks: [.debugger], findings: [IntegrityFinding(.debuggerAttached, .certain, "7")])
        let clean = IntegrityReport(checks: [.debugger], findings: [])
        let folder = try TemporaryFolder()
        let path = folder.path + "/managed.json"
        func refusal(_ rules: String, _ report: IntegrityReport) throws -> CommandFailure? {
            try Data(rules.utf8).write(to: URL(fileURLWithPath: path))
            return Environment.integrityRefusal(under: ManagedFile(path: path)) { report }
        }
        #expect(Environment.integrityRefusal(under: .none) { tracer }?.status == nil)
        #expect(try refusal(#"{ "device": { "integrity": "enforced" } }"#, clean)?.status == nil)
        #expect(try refusal(#"{ "device": { "integrity": "enforced" } }"#, tracer)?.status == .refused)
        #expect(try refusal(#"{ "device": { "integrity": "app" } }"#, tracer)?.status == nil)
        // What cannot be read may be the rule.
        #expect(try refusal("{ ", tracer)?.status == .refused)
        #expect(try refusal("{ ", clean)?.status == nil)
    }

    @Test(arguments: [
        ("99.0.0", ["pavise", "keychain", "list"], true), ("99.0.0", ["pavise", "lock", "status"], true),
        ("99.0.0", ["pavise", "lock", "now"], false), ("99.0.0", ["pavise", "device", "erase", "--yes"], false),
        ("99.0.0", ["pavise", "doctor"], false), ("99.0.0", ["pavise", "policy", "show"], false),
        ("99.0.0", ["pavise", "--version"], false), ("99.0.0", ["pavise"], false),
        ("0.0.1", ["pavise", "keychain", "list"], false), (Program.version, ["pavise", "keychain", "list"], false),
    ])
    func `MC-6: a program that is older than the administrator permits runs no command that opens something`(
        _ least: String, _ words: [String], _ isRefused: Bool
    ) throws {
        let stage = try LockStage()
        try stage.manage(#"{ "device": { "minimumVersion": "\#(least)" } }"#)
        let refusal = stage.environment(MemorySink(), MemorySink()).versionRefusal(of: words)
        #expect((refusal?.status == .refused) == isRefused)
    }

    @Test func `IN11: before the program ends on findings its lock is closed, and the log is told which rules`()
        async throws
    {
        let stage = try LockStage()
        try stage.manage(#"{ "device": { "integrity": "enforced" } }"#)
        try await stage.inHome {
            let environment = stage.environment(MemorySink(), MemorySink())
            let lock = try #require(environment.appLock)
            try lock.setPIN(SecretBytes(utf8: "482913"))
            let heard = Heard()
            lock.tellEvents(to: heard)
            try DurableFile.makeDirectory(environment.home.audit)
            let refusal = environment.integrityRefusal {
                heard.wasOpen(lock.state.isOpen)
                return IntegrityReport(
                    checks: [.debugger], findings: [IntegrityFinding(.debuggerAttached, .certain, "canary")])
            }
            #expect(refusal?.status == .refused && !lock.state.isOpen)
            let events = heard.events.filter { $0.name == .deviceFindings }
            #expect(events.map(\.facts) == [["rules": "debugger-attached", "action": "end"]])
            #expect(heard.isOpenBefore)
            let note = try DurableFile.read(environment.home.audit + "/trail.pending", limit: 4096, isSecret: true)
            let words = String(decoding: note, as: UTF8.self)
            #expect(words.contains("debugger-attached") && !words.contains("canary"))
        }
    }

    private final class Heard: AuditRecorder {
        private let all = Mutex<([AuditEvent], Bool)>(([], false))
        func record(_ event: AuditEvent) { all.withLock { $0.0.append(event) } }
        func wasOpen(_ isOpen: Bool) { all.withLock { $0.1 = isOpen } }
        var events: [AuditEvent] { all.withLock { $0.0 } }
        var isOpenBefore: Bool { all.withLock { $0.1 } }
    }
}
