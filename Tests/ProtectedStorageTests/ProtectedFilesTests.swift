import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseProtectedStorage
@testable import PaviseStorage

/// What an app sees of protected files.
@Suite struct ProtectedFilesTests {
    let fixture: StorageFixture
    let files: ProtectedFiles

    init() throws {
        fixture = try StorageFixture()
        files = ProtectedFiles(container: try fixture.open())
    }

    private func streamed(_ id: StoredFileID) throws -> (bytes: [UInt8], isFinished: Bool) {
        var stream = StreamedContent(of: try files.open(id))
        var bytes: [UInt8] = []
        while true {
            guard let piece = try? stream.next() else { return (bytes, false) }
            switch piece {
            case .unfinished(let more): bytes += more
            case .finished: return (bytes, true)
            }
        }
    }

    @Test(arguments: [0, 1, 65_536, 200_000])
    func `a stream gives everything and says when it is finished`(_ count: Int) throws {
        let id = try files.put(pattern(count), named: "a", protection: .complete)
        let (bytes, isFinished) = try streamed(id)
        #expect(bytes == pattern(count) && isFinished)
        #expect(try files.get(id, limit: count) == pattern(count))
        #expect(throws: StorageFailure.unusable(.size)) { try files.get(id, limit: count - 1) }
    }

    @Test(arguments: 0..<4)
    func `DR5: of a damaged file no consumer sees the end, and no byte that was not written`(_ chunk: Int) throws {
        let content = pattern(4 * 65_536)
        let id = try files.put(content, named: "a", protection: .complete)
        let path = files.container.path(of: id)
        var bytes = try DurableFile.read(path, limit: 1 << 20)
        bytes[bytes.count - (4 - chunk) * 65_552 + 9] ^= 4
        try DurableFile.write(bytes, to: path)
        let (seen, isFinished) = try streamed(id)
        #expect(!isFinished && seen == Array(content[..<(chunk * 65_536)]))
        #expect(throws: StorageFailure.damaged(.content)) { try files.get(id, limit: 1 << 20) }
        #expect(throws: StorageFailure.damaged(.content)) { try files.verify(id) }
    }

    @Test func `a list names what does not open, with the reason`() throws {
        let (a, b) = (
            try files.put([1], named: "a", protection: .complete),
            try files.put([2], named: "b", type: "text/plain", protection: .none)
        )
        try DurableFile.write([], to: files.container.filesFolder + "/" + String(repeating: "0", count: 32))
        try DurableFile.write([1], to: files.container.filesFolder + "/readme")
        let list = try files.list()
        #expect(list.map { try? $0.content.get().attributes.name } == ["a", "b", nil])
        #expect(list.last?.content == .failure(.damaged(.empty)))
        fixture.lock.state = .locked
        #expect(try files.list().first { $0.id == a }?.content == .failure(.locked))
        #expect(try files.list().first { $0.id == b }?.content.get().protection == ProtectionClass.none)
        try files.remove(a)
        try files.remove(a)
        #expect(throws: StorageFailure.absent) { try files.get(a, limit: 1) }
    }

    @Test func `the storage of a connection ends with its keys`() throws {
        let folder = ConnectionsFolder(home: fixture.home)
        let id = try ConnectionID.random()
        try DurableFile.makeDirectory(folder.folder(of: id))
        let own = try fixture.run { try folder.protectedFiles(of: id) }
        let file = try own.put([1], named: "a", protection: .none)
        #expect(try own.get(file, limit: 1) == [1])
        try fixture.run { try folder.destroyStorageKeys(of: id) }
        #expect(throws: StorageFailure.self) { try own.get(file, limit: 1) }
        #expect(throws: StorageFailure.damaged(.keyLost)) { try fixture.run { try folder.protectedFiles(of: id) } }
        try fixture.run { try folder.destroyStorageKeys(of: id) }
    }

    @Test(arguments: [false, true], ["", "/apps/org.example.diary"])
    func `DR25: the keys of a connection's storage go also where its folder was deleted by hand`(
        _ isSignOut: Bool, _ app: String
    ) throws {
        // An app has a home of its own, and the secret store of the home around it.
        let folder = ConnectionsFolder(home: PaviseHome(path: fixture.home.path + app))
        func end(_ id: ConnectionID) throws {
            try fixture.run {
                if isSignOut { try folder.removeStorage(of: id) } else { try folder.destroyStorageKeys(of: id) }
            }
        }
        let id = try ConnectionID.random()
        let place = folder.folder(of: id)
        try DurableFile.makeDirectory(place)
        let own = try fixture.run { try folder.protectedFiles(of: id) }
        _ = try own.put([1], named: "a", protection: .none)
        try DurableFile.move(place + "/protected", to: place + "-copy")
        try DurableFile.remove(place + "/protected.lock")
        try end(id)
        try DurableFile.move(place + "-copy", to: place + "/protected")
        #expect(throws: StorageFailure.damaged(.keyLost)) { try fixture.run { try folder.protectedFiles(of: id) } }
        let other = try ConnectionID.random()
        try DurableFile.makeDirectory(folder.folder(of: other))
        try end(other)
        #expect(!DurableFile.exists(folder.folder(of: other) + "/protected"))
    }
}
