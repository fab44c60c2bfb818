import Foundation
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

@testable import PaviseSync

/// The folder of a file system as the local side.
@Suite struct PlainFolderTests {
    let temporary: TemporaryFolder
    private var place: String { temporary.path + "/files" }

    init() throws {
        temporary = try TemporaryFolder()
        try DurableFile.makeDirectory(temporary.path + "/files")
    }

    private func folder() throws -> PlainFolder { try PlainFolder(place, marker: "m", mayMark: true) }
    private func path(_ text: String) -> SyncPath { text.split(separator: "/").map { SyncItemName(String($0))! } }
    private func put(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: place + "/" + name))
    }
    private var names: [String] { ((try? Folder.names(in: place)) ?? []).filter { $0 != ".pavise-sync" } }

    @Test func `a file is written, read, replaced, moved and deleted, and nothing stays beside it`() async throws {
        let folder = try folder()
        let written = try await folder.write(SyncContent([1, 2]), to: path("a"), replacing: nil)
        let content = try await folder.read(path("a"))
        #expect(content.content == SyncContent([1, 2]) && content.status == written.status)
        #expect(try await folder.scan().map(\.identity) == [written.identity])
        _ = try await folder.write(SyncContent([3]), to: path("a"), replacing: ContentDigest(of: [1, 2]))
        try await folder.makeFolder(path("d"))
        try await folder.makeFolder(path("d"))
        try await folder.move(path("a"), to: path("d/b"))
        #expect(try await folder.read(path("d/b")).content == SyncContent([3]))
        await #expect(throws: SyncFailure.changed) { try await folder.delete(path("d"), expecting: nil) }
        try await folder.delete(path("d/b"), expecting: ContentDigest(of: [3]))
        try await folder.delete(path("d"), expecting: nil)
        #expect(names == [])
    }

    @Test(
        arguments: [
            // Times with a fraction: 4 ms, and some more.
            (1_000_010_500_000, 1_000_010_500_000, 1_000_015, 16),
            (1_000_010_500_000, 1_000_010_500_000, 1_000_030, 1), (1_000_010_500_000, 1_000_010_500_000, 1_000_031, 0),
            (1_000_010_500_000, 1_000_010_500_000, 1_000_000, 31),
            (900_000_000_000, 1_000_010_500_000, 1_000_500, 0),
            // Without one: the two seconds of FAT.
            (1_000_000_000_000, 1_000_000_000_000, 1_000_500, 1_501),
            (998_000_000_000, 1_000_000_000_000, 1_002_000, 1), (1_000_000_000_000, 1_000_000_000_000, 1_002_001, 0),
            (1_000_000_000_000, 1_000_000_000_000, 990_000, 0),
        ] as [(Int64, Int64, Int64, Int64)])
    func `SY8: content counts only when no further write could leave the same times`(
        _ modified: Int64, _ change: Int64, _ now: Int64, _ left: Int64
    ) {
        let status = FileStatus(size: 3, modified: modified, change: change)
        #expect(PlainFolder.tickLeft(status, at: now) == left)
    }

    @Test func `SY2: what others wrote is waited for, with one call for all of it`() async throws {
        let folder = try folder()
        for name in ["a", "b", "c"] { try put(name, "mine") }
        let count = SharedNumber(0)
        let observer = FileObserver(done: { step in if step.call == .synchroniseAll { count.value += 1 } })
        try await FileObserver.$current.withValue(observer) { try await folder.makeDurable() }
        #expect(count.value == 1)
    }

    @Test func `what is not what was expected stays as it is`() async throws {
        let folder = try folder()
        try put("a", "mine")
        await #expect(throws: SyncFailure.changed) {
            try await folder.write(SyncContent([1]), to: path("a"), replacing: nil)
        }
        await #expect(throws: SyncFailure.changed) {
            try await folder.write(SyncContent([1]), to: path("a"), replacing: ContentDigest(of: [7]))
        }
        await #expect(throws: SyncFailure.changed) {
            try await folder.delete(path("a"), expecting: ContentDigest(of: [7]))
        }
        await #expect(throws: SyncFailure.changed) {
            try await folder.write(SyncContent([1]), to: path("b"), replacing: ContentDigest(of: [7]))
        }
        try put("c", "other")
        await #expect(throws: SyncFailure.changed) { try await folder.move(path("a"), to: path("c")) }
        #expect(names == ["a", "c"])
        #expect(try String(contentsOfFile: place + "/a", encoding: .utf8) == "mine")
    }

    @Test func `SY17: no link is followed, neither at the end nor on the way`() async throws {
        let folder = try folder()
        let outside = temporary.path + "/outside"
        try DurableFile.makeDirectory(outside)
        try Data("secret".utf8).write(to: URL(fileURLWithPath: outside + "/x"))
        try FileManager.default.createSymbolicLink(atPath: place + "/way", withDestinationPath: outside)
        try FileManager.default.createSymbolicLink(atPath: place + "/end", withDestinationPath: outside + "/x")
        #expect(try await folder.scan().isEmpty)
        await #expect(throws: SyncFailure.changed) { try await folder.read(path("way/x")) }
        await #expect(throws: SyncFailure.changed) { try await folder.read(path("end")) }
        await #expect(throws: SyncFailure.changed) {
            try await folder.write(SyncContent([1]), to: path("way/y"), replacing: nil)
        }
        await #expect(throws: SyncFailure.changed) {
            try await folder.write(SyncContent([1]), to: path("end"), replacing: nil)
        }
        await #expect(throws: SyncFailure.changed) {
            try await folder.write(
                SyncContent([1]), to: path("end"), replacing: ContentDigest(of: Array("secret".utf8)))
        }
        await #expect(throws: SyncFailure.changed) { try await folder.delete(path("way"), expecting: nil) }
        #expect(try Folder.names(in: outside) == ["x"])
        #expect(try String(contentsOfFile: outside + "/x", encoding: .utf8) == "secret")
    }

    @Test func `SY11: a folder without its marker, or with another, is not the one that was synchronised`() async throws
    {
        let folder = try folder()
        try DurableFile.remove(place + "/.pavise-sync")
        await #expect(throws: SyncFailure.self) { try await folder.scan() }
        #expect(throws: SyncFailure.self) { try PlainFolder(place, marker: "m") }
        _ = try PlainFolder(place, marker: "n", mayMark: true)
        #expect(throws: SyncFailure.self) { try PlainFolder(place, marker: "m", mayMark: true) }
        await #expect(throws: SyncFailure.self) { try await folder.scan() }
    }

    @Test func `names that differ in case or in the form of letters are files of their own here`() async throws {
        let folder = try folder()
        for name in ["Abc", "abc", "caf\u{E9}", "cafe\u{301}"] {
            _ = try await folder.write(SyncContent(Array(name.utf8)), to: path(name), replacing: nil)
        }
        #expect(try folder.nameRules() == .exact)
        #expect(try await folder.scan().count == 4)
        #expect(try await folder.read(path("cafe\u{301}")).content == SyncContent(Array("cafe\u{301}".utf8)))
    }

    @Test(
        arguments: ["create", "replace", "replace without exchange", "move", "delete", "makeFolder", "removeFolder"])
    func `SM3: a kill or a full disk at any step leaves the old or the new content, and the next scan ends it`(
        _ operation: String
    ) async throws {
        for isFull in [false, true] {
            for step in 1...40 {
                try FileManager.default.removeItem(atPath: place)
                try DurableFile.makeDirectory(place)
                try put("old", "old")
                try DurableFile.makeDirectory(place + "/empty")
                let folder = try folder()
                let (count, target) = (SharedNumber(0), place + "/old")
                // Killed: nothing is done any more. Full: nothing is written, and what makes room still works.
                let observer = FileObserver(failure: { made in
                    count.value += 1
                    guard count.value >= step else {
                        // A file system on which two names cannot exchange what they stand for.
                        let isExchange =
                            made.call == .rename && made.path.contains("/.pavise-gone-")
                            && made.target == target
                        return operation == "replace without exchange" && isExchange ? EINVAL : nil
                    }
                    if isFull { return [.write, .create, .makeFolder].contains(made.call) ? ENOSPC : nil }
                    return EIO
                })
                var isDone = true
                do {
                    try await FileObserver.$current.withValue(observer) { try await run(operation, folder) }
                } catch {
                    isDone = false
                }
                let steps = count.value
                _ = try await folder.scan()
                let found = SyncStage.files(place)
                #expect(!names.contains { $0.hasPrefix(".pavise-") }, "\(operation) \(step)")
                let texts = found.mapValues { String(decoding: $0, as: UTF8.self) }
                let before = ["old": "old"]
                let after: [String: String] =
                    switch operation {
                    case "create": ["old": "old", "new": "new"]
                    case "replace", "replace without exchange": ["old": "new"]
                    case "move": ["moved": "old"]
                    case "delete": [:]
                    default: before
                    }
                #expect(texts == after || (!isDone && texts == before), "\(operation) \(step) \(isFull): \(texts)")
                let folders = Set(names).subtracting(found.keys)
                let wanted: Set<String> =
                    switch operation {
                    case "makeFolder": ["empty", "made"]
                    case "removeFolder": []
                    default: ["empty"]
                    }
                let note = "\(operation) \(step) \(isFull): \(folders)"
                #expect(folders == wanted || (!isDone && folders == ["empty"]), "\(note)")
                if isDone, steps < step { break }
            }
        }
    }

    private func run(_ operation: String, _ folder: PlainFolder) async throws {
        let old = ContentDigest(of: Array("old".utf8))
        switch operation {
        case "create": _ = try await folder.write(SyncContent(Array("new".utf8)), to: path("new"), replacing: nil)
        case "replace", "replace without exchange":
            _ = try await folder.write(SyncContent(Array("new".utf8)), to: path("old"), replacing: old)
        case "move": try await folder.move(path("old"), to: path("moved"))
        case "delete": try await folder.delete(path("old"), expecting: old)
        case "makeFolder": try await folder.makeFolder(path("made"))
        default: try await folder.delete(path("empty"), expecting: nil)
        }
    }

    @Test func `SY7: what a person writes in the moment of a replacement or a deletion comes back`() async throws {
        let folder = try folder()
        let digest = ContentDigest(of: Array("agreed".utf8))
        for leftover in [
            FolderLeftover.gone(digest, ContentDigest(of: [1]), SyncItemName("a.txt")!),
            FolderLeftover.gone(digest, nil, SyncItemName("b.txt")!),
        ] {
            try put(leftover, "what nobody else has")
        }
        try put("a.txt", "taken")
        try put(FolderLeftover.gone(digest, nil, SyncItemName("c.txt")!), "agreed")
        _ = try await folder.scan()
        #expect(names == ["a.txt", "a.txt (recovered)", "b.txt"])
    }

    @Test(arguments: ["\u{301}a", "e" + String(repeating: "\u{301}", count: 120)])
    func `SY7: what stands aside comes back, also under a name of letters that join`(_ name: String) async throws {
        let folder = try folder()
        let digest = ContentDigest(of: Array("agreed".utf8))
        try put(FolderLeftover.gone(digest, nil, SyncItemName(name)!), "what nobody else has")
        _ = try await folder.scan()
        // Of a name that is too long for what stands before it, as much comes back as had room.
        let found = try #require(names.first)
        #expect(names.count == 1 && name.unicodeScalars.starts(with: found.unicodeScalars))
        #expect(FileManager.default.contents(atPath: place + "/" + found) == Data("what nobody else has".utf8))
    }

    @Test func `SY7: what a person writes twice in the moment of a replacement is there both times`() async throws {
        let folder = try folder()
        try put("a", "first edit")
        let (file, edits) = (place + "/a", SharedNumber(0))
        // Our content has the name, and what stood there is looked at.
        let observer = FileObserver(done: { step in
            guard step.call == .rename, step.target == file, edits.value == 0 else { return }
            edits.value = 1
            try? Data("second edit".utf8).write(to: URL(fileURLWithPath: file))
        })
        await #expect(throws: SyncFailure.changed) {
            try await FileObserver.$current.withValue(observer) {
                _ = try await folder.write(
                    SyncContent(Array("ours".utf8)), to: path("a"), replacing: ContentDigest(of: Array("agreed".utf8)))
            }
        }
        let texts = SyncStage.files(place).mapValues { String(decoding: $0, as: UTF8.self) }
        #expect(texts == ["a": "first edit", "a (recovered)": "second edit"] && edits.value == 1)
    }

    #if os(Linux)
    @Test func `SY8: what is written in the moment of our own write has another time, also of the same size`()
        async throws
    {
        let folder = try folder()
        let moment = Mutex<Int64?>(nil)
        // The earliest time that anybody's later write can leave.
        let observer = FileObserver(done: { step in
            guard step.call == .write else { return }
            moment.withLock { $0 = Self.modified(step.path) }
        })
        let written = try await FileObserver.$current.withValue(observer) {
            try await folder.write(SyncContent([1, 2]), to: path("a"), replacing: nil)
        }
        let found = moment.withLock { $0 }
        let earliest = try #require(found)
        #expect(written.status.modified < earliest)
        #expect(try await folder.read(path("a")).status == written.status)
    }

    @Test func `SY8: what a person writes before our own write has ended is no part of it`() async throws {
        let folder = try folder()
        let file = place + "/a"
        let observer = FileObserver(done: { step in
            guard step.call == .rename, step.target == file else { return }
            if let handle = FileHandle(forWritingAtPath: file) { try? handle.write(contentsOf: Data([3, 4])) }
        })
        let written = try await FileObserver.$current.withValue(observer) {
            try await folder.write(SyncContent([1, 2]), to: path("a"), replacing: nil)
        }
        let content = try await folder.read(path("a"))
        #expect(content.content == SyncContent([3, 4]))
        #expect(content.status.modified != written.status.modified)
    }

    private static func modified(_ path: String) -> Int64? {
        guard let file = try? FileDescriptor.openForReading(path) else { return nil }
        return (try? file.status())?.modified
    }
    #endif

    @Test func `a change is noticed soon where the system tells`() async throws {
        let changes = FolderChanges(place)
        #expect(!changes.wait(milliseconds: 0))
        try put("a", "1")
        #expect(changes.wait(milliseconds: 5_000))
    }
}
