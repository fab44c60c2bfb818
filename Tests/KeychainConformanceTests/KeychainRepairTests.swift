import Foundation
import KeychainTestSupport
import PaviseDatabase
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// A damaged keychain comes back as far as it can be read, and its old files stay.
@Suite struct KeychainRepairTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    private var home: PaviseHome { keychain.environment.home }
    private var log: String { keychain.database + "-wal" }
    private static let all = ["class": "genp", "m_Limit": kSecMatchLimitAll as String]

    /// `count` items with long values, so that they lie on many pages; the log is moved into the database.
    private func fill(_ count: Int = 60) throws {
        let items = (0..<count).map { number in
            password("account \(number)").merging(["v_Data": Data(secret(number).utf8)]) { $1 } as CFDictionary
        }
        #expect(SecItem.addTogether(items) == errSecSuccess)
        KeychainDiagnostics.close(home)
    }

    private func secret(_ number: Int) -> String { "secret \(number) " + String(repeating: "s", count: 700) }

    private func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
        var bytes = try DurableFile.read(path, limit: 1 << 24)
        body(&bytes)
        try? FileManager.default.removeItem(atPath: keychain.database + "-shm")
        try DurableFile.write(bytes.span, to: path)
    }

    /// The findings, and the folder of the old files.
    private func repair() throws -> (findings: KeychainRepair.Findings, folder: String)? {
        switch try KeychainRepair.examine(home) {
        case .absent, .whole: return nil
        case .damaged(let repair):
            let findings = repair.findings
            return (findings, try repair.finish())
        }
    }

    private var accounts: Set<String> {
        let found = copy(Self.all, ["r_Attributes": true]).result as? [[String: Any]] ?? []
        return Set(found.compactMap { $0["acct"] as? String })
    }

    private func files(_ folder: String) throws -> [[UInt8]] {
        try ["items.db", "items.db-wal"].map { try DurableFile.read("\(folder)/\($0)", limit: 1 << 24) }
    }

    @Test func `a whole keychain is left alone, and none is nothing to repair`() throws {
        try keychain.run {
            switch try KeychainRepair.examine(home) {
            case .absent: break
            case .whole, .damaged: Issue.record("there is none")
            }
            try fill()
            let before = try files(home.keychain)
            switch try KeychainRepair.examine(home) {
            case .whole(let count): #expect(count == 60)
            case .absent, .damaged: Issue.record("it is whole")
            }
            KeychainDiagnostics.close(home)
            #expect(try files(home.keychain).first == before.first)
        }
    }

    @Test func `a keychain of which half is inverted gives back the other half`() throws {
        try keychain.run {
            try fill()
            let first = try #require(reference(password("account 0")))
            KeychainDiagnostics.close(home)
            try change(keychain.database) { bytes in
                for index in bytes.count / 2..<bytes.count { bytes[index] = ~bytes[index] }
            }
            let damaged = try files(home.keychain)
            #expect(add(password("new")) == errSecNotAvailable || copy(Self.all).status != errSecSuccess)
            KeychainDiagnostics.close(home)
            let (findings, folder) = try #require(try repair())
            let back = findings.items.filter { $0.fate == .readable }
            #expect(back.count >= 15 && back.count < 60, "\(back.count)")
            #expect(findings.damagedPages > 0)
            #expect(back.allSatisfy { $0.name?.hasPrefix("mail account ") == true && $0.itemClass == "genp" })
            #expect(try files(folder).first == damaged.first)
            #expect(accounts.count == back.count)
            for account in accounts {
                let number = try #require(Int(account.dropFirst("account ".count)))
                #expect(value(password(account)) == secret(number))
            }
            // References and dates are those of before; what is stored now is there afterwards.
            #expect(copy(["v_PersistentRef": first, "r_Data": true]).status == errSecSuccess)
            #expect(add(password("new")) == errSecSuccess)
            KeychainDiagnostics.close(home)
            #expect(value(password("new")) == "secret")
            switch try KeychainRepair.examine(home) {
            case .whole: break
            case .absent, .damaged: Issue.record("the repaired keychain is not whole")
            }
        }
    }

    @Test func `one flipped bit costs what lies on its page and nothing else`() throws {
        try keychain.run {
            try fill()
            let whole = try files(home.keychain)
            let pages = whole[0].count / 4096
            for page in stride(from: 1, to: pages, by: max(1, pages / 12)) {
                try change(keychain.database) { bytes in
                    bytes = whole[0]
                    bytes[page * 4096 + 2000] ^= 1
                }
                guard let (findings, folder) = try repair() else {
                    Issue.record("page \(page) is damaged, and nothing said so")
                    continue
                }
                #expect(findings.damagedPages == 1, "page \(page)")
                let back = findings.count(.readable)
                // One page holds the key of all attributes: without it nothing has a name, and each item is told as
                // lost.
                let isKeyLost = back == 0 && findings.count(.lost) == 60
                #expect((back >= 50 || isKeyLost) && accounts.count == back, "page \(page): \(back)")
                KeychainDiagnostics.close(home)
                try Folder.remove(folder)
            }
        }
    }

    @Test func `a key of the element that waits to be destroyed is not forgotten by a repair`() throws {
        try keychain.run {
            try fill()
            let parameters: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
                kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs as String: [kSecAttrIsPermanent as String: true],
            ]
            let made = SecKeyCreateRandomKey(parameters as CFDictionary, nil)
            #expect(made != nil)
            keychain.environment.lock.state = .locked
            #expect(delete(["class": kSecClassKey]) == errSecSuccess)
            KeychainDiagnostics.close(home)
            let keys = home.device + "/keys"
            let salt = keys + "/" + (try #require(FileManager.default.contentsOfDirectory(atPath: keys).first))
            let (kept, whole) = (try DurableFile.read(salt, limit: 64), try files(home.keychain))
            let pages = whole[0].count / 4096
            let damaged = Array(stride(from: 1, to: pages, by: max(1, pages / 6)))
            var destroyed = 0
            for page in damaged {
                keychain.environment.lock.state = .locked
                try DurableFile.write(kept.span, to: salt)
                try change(keychain.database) { bytes in
                    bytes = whole[0]
                    bytes[page * 4096 + 2000] ^= 1
                }
                let (_, folder) = try #require(try repair(), "page \(page)")
                keychain.environment.lock.state = .unlocked
                #expect(copy(["class": kSecClassKey]).status == errSecItemNotFound)
                if !FileManager.default.fileExists(atPath: salt) { destroyed += 1 }
                KeychainDiagnostics.close(home)
                try Folder.remove(folder)
            }
            // The note lies on one page, and what opens it on another.
            #expect(destroyed >= damaged.count / 2, "\(destroyed) of \(damaged.count)")
        }
    }

    @Test func `one flipped bit in the head costs nothing, wherever it is`() throws {
        try keychain.run {
            try fill(6)
            let whole = try files(home.keychain)
            let wal = whole[1]
            // The magic, the identifier that every key hangs on, the anchor, the mark.
            for offset in [0, 32, 40, 47, 600, 1100, 1600, 2100] {
                try change(keychain.database) { bytes in
                    bytes = whole[0]
                    bytes[offset] ^= 4
                }
                try DurableFile.write(wal.span, to: log)
                if let (findings, folder) = try repair() {
                    #expect(findings.count(.readable) == 6, "offset \(offset)")
                    try Folder.remove(folder)
                }
                #expect(accounts.count == 6, "offset \(offset)")
                KeychainDiagnostics.close(home)
            }
        }
    }

    @Test func `a damaged log above a good database gives back what the database and the rest of the log have`() throws
    {
        try keychain.run {
            try fill(20)
            // Each change is a commit of its own, in the log alone.
            for number in 20..<26 { #expect(add(password("account \(number)"), secret(number)) == errSecSuccess) }
            let (main, wal) = try (
                DurableFile.read(keychain.database, limit: 1 << 24), DurableFile.read(log, limit: 1 << 24)
            )
            KeychainDiagnostics.close(home)
            let last = try #require(wal.lastIndex { $0 != 0 })
            for place in [600, 1024 + 3000, last / 2, last - 100] {
                try DurableFile.write(main.span, to: keychain.database)
                try? FileManager.default.removeItem(atPath: keychain.database + "-shm")
                var changed = wal
                changed[place] ^= 0xFF
                try DurableFile.write(changed.span, to: log)
                if let (findings, folder) = try repair() {
                    #expect(findings.count(.readable) >= 20, "byte \(place)")
                    #expect(findings.mayBeOlder || findings.count(.readable) == 26, "byte \(place)")
                    #expect(accounts.count == findings.count(.readable))
                    try Folder.remove(folder)
                } else {
                    #expect(accounts.count == 26, "byte \(place)")
                }
                KeychainDiagnostics.close(home)
            }
        }
    }

    @Test func `a log that is gone gives back what the database has`() throws {
        try keychain.run {
            try fill(20)
            try FileManager.default.removeItem(atPath: log)
            let (findings, _) = try #require(try repair())
            #expect(findings.count(.readable) == 20 && findings.mayBeOlder)
            #expect(accounts.count == 20)
        }
    }

    @Test func `a database that is gone gives back an empty keychain, and says so`() throws {
        try keychain.run {
            try fill(3)
            try DurableFile.remove(keychain.database)
            #expect(copy(password("account 0")).status == errSecNotAvailable)
            let (findings, folder) = try #require(try repair())
            #expect(findings.isNothingReadable && findings.items.isEmpty)
            #expect(DurableFile.exists(folder + "/items.db-wal"))
            #expect(add(password("account 0")) == errSecSuccess)
        }
    }

    @Test func `a damaged item is told as lost, its name is free again, and its bytes are kept`() throws {
        try keychain.run {
            try fill(3)
            let store = try #require(try? DurableFile.read(keychain.database, limit: 1 << 24))
            #expect(!store.isEmpty)
            let key = try Device.open(home).deviceKey(purpose: "keychain database")
            let database = try Database.open(keychain.database, key: key)
            try database.run("UPDATE item SET secret = zeroblob(200) WHERE row = 2")
            database.close()
            let (findings, _) = try #require(try repair())
            #expect(findings.count(.readable) == 2 && findings.count(.lost) == 1)
            #expect(findings.items.first { $0.fate == .lost }?.group == "one")
            #expect(KeychainDiagnostics.report(home).damaged.map(\.isSetAside) == [true])
            #expect(add(password("account 1")) == errSecSuccess)
        }
    }

    /// Changes the database as pages of an older state would.
    private func inDatabase(_ body: (Database) throws -> Void) throws {
        KeychainDiagnostics.close(home)
        let key = try Device.open(home).deviceKey(purpose: "keychain database")
        let database = try Database.open(keychain.database, key: key)
        defer { database.close() }
        try body(database)
    }

    @Test func `AM-BH2: of two items of one name the one that was stored last comes back`() throws {
        let time = Mutex<Int64>(1_800_000_000_000)
        let wall: @Sendable () -> Int64 = {
            time.withLock { time in
                time += 60_000
                return time
            }
        }
        var fixture = keychain
        fixture.environment.time = TimeSource(wall: wall, boot: { 1 }, epoch: { "one boot" })
        try fixture.run {
            try fill(3)
            #expect(add(password("anna"), "old") == errSecSuccess)
            // It was changed more often than the newer one.
            for label in ["a", "b", "c"] { #expect(update(password("anna"), ["labl": label]) == errSecSuccess) }
            try inDatabase { database in
                try database.run(
                    """
                    CREATE TABLE older(
                        row INTEGER PRIMARY KEY, primary_key BLOB NOT NULL,
                        header BLOB NOT NULL, attributes BLOB NOT NULL, secret BLOB NOT NULL) STRICT
                    """)
                try database.run("INSERT INTO older SELECT * FROM item")
            }
            #expect(delete(password("anna")) == errSecSuccess)
            #expect(add(password("anna"), "new") == errSecSuccess)
            try inDatabase { database in try database.run("UPDATE item SET secret = zeroblob(200) WHERE row = 2") }
            _ = try #require(try repair())
            #expect(value(password("anna")) == "new")
        }
    }

    @Test func `AM-BH2: of two metadata keys of one class the one that items name comes back`() throws {
        try keychain.run {
            try fill(3)
            try inDatabase { database in
                try database.run(
                    """
                    CREATE TABLE other(
                        class INTEGER PRIMARY KEY, identifier BLOB NOT NULL, wrapped BLOB NOT NULL) STRICT
                    """)
                try database.run("INSERT INTO other SELECT * FROM metadata_key")
                try database.run("UPDATE metadata_key SET identifier = zeroblob(8), wrapped = zeroblob(60)")
            }
            let (findings, _) = try #require(try repair())
            #expect(findings.count(.readable) == 3 && accounts.count == 3)
        }
    }

    @Test func `a deleted item does not come back, and a synchronised one stays deleted`() throws {
        try keychain.run {
            try fill(20)
            #expect(delete(password("account 3")) == errSecSuccess)
            #expect(add(password("synced", "mail", ["sync": true])) == errSecSuccess)
            #expect(delete(password("synced", "mail", ["sync": true])) == errSecSuccess)
            KeychainDiagnostics.close(home)
            try FileManager.default.removeItem(atPath: log)
            let (findings, _) = try #require(try repair())
            #expect(findings.count(.readable) == 19)
            #expect(!accounts.contains("account 3"))
            #expect(copy(password("synced", "mail", ["sync": true])).status == errSecItemNotFound)
            #expect(copy(password("synced", "mail", ["sync": true, "tomb": 1])).status == errSecSuccess)
        }
    }

    @Test func `what is locked comes back unopened and is read after the unlock`() throws {
        try keychain.run {
            try fill(3)
            let device = try Device.of(home)
            try device.setPasscode(SecretBytes(utf8: "1234"), cost: Argon2Cost(kibibytes: 8, passes: 1))
            try device.lock()
            KeychainDiagnostics.close(home)
            try FileManager.default.removeItem(atPath: log)
            let (findings, _) = try #require(try repair())
            #expect(findings.count(.locked) == 3 && findings.items.allSatisfy { $0.name == nil })
            try Device.of(home).unlock(SecretBytes(utf8: "1234"))
            #expect(value(password("account 1")) == secret(1))
        }
    }

    @Test(arguments: KeychainRepair.Step.allCases)
    func `a repair that is cut off leaves the old keychain or the new one`(
        _ step: KeychainRepair.Step
    ) throws {
        struct Kill: Error {}
        try keychain.run {
            try fill(20)
            try FileManager.default.removeItem(atPath: log)
            let damaged = try DurableFile.read(keychain.database, limit: 1 << 24)
            #expect(throws: KeychainRepair.Failure.self) {
                try KeychainRepair.$observer.withValue({ if $0 == step { throw Kill() } }, operation: { try repair() })
            }
            // The next process.
            KeychainDiagnostics.close(home)
            if accounts.count != 20 {
                #expect(try DurableFile.read(keychain.database, limit: 1 << 24) == damaged)
                KeychainDiagnostics.close(home)
                #expect(try #require(try repair()).findings.count(.readable) == 20)
            }
            #expect(accounts.count == 20)
            #expect(!DurableFile.exists(home.keychain + "-repaired"))
            let asides = try Folder.names(in: home.path).filter { $0.hasPrefix("keychain-set-aside-") }
            #expect(asides.count == 1)
            #expect(try DurableFile.read("\(home.path)/\(asides[0])/items.db", limit: 1 << 24) == damaged)
            #expect(try Folder.names(in: home.path).allSatisfy { !$0.hasPrefix("keychain.") })
        }
    }

    @Test func `RV-H4: where nobody can say whether the old keychain is there, the new one stays`() throws {
        struct Kill: Error {}
        try keychain.run {
            try fill(20)
            try FileManager.default.removeItem(atPath: log)
            #expect(throws: KeychainRepair.Failure.self) {
                try KeychainRepair.$observer.withValue(
                    { if $0 == .movedIn { throw Kill() } }, operation: { try repair() })
            }
            KeychainDiagnostics.close(home)
            let path = home.keychain
            let looks = Mutex(0)
            // The first look is the entrance's.
            let observer = FileObserver(failure: { step in
                guard step.call == .look, step.path == path else { return nil }
                return looks.withLock { looks in
                    looks += 1
                    return looks > 1 ? EIO : nil
                }
            })
            FileObserver.$current.withValue(observer) { #expect(accounts.isEmpty) }
            #expect(looks.withLock { $0 } == 2)
            #expect(DurableFile.exists(home.keychain + "-repaired"))
            KeychainDiagnostics.close(home)
            #expect(accounts.count == 20)
        }
    }

    @Test func `what another program stores meanwhile is not lost`() throws {
        try keychain.run {
            try fill(5)
            try change(keychain.database) { $0[$0.count - 3000] ^= 1 }
            switch try KeychainRepair.examine(home) {
            case .absent, .whole: Issue.record("it is damaged")
            case .damaged(let repair):
                try change(keychain.database) { $0[$0.count - 3000] ^= 1 }
                let failure = #expect(throws: KeychainRepair.Failure.self) { _ = try repair.finish() }
                #expect(failure?.explanation.contains("try again") == true)
            }
            KeychainDiagnostics.close(home)
            #expect(accounts.count == 5)
        }
    }

    @Test func `what is stored while the new keychain gets its name is not lost`() throws {
        try keychain.run {
            try fill(5)
            try change(keychain.database) { $0[$0.count - 3000] ^= 1 }
            guard case .damaged(let repair) = try KeychainRepair.examine(home) else {
                Issue.record("it is damaged")
                return
            }
            let path = keychain.database
            let observer: @Sendable (KeychainRepair.Step) throws -> Void = { step in
                guard step == .movedAway else { return }
                var bytes = try DurableFile.read(path, limit: 1 << 24)
                bytes[bytes.count - 3000] ^= 1
                try? FileManager.default.removeItem(atPath: path + "-shm")
                try DurableFile.write(bytes.span, to: path)
            }
            let failure = #expect(throws: KeychainRepair.Failure.self) {
                try KeychainRepair.$observer.withValue(observer, operation: { _ = try repair.finish() })
            }
            #expect(failure?.explanation.contains("try again") == true)
            KeychainDiagnostics.close(home)
            #expect(accounts.count == 5)
            #expect(try Folder.names(in: home.path).allSatisfy { !$0.hasPrefix("keychain-") })
        }
    }

    @Test func `whoever opens the keychain while the new one takes its place does not take it away`() throws {
        try keychain.run {
            try fill(5)
            try FileManager.default.removeItem(atPath: log)
            let environment = keychain.environment
            let isOpened = Monitor(false)
            let observer: @Sendable (KeychainRepair.Step) throws -> Void = { step in
                guard step == .movedAway else { return }
                Thread.detachNewThread {
                    SecurityEnvironment.$override.withValue(environment) { _ = copy(password("account 0")).status }
                    isOpened.change { $0 = true }
                }
                // It waits for the repair; one that did not wait would be through by then.
                #expect(!isOpened.wait(within: 500) { $0 })
            }
            let found = try KeychainRepair.$observer.withValue(observer, operation: { try repair() })
            #expect(found?.findings.count(.readable) == 5)
            #expect(isOpened.wait(within: 60_000) { $0 })
            #expect(accounts.count == 5)
        }
    }

    // Between the two renames of a repair an empty folder would be taken for the damaged keychain, and the repaired one
    // dropped.
    @Test func `the folder of a new keychain is made while nobody repairs one`() {
        keychain.run {
            let (folder, lock) = (home.keychain, home.device + "/lock")
            let mayRepair = Mutex<Bool?>(nil)
            let observer = FileObserver(done: { step in
                guard step.call == .makeFolder, step.path == folder else { return }
                do {
                    let other = try FileLock.tryAcquire(lock)
                    let isFree = other != nil
                    mayRepair.withLock { $0 = isFree }
                    _ = consume other
                } catch {
                    Issue.record(error)
                }
            })
            FileObserver.$current.withValue(observer) { #expect(add(password("first")) == errSecSuccess) }
            #expect(mayRepair.withLock { $0 } == false)
            #expect(accounts == ["first"])
        }
    }

    @Test func `a keychain of a newer program is not damaged, and nothing takes its place`() throws {
        try keychain.run {
            try fill(5)
            let key = try Device.open(home).deviceKey(purpose: "keychain database")
            let database = try Database.open(keychain.database, key: key)
            try database.run("UPDATE schema SET version = 3")
            database.close()
            let failure = #expect(throws: KeychainRepair.Failure.self) { _ = try KeychainRepair.examine(home) }
            #expect(failure?.explanation.contains("version 3") == true)
            #expect(try Folder.names(in: home.path).allSatisfy { !$0.hasPrefix("keychain.") })
            KeychainDiagnostics.close(home)
            let after = try Database.open(keychain.database, key: key)
            try after.run("UPDATE schema SET version = 2")
            after.close()
            #expect(accounts.count == 5)
        }
    }

    @Test func `a keychain that is out of reach for a moment is not damaged`() throws {
        try keychain.run {
            try fill(5)
            let path = keychain.database
            let observer = FileObserver(failure: { $0.call == .look && $0.path == path ? EIO : nil })
            let failure = FileObserver.$current.withValue(observer) { () -> KeychainRepair.Failure? in
                #expect(throws: KeychainRepair.Failure.self) { _ = try KeychainRepair.examine(home) }
            }
            #expect(failure?.explanation.contains(path) == true)
            #expect(try Folder.names(in: home.path).allSatisfy { !$0.hasPrefix("keychain.") })
            #expect(accounts.count == 5)
        }
    }

    @Test func `a lost device is no reason for a new one, and the message says what to do`() throws {
        try keychain.run {
            try fill(2)
            let device = home.device
            try DurableFile.move(device, to: device + "-lost")
            KeychainDiagnostics.close(home)
            #expect(copy(password("account 0")).status == errSecNotAvailable)
            #expect(add(password("other")) == errSecNotAvailable)
            #expect(!DurableFile.exists(device + "/keybag"))
            #expect(throws: DeviceFailure.deviceLost(home)) { try Device.open(home) }
            let text = try #require(KeychainDiagnostics.report(home).failure)
            #expect(text.contains("backup") && text.contains(home.keychain) && text.contains(device))
            #expect(throws: KeychainRepair.Failure.device(text)) { _ = try KeychainRepair.examine(home) }
            try? Folder.remove(device)
            try DurableFile.move(device + "-lost", to: device)
            #expect(value(password("account 0")) == secret(0))
        }
    }
}
