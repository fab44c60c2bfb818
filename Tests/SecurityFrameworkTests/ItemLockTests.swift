import Foundation
import PaviseDevice
import SecurityFramework
import TestSupport
import Testing

@Suite struct ItemLockTests {
    let keychain: ItemFixture
    var lock: LockSwitch { keychain.environment.lock }
    init() throws { keychain = try ItemFixture() }

    @Test(arguments: [LockState.locked, .beforeFirstUnlock], ["ak", "aku", "ck", "cku", "dk", "dku"])
    func `KC47 each class answers as its lock state says, in every call`(_ state: LockState, _ code: String) {
        keychain.run {
            let query = password("anna", "mail", ["pdmn": code])
            add(query)
            lock.state = state
            let isOpen = code.hasPrefix("d") || (code.hasPrefix("c") && state == .locked)
            let expected = isOpen ? errSecSuccess : errSecInteractionNotAllowed
            #expect(copy(query).status == expected)
            #expect(copy(query, ["r_Data": true]).status == expected)
            #expect(copy(query, ["r_Attributes": true]).status == expected)
            #expect(update(query, ["labl": "L"]) == expected)
            #expect(add(password("bert", "mail", ["pdmn": code])) == expected)
        }
    }

    @Test func `KC48 a locked duplicate is locked first and a duplicate later`() {
        keychain.run {
            add(password())
            lock.state = .locked
            #expect(add(password()) == errSecInteractionNotAllowed)
            lock.state = .unlocked
            #expect(add(password()) == errSecDuplicateItem)
        }
    }

    @Test func `KC49 one locked row among many locks the answer`() {
        keychain.run {
            add(password("a", "mail", ["pdmn": "dk"]))
            add(password("b"))
            lock.state = .locked
            #expect(copy(password(nil), ["m_Limit": kSecMatchLimitAll]).status == errSecInteractionNotAllowed)
            #expect(copy(password("a")).status == errSecSuccess)
            #expect(copy(password("nobody")).status == errSecItemNotFound)
        }
    }

    @Test func `KC50 an item that is not synchronised can be deleted while locked`() {
        keychain.run {
            add(password())
            add(password("bert", "mail", ["sync": true]))
            lock.state = .locked
            #expect(delete(password()) == errSecSuccess)
            #expect(delete(password("bert", "mail", ["sync": true])) == errSecInteractionNotAllowed)
            lock.state = .unlocked
            #expect(copy(password()).status == errSecItemNotFound)
        }
    }

    @Test func `KC51 lock drops the keys in use and unlock brings them back`() {
        keychain.run {
            add(password())
            for _ in 0..<3 {
                lock.state = .locked
                #expect(copy(password(), ["r_Data": true]).status == errSecInteractionNotAllowed)
                lock.state = .unlocked
                #expect(value(password()) == "secret")
            }
        }
    }

    @Test(arguments: [LockState.unlocked, .locked])
    func `KC52 without a passcode its class takes no items`(_ state: LockState) {
        keychain.run {
            lock.state = state
            #expect(add(password("anna", "mail", ["pdmn": "akpu"])) == errSecNotAvailable)
        }
    }
}
