internal import PaviseCrypto
internal import PavisePrimitives
internal import Synchronization

/// Gives out keys for certificates: fresh ones on curves, and the same RSA key again for the same size, because making
/// one takes a tenth of a second.
public final class KeyRing: Sendable {
    private let made = Mutex<[LeafProfile.Key: IssuingKey]>([:])

    /// A ring without keys.
    public init() {}

    func key(_ wanted: LeafProfile.Key) throws(CryptoFailure) -> IssuingKey {
        guard wanted.isRSA else { return try IssuingKey(generating: wanted.kind) }
        if let known = made.withLock({ $0[wanted] }) { return known }
        let key = try IssuingKey(generating: wanted.kind)
        return made.withLock { made in
            if let known = made[wanted] { return known }
            made[wanted] = key
            return key
        }
    }
}
