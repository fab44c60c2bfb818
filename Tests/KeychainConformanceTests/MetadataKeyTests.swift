import Foundation
import KeychainTestSupport
import PaviseDatabase
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// The metadata keys, and the versions of the database.
@Suite struct MetadataKeyTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    private static let classes = ["ak", "ck", "dk", "aku", "cku", "dku"]

    private func openDatabase() throws -> Database {
        let device = try Device.open(keychain.environment.home)
        return try Database.open(keychain.database, key: try device.deviceKey(purpose: "keychain database"))
    }

    /// The same keychain as a process sees it that starts now.
    private func restarted(_ name: String = "again") throws -> ItemFixture {
        let home = PaviseHome(path: keychain.folder.path + "/" + name)
        try FileManager.default.copyItem(atPath: keychain.environment.home.path, toPath: home.path)
        var fixture = keychain
        fixture.environment.home = home
        return fixture
    }

    private func addOneOfEach() {
        for code in Self.classes { add(password(code).with("pdmn", code), code) }
    }

    @Test func `each class has a metadata key of its own`() throws {
        try keychain.run {
            addOneOfEach()
            add(password("second"))
            let rows = try openDatabase().rows("SELECT class, identifier, wrapped FROM metadata_key ORDER BY class")
            #expect(rows.map { $0.integer(0) } == [6, 7, 8, 9, 10, 11])
            #expect(Set(rows.map { $0.blob(1) }).count == 6)
            #expect(Set(rows.map { $0.blob(2) }).count == 6)
        }
    }

    @Test(arguments: classes)
    func `KC55 a lost metadata key makes its items absent and leaves the others`(_ lost: String) throws {
        keychain.run { addOneOfEach() }
        let number = Int64(6 + (Self.classes.firstIndex(of: lost) ?? 0))
        try openDatabase().run("DELETE FROM metadata_key WHERE class = ?", [.integer(number)])
        let fixture = try restarted()
        fixture.run {
            for code in Self.classes where code != lost { #expect(value(password(code)) == code) }
            #expect(copy(password(lost)).status == errSecItemNotFound)
            #expect(copy(password(lost), ["r_Data": true]).status == errSecItemNotFound)
            #expect(count(["class": "genp"]) == 5)
            // Cleaned up, and kept: the secret half can still be opened by hand.
            let report = KeychainDiagnostics.report(fixture.environment.home)
            #expect(report.intact == 5)
            #expect(report.damaged.map(\.isSetAside) == [true])
            #expect(add(password(lost).with("pdmn", lost), "new") == errSecSuccess)
            #expect(value(password(lost)) == "new")
        }
    }

    @Test func `KC55 adding first also works, and update and delete find nothing`() throws {
        try keychain.run {
            add(password("a"))
            add(password("b"))
            add(password("c"))
            try openDatabase().run("DELETE FROM metadata_key")
        }
        try restarted().run {
            #expect(update(password("a"), ["labl": "L"]) == errSecItemNotFound)
            #expect(add(password("b"), "new") == errSecSuccess)
            #expect(value(password("b")) == "new")
            #expect(delete(password("c")) == errSecSuccess)
            #expect(copy(password("c")).status == errSecItemNotFound)
        }
    }

    @Test func `KC55 what was stored in the place of a lost item meanwhile stays`() throws {
        keychain.run { add(password("a")) }
        try openDatabase().run("DELETE FROM metadata_key")
        var fixture = try restarted()
        let isStored = Mutex(false)
        let clock = TimeSource.system
        // The clock is read after the search and before the lost item is put aside: somebody else is faster.
        let wall: @Sendable () -> Int64 = {
            let isFirst = isStored.withLock { isStored in
                let isFirst = !isStored
                isStored = true
                return isFirst
            }
            if isFirst { #expect(add(password("a"), "new") == errSecSuccess) }
            return clock.wallMilliseconds
        }
        fixture.environment.time = TimeSource(
            wall: wall, boot: { clock.bootMilliseconds }, epoch: { clock.bootEpoch })
        fixture.run {
            #expect(copy(password("a")).status == errSecItemNotFound)
            #expect(value(password("a")) == "new")
        }
    }

    @Test func `a metadata key that another process made is found`() throws {
        keychain.run { add(password("first")) }
        let link = keychain.folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: keychain.environment.home.path)
        var other = keychain
        other.environment.home = PaviseHome(path: link)
        other.run {
            #expect(value(password("first")) == "secret")
            #expect(add(password("second").with("pdmn", "dk")) == errSecSuccess)
        }
        keychain.run {
            #expect(value(password("second")) == "secret")
            #expect(add(password("third").with("pdmn", "dk")) == errSecSuccess)
        }
        other.run { #expect(value(password("third")) == "secret") }
    }

    @Test func `a changed metadata key is damage and not absence`() throws {
        try keychain.run {
            add(password())
            let database = try openDatabase()
            var wrapped = try #require(database.rows("SELECT wrapped FROM metadata_key").first?.blob(0))
            wrapped[20] ^= 1
            try database.run("UPDATE metadata_key SET wrapped = ?", [.blob(wrapped)])
        }
        try restarted().run {
            #expect(copy(password(), ["r_Data": true]).status == errSecDecode)
            #expect(add(password()) == errSecDecode)
        }
    }

    @Test func `the metadata keys of two classes cannot be swapped`() throws {
        try keychain.run {
            add(password("a"))
            add(password("b").with("pdmn", "dk"))
            let database = try openDatabase()
            try database.run("UPDATE metadata_key SET class = 99 WHERE class = 6")
            try database.run("UPDATE metadata_key SET class = 6 WHERE class = 8")
            try database.run("UPDATE metadata_key SET class = 8 WHERE class = 99")
        }
        try restarted().run {
            #expect(copy(password("a"), ["r_Data": true]).result == nil)
            #expect(copy(password("b"), ["r_Data": true]).result == nil)
        }
    }

    // MARK: versions

    private func makeOld(_ body: () throws -> Void) throws {
        try KeychainSchema.$written.withValue(1) { try keychain.run(body) }
    }

    private func isPending(_ fixture: ItemFixture) throws -> Int64? {
        let device = try Device.open(fixture.environment.home)
        let database = try Database.open(
            fixture.database, key: try device.deviceKey(purpose: "keychain database"))
        return try database.rows("SELECT pending FROM schema WHERE version = 2").first?.integer(0)
    }

    @Test func `KC57 an older database is upgraded, and references survive`() throws {
        var names: [String: Data] = [:]
        var before: [String: NSDictionary] = [:]
        try makeOld {
            addOneOfEach()
            add(password("synced").with("sync", true), "synced")
            for code in Self.classes {
                names[code] = reference(password(code))
                before[code] = attributes(password(code)) as NSDictionary
            }
        }
        let fixture = try restarted()
        try fixture.run {
            for code in Self.classes {
                let name = try #require(names[code])
                #expect(value(["v_PersistentRef": name]) == code)
                #expect(attributes(password(code)) as NSDictionary == before[code])
                #expect(reference(password(code)) == name)
            }
            #expect(value(password("synced").with("sync", true)) == "synced")
            #expect(KeychainDiagnostics.report(fixture.environment.home).damaged.isEmpty)
        }
        #expect(try isPending(fixture) == 0)
    }

    @Test func `KC57 what is locked is upgraded after the unlock`() throws {
        try makeOld { addOneOfEach() }
        let fixture = try restarted()
        fixture.environment.lock.state = .locked
        try fixture.run {
            #expect(copy(password("ak")).status == errSecInteractionNotAllowed)
            #expect(value(password("ck")) == "ck")
            let pending = try isPending(fixture)
            #expect(pending == 1)
            fixture.environment.lock.state = .unlocked
            for code in Self.classes { #expect(value(password(code)) == code) }
            let rest = try isPending(fixture)
            #expect(rest == 0)
        }
    }

    @Test func `KC57 where the disk has no room for the upgrade, a search finds what it looks for`() async throws {
        try makeOld { addOneOfEach() }
        let fixture = try restarted()
        let path = fixture.environment.home.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = SecurityEnvironment(home: PaviseHome(path: path), accessGroups: ["one", "two"])
            environment.lock.state = .locked
            SecurityEnvironment.$override.withValue(environment) {
                // What is locked waits for the upgrade.
                #expect(value(password("ck")) == "ck")
                environment.lock.state = .unlocked
                signal(SIGXFSZ, SIG_IGN)
                ProcessLimit.fileSize(0)
                for code in ["ak", "ck", "dk"] { #expect(value(password(code)) == code) }
                #expect(add(password("new")) == errSecDiskFull)
            }
        }
        #expect(try isPending(fixture) == 1)
        try fixture.run {
            for code in Self.classes { #expect(value(password(code)) == code) }
            let rest = try isPending(fixture)
            #expect(rest == 0)
        }
    }

    @Test func `KC57 where the disk has no room for its new tables, an older database is searched`() async throws {
        try makeOld { addOneOfEach() }
        let fixture = try restarted()
        let path = fixture.environment.home.path
        let log = try DurableFile.read(fixture.database + "-wal", limit: 1 << 24)
        try #require(log.count > 40 << 10)
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = SecurityEnvironment(home: PaviseHome(path: path), accessGroups: ["one", "two"])
            environment.lock.state = .unlocked
            SecurityEnvironment.$override.withValue(environment) {
                signal(SIGXFSZ, SIG_IGN)
                // There is room for what SQLite shares between processes, and none at the end of the log.
                ProcessLimit.fileSize(32 << 10)
                for code in ["ak", "ck", "dk"] { #expect(value(password(code)) == code) }
                #expect(add(password("new")) == errSecDiskFull)
                #expect(value(password("ak")) == "ak")
            }
        }
        try fixture.run {
            for code in Self.classes { #expect(value(password(code)) == code) }
            #expect(copy(password("new")).status == errSecItemNotFound)
            let rest = try isPending(fixture)
            #expect(rest == 0)
        }
    }

    @Test func `an upgraded database works in all calls`() throws {
        try makeOld { add(password("a"), "1") }
        try restarted().run {
            #expect(add(password("a")) == errSecDuplicateItem)
            #expect(update(password("a"), ["acct": "b"]) == errSecSuccess)
            #expect(value(password("b")) == "1")
            #expect(delete(password("b")) == errSecSuccess)
            #expect(add(password("b"), "2") == errSecSuccess)
        }
    }

    @Test func `a newer database is refused and never changed`() throws {
        try keychain.run {
            add(password())
            let database = try openDatabase()
            try database.run("UPDATE schema SET version = 3")
            database.close()
        }
        let fixture = try restarted()
        let before = try DurableFile.read(fixture.database, limit: 1 << 24)
        fixture.run {
            #expect(copy(password(), ["r_Data": true]).status == errSecWrongSecVersion)
            #expect(add(password("other")) == errSecWrongSecVersion)
            #expect(update(password(), ["labl": "L"]) == errSecWrongSecVersion)
            #expect(delete(password()) == errSecWrongSecVersion)
            let words = KeychainDiagnostics.report(fixture.environment.home).failure
            #expect(words?.contains("version 3") == true)
        }
        #expect(try DurableFile.read(fixture.database, limit: 1 << 24) == before)
    }

    @Test func `only the owner may read the files`() throws {
        try keychain.run {
            add(password())
            let folder = keychain.environment.home.keychain
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.count >= 2)
            for file in files {
                let mode = try FileManager.default.attributesOfItem(atPath: folder + "/" + file)[.posixPermissions]
                #expect((mode as? Int) == 0o600, "\(file)")
            }
        }
    }
}
