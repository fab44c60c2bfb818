import PaviseAppLock
import PavisePrimitives
import PaviseVault
import SecurityFramework
import TestSupport
import Testing

/// What an app seals under the lock stays closed while the lock is, whatever becomes of the lock's record (AL8, AL43,
/// AL46).
@Suite struct LockedKeyTests {
    let fixture: LockFixture
    let inner = EnclaveKey(tag: "org.pavise.test.key")
    let name = ItemName(checkedService: "org.pavise.test", "session")
    init() throws { fixture = try LockFixture() }

    private func vault(_ lock: AppLock, use: String = "one") -> TokenVault {
        TokenVault(store: KeychainStore(), key: LockedKey(inner, lock: lock, use: use))
    }

    private func text(_ vault: TokenVault) throws -> String? {
        guard case .found(let secret) = try vault.read(name) else { return nil }
        return secret.withBytes { bytes in String(decoding: Array(bytes), as: UTF8.self) }
    }

    private func refusal(_ vault: TokenVault) -> VaultFailure? {
        do {
            _ = try text(vault)
            return nil
        } catch {
            return error as? VaultFailure
        }
    }

    @Test("AL43: locked, a token is neither read nor written; open, it is")
    func locked() throws {
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            try inner.prepare()
            try vault(lock).store(Array("token".utf8).span, as: name)
            #expect(try text(vault(lock)) == "token")
            lock.lock()
            let closed = vault(lock)
            #expect(refusal(closed) == .locked(status: errSecInteractionNotAllowed))
            #expect(throws: VaultFailure.locked(status: errSecInteractionNotAllowed)) {
                try closed.store(Array("other".utf8).span, as: name)
            }
            try lock.open("830597")
            #expect(try text(vault(lock)) == "token")
            let foreign = vault(lock, use: "two")
            #expect(refusal(foreign) == .corrupt(.packet))
        }
    }

    @Test("AL8: a lock whose record is removed opens nothing", .linuxElement(LinuxElement.hasMarks))
    func removedRecord() throws {
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            try inner.prepare()
            try vault(lock).store(Array("token".utf8).span, as: name)
            try AppLockParts.platform(sharesUnlock: false).vault.erase(LockFixture.name)
            let without = vault(fixture.lock())
            #expect(refusal(without) == .keyLost)
            let damaged = vault(fixture.lock { $0.need = { .needed } })
            #expect(refusal(damaged) == .keyLost)
            // A new PIN is a new key (AL44).
            let again = fixture.lock()
            try again.startOver()
            try again.set("940276")
            let renewed = vault(again)
            #expect(refusal(renewed) == .corrupt(.packet))
        }
    }

    @Test(
        "what was written before a PIN was set is closed with the lock, and goes into the box when it is written again")
    func before() throws {
        try fixture.run {
            let lock = fixture.lock()
            try inner.prepare()
            try vault(lock).store(Array("token".utf8).span, as: name)
            #expect(isBoxed() == false)
            try lock.set("830597")
            #expect(try text(vault(lock)) == "token")
            lock.lock()
            let closed = vault(lock)
            #expect(refusal(closed) == .locked(status: errSecInteractionNotAllowed))
            try lock.open("830597")
            try vault(lock).store(Array("token".utf8).span, as: name)
            #expect(isBoxed() == true)
            lock.sealPlainly(true)
            try vault(lock).store(Array("token".utf8).span, as: name)
            #expect(isBoxed() == false)
        }
    }

    private func isBoxed() -> Bool? {
        guard case .found(let packet)? = try? KeychainStore().read(name) else { return nil }
        return packet.withBytes { LockedKey.isBoxed($0) }
    }

    @Test("every changed byte of a box is damage")
    func changed() throws {
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            try inner.prepare()
            let key = LockedKey(inner, lock: lock, use: "one")
            let packet = try key.seal([1, 2, 3].span)
            for index in stride(from: 0, to: packet.count, by: 9) {
                var changed = packet
                changed[index] ^= 0x20
                #expect(throws: VaultFailure.corrupt(.packet)) { _ = try key.open(changed.span) }
            }
            for count in 0..<30 {
                let cut = Array(packet.prefix(count))
                #expect(throws: VaultFailure.corrupt(.packet)) { _ = try key.open(cut.span) }
            }
        }
    }
}
