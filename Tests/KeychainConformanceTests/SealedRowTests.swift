import Foundation
import KeychainTestSupport
import PaviseDatabase
import PaviseDevice
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

@testable import SecurityFramework

/// What was read is kept, sealed, until somebody commits: nobody may see that it is kept.
@Suite struct SealedRowTests {
    private let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    private var path: String { keychain.environment.home.path }

    /// Runs `body` in another process, in the same keychain.
    private func elsewhere(_ number: Int) async {
        await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
            let environment = SecurityEnvironment(home: PaviseHome(path: path), accessGroups: ["one", "two"])
            let status = SecurityEnvironment.$override.withValue(environment) {
                switch number {
                case 0: update(password(), ["v_Data": Data("changed".utf8)])
                case 1: delete(password())
                default: add(password("bert"), "added")
                }
            }
            if status != errSecSuccess { exit(1) }
        }
    }

    @Test func `an item that was read before is read as another process left it`() async throws {
        keychain.run {
            add(password())
            #expect(value(password()) == "secret")
            #expect(value(password()) == "secret")
        }
        await elsewhere(0)
        keychain.run { #expect(value(password()) == "changed") }
        await elsewhere(1)
        keychain.run { #expect(copy(password(), ["r_Data": true]).status == errSecItemNotFound) }
    }

    @Test func `an item that was not found is found when another process has added it`() async throws {
        keychain.run {
            add(password())
            #expect(copy(password("bert")).status == errSecItemNotFound)
            #expect(copy(password("bert")).status == errSecItemNotFound)
        }
        await elsewhere(2)
        keychain.run { #expect(value(password("bert")) == "added") }
    }

    @Test func `a keychain that was moved away while it was open is not written any more`() throws {
        try keychain.run {
            add(password())
            #expect(value(password()) == "secret")
            try moveAway()
            #expect(add(password("bert"), "new") == errSecSuccess)
            #expect(value(password("bert")) == "new" && DurableFile.exists(keychain.database))
            #expect(copy(password(), ["r_Data": true]).status == errSecItemNotFound)
        }
    }

    @Test func `a keychain that was moved away while it was open is not read once a walk is due`() throws {
        try keychain.run {
            add(password())
            #expect(value(password()) == "secret")
            try moveAway()
            // A walk counts for 10 ms; nobody has to come back that soon.
            var status = errSecSuccess
            for _ in 0..<10_000 where status == errSecSuccess {
                status = copy(password(), ["r_Data": true]).status
                usleep(1000)
            }
            #expect(status == errSecItemNotFound)
        }
    }

    @Test func `a keychain that was removed while it was open is not read any more`() throws {
        try keychain.run {
            add(password())
            #expect(value(password()) == "secret")
            try FileManager.default.removeItem(atPath: keychain.environment.home.keychain)
            #expect(copy(password(), ["r_Data": true]).status == errSecItemNotFound)
        }
    }

    @Test(arguments: ["add", "update", "delete"])
    func `a write that a move of the keychain overtook is no success`(_ call: String) throws {
        let synced = password().with("sync", true)
        keychain.run { #expect(add(synced) == errSecSuccess) }
        let (folder, aside) = (keychain.environment.home.keychain, keychain.folder.path + "/aside")
        let isMoved = Mutex(false)
        let clock = TimeSource.system
        // The clock is read when the keychain is open and nothing is committed: a repair by another process is faster.
        let wall: @Sendable () -> Int64 = {
            let isFirst = isMoved.withLock { isMoved in
                let isFirst = !isMoved
                isMoved = true
                return isFirst
            }
            if isFirst { #expect(throws: Never.self) { try DurableFile.move(folder, to: aside) } }
            return clock.wallMilliseconds
        }
        var own = keychain
        own.environment.time = TimeSource(
            wall: wall, boot: { clock.bootMilliseconds }, epoch: { clock.bootEpoch })
        own.run {
            let status =
                switch call {
                case "add": add(password("bert"))
                case "update": update(synced, ["labl": "L"])
                default: delete(synced)
                }
            #expect(status == errSecNotAvailable)
            #expect(add(password("bert"), "new") == errSecSuccess)
            #expect(value(password("bert")) == "new")
        }
    }

    private func moveAway() throws {
        try DurableFile.move(keychain.environment.home.keychain, to: keychain.folder.path + "/aside")
    }

    @Test func `rows are taken from what is kept, and from the database after a commit`() throws {
        try keychain.run {
            add(password())
            #expect(value(password()) == "secret")
            let store = try OpenStores.store(keychain.environment.home)
            let search = ItemSearch(
                try ItemQuery(password() as CFDictionary, for: .copy), groups: ["one"], digests: store.digests)
            let place = try #require(search.place)
            let stamp = try #require(store.database.stamp)
            #expect(store.sealedRows.rows(at: place, stamp)?.count == 1)
            add(password("other"))
            let later = try #require(store.database.stamp)
            #expect(later != stamp)
            #expect(store.sealedRows.rows(at: place, later) == nil)
        }
    }

    @Test func `what is kept is sealed, and other groups do not see it`() throws {
        try keychain.run {
            add(password("canary-name"), "canary-value")
            #expect(value(password("canary-name")) == "canary-value")
            let store = try OpenStores.store(keychain.environment.home)
            let search = ItemSearch(
                try ItemQuery(password("canary-name") as CFDictionary, for: .copy), groups: ["one"],
                digests: store.digests)
            let (place, stamp) = (try #require(search.place), try #require(store.database.stamp))
            let row = try #require(store.sealedRows.rows(at: place, stamp)?.first)
            let kept = Data(place + row.primaryKey + row.binding + row.attributes + row.secret)
            #expect(row.secret.count > 12 && kept.range(of: Data("canary".utf8)) == nil)
        }
        keychain.run {
            add(password(nil, nil, ["acct": "anna", "svce": "mail", "agrp": "two"]))
            #expect(value(password()) == "secret")
        }
        var stranger = keychain
        stranger.environment.accessGroups = ["three"]
        stranger.run { #expect(copy(password()).status == errSecItemNotFound) }
    }

    @Test func `the older half is let go when the younger is full, and what is asked for again stays`() throws {
        let cache = SealedRowCache()
        let folder = try TemporaryFolder()
        let database = try stamped(folder)
        let stamp = try #require(database.stamp)
        let row = StoredRow(
            row: 1, primaryKey: [], header: try #require(header()), binding: [], attributes: [],
            secret: [UInt8](repeating: 0, count: 60_000))
        for number in 0..<1000 {
            cache.keep([row], at: [UInt8(number >> 8), UInt8(number & 255)], stamp)
            #expect(cache.rows(at: [0, 0], stamp) != nil)
        }
        #expect(cache.rows(at: [0, 1], stamp) == nil)
        #expect(cache.rows(at: [3, 231], stamp) != nil)
    }

    @Test func `a large row is not kept`() throws {
        let cache = SealedRowCache()
        let folder = try TemporaryFolder()
        let stamp = try #require(try stamped(folder).stamp)
        let row = StoredRow(
            row: 1, primaryKey: [], header: try #require(header()), binding: [], attributes: [],
            secret: [UInt8](repeating: 0, count: 70_000))
        cache.keep([row], at: [1], stamp)
        #expect(cache.rows(at: [1], stamp) == nil)
    }
}

private func stamped(_ folder: TemporaryFolder) throws -> Database {
    try Database.open("\(folder.path)/test.db", key: try SecretBytes.random(count: 32))
}

private func header() -> ItemHeader? {
    ItemHeader(
        identifier: [UInt8](repeating: 1, count: 16), itemClass: .genericPassword, keyClass: .afterFirstUnlock,
        generation: 1, isSynchronizable: false, isTombstone: false, group: "one", digests: [])
}
