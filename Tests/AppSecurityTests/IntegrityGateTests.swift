import Foundation
import PaviseAppLock
import PaviseIntegrity
import PaviseLog
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import Pavise

/// What the checks of the device mean for an app's secrets.
@Suite struct IntegrityGateTests {
    private static let tracer = IntegrityReport(
        checks: [.debugger], findings: [IntegrityFinding(.debuggerAttached, .certain, "7")])
    private static let twoLikely = IntegrityReport(
        checks: [.debugger, .rights],
        findings: [IntegrityFinding(.libraryKnown, .likely, "a"), IntegrityFinding(.raisedRights, .likely, "b")])
    private static let clean = IntegrityReport(checks: [.debugger], findings: [])

    private final class Lines: LogSink {
        let all = Mutex<[String]>([])
        func write(_ entry: LogEntry) -> Bool {
            all.withLock { $0.append(String(decoding: entry.text, as: UTF8.self)) }
            return true
        }
        func has(_ text: String) -> Bool { all.withLock { $0.contains { $0.contains(text) } } }
    }
    private final class Ended: Sendable {
        let sentences = Mutex<[String]>([])
        var count: Int { sentences.withLock { $0.count } }
    }
    private final class Findings: Sendable {
        let report: Mutex<IntegrityReport>
        init(_ report: IntegrityReport) { self.report = Mutex(report) }
        var now: IntegrityReport { report.withLock { $0 } }
    }

    private func configuration(_ policy: IntegrityPolicy, _ lines: Lines, _ ended: Ended) -> SecurityConfiguration {
        var configuration = SecurityConfiguration()
        configuration.integrity = policy
        configuration.log = LogOutput(sinks: [lines])
        configuration.ending = { verdict in ended.sentences.withLock { $0.append(verdict.sentence) } }
        return configuration
    }

    @Test(arguments: [tracer, twoLikely])
    func `IN12: an end or a degrade at the start opens nothing, and no home is made`(
        _ report: IntegrityReport
    ) async throws {
        let world = try SecurityWorld()
        await world.inHome {
            let (lines, ended) = (Lines(), Ended())
            #expect {
                _ = try world.app("org.example.diary", configuration(.release, lines, ended), report: { report })
            } throws: {
                ($0 as? PaviseError)?.code == .deviceFindings
            }
            #expect(ended.count == (report == Self.tracer ? 1 : 0))
            #expect(!FileManager.default.fileExists(atPath: world.folder.path + "/home/apps/org.example.diary"))
            #expect(lines.has("device.findings"))
        }
    }

    @Test(arguments: [tracer, twoLikely])
    func `IN12: an end at the start is an entry of the trail when it is opened again`(
        _ report: IntegrityReport
    ) async throws {
        let world = try SecurityWorld()
        let audit = world.home + "/apps/org.example.diary/audit"
        try await world.inHome {
            let trail = try AuditTrail(folder: audit, store: VolatileStore())
            trail.record(AuditEvent(.unlocked))
            let (lines, ended) = (Lines(), Ended())
            #expect(throws: PaviseError.self) {
                _ = try world.app("org.example.diary", configuration(.release, lines, ended), report: { report })
            }
            trail.record(AuditEvent(.unlocked))
            let names = try trail.read().entries.map(\.name)
            #expect(names == ["trail.started", "lock.unlocked", "device.findings", "lock.unlocked"])
            #expect(try trail.read().problems.isEmpty)
        }
    }

    @Test func `IN12: what is found at an unlock closes the lock and counts no try`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let (lines, ended, findings) = (Lines(), Ended(), Findings(Self.clean))
            let app = try world.app(
                "org.example.diary", configuration(.release, lines, ended), report: { findings.now })
            try await app.lock.setPIN(SecurityWorld.pin)
            app.lock.lockNow()
            findings.report.withLock { $0 = Self.tracer }
            await #expect { try await app.lock.unlock(SecurityWorld.pin) } throws: {
                ($0 as? PaviseError)?.code == .deviceFindings
            }
            // The lock's own way, for biometrics and orders, is closed too.
            #expect(throws: AppLockFailure.self) {
                try app.lock.appLock.unlock(SecretBytes(copying: Array(SecurityWorld.pin.utf8)))
            }
            #expect(!app.lock.state.isOpen)
            #expect(ended.count == 2)
            findings.report.withLock { $0 = Self.clean }
            #expect(try await app.lock.unlock(SecurityWorld.pin).wrongBefore == 0)
            #expect(app.integrity.action == .goOn)
        }
    }

    #if os(Linux)
    @Test func `IN12: what makes a lock or a vault, or opens one, does not compile without a clearance`() throws {
        let source = """
            @testable import Pavise
            @testable import PaviseAppLock
            import PaviseIntegrity
            import PavisePrimitives
            func make(_ parts: SecurityParts, _ lock: AppLock, _ work: LockedWork, _ clearance: IntegrityClearance) {
                _ = parts.makeLock(PaviseHome(path: "/x"), "org.example.diary", .standard, nil, clearance)
                _ = parts.makeVault(lock, work, clearance)
            }
            func open(_ lock: AppLock, _ key: SharedSecretBytes, _ record: LockRecord) throws {
                _ = lock.publish(key, record, by: try lock.checkClearance())
            }
            """
        // SwiftPM names a package after its folder.
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().lastPathComponent.lowercased()
        func errors(_ source: String) throws -> [String] {
            let options = ["-swift-version", "6", "-I", CompilerCheck.modules, "-package-name", package]
            return try CompilerCheck.diagnostics(of: source, options: options).filter { $0.contains(": error: ") }
        }
        #expect(try errors(source).isEmpty)
        let changes = [
            (".standard, nil, clearance", ".standard, nil"), ("lock, work, clearance", "lock, work"),
            (", by: try lock.checkClearance()", ""), ("try lock.checkClearance()", "LockClearance(given: nil)"),
        ]
        for (old, new) in changes {
            #expect(try !errors(source.replacingOccurrences(of: old, with: new)).isEmpty, "\(new)")
        }
    }
    #endif

    @Test func `a policy that reports opens, and says what was found`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let (lines, ended) = (Lines(), Ended())
            let app = try world.app(
                "org.example.diary", configuration(.reporting, lines, ended), report: { Self.tracer })
            #expect(app.integrity.action == .report)
            #expect(app.integrity.reasons.map(\.rule) == [.debuggerAttached])
            #expect(lines.has("device.findings action=report rules=debugger-attached"))
            try await app.lock.setPIN(SecurityWorld.pin)
            #expect(app.lock.state.isOpen)
            #expect(ended.count == 0)
        }
    }

    @Test func `IN10: an administrator's rule holds where the app only reports`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let (lines, ended) = (Lines(), Ended())
            let managed = try world.managed(#"{ "device": { "integrity": "enforced" } }"#)
            #expect {
                _ = try world.app(
                    "org.example.diary", configuration(.reporting, lines, ended), managed: managed,
                    report: { Self.tracer })
            } throws: {
                ($0 as? PaviseError)?.code == .deviceFindings
            }
            // It never loosens.
            let loose = try world.managed(#"{ "device": { "integrity": "app" } }"#)
            #expect(throws: PaviseError.self) {
                _ = try world.app(
                    "org.example.diary", configuration(.release, lines, ended), managed: loose,
                    report: { Self.tracer })
            }
        }
    }

    @Test func `IN10: an administrator's file that cannot be read any more tightens as much as one can`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let (lines, ended) = (Lines(), Ended())
            let path = world.folder.path + "/rules.json"
            try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
            let app = try world.app(
                "org.example.diary", configuration(.reporting, lines, ended), managed: ManagedFile(path: path),
                report: { Self.tracer })
            try await app.lock.setPIN(SecurityWorld.pin)
            app.lock.lockNow()
            // The app only reports, and its administrator has no other wish.
            try await app.lock.unlock(SecurityWorld.pin)
            #expect(app.integrity.action == .report && ended.count == 0)
            try Data("{".utf8).write(to: URL(fileURLWithPath: path))
            app.lock.lockNow()
            await #expect { try await app.lock.unlock(SecurityWorld.pin) } throws: {
                ($0 as? PaviseError)?.code == .deviceFindings
            }
            #expect(app.integrity.action == .end && ended.count == 1)
            #expect(!app.lock.state.isOpen)
        }
    }

    @Test func `events have their documented names in log and trail, and no server is readable in the log`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let (lines, ended) = (Lines(), Ended())
            let app = try world.app(
                "org.example.diary", configuration(.reporting, lines, ended), report: { Self.clean })
            let trail = Lines2()
            app.lock.appLock.tellEvents(to: trail)
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            app.lock.lockNow()
            _ = try? await app.lock.unlock("111222")
            try await app.lock.unlock(SecurityWorld.pin)
            _ = await account.signOut()
            _ = try await app.remove("work")
            let expected: [AuditEvent.Name] = [
                .pinSet, .signedIn, .pinWrong, .unlocked, .signedOut, .accountRemoved,
            ]
            #expect(trail.names.filter(expected.contains) == expected)
            for name in expected + [.locked] { #expect(lines.has(name.rawValue), "\(name)") }
            #expect(!lines.has("127.0.0.1") && !lines.has("localhost"))
        }
    }

    private final class Lines2: AuditRecorder {
        private let all = Mutex<[AuditEvent.Name]>([])
        func record(_ event: AuditEvent) { all.withLock { $0.append(event.name) } }
        var names: [AuditEvent.Name] { all.withLock { $0 } }
    }
}
