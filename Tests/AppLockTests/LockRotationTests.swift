import Foundation
import PaviseAppLock
import PaviseDevice
import PavisePrimitives
import PaviseVault
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// A PIN makes new sealing keys and destroys the old ones, also where the process is killed at any step (RV-M2).
@Suite struct LockRotationTests {
    let fixture: LockFixture
    init() throws { fixture = try LockFixture() }

    static let kills =
        [(AppLockStep.begun.rawValue, 1), ("written", 1), ("established", 1), ("prepared", 1)]
        + [("sealed", 1), ("sealed", 2), ("sealed", 3), ("destroyed", 1)]

    @Test(
        "RV-M2: a first PIN that is killed at any step loses nothing, and once done no packet from before opens", .long,
        arguments: kills)
    func killed(_ step: String, _ count: Int) async throws {
        let old = try fixture.run { try SealedSecrets(fixture.lock()).fill() }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [home = fixture.home.path as String, step = step as String, count = count as Int] in
            await SealedSecrets.die(after: step, count, in: home)
        }
        try await fixture.inHome {
            let lock = fixture.lock()
            let isSet = step != "begun"
            #expect(lock.state == (isSet ? .locked(.started) : .unset))
            let secrets = SealedSecrets(lock)
            if isSet {
                secrets.expectClosed()
                try lock.open("830597")
            }
            // Either state, and nothing between.
            secrets.expectAll()
            if !isSet { try lock.set("830597") }
            if try secrets.vault.isRotationPending() { try await secrets.sealAgain() }
            #expect(try !secrets.vault.isRotationPending())
            secrets.expectAll()
            secrets.expectNoneOpens(old)
            lock.lock()
            secrets.expectClosed()
            secrets.expectNoneOpens(old)
        }
    }

    @Test(
        "RV-M2: a change of the PIN that is killed keeps what is sealed, under one PIN", .long,
        arguments: [
            AppLockStep.counted, .judged, .written, .wrapped, .rewrapped, .unwrapped,
        ])
    func killedChange(_ step: AppLockStep) async throws {
        try await fixture.inHome {
            let lock = fixture.lock()
            let secrets = SealedSecrets(lock)
            _ = try secrets.fill()
            try lock.set("830597")
            try await secrets.sealAgain()
        }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [home = fixture.home.path as String, step = step.rawValue as String] in
            ChildLock.die(after: step, in: home) {
                try $0.changePIN(SecretBytes(utf8: "830597"), to: SecretBytes(utf8: "940276"))
            }
        }
        try fixture.run {
            let isNew = step == .rewrapped || step == .unwrapped
            #expect(fixture.lock().refusal(isNew ? "830597" : "940276") == wrong)
            let lock = fixture.lock()
            try lock.open(isNew ? "940276" : "830597")
            SealedSecrets(lock).expectAll()
        }
    }
}

/// Three secrets of one account under a lock, as a connection has them.
struct SealedSecrets {
    let vault: TokenVault
    static let names = (1...3).map { ItemName(checkedService: "org.pavise.test\($0)", "account") }
    static let plain = EnclaveKey(tag: "org.pavise.key.rotation")
    static let guarded = EnclaveKey(tag: "org.pavise.key.rotation.locked")

    init(_ lock: AppLock) {
        vault = TokenVault(
            store: KeychainStore(), key: LockedKey(plain: Self.plain, guarded: Self.guarded, lock: lock, use: "account")
        )
    }

    /// Stores them, and gives the packets as they lie in the keychain.
    func fill() throws -> [[UInt8]] {
        try vault.prepare()
        return try Self.names.map { name in
            let secret = Array(name.description.utf8)
            try vault.store(secret.span, as: name)
            return try Self.packet(name)
        }
    }

    static func packet(_ name: ItemName) throws -> [UInt8] {
        guard case .found(let packet) = try KeychainStore().read(name) else { return [] }
        return packet.withBytes { bytes in Array(bytes) }
    }

    func sealAgain() async throws {
        let isWhole = try await vault.sealAgain(Set(Self.names), of: "account") { _ throws(VaultFailure) in false }
        #expect(isWhole)
    }

    private func secret(_ name: ItemName) -> [UInt8]? {
        guard case .found(let secret)? = try? vault.read(name) else { return nil }
        return secret.withBytes { bytes in Array(bytes) }
    }

    func expectAll() { for name in Self.names { #expect(secret(name) == Array(name.description.utf8), "\(name)") } }

    func expectClosed() { for name in Self.names { #expect(secret(name) == nil, "\(name)") } }

    /// Neither with this vault nor with the bare keys.
    func expectNoneOpens(_ packets: [[UInt8]]) {
        for (name, packet) in zip(Self.names, packets) {
            guard let newest = try? Self.packet(name) else {
                Issue.record("\(name) cannot be read")
                continue
            }
            #expect((try? KeychainStore().replace(packet.span, as: name)) != nil)
            #expect(secret(name) == nil, "\(name)")
            for key in [Self.plain, Self.guarded] { #expect(Self.fails(key, packet)) }
            #expect((try? KeychainStore().replace(newest.span, as: name)) != nil)
        }
    }

    private static func fails(_ key: EnclaveKey, _ packet: [UInt8]) -> Bool {
        do throws(VaultFailure) { _ = try key.open(packet.span) } catch { return true }
        return false
    }

    /// In another process: sets a PIN, seals anew, and is killed there.
    static func die(after step: String, _ count: Int, in home: String) async {
        let seen = Mutex(0)
        let reached: @Sendable (String) -> Void = { name in
            guard name == step else { return }
            let number = seen.withLock {
                $0 += 1
                return $0
            }
            if number == count { ChildProcess.killAtOnce(getpid()) }
        }
        await AppLockStep.$observer.withValue({ reached($0.rawValue) }) {
            await TokenVault.Step.$observer.withValue({ reached($0.rawValue) }) {
                await SecurityEnvironment.$override.withValue(ChildLock.environment(home)) {
                    let lock = ChildLock.lock(home)
                    try? lock.set("830597")
                    try? await SealedSecrets(lock).sealAgain()
                }
            }
        }
    }
}
