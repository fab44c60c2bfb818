import Foundation
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

@Suite struct FileWatchTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/home", withIntermediateDirectories: false)
        path = folder.path + "/home/file"
        try write("one")
    }

    private func write(_ text: String) throws { try DurableFile.write(Array(text.utf8), to: path) }

    // Time stands still, so that no walk along the path is due.
    private func watch(_ clock: Clock = Clock()) throws -> FileWatch {
        let watch = FileWatch(path) { clock.time.load(ordering: .relaxed) }
        return try #require(watch)
    }

    private final class Clock: Sendable {
        let time = Atomic<UInt64>(1_000_000_000)
        func advance(_ nanoseconds: UInt64) { time.add(nanoseconds, ordering: .relaxed) }
    }

    @Test func `nothing is watched where nothing is`() {
        #expect(FileWatch(folder.path + "/other") == nil)
    }

    @Test func `the stamp is the one of the path for as long as nobody touches the file`() throws {
        let watch = try watch()
        #expect(watch.stamp == FileIdentity(path))
        #expect(watch.isInPlace(exactly: false))
        #expect(watch.isInPlace(exactly: true))
    }

    @Test func `a file that is written in place has another stamp at once`() throws {
        let watch = try watch()
        let stamp = watch.stamp
        try "longer".write(toFile: path, atomically: false, encoding: .utf8)
        #expect(watch.stamp != nil)
        #expect(watch.stamp != stamp)
        #expect(watch.isInPlace(exactly: false))
    }

    @Test func `a file that is replaced is seen at once, without a walk`() throws {
        let watch = try watch()
        try write("two")
        #expect(watch.stamp == nil)
        #expect(!watch.isInPlace(exactly: false))
    }

    @Test func `a file that is removed is seen at once, without a walk`() throws {
        let watch = try watch()
        try FileManager.default.removeItem(atPath: path)
        #expect(watch.stamp == nil)
        #expect(!watch.isInPlace(exactly: false))
    }

    @Test func `a file that has a second name is seen to change when its own is taken over`() throws {
        let watch = try watch()
        let stamp = watch.stamp
        try FileManager.default.linkItem(atPath: path, toPath: folder.path + "/second")
        let linked = watch.stamp
        #expect(linked != stamp)
        try write("two")
        #expect(watch.stamp != linked)
    }

    @Test func `a folder that is moved is seen when a walk is due, and at once by who asks exactly`() throws {
        let clock = Clock()
        let watch = try watch(clock)
        try FileManager.default.moveItem(atPath: folder.path + "/home", toPath: folder.path + "/away")
        #expect(!watch.isInPlace(exactly: true))
        clock.advance(FileWatch.walkCounts - 1)
        #expect(watch.isInPlace(exactly: false))
        clock.advance(1)
        #expect(!watch.isInPlace(exactly: false))
        #expect(watch.stamp == nil)
    }

    @Test func `a walk that found the file counts for its time`() throws {
        let clock = Clock()
        let watch = try watch(clock)
        clock.advance(FileWatch.walkCounts)
        #expect(watch.isInPlace(exactly: false))
        try FileManager.default.moveItem(atPath: folder.path + "/home", toPath: folder.path + "/away")
        #expect(watch.isInPlace(exactly: false))
        clock.advance(FileWatch.walkCounts)
        #expect(!watch.isInPlace(exactly: false))
    }

    @Test func `the clock of the watch never goes back`() {
        var last: UInt64 = 0
        for _ in 0..<10_000 {
            let now = FileWatch.coarseTime()
            #expect(now >= last)
            last = now
        }
        #expect(last > 0)
    }
}
