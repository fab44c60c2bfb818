import PaviseCrypto
import PavisePrimitives
import PaviseVault
import Synchronization

@testable import PaviseSession

/// A key for proofs that lives in a test, and can be lost, exchanged and counted.
final class SigningKeyInMemory: DPoPKey {
    private struct State {
        var key: ECPrivateKey?
        var made = 0
        var stays: VaultFailure?
        var goesWhenUsed = false
    }
    private let state: Mutex<State>

    /// A key that is there already.
    init() throws { state = Mutex(State(key: try ECPrivateKey(generating: .p256))) }

    /// One that is made when somebody signs in.
    init(absent: Void) { state = Mutex(State()) }

    /// How many keys were made.
    var made: Int { state.withLock { $0.made } }
    var isThere: Bool { state.withLock { $0.key != nil } }

    func lose() { state.withLock { $0.key = nil } }

    /// It can still be looked at, and is gone when it is to sign.
    func loseWhenUsed() { state.withLock { $0.goesWhenUsed = true } }

    /// Another key takes its place, as after a restore.
    func exchange() throws {
        let other = try ECPrivateKey(generating: .p256)
        state.withLock { $0.key = other }
    }

    func prepare() throws(VaultFailure) {
        guard !isThere else { return }
        guard let key = try? ECPrivateKey(generating: .p256) else { throw .system(status: -1) }
        state.withLock {
            $0.key = key
            $0.made += 1
        }
    }

    /// From now on it cannot be destroyed.
    func stay(_ failure: VaultFailure) { state.withLock { $0.stays = failure } }

    func destroy() throws(VaultFailure) {
        if let failure = state.withLock({ $0.stays }) { throw failure }
        lose()
    }

    func publicPoint() throws(VaultFailure) -> [UInt8] { try present().publicKey.x963 }

    func sign(_ message: [UInt8]) throws(VaultFailure) -> [UInt8] {
        if state.withLock({ $0.goesWhenUsed }) { lose() }
        guard let der = try? present().sign(digest: Hash.digest(.sha256, message)),
            let raw = ECDSASignature.raw(der: der, curve: .p256)
        else { throw isThere ? .system(status: -1) : .keyLost }
        return raw
    }

    private func present() throws(VaultFailure) -> ECPrivateKey {
        guard let key = state.withLock({ $0.key }) else { throw .keyLost }
        return key
    }
}
