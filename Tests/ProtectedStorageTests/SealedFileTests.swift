import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseProtectedStorage

extension StorageContainer {
    @discardableResult
    func put(
        _ bytes: [UInt8], name: String = "night.json", _ protection: ProtectionClass = .complete,
        replacing: StoredFileID? = nil, exponent: UInt8 = 12
    ) throws -> StoredFileID {
        try writeFile(
            name: name, type: "application/json", modified: 7, protection: protection, replacing: replacing,
            chunkExponent: exponent
        ) { write throws(StorageFailure) in try write(bytes) }.get()
    }

    func get(_ file: StoredFileID) throws -> [UInt8] { try readFile(file).readAll(limit: 1 << 24) }
}

/// `count` bytes that differ from place to place.
func pattern(_ count: Int, _ seed: UInt8 = 1) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) ^ seed }
}

@Suite struct SealedFileTests {
    let fixture: StorageFixture
    let container: StorageContainer

    init() throws {
        fixture = try StorageFixture()
        container = try fixture.open()
    }

    @Test(.long, arguments: ProtectionClass.allCases, [0, 1, 4095, 4096, 4097, 8192, 12_288, 20_000])
    func `what is written is read, whole and in pieces`(_ protection: ProtectionClass, _ count: Int) throws {
        let bytes = pattern(count)
        let file = try container.put(bytes, protection)
        let reader = try container.readFile(file)
        #expect(try reader.readAll(limit: count) == bytes)
        #expect(reader.protection == protection && reader.attributes.length == count)
        #expect(reader.attributes.name == "night.json" && reader.attributes.generation == 1)
        for (offset, length) in [(0, 1), (4090, 10), (count - 1, 9), (0, count), (3, 9000), (count, 5), (-1, 3)] {
            let start = min(max(0, offset), count)
            let expected = offset < 0 ? [] : Array(bytes[start..<min(count, start + max(0, length))])
            #expect(try reader.read(at: offset, count: length) == expected)
        }
        #expect(try reader.read(at: 0, count: .max) == bytes)
        try reader.verify()
    }

    @Test func `DM2: an empty file has at most 256 bytes, and 64 KiB chunks cost 0.03 %`() throws {
        let empty = try container.put([], .complete, exponent: 16)
        #expect(try DurableFile.read(container.path(of: empty), limit: 999).count <= 256)
        let reader = try container.readFile(empty)
        let gigabyte = 1 << 30
        #expect(Double(SealedFileReader.size(gigabyte, reader.head) - gigabyte) / Double(gigabyte) < 0.0003)
    }

    @Test func `DR4: while locked class A refuses to be made, class B is written, and neither is read`() throws {
        let (a, b) = (try container.put([1], .complete), try container.put([2], .completeUnlessOpen))
        let open = (a: try container.readFile(a), b: try container.readFile(b))
        fixture.lock.state = .locked
        #expect(throws: StorageFailure.locked) { try container.put([3], .complete) }
        let late = try container.put([4], .completeUnlessOpen)
        for file in [a, b, late] { #expect(throws: StorageFailure.locked) { try container.get(file) } }
        #expect(throws: StorageFailure.locked) { try open.a.readAll(limit: 9) }
        #expect(try open.b.readAll(limit: 9) == [2])
        let names = try Folder.names(in: container.filesFolder)
        #expect(Set(names) == Set([a, b, late].map(\.description)))
        fixture.lock.state = .unlocked
        #expect(try container.get(late) == [4] && container.get(a) == [1] && container.get(b) == [2])
        #expect(try open.a.readAll(limit: 9) == [1])
    }

    @Test func `DR7: a file takes 2^40 bytes and not one more, so that its key seals at most 2^28 chunks`() throws {
        let limit = 1 << 40
        #expect(try refusal(after: limit - 1, of: 1) == nil)
        #expect(try refusal(after: limit - 1, of: 2) == .unusable(.size))
        #expect(try refusal(after: limit, of: 1) == .unusable(.size))
        #expect(try Folder.names(in: container.filesFolder).isEmpty)
        // The smallest chunk that anybody writes or reads has 4,096 bytes.
        #expect(limit >> Int(SealedFileHead.exponents.lowerBound) == 1 << 28)
        #expect(throws: StorageFailure.unusable(.chunk)) { try container.put([1], exponent: 11) }
        let file = try container.put([1])
        var bytes = try DurableFile.read(container.path(of: file), limit: 1 << 20)
        bytes[9] = 11
        try DurableFile.write(bytes, to: container.path(of: file))
        #expect(throws: StorageFailure.damaged(.head)) { try container.readFile(file) }
    }

    @Test func `DR7: no head that says more than 2^40 bytes is believed`() throws {
        func encoded(_ length: Int) -> [UInt8] {
            StoredFileAttributes(name: "n", type: "", length: length, modified: 7, generation: 1).encoded()
        }
        #expect(try StoredFileAttributes(decoding: encoded(1 << 40)).length == 1 << 40)
        #expect(throws: StorageFailure.damaged(.head)) {
            try StoredFileAttributes(decoding: encoded(1 << 40 + 1))
        }
    }

    @Test func `DR3: attributes of a later form are newer, and those of none are damaged`() throws {
        var bytes = StoredFileAttributes(name: "n", type: "", length: 1, modified: 7, generation: 1).encoded()
        bytes[0] = 2
        let later = bytes
        #expect(throws: StorageFailure.newer(version: 2)) { try StoredFileAttributes(decoding: later) }
        bytes[0] = 0
        let none = bytes
        #expect(throws: StorageFailure.damaged(.head)) { try StoredFileAttributes(decoding: none) }
        #expect(throws: StorageFailure.damaged(.head)) { try StoredFileAttributes(decoding: []) }
    }

    /// What a writing that has `length` bytes already says to `count` more; nothing of it stays.
    private func refusal(after length: Int, of count: Int) throws -> StorageFailure? {
        let id = try StoredFileID.random()
        let attributes = StoredFileAttributes(name: "n", type: "", length: 0, modified: 7, generation: 1)
        var writer = try SealedFileWriter(
            container.path(of: id), file: id.bytes, attributes, .complete, in: container)
        writer.attributes.length = length
        do throws(StorageFailure) { try writer.append([UInt8](repeating: 0, count: count)) } catch { return error }
        return nil
    }

    /// What a writing that is given up had not sealed yet.
    private func leftover() throws -> PendingChunk {
        let id = try StoredFileID.random()
        let attributes = StoredFileAttributes(name: "n", type: "", length: 0, modified: 7, generation: 1)
        var writer = try SealedFileWriter(
            container.path(of: id), file: id.bytes, attributes, .complete, in: container)
        try writer.append(Array("canary".utf8))
        let before = writer.pending.bytes.count
        #expect(before == 6)
        return writer.pending
    }

    @Test func `DR9: what a writing that is given up had in clear is overwritten`() throws {
        let pending = try leftover()
        #expect(pending.bytes.isEmpty)
    }

    @Test func `DR12: names and types are nowhere in clear`() throws {
        let canary = "Depression-PHQ9-canary"
        let file = try container.put(Array("\(canary)-content".utf8), name: canary)
        for (name, content) in try fixture.content(of: fixture.home.path) {
            #expect(!name.contains("canary"), "\(name)")
            #expect(content.range(of: Data("canary".utf8)) == nil, "\(name)")
        }
        #expect(try container.readFile(file).attributes.name == canary)
    }

    @Test func `DR8: a replacement is whole or not there, and a reader of the old one reads it to its end`() throws {
        let file = try container.put(pattern(9000))
        let old = try container.readFile(file)
        try container.put(pattern(5000, 9), replacing: file)
        #expect(try old.readAll(limit: 9000) == pattern(9000))
        let new = try container.readFile(file)
        #expect(try new.readAll(limit: 9000) == pattern(5000, 9) && new.attributes.generation == 2)
        #expect(throws: StorageFailure.absent) { try container.put([1], replacing: StoredFileID.random()) }
    }

    @Test(
        "DR8: a step that fails leaves the old content and no rest",
        arguments: [FileStep.Call.create, .write, .synchronise, .rename], 1...5)
    func failing(_ call: FileStep.Call, _ times: Int) throws {
        let code = [EIO, ENOSPC, EDQUOT][times % 3]
        let file = try container.put(pattern(9000))
        let left = Monitor(times)
        let folder = container.filesFolder
        let observer = FileObserver(failure: { step in
            guard step.call == call, step.path.hasPrefix(folder) else { return nil }
            return left.change {
                $0 -= 1; return $0 == 0 ? code : nil
            }
        })
        let done = FileObserver.$current.withValue(observer) {
            (try? container.put(pattern(7000, 5), replacing: file)) != nil
        }
        // A step that failed is never passed over, also one that leaves the new bytes where a reader finds them.
        #expect(done == (left.value > 0) && (!done || times > 1))
        #expect(try container.get(file) == (done ? pattern(7000, 5) : pattern(9000)))
        #expect(try Folder.names(in: folder) == [file.description])
    }

    @Test func `DR8: a writing that failed is not gone on with, and never appears`() throws {
        let id = try StoredFileID.random()
        let folder = container.filesFolder
        let attributes = StoredFileAttributes(name: "n", type: "", length: 0, modified: 7, generation: 1)
        var writer = try SealedFileWriter(
            container.path(of: id), file: id.bytes, attributes, .complete, chunkExponent: 12, in: container)
        try writer.append(pattern(4096))
        let observer = FileObserver(failure: { step in
            step.call == .write && step.path.hasPrefix(folder) ? ENOSPC : nil
        })
        var said: [Int32?] = []
        func note(_ failure: StorageFailure) {
            guard case .system(let system) = failure else { return said.append(nil) }
            said.append(system.code)
        }
        // The disk has no room for a moment.
        FileObserver.$current.withValue(observer) {
            do throws(StorageFailure) { try writer.append(pattern(4096, 5)) } catch { note(error) }
        }
        do throws(StorageFailure) { try writer.append(pattern(4096, 5)) } catch { note(error) }
        do throws(StorageFailure) { try writer.finish() } catch { note(error) }
        #expect(said == [ENOSPC, ENOSPC, ENOSPC])
        #expect(!DurableFile.exists(container.path(of: id)))
    }

    @Test(arguments: [true, false])
    func `DR8: a file that is replaced while it is read back is no damage, one that others may read is`(
        _ comesBack: Bool
    ) throws {
        let file = try container.put(pattern(9000))
        let path = container.path(of: file)
        let looks = Monitor<Int?>(nil)
        let observer = FileObserver(
            failure: { step in
                guard step.call == .look, step.path == path else { return nil }
                switch looks.change({
                    $0 = $0.map { $0 + 1 }; return $0
                }) {
                case 1:
                    unsafe rename(path, path + "-ours")
                    let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o644]
                    #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: mode))
                case 2 where comesBack: unsafe rename(path + "-ours", path)
                default: break
                }
                return nil
            },
            done: { step in if step.call == .rename, step.target == path { looks.change { $0 = 0 } } })
        let failure = FileObserver.$current.withValue(observer) { () -> StorageFailure? in
            do { try container.put(pattern(7000, 5), replacing: file) } catch { return error as? StorageFailure }
            return nil
        }
        #expect(failure == (comesBack ? nil : .damaged(.protection)))
        #expect(comesBack ? try container.get(file) == pattern(7000, 5) : looks.change { $0 } == 3)
    }

    @Test func `DR8: a loss of power at any step leaves the old file or the new one, whole`() throws {
        let file = try container.put(pattern(9000))
        let model = try PowerLossModel(container.filesFolder)
        _ = try model.follow { try container.put(pattern(7000, 5), replacing: file) }
        #expect(model.moments.count > 5)
        for moment in model.moments + [model.now] {
            for world in PowerLossModel.World.allCases {
                let kept = try #require(PowerLossModel.content(moment, world)["/\(file)"] ?? nil)
                try DurableFile.write(kept, to: container.path(of: file))
                let content = try container.get(file)
                #expect(content == pattern(9000) || content == pattern(7000, 5))
                if moment.step == nil { #expect(content == pattern(7000, 5)) }
            }
        }
    }

    @Test func `what the caller throws while it writes leaves nothing`() throws {
        struct Stopped: Error {}
        let result = try container.writeFile(name: "a", type: "", modified: 0, protection: .complete) {
            write throws(Stopped) in
            _ = Result { () throws(StorageFailure) in try write(pattern(9000)) }
            throw Stopped()
        }
        #expect(throws: Stopped.self) { try result.get() }
        #expect(try Folder.names(in: container.filesFolder).isEmpty)
    }

    @Test func `a piece that was refused and passed over leaves the old content`() throws {
        let file = try container.put(pattern(9000))
        #expect(throws: StorageFailure.locked) {
            _ = try container.writeFile(name: "a", type: "", modified: 0, protection: .complete, replacing: file) {
                (write: ([UInt8]) throws(StorageFailure) -> Void) in
                try? write(pattern(5000))
                fixture.lock.state = .locked
                try? write(pattern(5000))
                fixture.lock.state = .unlocked
                try? write(pattern(5000))
            }
        }
        #expect(try container.get(file) == pattern(9000))
        #expect(try Folder.names(in: container.filesFolder) == ["\(file)"])
    }

    @Test(arguments: [
        "", "a\0b", "a\nb", "a\u{202E}gpj.exe", "\u{2066}a", "\u{61C}a", "a\u{7F}",
        String(repeating: "x", count: 1025),
    ])
    func `a name that deceives or does not fit is refused`(_ name: String) {
        #expect(throws: StorageFailure.unusable(.name)) { try container.put([1], name: name) }
    }

    @Test func `a file that was stored when U+061C was not refused yet is read, and none is stored anew`() throws {
        let bytes = StoredFileAttributes(name: "a\u{61C}b", type: "", length: 1, modified: 7, generation: 1).encoded()
        #expect(try StoredFileAttributes(decoding: bytes).name == "a\u{61C}b")
        let turned = StoredFileAttributes(name: "a\u{202E}b", type: "", length: 1, modified: 7, generation: 1).encoded()
        #expect(throws: StorageFailure.damaged(.head)) { try StoredFileAttributes(decoding: turned) }
        #expect(throws: StorageFailure.unusable(.name)) { try container.put([1], name: "a\u{61C}b") }
    }

    @Test(arguments: ["", "..", "../x", String(repeating: "G", count: 32), String(repeating: "A", count: 32)])
    func `anything else is no file identifier`(_ text: String) { #expect(StoredFileID(text) == nil) }
}
