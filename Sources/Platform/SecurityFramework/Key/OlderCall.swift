internal import Foundation
internal import PavisePrimitives

/// One call of an older function: the algorithm that its padding means, and the copying in and out of buffers.
struct OlderCall {
    private let key: SecKey
    private let operation: SecKeyOperationType
    private let algorithm: SecKeyAlgorithm?

    init(_ key: SecKey, _ operation: SecKeyOperationType, _ padding: SecPadding) {
        self.key = key
        self.operation = operation
        algorithm = Self.algorithm(key.material.kind, operation, padding)
    }

    private static func algorithm(
        _ kind: KeyKind, _ operation: SecKeyOperationType, _ padding: SecPadding
    ) -> SecKeyAlgorithm? {
        let isSignature = operation == .sign || operation == .verify
        switch kind {
        case .rsa: return isSignature ? rsaSignatures[padding] : rsaEncryptions[padding]
        case .ec:
            guard isSignature else { return nil }
            if padding == .sigRaw { return .ecdsaSignatureRFC4754 }
            return rsaSignatures[padding] == nil ? nil : .ecdsaSignatureDigestX962
        case .ed25519, .x25519: return nil
        }
    }

    private static let rsaSignatures: [SecPadding: SecKeyAlgorithm] = [
        []: .rsaSignatureRaw, .PKCS1: .rsaSignatureDigestPKCS1v15Raw,
        .PKCS1SHA1: .rsaSignatureDigestPKCS1v15SHA1, .PKCS1SHA224: .rsaSignatureDigestPKCS1v15SHA224,
        .PKCS1SHA256: .rsaSignatureDigestPKCS1v15SHA256, .PKCS1SHA384: .rsaSignatureDigestPKCS1v15SHA384,
        .PKCS1SHA512: .rsaSignatureDigestPKCS1v15SHA512,
    ]

    private static let rsaEncryptions: [SecPadding: SecKeyAlgorithm] = [
        // pavise:ignore CRYPTO-RSA The paddings of Apple's older calls; an app that names them is told.
        []: .rsaEncryptionRaw, .PKCS1: .rsaEncryptionPKCS1, .OAEP: .rsaEncryptionOAEPSHA1,
    ]

    /// Signs, encrypts or decrypts into `room`, whose size becomes that of the result.
    func run(
        _ input: UnsafeRawPointer, _ inputCount: Int, _ room: UnsafeMutableRawPointer,
        _ roomCount: UnsafeMutablePointer<Int>
    ) -> OSStatus {
        do throws(KeyFailure) {
            var bytes = unsafe try Self.bytes(input, inputCount)
            defer { Wipe.bytes(&bytes) }
            let result = try result(of: bytes)
            guard unsafe result.count <= roomCount.pointee else { throw .parameter("the room is too small") }
            result.withBytes { result in
                unsafe result.withUnsafeBytes {
                    unsafe room.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(room), byteCount: $0.count)
                }
            }
            unsafe roomCount.pointee = result.count
            return errSecSuccess
        } catch {
            return error.code
        }
    }

    /// Checks a signature. One that does not fit is -9809: callers of the older functions compare with that number.
    func verify(
        _ input: UnsafeRawPointer, _ inputCount: Int, _ signature: UnsafeRawPointer, _ signatureCount: Int
    ) -> OSStatus {
        do throws(KeyFailure) {
            let bytes = unsafe try Self.bytes(input, inputCount)
            let signature = unsafe try Self.bytes(signature, signatureCount)
            try key.material.verify(signature, of: bytes, scheme())
            return errSecSuccess
        } catch {
            return error.code == errSecVerifyFailed ? errSSLCrypto : error.code
        }
    }

    private func result(of bytes: [UInt8]) throws(KeyFailure) -> SecretBytes {
        let scheme = try scheme()
        guard operation != .decrypt else { return try key.material.decrypt(bytes, scheme) }
        let result = try operation == .sign ? key.material.sign(bytes, scheme) : key.material.encrypt(bytes, scheme)
        return SecretBytes(copying: result.span)
    }

    private func scheme() throws(KeyFailure) -> KeyScheme {
        guard let algorithm else { throw .parameter("the key has no such padding") }
        return try key.scheme(algorithm, for: operation)
    }

    private static func bytes(_ start: UnsafeRawPointer, _ count: Int) throws(KeyFailure) -> [UInt8] {
        guard count >= 0 else { throw .parameter("a negative length") }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}
