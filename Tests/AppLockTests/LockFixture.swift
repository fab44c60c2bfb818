import PaviseAppLock
import PaviseDevice
import PavisePrimitives
import PaviseVault
import SecurityFramework
import Synchronization
import TestSupport

/// A home with a keychain, an element that counts its uses, clocks that stand still, and PINs whose guesses cost
/// nothing.
final class LockFixture: Sendable {
    let folder: TemporaryFolder
    let time = ManualTime()
    let element = Counter()
    /// What the final action did, in order.
    let ends = Mutex<[AppLockPolicy.FinalAction]>([])
    /// What the final action shall throw.
    let trouble = Mutex<(any Error)?>(nil)

    init() throws { folder = try TemporaryFolder() }

    var home: PaviseHome { PaviseHome(path: folder.path + "/home") }

    #if PAVISE_APPLE_ADAPTER
    static let cheap = PINKeyDerivationBridge.KDFCost(rounds: 1)
    #else
    static let cheap = PINKeyDerivationBridge.KDFCost(kibibytes: 8, passes: 1)
    #endif
    static let name = ItemName(checkedService: "org.pavise.applock", "app")

    func environment(_ home: PaviseHome? = nil) -> SecurityEnvironment {
        var environment = SecurityEnvironment(home: home ?? self.home)
        environment.device = DeviceEnvironment(time: time.source, elements: ElementChoice([element.maker]))
        return environment
    }

    /// Runs `body` in this home, or in a copy of it.
    func run<Result>(in home: PaviseHome? = nil, _ body: () throws -> Result) rethrows -> Result {
        try SecurityEnvironment.$override.withValue(environment(home)) { try body() }
    }

    /// The same for what waits.
    func inHome<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await SecurityEnvironment.$override.withValue(environment()) { try await body() }
    }

    /// The lock as a process of its own would have it, with a memory of its own unless one is given.
    func lock(
        _ policy: AppLockPolicy = .standard, place: any UnlockedKeyStore = OwnMemory(), home: PaviseHome? = nil,
        price: PINKeyDerivationBridge.KDFCost? = cheap, change: (inout AppLockParts) -> Void = { _ in }
    ) -> AppLock {
        var parts = AppLockParts.platform(sharesUnlock: false, home: home ?? self.home, time: time.source)
        parts.code = PlatformPINKeyDerivation(price: price)
        parts.place = place
        change(&parts)
        return AppLock(parts, policy: policy) { [self] action in
            ends.withLock { $0.append(action) }
            if let trouble = trouble.withLock({ $0 }) { throw trouble }
        }
    }
}

extension AppLock {
    /// Why a PIN does not unlock; `nil` when it did.
    func refusal(_ pin: String) -> AppLockFailure? { failure { try unlock(SecretBytes(utf8: pin)) } }

    /// Sets a first PIN.
    func set(_ pin: String) throws { try setPIN(SecretBytes(utf8: pin)) }

    /// Unlocks.
    func open(_ pin: String) throws { try unlock(SecretBytes(utf8: pin)) }

    /// A value that only the lock's key gives.
    var fingerprint: [UInt8]? {
        guard let key = try? key(for: "test") else { return nil }
        return key.withBytes { bytes in Array(bytes) }
    }

    /// How many tries the record knows of.
    var known: Int? {
        guard case .found(let secret)? = try? AppLockParts.platform(sharesUnlock: false).vault.read(LockFixture.name)
        else { return nil }
        return LockRecord(secret.withBytes { bytes in Array(bytes) }).map {
            Int($0.attempts.failures)
        }
    }
}

/// What `body` throws; `nil` when it does not.
func failure<Result>(_ body: () throws -> Result) -> AppLockFailure? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? AppLockFailure
    }
}

/// A wrong PIN that is said without more.
let wrong = AppLockFailure.wrongPIN(.init(attempts: nil, finalAction: .wipe, wait: 0))

/// A software element that counts how often a PIN was entangled.
final class Counter: Sendable {
    private let count = Mutex(0)
    var uses: Int { count.withLock { $0 } }
    func use() { count.withLock { $0 += 1 } }

    var maker: ElementFactory {
        ElementFactory(
            kind: .software, availability: { .usable },
            open: { folder, mayCreate throws(DeviceFailure) in
                CountingElement(try ElementFactory.software.open(folder, mayCreate), self)
            })
    }
}

private struct CountingElement: SecureElement {
    private let inner: any SecureElement
    private let counter: Counter

    init(_ inner: any SecureElement, _ counter: Counter) {
        self.inner = inner
        self.counter = counter
    }

    var protection: ElementProtection { inner.protection }

    func wrap(_ key: borrowing SecretBytes, purpose: String) throws(DeviceFailure) -> [UInt8] {
        try inner.wrap(key, purpose: purpose)
    }
    func unwrap(_ blob: [UInt8], purpose: String) throws(DeviceFailure) -> SecretBytes {
        try inner.unwrap(blob, purpose: purpose)
    }
    func derivedKey(purpose: String) throws(DeviceFailure) -> SecretBytes { try inner.derivedKey(purpose: purpose) }
    func generateKey() throws(DeviceFailure) -> ElementKey { try inner.generateKey() }
    func sign(digest: [UInt8], with blob: [UInt8]) throws(DeviceFailure) -> [UInt8] {
        try inner.sign(digest: digest, with: blob)
    }
    func sharedSecret(with peer: [UInt8], using blob: [UInt8]) throws(DeviceFailure) -> SecretBytes {
        try inner.sharedSecret(with: peer, using: blob)
    }
    func publicKey(of blob: [UInt8]) throws(DeviceFailure) -> [UInt8] { try inner.publicKey(of: blob) }
    func destroy(_ blob: [UInt8]) throws(DeviceFailure) { try inner.destroy(blob) }
    func makeGuard(_ secrets: borrowing PasscodeSecrets) throws(DeviceFailure) -> [UInt8] {
        try inner.makeGuard(secrets)
    }
    func entangle(
        _ secrets: borrowing PasscodeSecrets, guard blob: [UInt8]
    ) throws(DeviceFailure) -> SecretBytes {
        counter.use()
        return try inner.entangle(secrets, guard: blob)
    }
    func destroyGuard(_ blob: [UInt8]) throws(DeviceFailure) { try inner.destroyGuard(blob) }
    func erase() throws(DeviceFailure) { try inner.erase() }
}
