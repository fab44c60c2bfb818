import Foundation
import Pavise
import PaviseDevice
import PaviseLab
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseProtectedStorage

/// What is left of a container after a sign-out and after a wipe (B4): every file below the test's folder, which is
/// all that the process has, and the whole writable memory of the process that had files, databases and caches open.
///
/// The content was stored by the test, so that the child never makes it, only reads it. What an app reads is the app's:
/// the child overwrites freed memory (`mallopt`, M_PERTURB), so that what is found is what somebody still holds.
@Suite(.serialized) struct StorageProofTests {
    private let child: StorageProofChild
    private let folder: TemporaryFolder
    // In files only: a reader that an app keeps has its name for as long as it is kept.
    private let name = "name-" + UUID().uuidString
    // Stored ninety times in a row, so that the allocator overwrites it when it is freed.
    private let canaries = ["connection", "own"].map { "\($0)-" + UUID().uuidString }

    init() throws {
        folder = try TemporaryFolder()
        child = StorageProofChild(folder: folder.path)
        let child = child
        let (canaries, name) = (canaries, name)
        try child.inHome {
            _ = try child.connections().add("disk", origin: child.origin, method: .basic)
            for (canary, container) in zip(canaries, [try child.container(), try child.ownContainer()]) {
                let text = String(repeating: canary + "/", count: 90)
                try container.files.put(Array(text.utf8), named: name, protection: .complete)
                try container.files.put(Array(text.utf8), named: "e", protection: .complete, erasable: true)
                let database = try child.database(container)
                try database.write { try $0.run("INSERT INTO night(text) VALUES (\(text))") }
                database.close()
                let images = try ImageCache.open(in: container, protection: .complete)
                try images.keep(Array(text.utf8), for: "/image", user: "bob")
                images.close()
            }
        }
    }

    // The keys of the databases of class A, and of each container's files.
    private func keys() throws -> [[UInt8]] {
        try child.inHome {
            try [child.container(), child.ownContainer()].flatMap { container in
                let database = try container.platform.withDatabaseKey(for: .complete) { key in Array(key) }
                let files = try container.files.list().map { entry in
                    try container.platform.readFile(entry.id).key.file().withBytes { key in Array(key) }
                }
                return [database] + files
            }
        }
    }

    private func found(after story: StorageProofChild.Story) async throws -> Set<Int> {
        let pipe = try TestPipe(folder: folder.path)
        let (canaries, keys) = (canaries, try keys())
        let reader = Thread.working { () throws -> Set<Int> in
            var places: Set<Int>?
            try pipe.listen { line in
                guard line.hasPrefix("ready "), let process = Int32(line.dropFirst(6)) else { return true }
                let (found, bytes) = try ProcessMemory(process: process).search(canaries, keys: keys)
                guard bytes > 1 << 20 else { throw LabFailure.request("only \(bytes) bytes were read") }
                places = Set(found.map(\.canary))
                try pipe.release()
                return true
            }
            guard let places else { throw LabFailure.request("the child ended early") }
            return places
        }
        await #expect(processExitsWith: .success) {
            [child = child as StorageProofChild, story = story as StorageProofChild.Story] in try await child.run(story)
        }
        try pipe.end()
        return try await reader.value
    }

    private func expectNoFile(_ keys: [[UInt8]]) throws {
        let report = try CanarySearch.find(canaries + [name], keys: keys, in: folder.path)
        #expect(report.isClean && report.files > 0)
    }

    @Test func `B4: a process that has its storage open holds content and keys, so the search can find`()
        async throws
    {
        let keys = try keys()
        #expect(keys.count == 6)
        #expect(try await found(after: .used) == Set(0..<8))
        try expectNoFile(keys)
    }

    @Test func `DR9: after the device's lock no key of a container, a database or an open file is in memory`()
        async throws
    {
        // What the app read stays the app's own.
        #expect(try await found(after: .locked) == [0, 1])
    }

    @Test func `B4: after a sign-out nothing of the connection's container and of the caches is anywhere`()
        async throws
    {
        let keys = try keys()
        #expect(try await found(after: .signedOut).isDisjoint(with: [0, 2, 3, 4]))
        try expectNoFile(keys)
        let (left, own) = try child.inHome {
            (try child.container().files.list().count, try child.ownContainer().files.list().count)
        }
        #expect(left == 0 && own == 2)
    }

    @Test func `B4: after a wipe nothing of any container is anywhere`() async throws {
        let keys = try keys()
        #expect(try await found(after: .wiped).isEmpty)
        try expectNoFile(keys)
        #expect(!DurableFile.exists(folder.path + "/home/protected"))
        #expect(try Folder.names(in: folder.path + "/home/connections").filter { !$0.hasPrefix(".") }.count <= 1)
    }
}

/// A process that has a connection's storage, the app's own storage and caches open, and ends them.
struct StorageProofChild: Codable, Sendable {
    enum Story: String, Codable {
        /// Everything is open and was read.
        case used
        /// Everything is open and was read, and the device was locked then.
        case locked
        /// The connection was signed out, as `Account.signOut()` does it.
        case signedOut
        /// Everything was wiped, as the app lock's final action does it.
        case wiped
    }

    let folder: String
    var origin: Origin { Origin(scheme: .https, host: "cloud.example", port: 443) }
    private var home: PaviseHome { PaviseHome(path: folder + "/home") }

    func inHome<Value>(_ lock: LockSwitch = LockSwitch(), _ body: () throws -> Value) rethrows -> Value {
        let surroundings = SecurityEnvironment(home: home, accessGroups: ["org.pavise.test"], lock: lock)
        return try SecurityEnvironment.$override.withValue(surroundings, operation: body)
    }

    func connections() -> Connections {
        Connections(home: home, methods: .standard.withPasswords(at: .only([origin])))
    }

    func container() throws -> ProtectedContainer {
        try ConnectionsFolder(home: home).protectedContainer(of: connections().open("disk").descriptor.id)
    }

    func ownContainer() throws -> ProtectedContainer { try .ofApp("org.example.diary", in: home) }

    func database(_ container: ProtectedContainer) throws -> ProtectedDatabase {
        try container.database(
            "nights", protection: .complete,
            migrations: [DatabaseMigration(1, "nights", "CREATE TABLE night(id INTEGER PRIMARY KEY, text TEXT)")])
    }

    // mallopt(3) with M_PERTURB, -6: its header is in no module.
    private static func overwriteFreedMemory() {
        guard let symbol = unsafe dlsym(nil, "mallopt") else { exit(7) }
        let mallopt = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
        guard mallopt(-6, 0x5A) == 1 else { exit(8) }
    }

    func run(_ story: Story) async throws {
        // From here on what is freed is written over, so that what is found is what is held.
        Self.overwriteFreedMemory()
        let lock = LockSwitch()
        let (held, disk) = try inHome(lock) { () throws -> (Held, Connection) in
            let connections = connections()
            return (try Held([container(), ownContainer()], self), try connections.open("disk"))
        }
        switch story {
        case .used: break
        case .locked:
            lock.state = .locked
            // Nobody calls: keys of files follow the lock by themselves, within 10 ms on an idle machine.
            for _ in 0..<2_000 where held.hasKeys { usleep(1_000) }
            try held.expectLocked()
        case .signedOut:
            held.caches.empty()
            held.answers.removeAll(of: "0")
            try inHome { try ConnectionsFolder(home: home).removeStorage(of: disk.descriptor.id) }
            let surroundings = SecurityEnvironment(home: home, accessGroups: ["org.pavise.test"])
            _ = await SecurityEnvironment.$override.withValue(surroundings) { await disk.signOut() }
        case .wiped:
            held.caches.empty()
            held.answers.removeAll()
            try inHome {
                try ProtectedContainer.remove(app: "org.example.diary", in: home)
                try connections().wipe()
            }
        }
        // Who goes on using it learns that it is gone, and drops what it has.
        if story == .signedOut || story == .wiped { try held.expectAbsent(story == .wiped ? 0..<2 : 0..<1) }
        let pipe = ChildPipe(folder: folder)
        try pipe.tell("ready \(ProcessInfo.processInfo.processIdentifier)")
        try pipe.wait()
        withExtendedLifetime((held, disk)) {}
    }
}

/// An answer that may be kept, of the canary's words.
private struct ProofGlossary: CacheableResponse, Equatable { let words: [String] }

/// What the child has open.
private final class Held: Sendable {
    let caches = CacheGroup()
    let memory = MemoryCache<String, [UInt8]>()
    let readers: [SealedFileReader]
    let databases: [ProtectedDatabase]
    let images: [ImageCache]
    // Not in the group: a sign-out takes the answers of its own connection.
    let answers = ResponseCache()

    init(_ containers: [ProtectedContainer], _ child: StorageProofChild) throws {
        caches.add(memory)
        var (readers, databases, images): ([SealedFileReader], [ProtectedDatabase], [ImageCache]) = ([], [], [])
        for (number, container) in containers.enumerated() {
            for entry in try container.files.list() {
                let reader = try container.files.open(entry.id)
                let content = try reader.readAll(limit: 1 << 20)
                memory.set(content, for: "\(number) \(entry.id)")
                try Self.keep(content, as: "\(number)", in: answers)
                readers.append(reader)
            }
            let database = try child.database(container)
            let count = try database.read { try $0.value("SELECT sum(length(text)) FROM night", as: Int.self) }
            guard count ?? 0 > 1000 else { exit(3) }
            databases.append(database)
            let cache = try ImageCache.open(in: container, protection: .complete)
            guard try cache.image(for: "/image", user: "bob") != nil else { exit(4) }
            caches.add(cache)
            images.append(cache)
        }
        self.readers = readers
        self.databases = databases
        self.images = images
    }

    // As a server would give it: its text is nowhere else.
    private static func keep(_ content: [UInt8], as connection: String, in answers: ResponseCache) throws {
        let body = Array("{\"words\": [\"".utf8) + content + Array("\"]}".utf8)
        let response = HTTPResponse(status: 200, fields: HTTPFields(), body: body)
        let request = HTTPRequest("GET", try WebURL("https://cloud.example/glossary"))
        let value = try JSONDecoder().decode(ProofGlossary.self, from: Data(body))
        guard answers.keep(value, of: response, to: request, user: "bob", connection: connection) == nil,
            answers.kept(ProofGlossary.self, request, user: "bob", connection: connection) == value
        else { exit(9) }
    }

    var hasKeys: Bool { readers.contains(where: \.key.isHeld) }

    func expectLocked() throws {
        for reader in readers {
            do {
                _ = try reader.readAll(limit: 1 << 20)
                exit(10)
            } catch StorageFailure.locked {}
        }
        for database in databases {
            do {
                _ = try database.read { try $0.value("SELECT count(*) FROM night", as: Int.self) }
                exit(11)
            } catch ProtectedDatabaseError.locked {}
        }
        for cache in images {
            do {
                _ = try cache.image(for: "/image", user: "bob")
                exit(12)
            } catch ProtectedDatabaseError.locked {}
        }
    }

    func expectAbsent(_ containers: Range<Int>) throws {
        for index in containers {
            for reader in readers[index * 2..<index * 2 + 2] where (try? reader.readAll(limit: 1 << 20)) != nil {
                exit(5)
            }
            do {
                _ = try databases[index].read { try $0.value("SELECT count(*) FROM night", as: Int.self) }
                exit(6)
            } catch ProtectedDatabaseError.absent {}
        }
    }
}
