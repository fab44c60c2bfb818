import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseProtectedStorage

@Suite struct ContainerTests {
    let fixture: StorageFixture
    init() throws { fixture = try StorageFixture() }

    @Test func `a container is made once and found again`() throws {
        #expect(throws: StorageFailure.absent) { try fixture.open(mayCreate: false) }
        let made = try fixture.open()
        let found = try fixture.open(mayCreate: false)
        #expect(made.identifier == found.identifier && made.identifier.count == 16)
        for protection in ProtectionClass.allCases {
            let key = try made.copyOfDatabaseKey(protection)
            #expect(try found.copyOfDatabaseKey(protection, mayCreate: false) == key && key.count == 32)
        }
        let keys = try ProtectionClass.allCases.map { try made.copyOfDatabaseKey($0) }
        #expect(Set(keys).count == 4)
        let other = try fixture.open(name: "other")
        #expect(try other.copyOfDatabaseKey(.none) != keys[3])
    }

    struct Matrix: Sendable {
        let state: LockState
        let open: Set<ProtectionClass>
    }

    // DR3, DR4: the class matrix of device protection, assertion DP1.
    @Test(
        "DR3: each class has its key in the states that Apple names",
        .linuxElement("Apple's systems have no class of the keychain that is readable before the first unlock"),
        arguments: [
            Matrix(state: .unlocked, open: Set(ProtectionClass.allCases)),
            Matrix(state: .locked, open: [.untilFirstUserAuthentication, .none]),
            Matrix(state: .beforeFirstUnlock, open: [.none]),
        ])
    func matrix(_ row: Matrix) throws {
        let (state, open) = (row.state, row.open)
        let container = try fixture.open()
        for protection in ProtectionClass.allCases { _ = try container.copyOfDatabaseKey(protection) }
        fixture.lock.state = state
        for one in [container, try fixture.open()] {
            for protection in ProtectionClass.allCases {
                if open.contains(protection) {
                    #expect(try one.copyOfDatabaseKey(protection).count == 32)
                } else {
                    #expect(throws: StorageFailure.locked) { try one.copyOfDatabaseKey(protection) }
                    #expect(throws: StorageFailure.locked) { try one.copyOfDatabaseKey(protection, mayCreate: false) }
                }
            }
        }
    }

    @Test func `DR10: a key that is gone is a loss, and no new one is made over old data`() throws {
        let container = try fixture.open()
        _ = try container.copyOfDatabaseKey(.none)
        try fixture.run { try container.keychain.delete(.key(.none)) }
        container.forgetKeys()
        #expect(throws: StorageFailure.damaged(.keyLost)) { try container.copyOfDatabaseKey(.none) }
        #expect(throws: StorageFailure.absent) { try container.copyOfDatabaseKey(.complete, mayCreate: false) }
    }

    @Test(arguments: [true, false])
    func `DR10: a key that a kill kept out of the record is put into it, so that its loss is noticed`(
        _ mayCreate: Bool
    ) throws {
        let container = try fixture.open()
        let key = try container.copyOfDatabaseKey(.none)
        let unmarked = ContainerRecord(identifier: container.identifier)
        try fixture.run { try container.keychain.update(unmarked.encoded(), as: .record) }
        #expect(try fixture.open().copyOfDatabaseKey(.none, mayCreate: mayCreate) == key)
        try fixture.run { try container.keychain.delete(.key(.none)) }
        #expect(throws: StorageFailure.damaged(.keyLost)) { try fixture.open().copyOfDatabaseKey(.none) }
    }

    @Test func `the public half of class B that a kill kept from being stored follows from the private one`() throws {
        let container = try fixture.open()
        let half = try container.publicKey()
        let file = try container.put([1], .completeUnlessOpen)
        try fixture.run { try container.keychain.delete(.publicKey) }
        let again = try fixture.open()
        fixture.lock.state = .locked
        #expect(throws: StorageFailure.locked) { try again.put([2], .completeUnlessOpen) }
        fixture.lock.state = .unlocked
        let other = try again.put([2], .completeUnlessOpen)
        #expect(try again.publicKey() == half)
        #expect(try again.get(file) == [1] && again.get(other) == [2])
        fixture.lock.state = .locked
        #expect(throws: Never.self) { try fixture.open().put([3], .completeUnlessOpen) }
    }

    @Test func `DR10: data without its record in the secret store opens as nothing new`() throws {
        let container = try fixture.open()
        try DurableFile.write([1], to: container.folder + "/files/0")
        try fixture.run { try container.keychain.delete(.record) }
        #expect(throws: StorageFailure.damaged(.keyLost)) { try fixture.open() }
        #expect(try DurableFile.read(container.folder + "/files/0", limit: 9) == [1])
    }

    // A kill or a loss of power while the first container was made: the record comes last.
    @Test(arguments: ["container", "container.4194305.0123456789abcdef.new", "files", "database"])
    func `what a kill leaves before the record is no container, and is used for the next one`(_ name: String) throws {
        try DurableFile.makeDirectory(fixture.place)
        if ["files", "database"].contains(name) {
            try DurableFile.makeDirectory(fixture.place + "/" + name)
        } else {
            try DurableFile.write([], to: fixture.place + "/" + name)
        }
        #expect(throws: StorageFailure.absent) { try fixture.open(mayCreate: false) }
        let container = try fixture.open()
        #expect(try container.get(container.put([1])) == [1])
        #expect(try Set(Folder.names(in: fixture.place)) == ["container", "files", "database"])
    }

    @Test func `a folder that nobody removed and that is gone is damage`() throws {
        let container = try fixture.open()
        try Folder.remove(container.folder)
        #expect(throws: StorageFailure.damaged(.folderLost)) { try fixture.open() }
    }

    @Test(arguments: [
        [], [1], [0] + [UInt8](repeating: 0, count: 18), [1, 5, 0] + [UInt8](repeating: 0, count: 16),
        [1, 1, 1] + [UInt8](repeating: 0, count: 16), [1, 1, 0] + [UInt8](repeating: 0, count: 17),
    ])
    func `a record that nobody wrote is damage`(_ bytes: [UInt8]) {
        #expect(throws: StorageFailure.damaged(.keyRecord)) {
            _ = try ContainerRecord(decoding: SecretBytes(copying: bytes))
        }
    }

    @Test func `a record of a later version is newer`() {
        #expect(throws: StorageFailure.newer(version: 2)) {
            _ = try ContainerRecord(decoding: SecretBytes(copying: [2, 1, 0]))
        }
    }

    @Test func `an observer hears of a lock within 10 ms, also of one that was there before`() throws {
        let container = try fixture.open()
        let heard = Monitor(0)
        let observation = container.observeLock { heard.change { $0 += 1 } }
        #expect(!heard.wait(within: 20) { $0 > 0 })
        fixture.lock.state = .locked
        #expect(heard.wait(within: 1000) { $0 == 1 })
        fixture.lock.state = .unlocked
        #expect(!heard.wait(within: 20) { $0 > 1 })
        fixture.lock.state = .locked
        #expect(heard.wait(within: 1000) { $0 == 2 })
        let late = Monitor(false)
        let second = container.observeLock { late.change { $0 = true } }
        #expect(late.wait(within: 1000) { $0 })
        withExtendedLifetime((observation, second)) {}
    }
}
