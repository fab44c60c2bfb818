import Foundation
import PaviseAppLock
import PaviseDevice
import PavisePrimitives
import PaviseVault
import SecurityFramework
import TestSupport
import Testing

/// A lock that cannot be read now says why, and what mends it: never “locked”, which a PIN or an unlock would open
/// (RV-O3, RV-O4).
@Suite(.linuxElement(LinuxElement.hasMarks)) struct LockUnavailableTests {
    let fixture: LockFixture
    init() throws { fixture = try LockFixture() }

    // The reason, which is never one that a person's PIN could end.
    private func reason(_ lock: AppLock) -> String? {
        guard case .locked(.unreadable(.unavailable(let words))) = lock.state else { return nil }
        #expect(lock.refusal("830597") == .unreadable(.unavailable(words)))
        #expect(lock.refusal("940276") == .unreadable(.unavailable(words)))
        return words
    }

    private func opensAfterwards() {
        fixture.run {
            let lock = fixture.lock()
            #expect(lock.known == 0)
            #expect(lock.refusal("830597") == nil)
        }
    }

    @Test("RV-O3: a keychain that does not open names its own repair, and not the record of orders")
    func damagedKeychain() throws {
        let database = fixture.home.keychain + "/items.db"
        let whole = try fixture.run {
            try fixture.lock().set("830597")
            _ = try fixture.lock().installation()
            KeychainDiagnostics.close(fixture.home)
            return try DurableFile.read(database, limit: 1 << 24)
        }
        let broken: [UInt8] = whole.prefix(whole.count / 2).map { ~$0 }
        try DurableFile.write(broken, to: database)
        fixture.run {
            let words = reason(fixture.lock()) ?? "none"
            #expect(words.contains("pavise keychain repair"))
            #expect(!words.contains("--renew"))
            KeychainDiagnostics.close(fixture.home)
        }
        try DurableFile.write(whole, to: database)
        opensAfterwards()
    }

    @Test(
        "RV-O4: what the system lacks is told, and is neither “locked” nor damage",
        arguments: [EMFILE, ENOMEM, ESTALE, EIO])
    func errors(_ code: Int32) throws {
        try fixture.run { try fixture.lock().set("830597") }
        let marks = fixture.home.device + "/marks"
        let observer = FileObserver(failure: { $0.path.hasPrefix(marks) ? code : nil })
        fixture.run {
            FileObserver.$current.withValue(observer) {
                let words = reason(fixture.lock()) ?? "none"
                #expect(
                    words.contains(SystemFailure(operation: "", path: "", code: code).description.suffix(8)), "\(words)"
                )
            }
        }
        opensAfterwards()
    }

    @Test("RV-O4: hardware that an administrator demands is told as that")
    func demandedHardware() throws {
        try fixture.run {
            try fixture.lock().set("830597")
            // A process that has the device open goes on with it; the demand counts for the next one.
            KeychainDiagnostics.close(fixture.home)
        }
        let managed = fixture.folder.path + "/managed.json"
        let rules = Array(#"{ "device": { "hardware": "required" } }"#.utf8)
        try DurableFile.write(rules, to: managed)
        var environment = fixture.environment()
        environment.device.managed = ManagedHardware(system: managed, named: nil)
        SecurityEnvironment.$override.withValue(environment) {
            #expect(reason(fixture.lock()) == DeviceFailure.hardwareRequired.explanation)
        }
        opensAfterwards()
    }

    @Test("RV-O4: a keychain that is not available is no locked one, for every key under the lock")
    func lockedKey() throws {
        let name = ItemName(checkedService: "org.pavise.session", "account")
        let key = EnclaveKey(tag: "org.pavise.key.account")
        try fixture.run {
            let lock = fixture.lock()
            try lock.set("830597")
            let vault = TokenVault(store: KeychainStore(), key: LockedKey(key, lock: lock, use: "account"))
            try vault.prepare()
            try vault.store([1], as: name)
        }
        let marks = fixture.home.device + "/marks"
        let observer = FileObserver(failure: { $0.path.hasPrefix(marks) ? EMFILE : nil })
        fixture.run {
            FileObserver.$current.withValue(observer) {
                let lock = fixture.lock()
                let vault = TokenVault(store: KeychainStore(), key: LockedKey(key, lock: lock, use: "account"))
                var found: VaultFailure?
                do throws(VaultFailure) { _ = try vault.read(name) } catch { found = error }
                #expect(found == .system(status: errSecNotAvailable))
            }
        }
        opensAfterwards()
    }
}
