import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseProtectedStorage

/// Somebody changes what lies on the disk (DR5 to DR7).
@Suite struct SealedFileAttackTests {
    let fixture: StorageFixture
    let container: StorageContainer
    let content = pattern(3 * 4096 - 100)

    init() throws {
        fixture = try StorageFixture()
        container = try fixture.open()
    }

    private func bytes(_ file: StoredFileID) throws -> [UInt8] {
        try DurableFile.read(container.path(of: file), limit: 1 << 24)
    }

    private func isRefused(_ file: StoredFileID, _ changed: [UInt8]) throws -> Bool {
        try DurableFile.write(changed, to: container.path(of: file))
        do {
            _ = try container.get(file)
            return false
        } catch let failure as StorageFailure {
            switch failure {
            case .damaged, .newer, .foreign: return true
            default: return false
            }
        }
    }

    @Test(.long) func `DR6: cut at every byte`() throws {
        let file = try container.put(content)
        let whole = try bytes(file)
        for count in 0..<whole.count where count < 400 || count % 97 == 0 || count > whole.count - 40 {
            #expect(try isRefused(file, Array(whole[..<count])), "\(count)")
        }
        #expect(try isRefused(file, []))
        #expect(throws: StorageFailure.damaged(.empty)) { try container.get(file) }
    }

    @Test func `DR6: longer by a byte, a chunk or a hole`() throws {
        let file = try container.put(content)
        let whole = try bytes(file)
        for more in [[0], [UInt8](repeating: 0, count: 4112), Array(whole.suffix(4112))] {
            #expect(try isRefused(file, whole + more))
            #expect(throws: StorageFailure.damaged(.length)) { try container.readFile(file) }
        }
        try DurableFile.write(whole, to: container.path(of: file))
        let isLonger = unsafe truncate(container.path(of: file), 1 << 40) == 0
        #expect(isLonger)
        #expect(throws: StorageFailure.damaged(.length)) { try container.readFile(file) }
    }

    @Test func `DR5, DR6: a chunk of zeros is damage, and nothing of a damaged file is given out`() throws {
        let file = try container.put(content)
        let whole = try bytes(file)
        let head = try container.readFile(file).head.count
        for number in 0..<3 {
            var changed = whole
            let start = head + number * 4112
            for index in start..<min(start + 4112, whole.count) { changed[index] = 0 }
            #expect(try isRefused(file, changed))
            let reader = try container.readFile(file)
            #expect(throws: StorageFailure.damaged(.content)) { try reader.readAll(limit: 1 << 20) }
            #expect(throws: StorageFailure.damaged(.content)) { try reader.verify() }
            #expect(throws: StorageFailure.damaged(.content)) { try reader.read(at: number * 4096, count: 1) }
        }
    }

    @Test func `DR7: a chunk opens at its own place of its own writing only`() throws {
        let (one, two) = (try container.put(content), try container.put(content))
        let first = try bytes(one)
        try container.put(content, replacing: one)
        let (second, other) = (try bytes(one), try bytes(two))
        let head = try container.readFile(one).head.count
        let places = (0..<3).map { head + $0 * 4112..<min(head + ($0 + 1) * 4112, second.count) }
        for (place, target) in places.enumerated() {
            for source in [first, second, other] {
                for (from, range) in places.enumerated() where range.count == target.count {
                    if source == second, from == place { continue }
                    var changed = second
                    changed.replaceSubrange(target, with: source[range])
                    #expect(try isRefused(one, changed), "\(from) to \(place)")
                }
            }
        }
        // A head of another writing, and another file's bytes under this name.
        #expect(try isRefused(one, Array(first[..<head]) + second[head...]))
        #expect(try isRefused(one, other))
        #expect(throws: StorageFailure.foreign) { try container.get(one) }
    }

    @Test func `DR3, DR7: a file of another container is foreign`() throws {
        let other = try fixture.open(name: "other")
        let file = try other.put(content)
        try DurableFile.write(
            try DurableFile.read(other.path(of: file), limit: 1 << 20), to: container.path(of: file))
        #expect(throws: StorageFailure.foreign) { try container.get(file) }
    }

    @Test(.long) func `DM3: 10,000 mutations give no wrong byte and no partial output`() throws {
        var numbers = SystemRandomNumberGenerator()
        let file = try container.put(content)
        let whole = try bytes(file)
        var wrong = 0
        for _ in 0..<10_000 {
            var changed = whole
            for _ in 0...Int.random(in: 0...2, using: &numbers) {
                let place = Int.random(in: 0..<whole.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: changed[min(place, changed.count - 1)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
                case 1: changed.removeSubrange(min(place, changed.count - 1)..<min(place + 40, changed.count))
                case 2: changed.insert(contentsOf: [1, 2, 3], at: min(place, changed.count))
                default: changed[min(place % 240, changed.count - 1)] &+= 1
                }
                if changed.isEmpty { changed = [0] }
            }
            if changed == whole { continue }
            // Not through the durable write: ten thousand syncs.
            try Data(changed).write(to: URL(fileURLWithPath: container.path(of: file)))
            if (try? container.get(file)) != nil { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test func `DR5: the tag over the head is asked for`() throws {
        let file = try container.put(content)
        let whole = try bytes(file)
        let head = try container.readFile(file).head.count
        for place in head - 16..<head {
            var changed = whole
            changed[place] ^= 0x80
            #expect(try isRefused(file, changed))
            #expect(throws: StorageFailure.damaged(.head)) { try container.readFile(file) }
        }
    }

    @Test func `DR3: formats of others are damage, later ones are newer`() throws {
        let file = try container.put(content)
        let whole = try bytes(file)
        for other in [
            Array("age-encryption.org/v1\n".utf8), Array("SQLite format 3\0".utf8), [0], Array("PVSFILE\0".utf8),
        ] {
            #expect(try isRefused(file, other + [UInt8](repeating: 7, count: 500)))
            #expect(throws: StorageFailure.damaged(.head)) { try container.readFile(file) }
        }
        var later = whole
        later[7] = 9
        #expect(try isRefused(file, later))
        #expect(throws: StorageFailure.newer(version: 9)) { try container.readFile(file) }
        var flagged = whole
        flagged[11] = 2
        try DurableFile.write(flagged, to: container.path(of: file))
        #expect(throws: StorageFailure.newer(version: 1)) { try container.readFile(file) }
    }

    @Test func `DR6: a head that announces any other length is refused`() throws {
        let file = try container.put(content)
        let path = container.path(of: file)
        let length = try SealedFileReader.head(at: path).count
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        for announced in Array(0...4200) + [0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32] {
            try handle.seek(toOffset: 12)
            try handle.write(contentsOf: Data((0..<4).map { UInt8(truncatingIfNeeded: announced >> (24 - 8 * $0)) }))
            guard announced != length else {
                #expect(try container.get(file) == content)
                continue
            }
            #expect(throws: StorageFailure.damaged(.head), "\(announced)") { try container.readFile(file) }
        }
    }

    @Test func `DR2: a file that gets another mode while it is written is an error and no success`() throws {
        let file = try container.put(content)
        let path = container.path(of: file)
        let observer = FileObserver(done: { step in
            if step.call == .rename, step.target == path { _ = unsafe chmod(path, 0o644) }
        })
        #expect(throws: StorageFailure.damaged(.protection)) {
            try FileObserver.$current.withValue(observer) { try container.put(content, replacing: file) }
        }
    }

    @Test func `DR2: links, pipes, folders and files that others may read are refused and not waited at`() throws {
        let file = try container.put(content)
        let path = container.path(of: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: StorageFailure.damaged(.kind)) { try container.readFile(file) }
        try DurableFile.move(path, to: fixture.folder.path + "/aside")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: fixture.folder.path + "/aside")
        #expect(throws: StorageFailure.damaged(.kind)) { try container.readFile(file) }
        try DurableFile.remove(path)
        let isPipe = unsafe mkfifo(path, 0o600) == 0
        #expect(isPipe)
        #expect(throws: StorageFailure.damaged(.kind)) { try container.readFile(file) }
        try DurableFile.remove(path)
        try DurableFile.makeDirectory(path)
        #expect(throws: StorageFailure.damaged(.kind)) { try container.readFile(file) }
    }

    @Test(
        "DR2: a file that a restore left to another user is not damaged, and says how to get it back",
        .enabled(if: geteuid() == 0, "only root can give away"))
    func foreign() throws {
        let file = try container.put(content)
        let path = container.path(of: file)
        let isGiven = unsafe chown(path, 12345, 12345) == 0
        #expect(isGiven)
        let failure = try #require(throws: StorageFailure.self) { try container.readFile(file) }
        guard case .system(let reason) = failure else { throw failure }
        #expect(reason.remedy == "sudo chown 0 \(FileProblem.quoted(path))")
    }

    @Test func `class B: an altered ephemeral key, wrapped key or point of small order is damage`() throws {
        let file = try container.put(content, .completeUnlessOpen)
        let whole = try bytes(file)
        for place in [48, 79, 80, 119] {
            var changed = whole
            changed[place] ^= 1
            #expect(try isRefused(file, changed))
        }
        #expect(try isRefused(file, Array(whole[..<48]) + [UInt8](repeating: 0, count: 32) + whole[80...]))
    }
}
