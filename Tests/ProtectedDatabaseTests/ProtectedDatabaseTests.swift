import Foundation
import PaviseDevice
import PavisePrimitives
import PaviseProtectedStorage
import PaviseStorage
import SecurityFramework
import TestSupport
import Testing

@Suite struct ProtectedDatabaseTests {
    let fixture: DatabaseFixture
    init() throws { fixture = try DatabaseFixture() }

    @Test func `DR1 rows of a type go in and come out, and a failed write leaves nothing`() throws {
        let database = try fixture.open()
        let nights = [Night(id: 1, text: "calm", awake: nil), Night(id: 2, text: "it's", awake: 90)]
        try database.write { access in for night in nights { try access.insert(night, into: "night") } }
        #expect(try database.read { try $0.rows("SELECT * FROM night ORDER BY id", as: Night.self) } == nights)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try database.write { access in
                try access.run("INSERT INTO night(text) VALUES ('half')")
                throw Stop()
            }
        }
        #expect(throws: ProtectedDatabaseError.constraint) {
            try database.write { try $0.run("INSERT INTO night(id, text) VALUES (1, 'twice')") }
        }
        #expect(try database.read { try $0.value("SELECT count(*) FROM night", as: Int.self) } == 2)
        let row = try #require(try database.read { try $0.first("SELECT text, awake FROM night WHERE id = 1") })
        #expect(throws: ProtectedDatabaseError.column("awake")) { try row.value("awake", as: Int.self) }
        #expect(throws: ProtectedDatabaseError.column("other")) { try row.value("other", as: Int?.self) }
    }

    @Test func `a savepoint is taken back alone`() throws {
        let database = try fixture.open()
        try database.write { access in
            try access.run("INSERT INTO night(text) VALUES ('kept')")
            do {
                try access.savepoint { part in
                    try part.run("INSERT INTO night(text) VALUES ('taken back')")
                    throw CancellationError()
                }
            } catch is CancellationError {}
            try access.savepoint { try $0.run("INSERT INTO night(text) VALUES ('kept too')") }
        }
        let texts = try database.read {
            try $0.rows("SELECT text FROM night").map { try $0.value("text", as: String.self) }
        }
        #expect(texts == ["kept", "kept too"])
    }

    @Test func `readers see the last commit beside a write, and cannot write`() throws {
        let database = try fixture.open()
        try database.write { access in
            try access.run("INSERT INTO night(text) VALUES ('new')")
            #expect(try database.read { try $0.value("SELECT count(*) FROM night", as: Int.self) } == 0)
        }
        #expect(try database.read { try $0.value("SELECT count(*) FROM night", as: Int.self) } == 1)
        #expect(throws: ProtectedDatabaseError.readOnly) {
            try database.read { try $0.run("INSERT INTO night(text) VALUES ('x')") }
        }
    }

    @Test func `DR9 DR3 the object follows the lock, and the six answers stay apart`() throws {
        let database = try fixture.open()
        try database.write { _ = try $0.run("INSERT INTO night(text) VALUES ('x')") }
        fixture.lock.state = .locked
        #expect(throws: ProtectedDatabaseError.locked) {
            try database.read { try $0.rows("SELECT 1") } as [DatabaseRow]
        }
        #expect(throws: ProtectedDatabaseError.locked) {
            try database.write { try $0.run("DELETE FROM night WHERE 1") } as Int
        }
        #expect(throws: ProtectedDatabaseError.locked) { try fixture.open() }
        #expect(throws: ProtectedDatabaseError.locked) {
            try ProtectedDatabase.open(
                "none", in: fixture.container, protection: .complete, migrations: [], mayCreate: false)
        }
        fixture.lock.state = .unlocked
        #expect(try database.read { try $0.value("SELECT count(*) FROM night", as: Int.self) } == 1)
        #expect(throws: ProtectedDatabaseError.absent) {
            try ProtectedDatabase.open(
                "none", in: fixture.container, protection: .complete, migrations: [], mayCreate: false)
        }
    }

    @Test func `DR9 the lock of the device is seen without a call`() throws {
        let database = try fixture.open()
        // In a transaction no call of ours looks at the lock: the observer shuts the gate.
        #expect(throws: ProtectedDatabaseError.locked) {
            try database.write { access in
                try access.run("INSERT INTO night(text) VALUES ('x')")
                fixture.lock.state = .locked
                for _ in 0..<1000 {
                    usleep(10_000)
                    _ = try access.rows("SELECT 1")
                }
            }
        }
        fixture.lock.state = .unlocked
        #expect(try database.read { try $0.value("SELECT count(*) FROM night", as: Int.self) } == 0)
    }

    @Test func `class B keeps what is open through a lock, and opens nothing`() throws {
        let database = try fixture.open(.completeUnlessOpen)
        fixture.lock.state = .locked
        try database.write { try $0.run("INSERT INTO night(text) VALUES ('at night')") }
        #expect(throws: ProtectedDatabaseError.locked) { try fixture.open(.completeUnlessOpen) }
        fixture.lock.state = .unlocked
        #expect(try database.read { try $0.value("SELECT text FROM night", as: String.self) } == "at night")
    }

    @Test func `DR10 emptied, altered, foreign and newer files are refused and stay as they are`() throws {
        try fixture.open().close()
        let path = fixture.main
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let other = try DatabaseFixture()
        try other.open().close()
        var newer = whole
        newer.replaceSubrange(26..<27, with: Data("7".utf8))
        let cases: [(Data, ProtectedDatabaseError)] = [
            (Data(), .damaged(.empty)), (Data("SQLite format 3\u{0}".utf8), .damaged(.head)),
            (newer, .newer(version: 7)),
            (try Data(contentsOf: URL(fileURLWithPath: other.main)), .foreign),
        ]
        for (content, expected) in cases {
            try content.write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(throws: expected) { try fixture.open() }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
        }
    }

    @Test func `DR2 a file that others may read is refused`() throws {
        try fixture.open().close()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: fixture.main)
        #expect(throws: ProtectedDatabaseError.damaged(.protection)) { try fixture.open() }
    }

    @Test func `DR12 no file name tells what the database is called`() throws {
        try fixture.open().close()
        #expect(!fixture.files.isEmpty && !fixture.files.contains { $0.contains("diary") })
    }

    @Test func `changes are told after the commit, by table, and not for what was taken back`() async throws {
        let database = try fixture.open()
        var nights = database.changes(in: ["night"]).makeAsyncIterator()
        _ = try? await database.write { access in
            try access.run("INSERT INTO night(text) VALUES ('x')")
            throw CancellationError()
        }
        try await database.write { try $0.run("INSERT INTO words(text) VALUES ('x')") }
        try await database.write { try $0.run("INSERT INTO night(text) VALUES ('x')") }
        #expect(await nights.next() == ["night"])
        var counts = database.values(of: ["night"]) { try $0.value("SELECT count(*) FROM night", as: Int.self) ?? -1 }
            .makeAsyncIterator()
        #expect(try await counts.next() == 1)
        try await database.write { try $0.run("INSERT INTO night(text) VALUES ('y')") }
        #expect(try await counts.next() == 2)
        database.close()
        #expect(await nights.next() == ["night"])
        #expect(await nights.next() == nil)
    }

    @Test func `changes that nobody has read yet come as one, and no table of them is missed`() async throws {
        let database = try fixture.open()
        var all = database.changes().makeAsyncIterator()
        try await database.write { try $0.run("INSERT INTO night(text) VALUES ('x')") }
        try await database.write { try $0.run("CREATE TABLE other(x)") }
        try await database.write { try $0.run("INSERT INTO other VALUES (1)") }
        let seen = await all.next()
        #expect(seen?.isSuperset(of: ["night", "other"]) == true)
        try await database.write { try $0.run("INSERT INTO other VALUES (2)") }
        #expect(await all.next() == ["other"])
        database.close()
    }

    @Test func `full-text search finds words, and erased words are gone`() throws {
        let database = try fixture.open()
        try database.write { access in
            for text in ["a calm night", "restless and awake", "calm again"] {
                try access.run("INSERT INTO words(text) VALUES (\(text))")
            }
        }
        let query = "calm"
        let found = try database.read { try $0.rows("SELECT text FROM words WHERE words MATCH \(query) ORDER BY rank") }
        #expect(found.count == 2)
        try database.write { access in
            try access.run("DELETE FROM words WHERE text = \("restless and awake")")
            try access.eraseDeletedWords(inSearch: "words")
            try access.run("CREATE VIRTUAL TABLE IF NOT EXISTS vocabulary USING fts5vocab(words, row)")
        }
        let terms = try database.read {
            try $0.rows("SELECT term FROM vocabulary").map { try $0.value("term", as: String.self) }
        }
        #expect(!terms.contains("restless") && terms.contains("calm"))
    }

    @Test func `DR16 a page of an older moment is named`() throws {
        var database = try fixture.open()
        try database.write { access in
            for number in 0..<300 { try access.run("INSERT INTO night(text) VALUES (\("old \(number)"))") }
        }
        database.close()
        let old = try Data(contentsOf: URL(fileURLWithPath: fixture.main))
        database = try fixture.open()
        try database.write { try $0.runOnAllRows("UPDATE night SET text = 'new'") }
        #expect(try database.verify().isIntact)
        database.close()
        var new = try Data(contentsOf: URL(fileURLWithPath: fixture.main))
        let count = min(old.count, new.count) / 4096
        // The last of both: no page that the schema is read from.
        let page = count - 1
        #expect(old[page * 4096..<(page + 1) * 4096] != new[page * 4096..<(page + 1) * 4096])
        new.replaceSubrange(page * 4096..<(page + 1) * 4096, with: old[page * 4096..<(page + 1) * 4096])
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: fixture.main))
        try handle.write(contentsOf: new)
        try handle.close()
        // A read of the schema may stumble over the page before verify() does.
        let report = try fixture.open().verify()
        #expect(report.older == [page] && !report.isIntact, "\(report)")
    }

    @Test(.long, arguments: ["correct horse", "wrong"])
    func `DR18 what another process writes while a backup is opened stays`(_ passphrase: String) throws {
        let file = fixture.folder.path + "/diary.backup"
        let database = try fixture.open()
        try database.export(to: file, passphrase: fixture.secret("correct horse"))
        database.close()
        try ProtectedDatabase.remove("diary", in: fixture.container, protection: .complete)
        let others: @Sendable () -> Void = { [fixture] in
            guard let other = try? fixture.open() else { return }
            defer { other.close() }
            _ = try? other.write { try $0.run("INSERT INTO night(text) VALUES ('theirs')") }
        }
        let expected: ProtectedDatabaseError = passphrase == "wrong" ? .backup : .alreadyThere
        #expect(throws: expected) {
            try RestorePoint.$observer.withValue(others) {
                _ = try ProtectedDatabase.restore(
                    "diary", in: fixture.container, protection: .complete, from: file,
                    passphrase: fixture.secret(passphrase), migrations: DatabaseFixture.steps)
            }
        }
        let after = try fixture.open(mayCreate: false)
        #expect(try after.read { try $0.value("SELECT text FROM night", as: String.self) } == "theirs")
        after.close()
    }

    @Test(.long) func `DR18 a backup opens with its passphrase only, whole only, and never over a database`() throws {
        let database = try fixture.open()
        try database.write { try $0.run("INSERT INTO night(text) VALUES ('kept')") }
        // Several chunks of 64 KiB, so that one cut falls on the end of a chunk.
        try database.write { try $0.run("INSERT INTO night(text) VALUES (hex(zeroblob(150000)))") }
        let file = fixture.folder.path + "/diary.backup"
        try database.export(to: file, passphrase: fixture.secret("correct horse"))
        let sealed = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(sealed.range(of: Data("kept".utf8)) == nil && sealed.range(of: Data("SQLite".utf8)) == nil)
        func restore(_ passphrase: String, _ name: String = "copy") throws -> ProtectedDatabase {
            try ProtectedDatabase.restore(
                name, in: fixture.container, protection: .complete, from: file, passphrase: fixture.secret(passphrase),
                migrations: DatabaseFixture.steps)
        }
        #expect(throws: ProtectedDatabaseError.alreadyThere) { try restore("correct horse", "diary") }
        #expect(throws: ProtectedDatabaseError.backup) { try restore("wrong") }
        let copy = try restore("correct horse")
        #expect(try copy.read { try $0.value("SELECT text FROM night", as: String.self) } == "kept")
        #expect(try copy.verify().isIntact)
        copy.close()
        // What a kill leaves between the making of the file and its content.
        try StorageDatabase.open("killed", in: fixture.container, .complete).close()
        let again = try restore("correct horse", "killed")
        #expect(try again.read { try $0.value("SELECT text FROM night", as: String.self) } == "kept")
        again.close()
        #expect(throws: ProtectedDatabaseError.alreadyThere) { try restore("correct horse", "killed") }
        let count = sealed.count
        for damaged in [
            sealed.dropLast(1), sealed + [0], sealed.prefix(53 + 65_552), sealed.prefix(count / 2), sealed.prefix(53),
            sealed.prefix(10),
        ] {
            try Data(damaged).write(to: URL(fileURLWithPath: file))
            #expect(throws: ProtectedDatabaseError.backup) { try restore("correct horse", "third") }
        }
    }
}
