internal import PaviseCrypto
internal import PavisePrimitives

/// One of the three uses of a file's key, with a key of its own: HKDF-SHA-256(file key, salt = file ‖ container, info =
/// the use). AES-256-GCM; a nonce comes once under each key, because the file key is fresh for each writing.
struct FileCipher: ~Copyable, Sendable {
    /// What the key is for.
    enum Use: String, Sendable {
        case head = "pavise file 1 head"
        case attributes = "pavise file 1 attributes"
        case content = "pavise file 1 content"
    }

    private let cipher: AESGCM

    init(_ fileKey: borrowing SecretBytes, _ head: SealedFileHead, _ use: Use) throws(StorageFailure) {
        cipher = try StorageCrypto.attempt {
            let key = try fileKey.withBytes {
                try KDF.hkdf($0, salt: head.file + head.container, info: Array(use.rawValue.utf8), count: 32)
            }
            return try key.withBytes { try AESGCM(key: $0) }
        }
    }

    /// Ciphertext ‖ tag of 16 bytes.
    func seal(_ plain: [UInt8], nonce: [UInt8], bound: [UInt8] = []) throws(StorageFailure) -> [UInt8] {
        try StorageCrypto.attempt { try cipher.seal(plain.span, nonce: nonce, associatedData: bound) }
    }

    /// Seals `chunk` in its own memory. Where this fails, nothing of it is left.
    ///
    /// - Returns: The tag, which goes behind it.
    func seal(inPlace chunk: inout [UInt8], nonce: [UInt8]) throws(StorageFailure) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: AESGCM.tagCount)
        let isSealed = unsafe chunk.withUnsafeMutableBytes { text in
            unsafe tag.withUnsafeMutableBytes { tag in
                unsafe (try? cipher.sealPage(
                    UnsafeRawBufferPointer(text), into: text, tag: tag, nonce: nonce, associatedData: [])) != nil
            }
        }
        guard isSealed else {
            Wipe.bytes(&chunk)
            throw .crypto
        }
        return tag
    }

    /// Opens what ``seal(inPlace:nonce:)`` gave, with its tag behind it, in its own memory; `false`, and no bytes, for
    /// anything else.
    func open(inPlace chunk: inout [UInt8], nonce: [UInt8]) -> Bool {
        let count = chunk.count - AESGCM.tagCount
        guard count >= 0 else {
            Wipe.bytes(&chunk)
            return false
        }
        let isAuthentic = unsafe chunk.withUnsafeMutableBytes { whole in
            let text = unsafe UnsafeMutableRawBufferPointer(rebasing: whole[..<count])
            return
                unsafe (try? cipher.openPage(
                    UnsafeRawBufferPointer(text), tag: UnsafeRawBufferPointer(rebasing: whole[count...]), into: text,
                    nonce: nonce, associatedData: [])) != nil
        }
        guard isAuthentic else {
            Wipe.bytes(&chunk)
            return false
        }
        chunk.removeLast(AESGCM.tagCount)
        return true
    }

    /// What ``seal(_:nonce:bound:)`` was given; `nil` for anything else.
    func open(_ sealed: [UInt8], nonce: [UInt8], bound: [UInt8] = []) -> [UInt8]? {
        let count = sealed.count - AESGCM.tagCount
        guard count >= 0 else { return nil }
        var isAuthentic = false
        let plain = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            isAuthentic = unsafe sealed.withUnsafeBytes { source in
                unsafe (try? cipher.openPage(
                    UnsafeRawBufferPointer(rebasing: source[..<count]),
                    tag: UnsafeRawBufferPointer(rebasing: source[count...]),
                    into: UnsafeMutableRawBufferPointer(target),
                    nonce: nonce, associatedData: bound)) != nil
            }
            filled = isAuthentic ? count : 0
        }
        return isAuthentic ? plain : nil
    }
}
