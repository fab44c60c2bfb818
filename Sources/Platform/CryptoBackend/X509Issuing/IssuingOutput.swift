internal import CPaviseOpenSSL

/// Runs OpenSSL's two-step encoders (`i2d_…`): ask for the size, then write.
enum DER {
    /// The encoding, or no bytes when the encoder fails.
    static func bytes(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
        let count = encode(nil)
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
            var position = buffer.baseAddress
            written = Int(max(0, unsafe encode(&position)))
        }
    }
}

/// Collects what a function writes to a BIO.
enum MemoryText {
    /// The text, or the library's reason when `write` does not return 1.
    static func collect(
        _ operation: String, _ write: (OpaquePointer) -> Int32
    ) throws(CryptoFailure) -> String {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw CryptoFailure.last(operation) }
        defer { unsafe BIO_free(bio) }
        guard unsafe write(bio) == 1 else { throw CryptoFailure.last(operation) }
        var bytes = [UInt8](repeating: 0, count: unsafe BIO_ctrl_pending(bio))
        let count = unsafe BIO_read(bio, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(Int(max(0, count))), as: UTF8.self)
    }
}
