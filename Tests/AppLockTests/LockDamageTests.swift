import PaviseAppLock
import PaviseDevice
import PaviseLog
import PavisePrimitives
import PaviseVault
import SecurityFramework
import Synchronization
import Testing

/// A record that cannot be used is locked, with the reason, and never open (AL7, AL8).
@Suite struct LockDamageTests {
    let fixture: LockFixture
    let key = EnclaveKey(tag: "org.pavise.key.applock")
    init() throws { fixture = try LockFixture() }

    private func reason(_ lock: AppLock) -> LockDamage? {
        guard case .locked(.unreadable(let damage)) = lock.state else { return nil }
        let refused = lock.refusal("830597")
        #expect(refused == .unreadable(damage))
        #expect(lock.fingerprint == nil)
        #expect(failure { try lock.set("940276") } == .unreadable(damage))
        return damage
    }

    @Test("a record that is gone, where data needs it, is missing and not “no PIN”")
    func missing() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            try AppLockParts.platform(sharesUnlock: false).vault.erase(LockFixture.name)
            let lock = fixture.lock { $0.need = { .needed } }
            #expect(reason(lock) == .missing)
            // Without a mark, as on Apple's systems, the data that needs a lock says so.
            let unmarked = fixture.lock { parts in
                parts.need = { .needed }
                parts.marks = nil
            }
            #expect(reason(unmarked) == .missing)
        }
    }

    @Test func `PR24: a lock that is given up, or wiped without a record that can be read, is in the trail`() throws {
        let ways: [(AppLock) throws -> Void] = [{ try $0.startOver() }, { try $0.wipe() }]
        try fixture.run {
            for way in ways {
                try fixture.lock().set("830597")
                try AppLockParts.platform(sharesUnlock: false).vault.store([1, 2, 3].span, as: LockFixture.name)
                let trail = KeptEvents()
                try way(fixture.lock { $0.trail = trail })
                #expect(trail.all.map(\.name) == [.wipeBegun, .wipeDone])
                #expect(trail.all.allSatisfy { $0.facts == ["action": "wipe"] })
            }
        }
    }

    @Test(
        "AL8: where nobody can say whether data needs the lock, it is closed, is not started over, and wipes nothing",
        arguments: [LockDamage.unavailable("EMFILE"), .storeLocked, .denied])
    func unknownNeed(_ damage: LockDamage) throws {
        fixture.run {
            let lock = fixture.lock { $0.need = { .unknown(damage) } }
            #expect(reason(lock) == damage)
            #expect(failure { try lock.startOver() } == .unreadable(damage))
            #expect(failure { try lock.wipe() } == .unreadable(damage))
            #expect(fixture.ends.withLock { $0 } == [])
            #expect(fixture.lock().state == .unset)
        }
    }

    @Test("AL8: of several questions a yes counts before “cannot say”, and that before a no; nothing is for good")
    func answers() {
        let yes = { () throws(VaultFailure) in true }
        let no = { () throws(VaultFailure) in false }
        let locked = { () throws(VaultFailure) -> Bool in throw .locked(status: -25_308) }
        let lost = { () throws(VaultFailure) -> Bool in throw .keyLost }
        func all(_ questions: [() throws(VaultFailure) -> Bool]) -> LockNeed {
            var need = LockNeed.none
            for question in questions { need.ask(question) }
            return need
        }
        #expect(all([no, no]) == .none)
        #expect(all([no, locked, yes]) == .needed)
        #expect(all([yes, locked]) == .needed)
        #expect(all([no, locked, lost]) == .unknown(.storeLocked))
        guard case .unknown(.unavailable) = all([lost, no]) else {
            Issue.record("a lost key is a reason to start over")
            return
        }
    }

    @Test("a locked keychain is locked, and the count stays")
    func storeLocked() throws {
        var environment = fixture.environment()
        try fixture.run { try fixture.lock().set("830597") }
        environment.lock = LockSwitch(.beforeFirstUnlock)
        SecurityEnvironment.$override.withValue(environment) {
            #expect(reason(fixture.lock()) == .storeLocked)
        }
        fixture.run { #expect(fixture.lock().refusal("830597") == nil) }
    }

    @Test("each cut or changed record is damage, and nothing traps")
    func corrupt() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            try corruptPacket()
            let vault = AppLockParts.platform(sharesUnlock: false).vault
            guard case .found(let secret) = try vault.read(LockFixture.name) else {
                Issue.record("the record is not there")
                return
            }
            let bytes = secret.withBytes { span in Array(span) }
            #expect(LockRecord(bytes)?.encoded == bytes)
            for count in 0..<bytes.count { #expect(LockRecord(Array(bytes.prefix(count))) == nil) }
            #expect(LockRecord(bytes + [0]) == nil)
            for index in stride(from: 0, to: bytes.count, by: 5) {
                var changed = bytes
                changed[index] ^= 0x41
                try vault.store(changed.span, as: LockFixture.name)
                let lock = fixture.lock()
                #expect(!lock.state.isOpen, "byte \(index)")
            }
            try vault.store([1, 2, 3].span, as: LockFixture.name)
            #expect(reason(fixture.lock()) == .corrupt)
        }
    }

    // AL15: count and box are one packet. Whoever changes a byte of it, or cuts it, changes all of it.
    private func corruptPacket() throws {
        guard case .found(let found) = try KeychainStore().read(LockFixture.name) else {
            Issue.record("the packet is not there")
            return
        }
        let packet = found.withBytes { span in Array(span) }
        for index in stride(from: 0, to: packet.count, by: 11) {
            var changed = packet
            changed[index] ^= 0x41
            try KeychainStore().replace(changed.span, as: LockFixture.name)
            #expect(reason(fixture.lock()) == .corrupt, "byte \(index)")
        }
        for count in [1, 64, packet.count - 1] {
            try KeychainStore().replace(Array(packet.prefix(count)).span, as: LockFixture.name)
            #expect(reason(fixture.lock()) == .corrupt, "\(count) bytes")
        }
        try KeychainStore().replace(packet.span, as: LockFixture.name)
        #expect(fixture.lock().refusal("830597") == nil)
    }

    @Test("FD8: a record of a later version is told as newer, is not started over, and goes with a wipe alone")
    func newer() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let vault = AppLockParts.platform(sharesUnlock: false).vault
            guard case .found(let secret) = try vault.read(LockFixture.name) else {
                Issue.record("the record is not there")
                return
            }
            let whole = secret.withBytes { span in Array(span) }
            var bytes = whole
            // The number of the form, whose fifth bit says that there is a generation.
            bytes[0] = 0x13
            try vault.store(bytes.span, as: LockFixture.name)
            let lock = fixture.lock()
            #expect(reason(lock) == .newer)
            #expect(failure { try lock.startOver() } == .unreadable(.newer))
            #expect(fixture.ends.withLock { $0 } == [])
            // Who updates finds the lock as it was.
            try vault.store(whole.span, as: LockFixture.name)
            #expect(fixture.lock().refusal("830597") == nil)
            try vault.store(bytes.span, as: LockFixture.name)
            let last = fixture.lock()
            try last.wipe()
            #expect(last.state == .unset)
        }
    }

    @Test("AL45: a key that is gone, or a record of another name, is damage")
    func keyLost() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let other = ItemName(checkedService: "org.pavise.applock", "other")
            guard case .found(let packet) = try KeychainStore().read(LockFixture.name) else {
                Issue.record("the record is not there")
                return
            }
            try packet.withBytes { try KeychainStore().replace($0, as: other) }
            #expect(reason(fixture.lock { $0.name = other }) == .corrupt)
            try key.destroy()
            #expect(reason(fixture.lock()) == .corrupt)
        }
    }

    @Test("a guard that the element does not know is damage, and a try takes nothing away")
    func guardLost() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            try fixture.loseGuards()
            for _ in 0..<12 { #expect(fixture.lock().refusal("830597") == .unreadable(.corrupt)) }
            #expect(fixture.lock().known == 0)
            #expect(fixture.ends.withLock { $0 } == [])
        }
    }

    @Test("AL16: a disk that takes no write judges no PIN")
    func fullDisk() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            let uses = fixture.element.uses
            let lock = fixture.lock { $0.vault = TokenVault(store: FullStore(), key: key) }
            guard case .notWritten = lock.refusal("830597") else {
                Issue.record("judged")
                return
            }
            #expect(fixture.element.uses == uses)
            #expect(!lock.state.isOpen)
        }
    }
}

/// The keychain on a disk that is full.
struct FullStore: SecretStore {
    func read(_ name: ItemName) throws(VaultFailure) -> StoreResult { try KeychainStore().read(name) }
    func add(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) { throw .system(status: -61) }
    func replace(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) { throw .system(status: -61) }
    func delete(_ name: ItemName) throws(VaultFailure) { throw .system(status: -61) }
}

/// Keeps what a lock tells its trail.
final class KeptEvents: AuditRecorder {
    private let events = Mutex<[AuditEvent]>([])

    func record(_ event: AuditEvent) { events.withLock { $0.append(event) } }
    var all: [AuditEvent] { events.withLock { $0 } }
}
