internal import CAuditSystem

/// SHA-256 of the system's OpenSSL.
@safe package final class SHA256 {
    private let context: OpaquePointer?

    package init() {
        unsafe context = EVP_MD_CTX_new()
        let isReady = unsafe context != nil && EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        precondition(isReady, "OpenSSL gives no SHA-256")
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package func update(_ bytes: [UInt8]) {
        let isDone = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) } == 1
        precondition(isDone, "OpenSSL's SHA-256 took no bytes")
    }

    /// The digest in lower-case hexadecimal digits. The object is used up then.
    package func hex() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let isDone = unsafe digest.withUnsafeMutableBufferPointer {
            unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil)
        }
        precondition(isDone == 1, "OpenSSL's SHA-256 gave no digest")
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    package static func hex(_ text: String) -> String { hex(Array(text.utf8)) }

    package static func hex(_ bytes: [UInt8]) -> String {
        let hash = SHA256()
        hash.update(bytes)
        return hash.hex()
    }
}
