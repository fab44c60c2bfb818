import Foundation
import Pavise
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// Connections of an older Pavise are taken over once, and those of other programs are left alone (RV-H2, NU-B2).
@Suite struct TakeOverTests {
    private let world: FileWorld

    init() throws { world = try FileWorld() }

    @Test func `connections of an older Pavise are taken over at the first use, and go on`() async throws {
        try world.addOld("nas")
        try world.addOld("disk")
        let before = try world.snapshot()
        #expect(try world.connections().list().compactMap { try? $0.descriptor.get().name } == ["disk", "nas"])
        #expect(try world.snapshot() == before)
        try await world.fetch("nas")
        #expect(world.server.state.withLock { $0.bearers } == ["YW5uOnNlY3JldA=="])
        for name in ["nas", "disk"] {
            for file in ConnectionFile.allCases { #expect(try world.object(file, of: name)["mac"] != nil, "\(name)") }
        }
        try await world.fetch("disk")
        #expect(world.sent == 2)
    }

    @Test func `a password of an older Pavise is sealed with its origin at its first use`() async throws {
        try world.addOld("nas")
        let name = ItemName.password(of: try #require(ConnectionID(world.id("nas"))))
        let old = world.memory.state.withLock { $0.items[name] }
        try await world.fetch("nas")
        #expect(world.memory.state.withLock { $0.items[name] } != old)
        let elsewhere = BasicAccess(
            vault: try world.boundVault("nas"), name: name, origin: FileWorld.evil, client: world.server.client,
            acceptsUnbound: true)
        await #expect(throws: SessionFailure.foreignOrigin(FileWorld.evil)) {
            try await elsewhere.send(HTTPRequest("GET", WebURL("\(FileWorld.evil)/")))
        }
        #expect(world.sent == 1)
    }

    @Test func `after the take-over a plain description is no connection of this program`() async throws {
        try world.addOld("nas")
        let plain = try world.bytes(.description, of: "nas")
        try await world.fetch("nas")
        try world.write(plain, to: .description, of: "nas")
        #expect(world.problem("nas") == .damaged(.file(.altered)))
        try world.addOld("late")
        #expect(world.problem("late") == .otherProgram(owner: nil))
        #expect(throws: ConnectionFailure.self) { try world.connections().open("late") }
        #expect(world.sent == 1)
    }

    @Test(arguments: ConnectionFile.allCases, [EIO, EMFILE, ESTALE, EACCES])
    func `RV-H4: what cannot be read now is taken over later, and not nobody's for good`(
        _ file: ConnectionFile, _ code: Int32
    ) async throws {
        try world.addOld("nas")
        try world.addOld("disk")
        let path = "\(world.home.connections)/\(try world.id("nas"))/\(file.rawValue)"
        let observer = FileObserver(failure: { $0.call == .open && $0.path == path ? code : nil })
        try await FileObserver.$current.withValue(observer) {
            // A list of names that cannot be read stops before anything is taken over.
            _ = try? world.connections().open("disk")
            if file == .servers { try await world.fetch("disk") }
        }
        try await world.fetch("disk")
        try await world.fetch("nas")
        #expect(try world.object(file, of: "nas")["mac"] != nil)
        // Then it is over.
        try world.addOld("late")
        #expect(world.problem("late") == .otherProgram(owner: nil))
    }

    @Test(
        "RV-H4: a file that a restore left to another user is taken over when it is given back",
        .enabled(if: geteuid() == 0, "only root can give away"), arguments: ConnectionFile.allCases)
    func givenBack(_ file: ConnectionFile) async throws {
        try world.addOld("nas")
        try world.addOld("disk")
        let path = try world.path(file, of: "nas")
        let isGiven = unsafe chown(path, 12345, 12345) == 0
        #expect(isGiven)
        _ = try? world.connections().open("disk")
        let isBack = unsafe chown(path, 0, 0) == 0
        #expect(isBack)
        try await world.fetch("nas")
        #expect(try world.object(file, of: "nas")["mac"] != nil)
    }

    @Test func `a home where connections were only made by this version takes over nothing later`() async throws {
        try world.add("nas")
        try world.addOld("late")
        #expect(world.problem("late") == .otherProgram(owner: nil))
        await #expect(throws: ConnectionFailure.self) { try await world.fetch("late") }
        #expect(world.sent == 0)
    }

    @Test func `once the take-over is over, a description without its code is altered, with a key too`() async throws {
        try world.addOld("nas")
        // The key is there, and no file was written under it.
        world.memory.set { $0.writesUntilKill = 1 }
        _ = try? world.connections().open("nas")
        world.memory.set { $0.writesUntilKill = nil }
        try world.vault.storeUnsealed([1].span, as: .takeOver)
        try await world.expectStopped("nas", because: .damaged(.file(.altered)), "a key without files")
    }

    @Test(arguments: 0..<6)
    func `a take-over that was killed goes on`(_ writes: Int) async throws {
        try world.addOld("nas")
        try world.addOld("disk")
        world.memory.set { $0.writesUntilKill = writes }
        _ = try? world.connections().open("nas")
        world.memory.set { $0.writesUntilKill = nil }
        try await world.fetch("nas")
        try await world.fetch("disk")
        #expect(world.sent == 2)
    }

    @Test func `a take-over waits for the keychain`() async throws {
        try world.addOld("nas")
        let before = try world.snapshot()
        world.memory.set { $0.readFailure = .locked(status: -25308) }
        #expect(throws: ConnectionFailure.connections(.keychain(.locked(status: -25308)))) {
            try world.connections().open("nas")
        }
        world.memory.set { $0.readFailure = nil }
        #expect(try world.snapshot() == before)
        try await world.fetch("nas")
    }

    @Test func `an approval of an older Pavise without evidence is asked for again`() throws {
        let now = Int64(Date().timeIntervalSince1970)
        let key = Base64.encode([UInt8](repeating: 1, count: 32))
        try world.addOld(
            "nas",
            more: """
                {"origin":{"host":"cloud.example","port":443,"scheme":"https"},"spki":"\(key)","fingerprint":"\(String(repeating: "0", count: 64))",
                "failures":["unknownAuthority"],"created":\(now - 10),"expires":\(now + 1000)}
                """)
        #expect(try world.connections().open("nas").descriptor.approvals.isEmpty)
    }

    @Test func `a description that could not be read again is not written`() throws {
        let connections = world.connections()
        let key = Base64.encode([UInt8](repeating: 1, count: 32))
        let old = try JSONDecoder().decode(
            CertificateApproval.self,
            from: Data(
                """
                {"origin":{"host":"cloud.example","port":443,"scheme":"https"},"spki":"\(key)","fingerprint":"\(String(repeating: "0", count: 64))",
                "failures":["unknownAuthority"],"created":10,"expires":1000}
                """.utf8))
        #expect(throws: ConnectionFailure.connections(.unusableDescription)) {
            try connections.add("late", origin: FileWorld.good, method: .basic, approvals: [old])
        }
        #expect(try connections.list().isEmpty)
        var description = try world.add("nas").descriptor
        let before = try world.snapshot()
        description.approvals = [old]
        #expect(throws: ConnectionsFailure.unusableDescription) { try connections.save(description) }
        #expect(try world.snapshot() == before)
        #expect(try connections.open("nas").descriptor.approvals.isEmpty)
    }

    // MARK: Other programs

    private func asNotes<Value>(_ body: () throws -> Value) rethrows -> Value {
        let surroundings = SecurityEnvironment(home: world.home, accessGroups: ["org.notes"])
        return try SecurityEnvironment.$override.withValue(surroundings, operation: body)
    }

    private var other: Connections { world.connections(TokenVault(store: MemoryStore(), key: NoKey())) }

    @Test func `a connection of another program is listed as such, and not used`() throws {
        try asNotes { _ = try world.add("nas") }
        let row = try #require(try other.list().first)
        guard case .failure(.otherProgram(owner: "org.notes")) = row.descriptor else {
            Issue.record("\(row.descriptor)")
            return
        }
        #expect(row.unproven?.name == "nas")
        #expect(throws: ConnectionFailure.connections(.otherProgram(row.id, owner: "org.notes"))) {
            try other.open("nas")
        }
        #expect(throws: ConnectionFailure.connections(.nameTaken("nas"))) {
            try other.add("nas", origin: FileWorld.good)
        }
    }

    @Test func `disconnecting another program's connection says so, and touches nothing`() async throws {
        try asNotes { _ = try world.add("nas") }
        let id = try #require(ConnectionID(world.id("nas")))
        let before = try FileManager.default.contentsOfDirectory(atPath: world.home.connections + "/\(id)").sorted()
        await #expect(throws: ConnectionFailure.connections(.otherProgram(id, owner: "org.notes"))) {
            try await other.remove("nas")
        }
        #expect(throws: ConnectionFailure.connections(.otherProgram(id, owner: "org.notes"))) {
            try other.remove(damaged: id)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: world.home.connections + "/\(id)").sorted() == before)
        try await world.fetch("nas")
    }

    @Test func `another program's removal that was killed is its own to finish`() throws {
        try asNotes { _ = try world.add("nas") }
        let id = try #require(ConnectionID(world.id("nas")))
        try world.marks.markRemoved(id)
        try other.finishRemovals()
        #expect(FileManager.default.fileExists(atPath: world.home.connections + "/\(id)"))
        try asNotes { try world.connections().finishRemovals() }
        #expect(!FileManager.default.fileExists(atPath: world.home.connections + "/\(id)"))
    }

    private static let unreadable: [(code: Int32, call: FileStep.Call)] = [
        (EACCES, .open), (EIO, .open), (ESTALE, .open), (EIO, .read),
    ]

    @Test(
        "RV-H4: where nobody can say whose a connection is, nothing of it is removed", arguments: unreadable,
        [false, true])
    func nobodys(_ failing: (code: Int32, call: FileStep.Call), isMarked: Bool) throws {
        try asNotes { _ = try world.add("nas") }
        let id = try #require(ConnectionID(world.id("nas")))
        if isMarked { try world.marks.markRemoved(id) }
        let before = try world.snapshot()
        let path = try world.path(.description, of: "nas")
        let observer = FileObserver(
            failure: { $0.call == failing.call && $0.path == path ? failing.code : nil })
        try FileObserver.$current.withValue(observer) {
            let failure = try #require(throws: ConnectionFailure.self) { try other.remove(damaged: id) }
            guard case .connections(.system(let system)) = failure else { throw failure }
            #expect(system.code == failing.code)
            try other.finishRemovals()
            #expect(throws: (any Error).self) { try other.wipe() }
        }
        #expect(try world.snapshot() == before)
    }

    @Test("RV-H4: what this program made is removed, also where its description cannot be read", arguments: unreadable)
    func ownUnreadable(_ failing: (code: Int32, call: FileStep.Call)) throws {
        for isOld in [false, true] {
            let world = try FileWorld()
            if isOld { try world.addOld("nas") } else { try world.add("nas") }
            let id = try #require(ConnectionID(world.id("nas")))
            let path = try world.path(.description, of: "nas")
            let observer = FileObserver(
                failure: { $0.call == failing.call && $0.path == path ? failing.code : nil })
            try FileObserver.$current.withValue(observer) { try world.connections().wipe() }
            #expect(!DurableFile.exists("\(world.home.connections)/\(id)"))
            #expect(world.memory.left.isEmpty)
        }
    }

    @Test("RV-H4: a wipe says so where the keychain does not say whose a connection is", arguments: [false, true])
    func wipeWithoutKeychain(isMarked: Bool) throws {
        try world.addOld("nas")
        let id = try #require(ConnectionID(world.id("nas")))
        if isMarked { try world.marks.markRemoved(id) }
        world.memory.set { $0.readFailure = .locked(status: -25_308) }
        // For this reason and no other: whatever else a wipe meets must not pass for it.
        #expect(throws: ConnectionFailure.connections(.keychain(.locked(status: -25_308)))) {
            try world.connections().wipe()
        }
        #expect(DurableFile.exists(try world.path(.description, of: "nas")))
        world.memory.set { $0.readFailure = nil }
        try world.connections().wipe()
        #expect(!DurableFile.exists("\(world.home.connections)/\(id)"))
    }

    @Test func `an older connection is whose its secrets are`() async throws {
        try world.addOld("nas")
        #expect(try other.list().compactMap { try? $0.descriptor.get() }.isEmpty)
        let id = try #require(ConnectionID(world.id("nas")))
        await #expect(throws: ConnectionFailure.connections(.otherProgram(id, owner: nil))) {
            try await other.remove("nas")
        }
        // The other program's take-over is not this one's.
        _ = try other.add("own", origin: FileWorld.good)
        try await world.fetch("nas")
    }

    @Test func `a connection of this program whose key is gone is damaged, and can be removed`() throws {
        try world.add("nas")
        let id = try #require(ConnectionID(world.id("nas")))
        world.memory.set { $0.items[.connectionKey(of: id)] = nil }
        #expect(world.problem("nas") == .damaged(.withoutKey))
        _ = try world.connections().remove(damaged: id)
        #expect(try world.connections().list().isEmpty)
    }
}

/// A key that another keychain does not have, until it is made.
private final class NoKey: SealingKey {
    func prepare() throws(VaultFailure) {}
    func destroy() throws(VaultFailure) {}
    func seal(_ plain: Span<UInt8>) throws(VaultFailure) -> [UInt8] { throw .keyLost }
    func open(_ packet: Span<UInt8>) throws(VaultFailure) -> SecretBytes { throw .keyLost }
}
