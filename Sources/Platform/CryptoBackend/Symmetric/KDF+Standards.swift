internal import CPaviseOpenSSL
package import PavisePrimitives

// Derivations that other standards build on: both by OpenSSL, with SHA-256.
extension KDF {
    /// NIST SP 800-108 §4.1 in counter mode with HMAC: counter ‖ label ‖ 00 ‖ context ‖ bits of the result, 32 bits
    /// each number. The TPM's KDFa (TPM 2.0 part 1, §11.4.10.2).
    ///
    /// - Parameters:
    ///   - label: Without the zero at its end.
    ///   - count: 1 to 64 bytes.
    package static func counter(
        _ key: Span<UInt8>, label: String, context: [UInt8], count: Int
    ) throws(CryptoFailure) -> SecretBytes {
        guard (1...64).contains(count), !key.isEmpty else { throw .invalidParameter("KBKDF length") }
        let label = Array(label.utf8)
        return try SecretBytes(count: count) { target throws(CryptoFailure) in
            let status = unsafe key.withUnsafeBytes { key in
                unsafe target.withUnsafeMutableBytes { target in
                    unsafe pavise_kdf_counter(
                        key.bindMemory(to: UInt8.self).baseAddress, key.count, label, label.count, context,
                        context.count, target.bindMemory(to: UInt8.self).baseAddress, target.count)
                }
            }
            guard status == 1 else { throw .last("KBKDF") }
        }
    }

    /// NIST SP 800-56C §4.1 with a hash: H(counter ‖ secret ‖ info), counter 32 bits from 1. The TPM's KDFe (TPM 2.0
    /// part 1, §11.4.10.3).
    ///
    /// - Parameter count: 1 to 64 bytes.
    package static func singleStep(
        _ secret: Span<UInt8>, info: [UInt8], count: Int
    ) throws(CryptoFailure) -> SecretBytes {
        guard (1...64).contains(count), !secret.isEmpty else { throw .invalidParameter("SSKDF length") }
        return try SecretBytes(count: count) { target throws(CryptoFailure) in
            let status = unsafe secret.withUnsafeBytes { secret in
                unsafe target.withUnsafeMutableBytes { target in
                    unsafe pavise_kdf_single_step(
                        secret.bindMemory(to: UInt8.self).baseAddress, secret.count, info, info.count,
                        target.bindMemory(to: UInt8.self).baseAddress, target.count)
                }
            }
            guard status == 1 else { throw .last("SSKDF") }
        }
    }
}
