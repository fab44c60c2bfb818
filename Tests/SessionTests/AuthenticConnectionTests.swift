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

/// The files that decide where secrets go are authenticated (RV-H2): whatever is changed in them, nothing is sent.
@Suite struct AuthenticConnectionTests {
    private let world: FileWorld

    init() throws { world = try FileWorld() }

    @Test func `both files carry a version, a number and a code, and are read again`() async throws {
        try world.add("nas")
        for file in ConnectionFile.allCases {
            let object = try world.object(file, of: "nas")
            #expect(object["version"] as? Int == 2)
            #expect(object["generation"] as? Int == 1)
            #expect((object["mac"] as? String)?.count == 64)
        }
        try await world.fetch("nas")
        #expect(world.sent == 1)
    }

    @Test func `each member of the description that is changed, removed or added stops the connection`() async throws {
        try world.add("nas")
        let whole = try world.object(.description, of: "nas")
        #expect(whole.count > 12)
        for change in world.changes(of: whole) {
            try world.write(change.object, to: .description, of: "nas")
            try await world.expectStopped("nas", because: .damaged(.file(.altered)), change.name)
        }
    }

    @Test func `each member of the servers' record that is changed, removed or added stops the connection`()
        async throws
    {
        try world.add("nas")
        for change in world.changes(of: try world.object(.servers, of: "nas")) {
            try world.write(change.object, to: .servers, of: "nas")
            #expect(throws: ConnectionFailure.servers(.file(.altered)), "\(change.name)") {
                try world.connections().open("nas")
            }
        }
        #expect(world.sent == 0)
    }

    @Test(arguments: ConnectionFile.allCases)
    func `each byte counts`(_ file: ConnectionFile) async throws {
        try world.add("nas")
        let bytes = try world.bytes(file, of: "nas")
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            try world.write(other, to: file, of: "nas")
            #expect(throws: ConnectionFailure.self, "byte \(index)") { try world.connections().open(world.id("nas")) }
        }
        try world.write(bytes, to: file, of: "nas")
        try await world.fetch("nas")
    }

    @Test(arguments: ConnectionFile.allCases)
    func `the same file of another connection is not this one's`(_ file: ConnectionFile) async throws {
        try world.add("nas")
        try world.add("other", origin: FileWorld.evil)
        let (one, other) = (try world.bytes(file, of: "nas"), try world.bytes(file, of: "other"))
        try world.write(other, to: file, of: "nas")
        try world.write(one, to: file, of: "other")
        for name in ["nas", "other"] {
            #expect(throws: ConnectionFailure.self) { try world.connections().open(world.id(name)) }
        }
        #expect(world.sent == 0)
    }

    @Test func `one of the two files is not the other one`() throws {
        try world.add("nas")
        try world.write(world.bytes(.servers, of: "nas"), to: .description, of: "nas")
        #expect(world.problem("nas") == .damaged(.file(.altered)))
    }

    @Test func `an older copy that is put back is noticed`() async throws {
        try world.add("nas")
        let old = try world.bytes(.description, of: "nas")
        var descriptor = try world.connections().open("nas").descriptor
        descriptor.pins = [try #require(Pin(Base64.encode([UInt8](repeating: 7, count: 32))))]
        try world.connections().save(descriptor)
        #expect(try world.connections().open("nas").descriptor.pins == descriptor.pins)
        try world.write(old, to: .description, of: "nas")
        try await world.expectStopped("nas", because: .damaged(.file(.olderCopy)), "older")
    }

    @Test func `an older record of servers that is put back is noticed`() async throws {
        try world.add("nas")
        let old = try world.bytes(.servers, of: "nas")
        let files = ConnectionFiles(path: world.home.connections) { [world] _ in world.vault }
        let id = try #require(ConnectionID(world.id("nas")))
        try ConnectionServers(files, of: id, key: nil).write(try ServerTrustRecord().encoded())
        _ = try world.connections().open("nas")
        try world.write(old, to: .servers, of: "nas")
        #expect(throws: ConnectionFailure.servers(.file(.olderCopy))) { try world.connections().open("nas") }
    }

    @Test func `the record of servers is changed by one process at a time`() throws {
        try world.add("nas")
        let files = ConnectionFiles(path: world.home.connections) { [world] _ in world.vault }
        let id = try #require(ConnectionID(world.id("nas")))
        let lock = "\(world.home.connections)/\(id)/servers.lock"
        var isHeld = false
        try ConnectionServers(files, of: id, key: nil).alone { isHeld = try FileLock.tryAcquire(lock) == nil }
        #expect(isHeld)
    }

    @Test func `a file that was written once and is gone is noticed`() async throws {
        try world.add("nas")
        try DurableFile.remove(world.path(.servers, of: "nas"))
        #expect(throws: ConnectionFailure.servers(.file(.missing))) { try world.connections().open("nas") }
        try DurableFile.remove(world.path(.description, of: "nas"))
        #expect(world.problem("nas") == .damaged(.file(.missing)))
    }

    @Test func `FD8: a connection of a later version keeps its name, and is not told as missing`() throws {
        try world.add("nas")
        var object = try world.object(.description, of: "nas")
        object["version"] = 9
        object["later"] = "x"
        try world.write(object, to: .description, of: "nas")
        let failure = try #require(throws: ConnectionFailure.self) { try world.connections().open("nas") }
        guard case .connections(.damaged) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(throws: ConnectionFailure.connections(.nameTaken("nas"))) { try world.add("nas") }
    }

    @Test func `a description without its code is refused once one was written`() async throws {
        try world.add("nas")
        var object = try world.object(.description, of: "nas")
        for name in ["mac", "generation", "owner"] { object[name] = nil }
        object["version"] = 1
        try world.write(object, to: .description, of: "nas")
        try await world.expectStopped("nas", because: .damaged(.file(.altered)), "without code")
        var servers = try world.object(.servers, of: "nas")
        for name in ["mac", "generation"] { servers[name] = nil }
        let whole = try world.bytes(.servers, of: "nas")
        try world.write(servers, to: .servers, of: "nas")
        #expect(throws: ConnectionFailure.self) { try world.connections().open(world.id("nas")) }
        try world.write(whole, to: .servers, of: "nas")
        #expect(world.sent == 0)
    }

    @Test func `forged approvals, pins that are gone and another issuer count for nothing`() async throws {
        try world.add("nas")
        let whole = try world.object(.description, of: "nas")
        let approval: [String: Any] = [
            "origin": FileWorld.evilObject, "spki": Base64.encode([UInt8](repeating: 1, count: 32)),
            "fingerprint": String(repeating: "0", count: 64), "failures": ["unknownAuthority"],
            "created": 1_700_000_000, "expires": 1_700_000_000 + 86_400, "approver": "person",
        ]
        for (name, value) in [("approvals", [approval]), ("pins", [String]()), ("issuer", "https://evil.example")]
            as [(String, Any)]
        {
            var object = whole
            object[name] = value
            try world.write(object, to: .description, of: "nas")
            try await world.expectStopped("nas", because: .damaged(.file(.altered)), name)
        }
    }

    @Test func `a kill between the file and the keychain loses nothing, and the next write mends it`() async throws {
        try world.add("nas")
        let before = world.memory.state.withLock { $0.items }
        let old = try world.bytes(.description, of: "nas")
        var descriptor = try world.connections().open("nas").descriptor
        descriptor.scopes = ["two"]
        try world.connections().save(descriptor)
        // The file is one ahead of the keychain, as a kill leaves it.
        world.memory.set { $0.items = before }
        #expect(try world.connections().open("nas").descriptor.scopes == ["two"])
        descriptor.scopes = ["three"]
        try world.connections().save(descriptor)
        let newest = try world.bytes(.description, of: "nas")
        #expect(try world.object(.description, of: "nas")["generation"] as? Int == 3)
        try world.write(old, to: .description, of: "nas")
        #expect(world.problem("nas") == .damaged(.file(.olderCopy)))
        // An older keychain: the file is more than one ahead.
        world.memory.set { $0.items = before }
        try world.write(newest, to: .description, of: "nas")
        #expect(world.problem("nas") == .damaged(.file(.olderKeychain)))
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5])
    func `a kill at any write of the keychain leaves the old description or the new one`(_ writes: Int) throws {
        try world.add("nas")
        var descriptor = try world.connections().open("nas").descriptor
        world.memory.set { $0.writesUntilKill = writes }
        var (stored, tried) = (descriptor.scopes, descriptor.scopes)
        for scope in ["two", "three", "four"] {
            descriptor.scopes = [scope]
            do {
                try world.connections().save(descriptor)
                (stored, tried) = ([scope], [scope])
            } catch {
                // Whoever could go on would write nothing more: the file is ahead of the keychain by one at most.
                if tried == stored { tried = [scope] }
            }
        }
        #expect((stored == ["four"]) == (writes >= 3))
        world.memory.set { $0.writesUntilKill = nil }
        let found = try world.connections().open("nas").descriptor.scopes
        #expect(found == stored || found == tried, "\(found)")
        descriptor.scopes = ["last"]
        try world.connections().save(descriptor)
        #expect(try world.connections().open("nas").descriptor.scopes == ["last"])
    }

    @Test func `a locked keychain is locked, never damage, and nothing changes`() async throws {
        try world.add("nas")
        let bytes = try world.bytes(.description, of: "nas")
        world.memory.set { $0.readFailure = .locked(status: -25308) }
        #expect(world.problem("nas") == .keychain(.locked(status: -25308)))
        #expect(throws: ConnectionFailure.connections(.keychain(.locked(status: -25308)))) {
            try world.connections().open("nas")
        }
        await #expect(throws: ConnectionFailure.connections(.keychain(.locked(status: -25308)))) {
            try await world.connections().remove("nas")
        }
        world.memory.set { $0.readFailure = nil }
        #expect(try world.bytes(.description, of: "nas") == bytes)
        try await world.fetch("nas")
    }

    @Test func `a list changes nothing`() throws {
        try world.add("nas")
        try world.write(Array("{}".utf8), to: .servers, of: "nas")
        let before = (try world.snapshot(), world.memory.state.withLock { $0.items })
        #expect(try world.connections().list().count == 1)
        #expect(try world.snapshot() == before.0)
        #expect(world.memory.state.withLock { $0.items } == before.1)
    }

    @Test func `an altered connection is removed, keys and all, and nothing is sent`() async throws {
        try world.add("nas")
        var object = try world.object(.description, of: "nas")
        object["origin"] = FileWorld.evilObject
        try world.write(object, to: .description, of: "nas")
        let id = try #require(ConnectionID(world.id("nas")))
        await #expect(throws: ConnectionFailure.connections(.damaged(id, .file(.altered)))) {
            try await world.connections().remove("nas")
        }
        #expect(try world.connections().remove(damaged: id).localFailures.isEmpty)
        #expect(world.sent == 0)
        #expect(try world.connections().list().isEmpty)
        #expect(world.memory.state.withLock { $0.items.keys.filter { $0.account == id.text } }.isEmpty)
    }

    @Test func `a password is sealed with its origin, and goes to no other one`() async throws {
        try world.add("nas")
        let name = ItemName.password(of: try #require(ConnectionID(world.id("nas"))))
        let vault = try world.boundVault("nas")
        let elsewhere = BasicAccess(vault: vault, name: name, origin: FileWorld.evil, client: world.server.client)
        await #expect(throws: SessionFailure.foreignOrigin(FileWorld.evil)) {
            try await elsewhere.send(HTTPRequest("GET", WebURL("\(FileWorld.evil)/")))
        }
        #expect(world.sent == 0)
        // A packet without an origin is one of an older Pavise, and this connection is none.
        try vault.store(Array("ann:secret".utf8).span, as: name)
        await #expect(throws: SessionFailure.store(.corrupt(.content))) { try await world.fetch("nas") }
        #expect(world.sent == 0)
    }
}
