import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// The table of Documentation/DataProtection.md, read from there: the documentation and the program cannot differ.
private enum Matrix {
    struct Row: Sendable, CustomStringConvertible {
        let accessibility: String
        let state: String
        let add: OSStatus
        let read: OSStatus
        let update: OSStatus
        let delete: OSStatus
        var description: String { "\(accessibility), \(state)" }
    }

    static let rows: [Row] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Documentation/DataProtection.md")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 6, codes[cells[0]] != nil, let add = OSStatus(cells[2]), let read = OSStatus(cells[3]),
                let update = OSStatus(cells[4]), let delete = OSStatus(cells[5])
            else { return nil }
            return Row(accessibility: cells[0], state: cells[1], add: add, read: read, update: update, delete: delete)
        }
    }()

    static let codes: [String: String] = [
        "WhenUnlocked": "ak", "AfterFirstUnlock": "ck", "Always": "dk", "WhenUnlockedThisDeviceOnly": "aku",
        "AfterFirstUnlockThisDeviceOnly": "cku", "AlwaysThisDeviceOnly": "dku",
        "WhenPasscodeSetThisDeviceOnly": "akpu",
    ]
    static let states = ["no passcode", "before first unlock", "unlocked", "locked"]
}

@Suite struct LockMatrixTests {
    let keychain: KeychainFixture
    init() throws { keychain = try KeychainFixture() }

    @Test("KC47: the table has every accessibility in every state")
    func complete() {
        #expect(Matrix.rows.count == 28)
        let found = Set(Matrix.rows.map(\.description))
        let wanted = Set(Matrix.codes.keys.flatMap { code in Matrix.states.map { "\(code), \($0)" } })
        #expect(found == wanted)
    }

    @Test("KC47: every call answers as the table of the documentation says", .long, arguments: Matrix.rows)
    private func matrix(_ row: Matrix.Row) throws {
        let code = try #require(Matrix.codes[row.accessibility])
        let query = password("anna", [kSecAttrAccessible as String: code])
        try keychain.setPasscode()
        let device = try keychain.device.open()
        keychain.run {
            add(query)
            add(password("gone", [kSecAttrAccessible as String: code]))
        }
        switch row.state {
        case "no passcode": try device.removePasscode(SecretBytes(utf8: "1234"))
        case "before first unlock": keychain.device.time.reboot()
        case "locked": try device.lock()
        default: break
        }
        keychain.run {
            #expect(add(password("bert", [kSecAttrAccessible as String: code])) == row.add)
            #expect(copy(query).status == row.read)
            #expect(value(query) == (row.read, row.read == errSecSuccess ? "secret" : nil))
            #expect(copy(query, [kSecReturnAttributes as String: true]).status == row.read)
            #expect(SecItemUpdate(query as CFDictionary, ["labl": "L"] as CFDictionary) == row.update)
            let gone = password("gone", [kSecAttrAccessible as String: code])
            #expect(SecItemDelete(gone as CFDictionary) == row.delete)
        }
    }

    @Test("KC48: while locked a duplicate is locked first, and a duplicate later")
    func duplicate() throws {
        try keychain.setPasscode()
        let device = try keychain.device.open()
        try keychain.run {
            add(password())
            try device.lock()
            #expect(add(password()) == errSecInteractionNotAllowed)
            try device.unlock("1234")
            #expect(add(password()) == errSecDuplicateItem)
        }
    }

    @Test("KC49: one locked row among many locks the answer")
    func mixed() throws {
        try keychain.setPasscode()
        keychain.run {
            add(password("a", [kSecAttrAccessible as String: kSecAttrAccessibleAlways]))
            add(password("b"))
        }
        try keychain.device.open().lock()
        keychain.run {
            let all: [String: Any] = [kSecClass as String: kSecClassGenericPassword]
            let many = [kSecMatchLimit as String: kSecMatchLimitAll]
            #expect(copy(all, many).status == errSecInteractionNotAllowed)
            #expect(copy(password("a")).status == errSecSuccess)
            #expect(copy(password("nobody")).status == errSecItemNotFound)
        }
    }

    @Test("KC50: an item that is not synchronised can be deleted while locked")
    func delete() throws {
        try keychain.setPasscode()
        keychain.run {
            add(password())
            add(password("bert", [kSecAttrSynchronizable as String: true]))
        }
        try keychain.device.open().lock()
        keychain.run {
            #expect(SecItemDelete(password() as CFDictionary) == errSecSuccess)
            let synchronised = password("bert", [kSecAttrSynchronizable as String: true])
            #expect(SecItemDelete(synchronised as CFDictionary) == errSecInteractionNotAllowed)
        }
    }

    @Test("KC51: a lock by another process is seen at the next read, and so is its unlock")
    func lockDropsKeys() throws {
        try keychain.setPasscode()
        let other = try keychain.device.open()
        try keychain.run {
            add(password())
            for _ in 0..<3 {
                #expect(value(password()) == (errSecSuccess, "secret"))
                try other.lock()
                #expect(value(password()) == (errSecInteractionNotAllowed, nil))
                try other.unlock("1234")
            }
        }
    }

    @Test("KC52: items that need a passcode come and go with it")
    func passcodeSet() throws {
        let query = password(
            "anna", [kSecAttrAccessible as String: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly])
        keychain.run { #expect(add(query) == errSecNotAvailable) }
        try keychain.setPasscode()
        keychain.run { #expect(add(query) == errSecSuccess && value(query).1 == "secret") }
        try keychain.device.open().removePasscode(SecretBytes(utf8: "1234"))
        keychain.run {
            #expect(copy(query).status == errSecItemNotFound)
            #expect(add(query) == errSecNotAvailable)
        }
        try keychain.setPasscode()
        keychain.run {
            #expect(copy(query).status != errSecSuccess)
            #expect(value(password()).1 == nil)
        }
    }

    @Test("KC56: after an erase the old items are gone, and a new keychain begins")
    func erased() throws {
        try keychain.setPasscode()
        keychain.run { add(password()) }
        try keychain.device.open().erase()
        keychain.run {
            #expect(copy(password()).status == errSecItemNotFound)
            #expect(add(password(), "new") == errSecSuccess)
            #expect(value(password()) == (errSecSuccess, "new"))
        }
    }
}
