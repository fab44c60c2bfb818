import Foundation
import PaviseDatabase
import PaviseDevice
import PavisePrimitives
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import SecurityFramework

/// Pavise's own items lie where no call of a program reaches them (RV-H1, RV-M7).
@Suite struct OwnItemsTests {
    static let record = ItemName(checkedService: "org.pavise.applock", "app")
    static let tag = "org.pavise.key.applock"
    let folder: TemporaryFolder
    var environment: SecurityEnvironment
    init() throws {
        folder = try TemporaryFolder()
        environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"), accessGroups: ["one", "two"])
    }

    func run<Result>(as groups: [String]? = nil, _ body: () throws -> Result) rethrows -> Result {
        var environment = environment
        environment.accessGroups = groups ?? environment.accessGroups
        return try SecurityEnvironment.$override.withValue(environment) { try body() }
    }

    @Test(
        "KC53: a new value takes the place of a damaged item, which is kept apart",
        arguments: [record, ItemName(checkedService: "example.mail", "anna")], ["header", "secret"])
    func replaced(_ name: ItemName, _ column: String) throws {
        try run {
            try KeychainStore().add([1].span, as: name)
            try damageLast(column)
            #expect(throws: VaultFailure.corrupt(.item)) { _ = try KeychainStore().read(name) }
            try KeychainStore().replace([2, 3].span, as: name)
            try expect(name, [2, 3])
            try KeychainStore().replace([4].span, as: name)
            try expect(name, [4])
            #expect(try database().rows("SELECT count(*) FROM damaged").first?.integer(0) == 1)
        }
    }

    private func database() throws -> Database {
        let device = try Device.open(environment.home)
        let key = try device.deviceKey(purpose: "keychain database")
        return try Database.open(environment.home.keychain + "/items.db", key: key)
    }

    // Damage below the sealing of pages.
    private func damageLast(_ column: String) throws {
        let database = try database()
        let row = try #require(
            database.rows("SELECT row, header, secret FROM item ORDER BY row DESC LIMIT 1").first)
        let number = try #require(row.integer(0))
        var bytes = try #require(row.blob(column == "header" ? 1 : 2))
        bytes[bytes.count - 1] ^= 1
        if column == "header" {
            try database.run("UPDATE item SET header = ? WHERE row = ?", [.blob(bytes), .integer(number)])
        } else {
            try database.run("UPDATE item SET secret = ? WHERE row = ?", [.blob(bytes), .integer(number)])
        }
    }

    private static var everything: [[String: Any]] {
        ["genp", "inet", "keys", "cert", "idnt"].flatMap { itemClass -> [[String: Any]] in
            [
                ["class": itemClass], ["class": itemClass, "sync": "syna"],
                ["class": itemClass, "agrp": "org.pavise.internal.one"], ["class": itemClass, "agrp": "one"],
                ["class": itemClass, "agrp": "two"],
            ]
        } + [
            ["class": "genp", "svce": "org.pavise.applock"],
            ["class": "genp", "svce": "org.pavise.applock", "acct": "app"],
        ]
    }

    @Test func `no query of a program finds, changes or deletes an own item`() throws {
        try run {
            try KeychainStore().add([1, 2, 3].span, as: Self.record)
            try EnclaveKey(tag: Self.tag).prepare()
            for query in Self.everything {
                let found = KeychainBridge.attributes(query)
                #expect(found.items.isEmpty, "\(query)")
                #expect(KeychainBridge.data(query).data == nil, "\(query)")
                #expect(KeychainBridge.update(query, ["labl": "x"]) != errSecSuccess, "\(query)")
                #expect(KeychainBridge.delete(query) != errSecSuccess, "\(query)")
            }
            try expect(Self.record, [1, 2, 3])
            #expect(EnclaveBridge.find(tag: Self.tag) == errSecSuccess)
        }
    }

    @Test(arguments: [
        "org.pavise.internal.one", "org.pavise.internal.two", "org.pavise.internal.", "org.pavise.internal",
    ])
    func `the public calls refuse a group of own items, whatever else they name`(_ group: String) throws {
        try run {
            try KeychainStore().add([1, 2, 3].span, as: Self.record)
            try EnclaveKey(tag: Self.tag).prepare()
            let wanted: [[String: Any]] = [
                [:], ["m_Limit": "m_LimitAll", "r_Attributes": true], ["r_Data": true], ["r_Ref": true],
                ["r_PersistentRef": true], ["sync": "syna"],
                ["svce": Self.record.service, "acct": Self.record.account],
                ["atag": Data(Self.tag.utf8)],
            ]
            for itemClass in ["genp", "inet", "keys", "cert", "idnt"] {
                for more in wanted {
                    let query = more.merging(["class": itemClass, "agrp": group]) { $1 } as CFDictionary
                    var result: CFTypeRef?
                    let status = unsafe SecItemCopyMatching(query, &result)
                    // A class has not every attribute: such a query is refused for that.
                    let isFit = more["svce"] == nil && more["atag"] == nil
                    #expect(isFit ? status == errSecMissingEntitlement : status != errSecSuccess, "\(query)")
                    #expect(result == nil)
                    #expect(SecItemUpdate(query, ["labl": "x"] as CFDictionary) != errSecSuccess, "\(query)")
                    #expect(SecItemDelete(query) != errSecSuccess, "\(query)")
                }
            }
            let item: [String: Any] = ["class": "genp", "svce": "s", "acct": "a", "agrp": group, "v_Data": Data([9])]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecMissingEntitlement)
            let key: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
                kSecPrivateKeyAttrs as String: [
                    kSecAttrIsPermanent as String: true, kSecAttrAccessGroup as String: group,
                    kSecAttrApplicationTag as String: Data("x".utf8),
                ] as [String: Any],
            ]
            #expect(SecKeyCreateRandomKey(key as CFDictionary, nil) == nil)
            try expect(Self.record, [1, 2, 3])
            #expect(EnclaveBridge.find(tag: Self.tag) == errSecSuccess)
        }
    }

    @Test func `a persistent reference from inside reaches nothing from outside`() throws {
        try run {
            try KeychainStore().add([1].span, as: Self.record)
            let all = KeychainBridge.attributes(
                ["class": "genp", "r_PersistentRef": true], of: Self.record.service)
            let reference = try #require(
                all.items.first { $0["acct"] as? String == "app" }?["v_PersistentRef"] as? Data)
            let query: [String: Any] = ["v_PersistentRef": reference]
            #expect(KeychainBridge.data(query).status == errSecItemNotFound)
            #expect(KeychainBridge.update(query, ["acct": "gone"]) == errSecItemNotFound)
            #expect(KeychainBridge.delete(query) == errSecItemNotFound)
            #expect(KeychainBridge.data(query, of: Self.record.service).status == errSecSuccess)
        }
    }

    @Test func `nothing gets into the group of own items by its name`() {
        run {
            let item: [String: Any] = [
                "class": "genp", "acct": "app", "svce": "org.pavise.applock", "v_Data": Data([9]),
            ]
            let named = item.merging(["agrp": "org.pavise.internal.one"]) { $1 }
            #expect(KeychainBridge.add(named) == errSecMissingEntitlement)
            #expect(KeychainBridge.add(item) == errSecSuccess)
            #expect(
                KeychainBridge.update(["class": "genp"], ["agrp": "org.pavise.internal.one"])
                    == errSecMissingEntitlement)
        }
    }

    @Test(arguments: [
        "org.pavise.internal.one", "org.pavise.internal.", "$(AppIdentifierPrefix)org.pavise.internal.one",
        " org.pavise.internal.one",
    ])
    func `no configuration names a group of own items`(_ name: String) {
        let plist: [String: Any] = [
            "CFBundleIdentifier": name, "keychain-access-groups": [name],
            "com.apple.security.application-groups": [name],
        ]
        for variables in [[:], ["PAVISE_APP_ID": name], ["PAVISE_ACCESS_GROUPS": "\(name),x"]] {
            let identity = ApplicationIdentity(variable: { variables[$0] }, information: plist, executable: "tool")
            #expect(!identity.accessGroups.contains(where: OwnItems.isReserved), "\(identity)")
            #expect(!OwnItems.isReserved(group: identity.identifier))
        }
        #expect(
            !ApplicationIdentity(variable: { _ in nil }, information: [:], executable: name).accessGroups.contains(
                where: OwnItems.isReserved))
    }

    @Test func `programs with another default group have own items of their own`() throws {
        try run(as: ["one"]) { try KeychainStore().add([1].span, as: Self.record) }
        try run(as: ["two", "one"]) {
            try expect(Self.record, nil)
            try KeychainStore().delete(Self.record)
            try KeychainStore().add([2].span, as: Self.record)
        }
        try run(as: ["one", "two"]) { try expect(Self.record, [1]) }
    }

    @Test func `an item of an app's own stays where the app's other calls find it`() throws {
        try run {
            try KeychainStore().add([1].span, as: ItemName(checkedService: "com.example.token", "ann"))
            #expect(KeychainBridge.data(["class": "genp", "acct": "ann", "r_Data": true]).data == Data([1]))
        }
    }
}

/// Homes from before own items had a group of their own.
@Suite struct TakeOverTests {
    let home: OwnItemsTests
    static let tags = (1...3).map { "org.pavise.key.\($0)" }
    static let names = (1...3).map { ItemName(checkedService: "org.pavise.session", "\($0)") } + [OwnItemsTests.record]
    init() throws { home = try OwnItemsTests() }

    // As c557a4d stored them: in the program's default group, without a mark.
    static func makeOld() throws {
        for name in names { try #require(put(name, [7]) == errSecSuccess) }
        try #require(put(ItemName(checkedService: "mail", "ada"), [1]) == errSecSuccess)
        for tag in tags + ["com.example.key"] {
            // A tag without Pavise's prefix is stored in the program's group; then it gets the name of then.
            try #require(EnclaveBridge.create(tag: "old." + tag) == errSecSuccess)
            let query: [String: Any] = ["class": "keys", "atag": Data(("old." + tag).utf8)]
            try #require(KeychainBridge.update(query, ["atag": Data(tag.utf8)]) == errSecSuccess)
        }
    }

    static func put(_ name: ItemName, _ value: [UInt8]) -> OSStatus {
        KeychainBridge.add([
            "class": "genp", "svce": name.service, "acct": name.account, "v_Data": Data(value), "pdmn": "cku",
        ])
    }

    static func expectAll() throws {
        for name in names { try expect(name, [7]) }
        for tag in tags { #expect(EnclaveBridge.find(tag: tag) == errSecSuccess, "\(tag)") }
        #expect(EnclaveBridge.find(tag: "com.example.key") == errSecSuccess)
        #expect(KeychainBridge.attributes(["class": "genp"]).items.map { $0["svce"] as? String } == ["mail"])
    }

    @Test func `own items of an older version are taken over, and nothing else`() throws {
        try home.run {
            try Self.makeOld()
            try Self.expectAll()
            #expect(KeychainBridge.attributes(["class": "keys"]).items.count == 1)
        }
        // By another process as well: nothing is left to take over.
        OpenStores.forget(home.environment.home)
        try home.run { try Self.expectAll() }
    }

    @Test func `after the take-over no item of the program's group is ever adopted`() throws {
        try home.run {
            try Self.makeOld()
            try Self.expectAll()
            try KeychainStore().delete(OwnItemsTests.record)
            #expect(Self.put(OwnItemsTests.record, [6]) == errSecSuccess)
            OpenStores.forget(home.environment.home)
            try expect(OwnItemsTests.record, nil)
            try KeychainStore().add([8].span, as: OwnItemsTests.record)
            try expect(OwnItemsTests.record, [8])
        }
    }

    @Test func `the first own item of a new home closes the door behind it`() throws {
        try home.run {
            try KeychainStore().add([1].span, as: Self.names[0])
            #expect(Self.put(OwnItemsTests.record, [6]) == errSecSuccess)
            OpenStores.forget(home.environment.home)
            try expect(OwnItemsTests.record, nil)
        }
    }

    @Test func `a search in a home without own items writes nothing`() throws {
        try home.run {
            #expect(Self.put(ItemName(checkedService: "mail", "ada"), [1]) == errSecSuccess)
            let database = try OpenStores.store(home.environment.home).database
            let before = try #require(database.stamp)
            try expect(OwnItemsTests.record, nil)
            let inside = KeychainBridge.attributes(["class": "genp"], of: OwnItemsTests.record.service)
            #expect(inside.items.isEmpty)
            // Not the mark either, which the next write leaves.
            #expect(database.stamp == before)
            try KeychainStore().add([2].span, as: OwnItemsTests.record)
            #expect(database.stamp != before)
        }
    }

    @Test(arguments: OwnItems.Step.allCases, [1, 2, 5])
    func `a take-over that is killed loses nothing`(_ step: OwnItems.Step, _ count: Int) async throws {
        try home.run { try Self.makeOld() }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = home.environment.home.path as String, step = step.rawValue as String, count = count as Int] in
            let environment = SecurityEnvironment(home: PaviseHome(path: path), accessGroups: ["one", "two"])
            let reached = Counter()
            SecurityEnvironment.$override.withValue(environment) {
                OwnItems.Step.$observer.withValue({
                    if $0.rawValue == step, reached.next() == (step == "moved" ? count : 1) { kill(getpid(), SIGKILL) }
                }) { _ = try? KeychainStore().read(OwnItemsTests.record) }
            }
        }
        try home.run { try Self.expectAll() }
    }

    @Test func `while the device is locked nothing is moved, and the answer is not “there is none”`() throws {
        try home.run { try Self.makeOld() }
        var locked = home
        locked.environment.lock = LockSwitch(.beforeFirstUnlock)
        locked.run {
            #expect(throws: VaultFailure.locked(status: errSecInteractionNotAllowed)) {
                _ = try KeychainStore().read(OwnItemsTests.record)
            }
            #expect(EnclaveBridge.find(tag: Self.tags[0]) == errSecInteractionNotAllowed)
        }
        try home.run { try Self.expectAll() }
    }

    @Test func `what is damaged stays damage`() throws {
        try home.run {
            try Self.makeOld()
            let store = try OpenStores.store(home.environment.home)
            try store.database.transaction { transaction in
                let rows = try transaction.rows("SELECT row, secret FROM item WHERE row <= 4")
                for row in rows {
                    var secret = row.blob(1) ?? []
                    secret[secret.count - 1] ^= 1
                    try transaction.run(
                        "UPDATE item SET secret = ? WHERE row = ?", [.blob(secret), .integer(row.integer(0) ?? 0)])
                }
            }
            for name in Self.names {
                #expect(throws: VaultFailure.corrupt(.item)) { _ = try KeychainStore().read(name) }
            }
        }
    }

    @Test(arguments: ["attributes", "header"])
    func `a lock's record whose attributes are damaged is damage, and not “there is none”`(_ column: String) throws {
        try home.run {
            let orders = ItemName(checkedService: "org.pavise.applock", "orders")
            for name in [OwnItemsTests.record, orders] { try #require(Self.put(name, [7]) == errSecSuccess) }
            let store = try OpenStores.store(home.environment.home)
            try store.database.transaction { transaction in
                let sql: StaticString =
                    column == "header"
                    ? "SELECT row, header FROM item WHERE row <= 2" : "SELECT row, attributes FROM item WHERE row <= 2"
                for row in try transaction.rows(sql) {
                    var bytes = row.blob(1) ?? []
                    bytes[bytes.count - 1] ^= 1
                    let update: StaticString =
                        column == "header"
                        ? "UPDATE item SET header = ? WHERE row = ?" : "UPDATE item SET attributes = ? WHERE row = ?"
                    try transaction.run(update, [.blob(bytes), .integer(row.integer(0) ?? 0)])
                }
            }
            for _ in 1...2 {
                for name in [OwnItemsTests.record, orders] {
                    #expect(throws: VaultFailure.corrupt(.item), "\(name)") { _ = try KeychainStore().read(name) }
                }
                OpenStores.forget(home.environment.home)
            }
            // What is written afterwards is whole.
            try KeychainStore().replace([8].span, as: OwnItemsTests.record)
            try expect(OwnItemsTests.record, [8])
        }
    }
}

/// Counts from one.
final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}

func expect(
    _ name: ItemName, _ value: [UInt8]?, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let found = try stored(name)
    #expect(found == value, "\(name)", sourceLocation: sourceLocation)
}

/// What the vault's store has under a name; `nil` for nothing.
func stored(_ name: ItemName) throws -> [UInt8]? {
    switch try KeychainStore().read(name) {
    case .absent: return nil
    case .found(let secret): return secret.withBytes { span in Array(span) }
    }
}
