internal import PavisePrimitives

/// What App Attest signs, in the form of Web Authentication (§6.1): SHA-256 of the app's identifier (32 bytes), flags
/// (1), counter (4, big-endian), then in an attestation the environment (16), the length of the key's identifier (2),
/// that identifier, and a key that is not read here: it is the certificate's.
struct AuthenticatorData: Hashable, Sendable {
    let applicationHash: [UInt8]
    let counter: UInt32
    /// `appattest` with seven zero bytes, or `appattestdevelop`; empty in an assertion.
    let environment: [UInt8]
    let keyID: [UInt8]

    private static let longest = 4_096

    /// - Parameter isAttestation: Whether it has to hold a key's identifier; an assertion's need not.
    init?(_ bytes: [UInt8], isAttestation: Bool) {
        var reader = ByteReader(bytes)
        guard bytes.count <= Self.longest, let hash = try? reader.read(32), (try? reader.read(1)) != nil,
            let counter = try? reader.integer(UInt32.self)
        else { return nil }
        applicationHash = hash
        self.counter = counter
        guard isAttestation else {
            (environment, keyID) = ([], [])
            return
        }
        guard let environment = try? reader.read(16), let count = try? reader.integer(UInt16.self),
            let keyID = try? reader.read(Int(count))
        else { return nil }
        self.environment = environment
        self.keyID = keyID
    }
}
