import Foundation
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

@testable import PaviseDatabase

/// What happened to the two files, in order.
private final class Recording: Sendable {
    enum Event: Sendable {
        case main(FileChange)
        case log(FileChange)
        /// The caller was told that its row is stored.
        case acknowledged
    }

    let events = Mutex<[Event]>([])

    func add(_ event: Event) { events.withLock { $0.append(event) } }

    /// Notes a change and lets it be.
    func added(_ event: Event) -> Int32 {
        add(event)
        return 0
    }
}

/// A file as a disk would have it: what was synced is there, what was not may be there, in part, or not.
private struct Disk {
    var bytes: [UInt8]
    private var unsynced: [FileChange] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func apply(_ change: FileChange) {
        switch change {
        case .write(let data, let offset):
            let end = Int(offset) + data.count
            if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
            bytes.replaceSubrange(Int(offset)..<end, with: data)
        case .truncate(let size):
            if bytes.count > Int(size) { bytes.removeSubrange(Int(size)...) }
        case .sync, .named: break
        }
    }

    /// Takes a change into the cache of the machine; a sync empties the cache onto the disk.
    mutating func cache(_ change: FileChange) {
        guard case .sync = change else { return unsynced.append(change) }
        for old in unsynced { apply(old) }
        unsynced = []
    }

    /// After a loss of power: of each cached change all, nothing or some pieces reached the disk.
    func afterPowerLoss(_ dice: inout Dice) -> [UInt8] {
        var left = self
        for change in unsynced {
            switch Int.random(in: 0..<3, using: &dice) {
            case 0: continue
            case 1: left.apply(change)
            default: left.tear(change, &dice)
            }
        }
        return left.bytes
    }

    private mutating func tear(_ change: FileChange, _ dice: inout Dice) {
        guard case .write(let data, let offset) = change else { return apply(change) }
        var position = 0
        while position < data.count {
            // Smaller than any sector, which is worse than real disks are.
            let piece = 64 - (Int(offset) + position) % 64
            let end = min(data.count, position + piece)
            if Bool.random(using: &dice) { apply(.write(Array(data[position..<end]), at: offset + Int64(position))) }
            position = end
        }
    }
}

@Suite struct CrashTests {
    private static let rowCount = 24

    /// Writes rows one by one, with frequent checkpoints, and records every change on the disk.
    private func record() throws -> (start: Shelf.Files, events: [Recording.Event]) {
        let shelf = try Shelf()
        try shelf.openWithTable().close()
        let start = try shelf.files()
        let recording = Recording()
        let database = try Database.open(
            shelf.path, key: shelf.key,
            observers: (main: { recording.added(.main($0)) }, log: { recording.added(.log($0)) }))
        try database.run("PRAGMA wal_autocheckpoint=7")
        for number in 0..<Self.rowCount {
            try database.run("INSERT INTO note(text) VALUES (?)", [.text(Self.text(number))])
            recording.add(.acknowledged)
        }
        database.close()
        return (start, recording.events.withLock { $0 })
    }

    private static func text(_ number: Int) -> String { "row \(number) " + String(repeating: "y", count: number * 60) }

    /// Rows that were acknowledged are there, the one in flight may be, and nothing else is.
    private func check(_ shelf: Shelf, _ files: Shelf.Files, acknowledged: Int, _ step: Int) throws {
        try shelf.put(files)
        let finding = shelf.finding()
        let expected = (0...1).map { more in Shelf.Finding.texts((0..<acknowledged + more).map(Self.text)) }
        #expect(expected.contains(finding), "step \(step), \(acknowledged) acknowledged")
    }

    @Test(.long) func `a kill between any two changes on the disk keeps every acknowledged row`() throws {
        let (start, events) = try record()
        let shelf = try Shelf()
        var main = Disk(start.main)
        var log = Disk(start.log)
        var acknowledged = 0
        for (step, event) in events.enumerated() {
            try check(shelf, .init(main: main.bytes, log: log.bytes), acknowledged: acknowledged, step)
            switch event {
            case .main(let change): main.apply(change)
            case .log(let change): log.apply(change)
            case .acknowledged: acknowledged += 1
            }
        }
        try check(shelf, .init(main: main.bytes, log: log.bytes), acknowledged: acknowledged, events.count)
    }

    @Test func `a commit that the disk refused is not there when the log is read anew`() throws {
        let shelf = try Shelf()
        try shelf.openWithTable().close()
        let isBroken = Mutex(false)
        let database = try Database.open(
            shelf.path, key: shelf.key,
            observers: (
                main: { _ in 0 },
                log: { change in
                    // SQLITE_IOERR_FSYNC: the frames are in the file, and nobody knows whether they are on the disk.
                    if case .sync = change, isBroken.withLock({ $0 }) { return 1034 }
                    return 0
                }
            ))
        try database.run("INSERT INTO note(text) VALUES ('kept')")
        isBroken.withLock { $0 = true }
        #expect(throws: DatabaseFailure.self) { try database.run("INSERT INTO note(text) VALUES ('refused')") }
        isBroken.withLock { $0 = false }
        // As a kill would leave it: the next process makes its index from the log.
        let files = try shelf.files()
        database.close()
        try shelf.put(files)
        #expect(shelf.finding() == .texts(["kept"]))
    }

    @Test(.long, arguments: [1, 2, 3] as [UInt64])
    func `a loss of power at any change keeps every acknowledged row`(_ seed: UInt64) throws {
        let (start, events) = try record()
        let shelf = try Shelf()
        var dice = Dice(state: seed)
        var main = Disk(start.main)
        var log = Disk(start.log)
        var acknowledged = 0
        for (step, event) in events.enumerated() {
            switch event {
            case .main(let change): main.cache(change)
            case .log(let change): log.cache(change)
            case .acknowledged: acknowledged += 1
            }
            let files = Shelf.Files(main: main.afterPowerLoss(&dice), log: log.afterPowerLoss(&dice))
            try check(shelf, files, acknowledged: acknowledged, step)
        }
    }
}
