internal import CPaviseOpenSSL
package import PavisePrimitives

/// Keys from keys.
package enum KDF {
    /// HKDF with SHA-256 (RFC 5869), extract and expand.
    ///
    /// - Parameters:
    ///   - secret: The input keying material.
    ///   - salt: Not secret; may be empty.
    ///   - info: Binds the result to its use; may be empty.
    ///   - count: 1 to 8,160 bytes.
    package static func hkdf(
        _ secret: Span<UInt8>, salt: [UInt8], info: [UInt8], count: Int
    ) throws(CryptoFailure) -> SecretBytes {
        guard (1...8160).contains(count) else { throw .invalidParameter("HKDF length") }
        let salt = salt.isEmpty ? [UInt8](repeating: 0, count: 32) : salt
        var extracted = HMAC.sha256(key: salt.span, secret)
        defer { Wipe.bytes(&extracted) }
        var block: [UInt8] = []
        defer { Wipe.bytes(&block) }
        return SecretBytes(count: count) { target in
            var done = 0
            var counter: UInt8 = 1
            while done < count {
                // Nothing here grows in pieces, which would be let go as they are.
                var input: [UInt8] = []
                input.reserveCapacity(block.count + info.count + 1)
                input += block
                input += info
                input.append(counter)
                Wipe.bytes(&block)
                block = HMAC.sha256(key: extracted.span, input.span)
                Wipe.bytes(&input)
                for byte in block where done < count {
                    target[done] = byte
                    done += 1
                }
                counter &+= 1
            }
        }
    }

    /// The ANSI X9.63 key derivation (SEC 1 §3.6.1): H(Z ‖ counter ‖ SharedInfo), counter 32-bit big-endian from 1.
    package static func x963(
        _ function: HashFunction, _ secret: Span<UInt8>, sharedInfo: [UInt8], count: Int
    ) throws(CryptoFailure) -> SecretBytes {
        guard count >= 0, count <= 1 << 20 else { throw .invalidParameter("X9.63 length") }
        return SecretBytes(count: count) { target in
            var done = 0
            var counter: UInt32 = 1
            while done < count {
                var stream = IncrementalHash(function)
                stream.update(secret)
                let number = [
                    UInt8(counter >> 24 & 255), UInt8(counter >> 16 & 255), UInt8(counter >> 8 & 255),
                    UInt8(counter & 255),
                ]
                stream.update(number.span)
                stream.update(sharedInfo.span)
                var block = stream.finalize()
                for byte in block where done < count {
                    target[done] = byte
                    done += 1
                }
                Wipe.bytes(&block)
                counter += 1
            }
        }
    }
}

extension KDF {
    /// PBKDF2 with HMAC-SHA-512 (RFC 8018 §5.2): a key from a passphrase, for files of systems that have no
    /// ``Argon2id``.
    ///
    /// - Parameters:
    ///   - rounds: At least 1; the price of a guess.
    ///   - count: 1 to 64 bytes.
    package static func pbkdf2(
        _ passphrase: Span<UInt8>, salt: [UInt8], rounds: UInt32, count: Int
    ) throws(CryptoFailure) -> SecretBytes {
        guard (1...64).contains(count), let rounds = Int32(exactly: rounds), rounds > 0 else {
            throw .invalidParameter("PBKDF2 length or rounds")
        }
        return try SecretBytes(count: count) { target throws(CryptoFailure) in
            let status = unsafe passphrase.withUnsafeBytes { passphrase in
                unsafe target.withUnsafeMutableBytes { target in
                    unsafe PKCS5_PBKDF2_HMAC(
                        passphrase.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(passphrase.count), salt,
                        Int32(salt.count), rounds, EVP_sha512(), Int32(target.count),
                        target.baseAddress?.assumingMemoryBound(to: UInt8.self))
                }
            }
            guard status == 1 else { throw .last("PBKDF2") }
        }
    }
}
