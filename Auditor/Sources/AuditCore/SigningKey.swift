internal import CAuditSystem

/// A key of the curve P-256, read from PEM by the system's OpenSSL.
///
/// Signatures are the 64 bytes of ES256 (RFC 7518 §3.4).
@safe package final class SigningKey {
    private let key: OpaquePointer

    /// - Parameter pem: A private key (PKCS #8 or SEC 1, not encrypted) or a public one (SubjectPublicKeyInfo).
    /// - Returns: `nil` for anything else, and for keys of other curves.
    package init?(pem: String) {
        let bytes = Array(pem.utf8)
        guard !bytes.isEmpty, bytes.count < 1 << 16 else { return nil }
        guard let read = unsafe Self.read(bytes, isPrivate: true) ?? Self.read(bytes, isPrivate: false) else {
            return nil
        }
        guard unsafe Self.isP256(read) else {
            unsafe EVP_PKEY_free(read)
            return nil
        }
        unsafe key = read
    }

    deinit { unsafe EVP_PKEY_free(key) }

    private static func read(_ bytes: [UInt8], isPrivate: Bool) -> OpaquePointer? {
        // An empty password is handed over, so that an encrypted key is refused and nobody is asked at a terminal.
        var none: [UInt8] = [0]
        return unsafe bytes.withUnsafeBytes { buffer -> OpaquePointer? in
            guard let input = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else { return nil }
            defer { unsafe BIO_free(input) }
            return unsafe none.withUnsafeMutableBytes { password in
                unsafe isPrivate
                    ? PEM_read_bio_PrivateKey(input, nil, nil, password.baseAddress)
                    : PEM_read_bio_PUBKEY(input, nil, nil, password.baseAddress)
            }
        }
    }

    private static func isP256(_ key: OpaquePointer) -> Bool {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1, length < name.count else {
            return false
        }
        return String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self) == "prime256v1"
    }

    /// SHA-256 of the public key's SubjectPublicKeyInfo, as `sha256:` and hexadecimal digits: the name of the key.
    package var name: String {
        let length = unsafe i2d_PUBKEY(key, nil)
        guard length > 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer -> Int32 in
            var start = buffer.baseAddress
            return unsafe i2d_PUBKEY(key, &start)
        }
        return written == length ? "sha256:" + SHA256.hex(bytes) : ""
    }

    /// - Returns: r and s, 32 bytes each; `nil` when the key is a public one.
    package func sign(_ message: [UInt8]) -> [UInt8]? {
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else { return nil }
        var encoded = [UInt8](repeating: 0, count: 80)
        var length = encoded.count
        guard unsafe EVP_DigestSign(context, &encoded, &length, message, message.count) == 1 else { return nil }
        return Self.plain(Array(encoded.prefix(length)))
    }

    package func verifies(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
        guard signature.count == 64, let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        let encoded = Self.encoded(signature)
        guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return unsafe EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
    }

    /// SEQUENCE { INTEGER r, INTEGER s } to r and s.
    private static func plain(_ encoded: [UInt8]) -> [UInt8]? {
        guard encoded.count > 8, encoded[0] == 0x30, Int(encoded[1]) == encoded.count - 2 else { return nil }
        var rest = encoded[2...]
        var result: [UInt8] = []
        for _ in 0..<2 {
            guard rest.popFirst() == 2, let length = rest.popFirst(), rest.count >= Int(length) else { return nil }
            let number = rest.prefix(Int(length)).drop { $0 == 0 }
            guard number.count <= 32 else { return nil }
            result += [UInt8](repeating: 0, count: 32 - number.count) + number
            rest = rest.dropFirst(Int(length))
        }
        return rest.isEmpty ? result : nil
    }

    private static func encoded(_ signature: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        for half in [signature.prefix(32), signature.suffix(32)] {
            var number = Array(half.drop { $0 == 0 })
            if number.first.map({ $0 > 127 }) ?? true { number.insert(0, at: 0) }
            body += [2, UInt8(number.count)] + number
        }
        return [0x30, UInt8(body.count)] + body
    }
}
