internal import CPaviseArgon2
package import PavisePrimitives

/// Argon2id, version 1.3 (RFC 9106): a key from a passcode, at a price in time and memory for each guess.
package enum Argon2id {
    /// The price of one derivation.
    package struct Cost: Hashable, Sendable {
        /// Memory in KiB: at least 8 for each lane, at most 4 GiB.
        package let kibibytes: UInt32
        /// Passes over the memory, at least 1.
        package let passes: UInt32
        /// Lanes, which may be computed side by side: 1 to 64.
        package let lanes: UInt32

        /// A price of the caller's choice; `nil` when it is outside the bounds.
        package init?(kibibytes: UInt32, passes: UInt32, lanes: UInt32 = 1) {
            guard (1...64).contains(lanes), (8 * lanes...4_194_304).contains(kibibytes), (1...1024).contains(passes)
            else { return nil }
            self.kibibytes = kibibytes
            self.passes = passes
            self.lanes = lanes
        }
    }

    /// Derives `count` bytes (4 to 64) from `password` and `salt` (8 to 64 bytes). The memory used is wiped.
    package static func derive(
        _ password: Span<UInt8>, salt: [UInt8], cost: Cost, count: Int = 32
    ) throws(CryptoFailure) -> SecretBytes {
        guard (4...64).contains(count), (8...64).contains(salt.count) else { throw .invalidParameter("Argon2 length") }
        return try SecretBytes(count: count) { target throws(CryptoFailure) in
            let status = unsafe password.withUnsafeBytes { password in
                unsafe salt.withUnsafeBytes { salt in
                    unsafe target.withUnsafeMutableBytes { target in
                        unsafe argon2id_hash_raw(
                            cost.passes, cost.kibibytes, cost.lanes, password.baseAddress, password.count,
                            salt.baseAddress, salt.count, target.baseAddress, target.count)
                    }
                }
            }
            guard status == 0 else {
                throw .library(operation: "Argon2id", reason: unsafe String(cString: argon2_error_message(status)))
            }
        }
    }
}
