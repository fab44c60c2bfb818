import PaviseAppLock
import PaviseDevice
import PaviseJWT
import PavisePrimitives
import PaviseVault
import SecurityFramework
import Synchronization
import Testing

/// A record of orders that is lost closes, and the PIN leads out: with another identity, which the administrator sees
/// (RV-M7).
@Suite struct LockRenewalTests {
    let fixture: LockFixture
    let pen: OrderPen
    static let item = ItemName(checkedService: "org.pavise.applock", "orders")
    init() throws {
        fixture = try LockFixture()
        pen = try OrderPen()
    }

    /// A lock with an order that was not obeyed yet, and then the record of orders is lost.
    private func lost(_ way: Int = 0) throws -> (installation: LockInstallation, order: String) {
        try fixture.lock().set("830597")
        let installation = try fixture.lock().installation()
        let order = try pen.write(installation.identifier)
        switch way {
        case 0: try KeychainStore().delete(Self.item)
        case 1: try EnclaveKey(tag: "org.pavise.key.applock.orders").destroy()
        default: try KeychainStore().replace([9, 9].span, as: Self.item)
        }
        #expect(fixture.lock().state == .locked(.unreadable(.orders)))
        return (installation, order)
    }

    @discardableResult
    private func renew(_ pin: String, _ lock: AppLock? = nil) throws -> AppLock.Unlocked {
        try (lock ?? fixture.lock()).renewInstallation(SecretBytes(utf8: pin))
    }

    @Test(
        "RV-M7: the right PIN makes another installation, dated in receipts, and refuses an order for the old one",
        arguments: 0..<3)
    func renewed(_ way: Int) throws {
        try fixture.run {
            let (old, order) = try lost(way)
            fixture.time.advance(seconds: 1000)
            let lock = fixture.lock()
            try renew("830597", lock)
            #expect(lock.state.isOpen)
            #expect(lock.fingerprint != nil)
            let next = try fixture.lock().installation()
            #expect(next.identifier != old.identifier)
            #expect(old.created == OrderPen.start && next.created == OrderPen.start + 1000)
            #expect(orderFailure { try fixture.lock().obey(order, by: pen.rules) } == .token(.audience))
            #expect(fixture.ends.withLock { $0 } == [])
            let receipt = try fixture.lock().obey(pen.write(next.identifier) { $0.action = "lock" }, by: pen.rules)
            #expect(receipt.created == OrderPen.start + 1000)
            #expect(receipt.claims["installed"]?.integer == OrderPen.start + 1000)
            #expect(fixture.lock().refusal("830597") == nil)
        }
    }

    @Test("RV-M7: a wrong PIN counts, opens nothing and changes nothing; the last one ends as it does elsewhere")
    func wrongPIN() throws {
        try fixture.run {
            _ = try lost()
            for number in 1...2 {
                let lock = fixture.lock()
                #expect(failure { try renew("94027\(number)", lock) } == wrong)
                #expect(lock.state == .locked(.unreadable(.orders)))
                #expect(lock.fingerprint == nil)
                #expect(fixture.lock().known == number)
            }
            #expect(orderFailure { try fixture.lock().installation() } == .unreadable(.missing))
            #expect(fixture.lock().refusal("830597") == .unreadable(.orders))
            try renew("830597")
            #expect(fixture.lock().known == 0)
        }
    }

    @Test("RV-M7: an unlock from before the loss opens nothing, also where its key is still at hand")
    func shared() throws {
        try fixture.run {
            let place = OwnMemory()
            try fixture.lock(place: place).set("830597")
            _ = try fixture.lock(place: place).installation()
            #expect(fixture.lock(place: place).state.isOpen)
            try KeychainStore().delete(Self.item)
            let watching = WatchingGuard()
            let lock = fixture.lock(place: place) { $0.code = watching }
            watching.lock.withLock { $0 = lock }
            #expect(lock.state == .locked(.unreadable(.orders)))
            #expect(failure { try renew("940271", lock) } == wrong)
            // Nor while the PIN was judged.
            #expect(watching.sawOpen.withLock { $0 } == [false])
            watching.lock.withLock { $0 = nil }
            #expect(!lock.state.isOpen)
            #expect(lock.fingerprint == nil)
        }
    }

    @Test("RV-M7: a whole record of orders is not replaced, and where there is no PIN nobody is let past")
    func refused() throws {
        try fixture.run {
            #expect(failure { try renew("830597") } != nil)
            try fixture.lock().set("830597")
            let name = try fixture.lock().installation().identifier
            guard case .unavailable? = failure({ try renew("830597") }) else {
                Issue.record("replaced")
                return
            }
            #expect(fixture.lock().known == 0)
            #expect(try fixture.lock().installation().identifier == name)
            guard case .unavailable? = failure({ try renew("830597", fixture.lock { $0.orders = nil }) }) else {
                Issue.record("made")
                return
            }
        }
        var environment = fixture.environment()
        environment.lock = LockSwitch(.beforeFirstUnlock)
        SecurityEnvironment.$override.withValue(environment) {
            #expect(failure { try renew("830597") } == .unreadable(.storeLocked))
        }
    }

    @Test("RV-M7: where the new record cannot be written, everything stays closed")
    func fullDisk() throws {
        try fixture.run {
            _ = try lost()
            let lock = fixture.lock { parts in
                let key = EnclaveKey(tag: "org.pavise.key.applock.orders")
                parts.orders?.vault = TokenVault(
                    store: FullStore(), key: key, bindingKey: EnclaveKey(tag: "org.pavise.binding.applock"))
            }
            guard case .notWritten? = failure({ try renew("830597", lock) }) else {
                Issue.record("said to be written")
                return
            }
            #expect(!lock.state.isOpen)
            #expect(lock.fingerprint == nil)
            try renew("830597")
        }
    }

    @Test("a record of orders from before there were dates is read, kept, and dates nothing")
    func undated() throws {
        let ledger = OrderLedger(identity: [UInt8](repeating: 7, count: 16))
        #expect(ledger.encoded.first == 1)
        #expect(OrderLedger(ledger.encoded) == ledger)
        let dated = OrderLedger(identity: [UInt8](repeating: 7, count: 16), created: 5)
        #expect(dated.encoded.first == 2)
        #expect(OrderLedger(dated.encoded) == dated)
        try fixture.run {
            _ = try fixture.lock().installation()
            let vault = try #require(AppLockParts.platform(sharesUnlock: false, home: fixture.home).orders?.vault)
            let bytes = ledger.encoded
            try vault.store(bytes.span, as: Self.item)
            #expect(try fixture.lock().installation().created == nil)
            let order = try pen.write(ledger.installation) { $0.action = "lock" }
            let receipt = try fixture.lock().obey(order, by: pen.rules)
            #expect(receipt.created == nil && receipt.claims["installed"] == nil)
        }
    }

    @Test("FD8: a record of orders of a later version is no lost one: nobody becomes another installation with it")
    func newer() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            _ = try fixture.lock().installation()
            let vault = try #require(AppLockParts.platform(sharesUnlock: false, home: fixture.home).orders?.vault)
            try vault.store([3, 0, 0, 0].span, as: Self.item)
            #expect(failure { try renew("830597") } == .unreadable(.newer))
            #expect(textOf(vault) == [3, 0, 0, 0])
        }
    }

    private func textOf(_ vault: TokenVault) -> [UInt8]? {
        guard case .found(let secret)? = try? vault.read(Self.item) else { return nil }
        return secret.withBytes { bytes in Array(bytes) }
    }
}

/// Looks whether a lock is open while it judges a PIN.
private final class WatchingGuard: PINKeyDerivation {
    let lock = Mutex<AppLock?>(nil)
    let sawOpen = Mutex<[Bool]>([])
    private let platform = PlatformPINKeyDerivation(price: LockFixture.cheap)

    func make(
        _ pin: borrowing SecretBytes, label: [UInt8]
    ) throws(PINKeyDerivationBridge.Failure) -> (record: [UInt8], key: SharedSecretBytes) {
        try platform.make(pin, label: label)
    }

    func key(
        _ pin: borrowing SecretBytes, record: [UInt8], label: [UInt8]
    ) throws(PINKeyDerivationBridge.Failure) -> SharedSecretBytes {
        if let lock = lock.withLock({ $0 }) { sawOpen.withLock { $0.append(lock.state.isOpen) } }
        return try platform.key(pin, record: record, label: label)
    }

    func destroy(_ record: [UInt8]) throws(PINKeyDerivationBridge.Failure) { try platform.destroy(record) }
}
