import Dispatch
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

@testable import PaviseDatabase

@Suite struct ChangeCounterTests {
    private let shelf: Shelf
    private let database: Database

    init() throws {
        shelf = try Shelf()
        database = try shelf.openWithTable()
        try database.run("INSERT INTO note(id, text) VALUES (1, '0')")
    }

    private func write(_ number: Int, _ database: Database) throws {
        try database.run("UPDATE note SET text = ? WHERE id = 1", [.text("\(number)")])
    }

    @Test func `the stamp stays while nobody commits`() throws {
        let stamp = try #require(database.stamp)
        _ = try shelf.texts(database)
        #expect(database.stamp == stamp)
        let other = try shelf.open()
        #expect(other.stamp == stamp)
    }

    @Test func `every commit, of whichever connection, is in the stamp when it returns`() throws {
        let other = try shelf.open()
        var last = try #require(database.stamp)
        for number in 1...60 {
            try write(number, number % 2 == 0 ? database : other)
            let stamp = try #require(database.stamp)
            #expect(stamp != last)
            #expect(other.stamp == stamp)
            last = stamp
        }
    }

    @Test func `what is taken back changes no stamp, and inside a transaction there is none`() throws {
        struct Enough: Error {}
        let stamp = try #require(database.stamp)
        #expect(throws: Enough.self) {
            try database.transaction { transaction in
                try transaction.run("UPDATE note SET text = 'no'")
                #expect(database.stamp == nil)
                throw Enough()
            }
        }
        #expect(database.stamp == stamp)
    }

    @Test func `a log that is moved into the file and begun again gives no stamp of an earlier state`() throws {
        let other = try shelf.open()
        var seen: [ChangeCounter] = []
        for number in 0..<20 {
            try write(number, database)
            let stamp = try #require(database.stamp)
            #expect(!seen.contains(stamp))
            seen.append(stamp)
            if number % 5 == 4 { _ = try other.rows("PRAGMA wal_checkpoint(TRUNCATE)") }
        }
    }

    @Test func `while another connection writes, one stamp never stands for two contents`() throws {
        let path = shelf.path
        let other = try shelf.open()
        let isDone = Mutex(false)
        let writer = Thread {
            for number in 1...400 { _ = try? other.run("UPDATE note SET text = ? WHERE id = 1", [.text("\(number)")]) }
            isDone.withLock { $0 = true }
        }
        var known: [(stamp: ChangeCounter, text: String?)] = []
        while !isDone.withLock({ $0 }) {
            guard let before = database.stamp else { continue }
            let text = try shelf.texts(database).first ?? nil
            guard database.stamp == before else { continue }
            if let last = known.last, last.stamp == before {
                #expect(last.text == text)
            } else {
                #expect(!known.contains { $0.stamp == before })
                known.append((before, text))
            }
        }
        writer.join()
        #expect(try shelf.texts(database) == ["400"], "\(path)")
        #expect(!known.isEmpty)
    }

    @Test func `a closed database has no stamp`() {
        database.close()
        #expect(database.stamp == nil)
    }
}

/// A thread that is waited for.
private final class Thread: Sendable {
    private let group = DispatchGroup()

    init(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "writer").async(group: group, execute: DispatchWorkItem(block: body))
    }

    func join() { group.wait() }
}
