import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseProtectedStorage

/// What lies there by somebody else's doing, in numbers, and at other times.
@Suite struct BadInputTests {
    let fixture: StorageFixture
    init() throws { fixture = try StorageFixture() }

    @Test func `a sparse file of 1 TiB is refused at once, whatever its head says`() throws {
        let container = try fixture.open()
        let file = try container.put(pattern(9000))
        let path = container.path(of: file)
        for change in [{ _ in }, { $0[15] = 0xFF }, { $0[9] = 20 }, { $0[0] = 0 }] as [(inout [UInt8]) -> Void] {
            var bytes = try DurableFile.read(path, limit: 1 << 20)
            change(&bytes)
            let other = container.filesFolder + "/" + String(repeating: "1", count: 32)
            try DurableFile.write(bytes, to: other)
            let isSparse = unsafe truncate(other, 1 << 40) == 0
            #expect(isSparse)
            let id = try #require(StoredFileID(String(repeating: "1", count: 32)))
            #expect(throws: StorageFailure.self) { try container.readFile(id) }
            try container.removeFile(id)
        }
        #expect(unsafe truncate(path, 1 << 40) == 0)
        #expect(throws: StorageFailure.damaged(.length)) { try container.readFile(file) }
    }

    @Test(arguments: [0o777, 0o770, 0o707])
    func `a container's folder into which others may write is refused`(_ mode: Int) throws {
        _ = try fixture.open().put([1])
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: fixture.place)
        #expect(throws: StorageFailure.self) { try fixture.open() }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: fixture.place)
        #expect(try fixture.open().fileIDs().files.count == 1)
    }

    @Test(arguments: [".", "files", "database"])
    func `a pipe, a link or a file in the place of a folder is refused and not waited at`(_ part: String) throws {
        _ = try fixture.open().put([1])
        let path = part == "." ? fixture.place : fixture.place + "/" + part
        let aside = fixture.folder.path + "/aside"
        try FileManager.default.moveItem(atPath: path, toPath: aside)
        #expect(unsafe mkfifo(path, 0o600) == 0)
        #expect(throws: StorageFailure.self) { try fixture.open() }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: aside)
        #expect(throws: StorageFailure.self) { try fixture.open() }
        try FileManager.default.removeItem(atPath: path)
        try DurableFile.write([1], to: path)
        #expect(throws: StorageFailure.self) { try fixture.open() }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: aside, toPath: path)
        #expect(try fixture.open().fileIDs().files.count == 1)
    }

    @Test(arguments: [-315_360_000_000, 0, 4_102_444_800_000, Int64.min, Int64.max])
    func `a file that was written at another time, ten years off or at no time at all, is read`(_ time: Int64) throws {
        let container = try fixture.open()
        let id = try container.writeFile(name: "a", type: "", modified: time, protection: .complete) {
            (write: ([UInt8]) throws(StorageFailure) -> Void) throws(StorageFailure) in try write([1])
        }.get()
        #expect(try container.readFile(id).attributes.modified == time && container.get(id) == [1])
    }

    @Test(.long) func `100,000 names in a container are counted, one among them is read, and all are removed`() throws {
        let container = try fixture.open()
        let file = try container.put(pattern(9000))
        for number in 0..<100_000 {
            let name = String(number, radix: 16)
            let path = container.filesFolder + "/" + String(repeating: "0", count: 32 - name.count) + name
            let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            close(descriptor)
        }
        let found = try fixture.open().fileIDs()
        #expect(found.files.count == 100_001 && found.strangers == 0)
        #expect(try container.get(file) == pattern(9000))
        let junk = try #require(StoredFileID(String(repeating: "0", count: 32)))
        #expect(throws: StorageFailure.damaged(.empty)) { try container.readFile(junk) }
        try fixture.remove()
        #expect(!DurableFile.exists(fixture.place))
    }

    @Test func `several processes make one container and write one file, and each reads a whole content`() async throws
    {
        let home = fixture.folder.path + "/shared"
        try DurableFile.makeDirectory(home)
        let name = String(repeating: "7", count: 32)
        await withTaskGroup(of: Void.self) { group in
            for value in 1...3 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [home = home as String, name = name as String, value = value as Int] in
                        try SharingChild.tellingWhy(home, value) { try SharingChild.write(home, name, UInt8(value)) }
                    }
                }
            }
        }
        #expect(SharingChild.reasons(home) == [])
        let container = try SharingChild.open(home)
        #expect(try container.fileIDs().files.count == 4)
        for id in try container.fileIDs().files {
            let bytes = try container.readFile(id).readAll(limit: 1 << 20)
            #expect(bytes.count == 100_000 && Set(bytes).count == 1)
        }
        #expect(try Folder.names(in: container.filesFolder).count == 4)
    }
}

/// One of several processes that use one container at once.
private enum SharingChild {
    static func open(_ home: String) throws -> StorageContainer {
        try StorageFixture.run(in: SecurityEnvironment(home: PaviseHome(path: home))) {
            try StorageContainer.open(home + "/protected", name: "home")
        }
    }

    /// What a child throws is seen by its parent as an instruction that does not exist, and nothing else.
    static func tellingWhy(_ home: String, _ child: Int, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            try? DurableFile.write(Array("child \(child): \(error)".utf8), to: "\(home)/reason-\(child)")
            throw error
        }
    }

    static func reasons(_ home: String) -> [String] {
        let names = (try? Folder.names(in: home)) ?? []
        return names.filter { $0.hasPrefix("reason-") }.compactMap { name in
            (try? DurableFile.read("\(home)/\(name)", limit: 4096)).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    static func write(_ home: String, _ name: String, _ value: UInt8) throws {
        let container = try open(home)
        let shared = try #require(StoredFileID(name))
        let content = [UInt8](repeating: value, count: 100_000)
        let own = try container.put(content, name: "own", exponent: 16)
        // The first of the three makes the shared one, of its own.
        let place = container.path(of: shared)
        for _ in 0..<15 {
            if DurableFile.exists(place) {
                try container.put(content, replacing: shared, exponent: 16)
            } else {
                let attributes = StoredFileAttributes(name: "a", type: "", length: 0, modified: 0, generation: 1)
                var writer = try SealedFileWriter(place, file: shared.bytes, attributes, .complete, in: container)
                try writer.append(content)
                try writer.finish()
            }
            let seen = try container.readFile(shared).readAll(limit: 1 << 20)
            guard seen.count == 100_000, Set(seen).count == 1 else { exit(3) }
        }
        guard try container.get(own) == content else { exit(4) }
    }
}
