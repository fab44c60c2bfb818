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

/// RV-H4: a connection is destroyed on certainty, and never by a list.
@Suite struct ConnectionRemovalTests {
    private let folder: TemporaryFolder
    private let memory = MemoryStore()
    private let key = MemoryKey()
    private let server = ScriptedServer()
    private var home: PaviseHome { PaviseHome(path: folder.path + "/home") }
    private let origin = Origin(scheme: .https, host: "cloud.example", port: 443)

    init() throws { folder = try TemporaryFolder() }

    private var connections: Connections {
        Connections(
            home: home, methods: .standard.withPasswords(at: .only([origin])),
            makeClient: { [server] _ in server.client },
            makeVault: { [memory, key] _ in TokenVault(store: memory, key: key) })
    }

    private var marks: ConnectionsFolder {
        ConnectionsFolder(home: home) { [memory, key] _ in TokenVault(store: memory, key: key) }
    }

    /// How many secrets of a connection there are.
    private func items(_ id: ConnectionID) -> Int {
        memory.state.withLock { $0.items.keys.count { $0.account == id.text } }
    }

    private func add() throws -> (id: ConnectionID, path: String) {
        let made = try connections.add("nas", origin: origin, method: .basic)
        let vault = TokenVault(store: memory, key: key)
        try SecretBytes(utf8: "open sesame").withBytes { bytes throws(VaultFailure) in
            try vault.store(bytes, as: .password(of: made.descriptor.id))
        }
        return (made.descriptor.id, "\(home.connections)/\(made.descriptor.id)")
    }

    private static let codes: [Int32] = [
        EACCES, EIO, ESTALE, ENOMEM, ELOOP, EPERM, ENOTDIR, ENAMETOOLONG, EMFILE, ETIMEDOUT, ENXIO, EBUSY,
    ]

    @Test(
        "RV-H4: a mark of which the file system says nothing removes nothing, and the list says that it cannot say",
        arguments: codes, [FileStep.Call.open, .read])
    func unknown(_ code: Int32, _ call: FileStep.Call) throws {
        let (id, path) = try add()
        if call == .read { try DurableFile.write(noBytes.span, to: path + "/removed") }
        let observer = FileObserver(failure: { $0.call == call && $0.path == path + "/removed" ? code : nil })
        try FileObserver.$current.withValue(observer) {
            let rows = try connections.list()
            #expect(rows.map(\.id) == [id])
            guard case .failure(.damaged(.system(let failure))) = rows.first?.descriptor else {
                Issue.record("the list says something else")
                return
            }
            #expect(failure.code == code)
            try connections.finishRemovals()
        }
        #expect(items(id) > 0)
        #expect(DurableFile.exists(path + "/connection.json"))
    }

    @Test(
        "RV-H4: where a description cannot be read, nobody says that there is no such connection or makes another",
        arguments: codes)
    func unknownNames(_ code: Int32) throws {
        let (id, path) = try add()
        let observer = FileObserver(
            failure: { $0.call == .open && $0.path == path + "/connection.json" ? code : nil })
        let unknown = { @Sendable (failure: ConnectionFailure) -> Bool in
            guard case .connections(.system(let system)) = failure else { return false }
            return system.code == code
        }
        try FileObserver.$current.withValue(observer) {
            let opened = try #require(throws: ConnectionFailure.self) { try connections.open("nas") }
            #expect(unknown(opened), "\(opened)")
            let other = try #require(throws: ConnectionFailure.self) { try connections.open("other") }
            #expect(unknown(other), "\(other)")
            let made = try #require(throws: ConnectionFailure.self) {
                try connections.add("nas", origin: origin, method: .basic)
            }
            #expect(unknown(made), "\(made)")
        }
        #expect(try connections.list().map(\.id) == [id])
        #expect(throws: Never.self) { try connections.open("nas") }
        #expect(throws: ConnectionFailure.connections(.unknownName("other", known: ["nas"]))) {
            try connections.open("other")
        }
    }

    @Test("RV-H4: of a connection that is wiped without its server nobody says that there was nothing to revoke")
    func unasked() throws {
        let (id, path) = try add()
        try DurableFile.write(Array("{}".utf8).span, to: path + "/connection.json")
        let report = try connections.remove(damaged: id)
        #expect(report.localFailures.isEmpty && report.revocation == .failed)
        #expect(items(id) == 0 && !DurableFile.exists(path))
    }

    @Test("RV-H4: a list changes nothing, also where a removal waits to be finished")
    func list() throws {
        let (id, path) = try add()
        try marks.markRemoved(id)
        for _ in 0..<2 { #expect(try connections.list().isEmpty) }
        #expect(items(id) > 0)
        #expect(DurableFile.exists(path + "/connection.json"))
        try connections.finishRemovals()
        #expect(items(id) == 0)
        #expect(!DurableFile.exists(path))
    }

    @Test(
        "RV-H4: a mark that nothing authenticates is finished where only the folder is left, and else told as damage",
        arguments: ["empty", "first form", "second form"])
    func older(_ kind: String) throws {
        let (id, path) = try add()
        if kind == "second form" {
            try marks.markRemoved(id)
        } else {
            let mark = kind == "empty" ? noBytes : Array("PVRM1 \(id)\n".utf8)
            try DurableFile.write(mark.span, to: path + "/removed")
        }
        // The earliest versions had no key, and in a removal it goes last.
        memory.set { $0.items[.connectionKey(of: id)] = nil }
        let before = items(id)
        try connections.finishRemovals()
        #expect(items(id) == before && before > 0)
        guard case .failure(.damaged(.system)) = try connections.list().first?.descriptor else {
            Issue.record("the list says something else")
            return
        }
        // As far as a removal comes before its folder goes.
        try key.destroy()
        memory.set { $0.items[.password(of: id)] = nil }
        #expect(try connections.list().isEmpty)
        try connections.finishRemovals()
        #expect(items(id) == 0 && !DurableFile.exists(path))
    }

    @Test("RV-H4: an order removes a connection where a mark was made up before", arguments: ["first form", "empty"])
    func ordered(_ kind: String) throws {
        let (id, path) = try add()
        let mark = kind == "empty" ? noBytes : Array("PVRM1 \(id)\n".utf8)
        try DurableFile.write(mark.span, to: path + "/removed")
        #expect(try connections.remove(damaged: id).localFailures.isEmpty)
        #expect(items(id) == 0 && !DurableFile.exists(path))
    }

    @Test("RV-H4: a removal marked with a damaged key does not go on by itself, and an order ends it")
    func damagedKey() throws {
        let (id, path) = try add()
        memory.set { $0.items[.connectionKey(of: id)] = [1] }
        try marks.markRemoved(id)
        try connections.finishRemovals()
        #expect(items(id) > 1 && DurableFile.exists(path))
        #expect(try connections.remove(damaged: id).localFailures.isEmpty)
        #expect(items(id) == 0 && !DurableFile.exists(path))
    }

    @Test("RV-H4: where the keychain does not answer, no removal is marked")
    func markWithoutKeychain() throws {
        let (id, path) = try add()
        memory.set { $0.readFailure = .locked(status: -25_308) }
        #expect(throws: ConnectionsFailure.keychain(.locked(status: -25_308))) { try marks.markRemoved(id) }
        #expect(!DurableFile.exists(path + "/removed"))
        memory.set { $0.readFailure = nil }
        // And a mark that is there is not judged: the connection is neither there nor removed.
        try marks.markRemoved(id)
        memory.set { $0.readFailure = .locked(status: -25_308) }
        guard case .failure(.keychain) = try connections.list().first?.descriptor else {
            Issue.record("the list says something else")
            return
        }
    }

    @Test(
        "RV-H4: what has the name of a mark and is none removes nothing",
        arguments: ["link", "pipe", "folder", "text", "empty", "first form", "other code", "another's"])
    func foreign(_ kind: String) throws {
        let (id, path) = try add()
        let mark = path + "/removed"
        switch kind {
        case "link":
            try DurableFile.write(noBytes.span, to: folder.path + "/real")
            try FileManager.default.createSymbolicLink(atPath: mark, withDestinationPath: folder.path + "/real")
        case "pipe": #expect(unsafe mkfifo(mark, 0o600) == 0)
        case "folder": try DurableFile.makeDirectory(mark)
        case "text": try DurableFile.write(Array("removed".utf8).span, to: mark)
        // Anybody who can read the name of the folder writes these.
        case "first form": try DurableFile.write(Array("PVRM1 \(id)\n".utf8).span, to: mark)
        case "other code":
            try marks.markRemoved(id)
            var forged = try DurableFile.read(mark, limit: 256)
            forged[forged.count - 2] = forged[forged.count - 2] == UInt8(ascii: "0") ? 0x31 : 0x30
            try DurableFile.write(forged.span, to: mark)
        // An older Pavise's, which knew no connection of today.
        case "empty": try DurableFile.write(noBytes.span, to: mark)
        default:
            let other = try connections.add("other", origin: origin)
            try marks.markRemoved(other.descriptor.id)
            try FileManager.default.copyItem(
                atPath: "\(home.connections)/\(other.descriptor.id)/removed", toPath: mark)
        }
        try connections.finishRemovals()
        #expect(items(id) > 0)
        #expect(try connections.list().map(\.id) == [id])
        #expect(throws: ConnectionFailure.self) { try connections.open("nas") }
        try Folder.remove(mark)
        #expect(throws: Never.self) { try connections.open("nas") }
    }

    private func begin(_ name: String = "nas") throws -> (Connection, ConnectionBeginning) {
        try connections.begin(
            ConnectionDescriptor(id: try .random(), name: name, origin: origin, method: .basic, created: 1))
    }

    @Test("C1: a connection whose sign-in was killed is gone after the next start, and not while it goes on")
    func killedSignIn() throws {
        let (made, beginning) = try begin()
        let path = "\(home.connections)/\(made.descriptor.id)"
        // Another process starts meanwhile.
        try connections.finishRemovals()
        #expect(try connections.list().map(\.id) == [made.descriptor.id])
        // The kernel does this when the process ends.
        beginning.end()
        try connections.finishRemovals()
        #expect(try connections.list().isEmpty)
        #expect(items(made.descriptor.id) == 0 && !DurableFile.exists(path))
    }

    // What a kill in the same moment leaves: the key, and a folder with nothing in it.
    @Test(
        "C1: a connection whose making ended before its mark was there is gone after the next start",
        arguments: [ENOSPC, EIO])
    func unmade(_ code: Int32) throws {
        let observer = FileObserver(failure: { $0.path.contains("/beginning") && $0.call != .open ? code : nil })
        FileObserver.$current.withValue(observer) {
            #expect(throws: ConnectionFailure.self) { _ = try begin() }
        }
        #expect(try connections.list().count == 1)
        try connections.finishRemovals()
        #expect(try connections.list().isEmpty)
        #expect(memory.left.isEmpty)
        let (made, beginning) = try begin()
        try connections.complete(made)
        beginning.end()
        #expect(throws: Never.self) { try connections.open("nas") }
    }

    @Test("C1: a key whose connection never came to have a folder is gone after the next start, and no other one")
    func keyWithoutFolder() throws {
        let start = home.connections + "/"
        let kept = try add()
        let before = memory.left.count
        // What a kill in the same moment leaves: the key, and no folder.
        let observer = FileObserver(failure: { $0.call == .makeFolder && $0.path.hasPrefix(start) ? ENOSPC : nil })
        FileObserver.$current.withValue(observer) {
            #expect(throws: ConnectionFailure.self) { _ = try begin("other") }
        }
        #expect(memory.left.count == before + 1)
        #expect(try connections.list().map(\.id) == [kept.id])
        // A note says nothing of a connection that has its folder, nor of another program's.
        let note = try #require(try Folder.names(in: home.connections).first { $0.hasPrefix(".making-") })
        let own = String(decoding: try DurableFile.read(start + note, limit: 1024), as: UTF8.self)
        let lost = String(note.dropFirst(".making-".count))
        let foreign = try ConnectionID.random()
        memory.set { $0.items[.connectionKey(of: foreign)] = [1] }
        try DurableFile.write(
            Array(own.replacingOccurrences(of: lost, with: kept.id.text).utf8).span, to: start + ".making-\(kept.id)")
        try DurableFile.write(Array("PVMK1 \(foreign) another\n".utf8).span, to: start + ".making-\(foreign)")
        try connections.finishRemovals()
        #expect(memory.left.count == before + 1)
        #expect(memory.left[.connectionKey(of: foreign)] != nil)
        #expect(throws: Never.self) { try connections.open("nas") }
        #expect(try Folder.names(in: home.connections).filter { $0.hasPrefix(".making-") } == [".making-\(foreign)"])
    }

    @Test("C1: a connection whose sign-in succeeded stays")
    func completed() throws {
        let (made, beginning) = try begin()
        try connections.complete(made)
        beginning.end()
        try connections.finishRemovals()
        #expect(throws: Never.self) { try connections.open("nas") }
        // Twice is fine, and so is one that was never begun.
        try connections.complete(made)
        let plain = try connections.add("plain", origin: origin)
        try connections.complete(plain)
        try connections.finishRemovals()
        #expect(try connections.list().count == 2)
    }

    @Test("RV-H4: a sign-in's mark that comes back once it has succeeded removes nothing", arguments: [false, true])
    func beginningAgain(isTakenAway: Bool) throws {
        let (made, beginning) = try begin()
        let id = made.descriptor.id
        let mark = "\(home.connections)/\(id)/beginning"
        // A backup of that moment has it, and it may be taken away before its time.
        let kept = try DurableFile.read(mark, limit: 256)
        if isTakenAway { try DurableFile.remove(mark) }
        try connections.complete(made)
        beginning.end()
        try DurableFile.write(kept.span, to: mark)
        try connections.finishRemovals()
        #expect(memory.left[.connectionKey(of: id)] != nil)
        #expect(throws: Never.self) { try connections.open("nas") }
    }

    @Test("RV-H4: a connection whose folder was emptied or taken away keeps its key, and comes back with its files")
    func emptied() throws {
        let start = home.connections + "/"
        let (made, beginning) = try begin()
        try connections.complete(made)
        beginning.end()
        let id = made.descriptor.id
        let copy = folder.path + "/copy"
        try FileManager.default.copyItem(atPath: start + id.text, toPath: copy)
        for name in try Folder.names(in: start + id.text) { try DurableFile.remove("\(start)\(id)/\(name)") }
        try connections.finishRemovals()
        #expect(memory.left[.connectionKey(of: id)] != nil)
        // And with a note that calls its key one that no folder was made for.
        try Folder.remove(start + id.text)
        try DurableFile.write(
            Array("PVMK1 \(id) \(ProgramBridge.identifier)\n".utf8).span, to: start + ".making-\(id)")
        try connections.finishRemovals()
        #expect(memory.left[.connectionKey(of: id)] != nil)
        try FileManager.default.copyItem(atPath: copy, toPath: start + id.text)
        #expect(throws: Never.self) { try connections.open("nas") }
    }

    @Test("C1: what could not be taken back is told, and goes with the next start", arguments: [ENOSPC, EIO, EROFS])
    func notTakenBack(_ code: Int32) async throws {
        let (made, beginning) = try begin()
        let observer = FileObserver(failure: { $0.path.contains("/removed") && $0.call != .open ? code : nil })
        let leftovers = await FileObserver.$current.withValue(observer) { await connections.takeBack("nas") }
        beginning.end()
        #expect(leftovers.count == 1)
        #expect(try connections.list().map(\.id) == [made.descriptor.id])
        try connections.finishRemovals()
        #expect(try connections.list().isEmpty)
        #expect(await connections.takeBack("nas").isEmpty)
    }

    @Test(
        "RV-H4: what has the name of a sign-in's mark and is none, or cannot be read, removes nothing",
        arguments: ["link", "pipe", "folder", "text", "empty", "another's", "unreadable", "made up"])
    func foreignBeginning(_ kind: String) throws {
        let (id, path) = try add()
        let mark = path + "/beginning"
        switch kind {
        case "link":
            try DurableFile.write(Array("PVBG1 \(id)\n".utf8).span, to: folder.path + "/real")
            try FileManager.default.createSymbolicLink(atPath: mark, withDestinationPath: folder.path + "/real")
        case "pipe": #expect(unsafe mkfifo(mark, 0o600) == 0)
        case "folder": try DurableFile.makeDirectory(mark)
        case "text": try DurableFile.write(Array("beginning".utf8).span, to: mark)
        case "empty": try DurableFile.write(noBytes.span, to: mark)
        case "unreadable", "made up": try DurableFile.write(Array("PVBG1 \(id)\n".utf8).span, to: mark)
        default:
            let (other, beginning) = try begin("other")
            try FileManager.default.copyItem(
                atPath: "\(home.connections)/\(other.descriptor.id)/beginning", toPath: mark)
            try connections.complete(other)
            beginning.end()
        }
        let isUnreadable = kind == "unreadable"
        let observer = FileObserver(failure: { isUnreadable && $0.call == .open && $0.path == mark ? EIO : nil })
        try FileObserver.$current.withValue(observer) { try connections.finishRemovals() }
        #expect(items(id) > 0)
        #expect(throws: Never.self) { try connections.open("nas") }
    }

    @Test(
        "RV-H4: a sign-in's mark of which the file system says nothing removes nothing",
        arguments: codes, [FileStep.Call.open, .read])
    func unknownBeginning(_ code: Int32, _ call: FileStep.Call) throws {
        let (id, path) = try add()
        let mark = path + "/beginning"
        try DurableFile.write(Array("PVBG1 \(id)\n".utf8).span, to: mark)
        let observer = FileObserver(failure: { $0.call == call && $0.path == mark ? code : nil })
        try FileObserver.$current.withValue(observer) { try connections.finishRemovals() }
        #expect(items(id) > 0)
        #expect(throws: Never.self) { try connections.open("nas") }
    }

    @Test("RV-H4: a folder that was put aside goes, and the keys of a connection that came back stay")
    func aside() throws {
        let (id, path) = try add()
        try FileManager.default.copyItem(atPath: path, toPath: "\(home.connections)/.removed-\(id)")
        try connections.finishRemovals()
        #expect(!DurableFile.exists("\(home.connections)/.removed-\(id)"))
        #expect(items(id) > 0)
        #expect(throws: Never.self) { try connections.open("nas") }
    }

    @Test("RV-H3: a folder of connections that is a link, or that others may enter, is refused")
    func entrance() throws {
        let (_, path) = try add()
        #expect(unsafe chmod(home.connections, 0o755) == 0)
        let failure = try #require(throws: ConnectionsFailure.self) { try connections.list() }
        guard case .system(let system) = failure else { throw failure }
        #expect(system.description.contains("chmod 700 \(home.connections)"))
        #expect(throws: ConnectionFailure.self) { try connections.add("second", origin: origin) }
        #expect(unsafe chmod(home.connections, 0o700) == 0)
        try FileManager.default.moveItem(atPath: home.connections, toPath: folder.path + "/moved")
        try FileManager.default.createSymbolicLink(
            atPath: home.connections, withDestinationPath: folder.path + "/moved")
        #expect(throws: ConnectionsFailure.self) { try connections.list() }
        _ = path
    }

    @Test("UC-170, UC-171, UC-173: a connection that was made, marked or removed is so after a loss of power")
    func powerLoss() throws {
        try DurableFile.makeDirectory(home.connections)
        let model = try PowerLossModel(home.path)
        let id = try model.follow { try connections.add("nas", origin: origin, method: .basic).descriptor.id }
        for world in PowerLossModel.World.allCases {
            let description = PowerLossModel.content(model.now, world)["/connections/\(id)/connection.json"]
            #expect(description?.map { !$0.isEmpty } == true, "\(world)")
        }
        try model.follow { try marks.markRemoved(id) }
        for world in PowerLossModel.World.allCases {
            let mark = PowerLossModel.content(model.now, world)["/connections/\(id)/removed"]
            #expect(mark?.map { !$0.isEmpty } == true, "\(world)")
        }
        try model.follow { try marks.delete(id) }
        for world in PowerLossModel.World.allCases {
            let left = PowerLossModel.content(model.now, world).keys.filter { $0.contains("\(id)") }
            #expect(left.isEmpty, "\(world)")
        }
    }

    @Test("RV-L2: a pipe in the place of the approvals is refused at once")
    func pipe() throws {
        let (_, path) = try add()
        let place = path + "/servers.json"
        if DurableFile.exists(place) { try DurableFile.remove(place) }
        #expect(unsafe mkfifo(place, 0o600) == 0)
        let refused = try #require(throws: SystemFailure.self) { try DurableFile.readIfPresent(place, limit: 100) }
        let failure = try #require(throws: ConnectionFailure.self) { try connections.open("nas") }
        guard case .servers(.system(let system)) = failure else { throw failure }
        #expect(system.code == refused.code)
    }
}

private let noBytes: [UInt8] = []
