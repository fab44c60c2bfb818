import PaviseCrypto
import PavisePrimitives
import PaviseVault
import Synchronization

@testable import PaviseSession

/// A key for proofs that lives in a test, and can be lost.
final class SigningKeyInMemory: ProofSigner {
    private let key: ECPrivateKey
    private let isLost = Mutex(false)

    init() throws { key = try ECPrivateKey(generating: .p256) }

    func lose() { isLost.withLock { $0 = true } }

    func publicPoint() throws(VaultFailure) -> [UInt8] { key.publicKey.x963 }

    func sign(_ message: [UInt8]) throws(VaultFailure) -> [UInt8] {
        guard !isLost.withLock({ $0 }) else { throw .keyLost }
        guard let der = try? key.sign(digest: Hash.digest(.sha256, message)),
            let raw = ECDSASignature.raw(der: der, curve: .p256)
        else { throw .system(status: -1) }
        return raw
    }
}
