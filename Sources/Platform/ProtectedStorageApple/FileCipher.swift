internal import CryptoKit
internal import Foundation
internal import PavisePrimitives

/// One of the three uses of a file's key, over CryptoKit; the same bytes as on Linux.
struct FileCipher: ~Copyable, Sendable {
    /// What the key is for.
    enum Use: String, Sendable {
        case head = "pavise file 1 head"
        case attributes = "pavise file 1 attributes"
        case content = "pavise file 1 content"
    }

    private let key: SymmetricKey

    init(_ fileKey: borrowing SecretBytes, _ head: SealedFileHead, _ use: Use) throws(StorageFailure) {
        let derived = StorageCrypto.derived(
            StorageCrypto.symmetric(fileKey), salt: head.file + head.container, info: use.rawValue)
        key = StorageCrypto.symmetric(derived)
    }

    /// Ciphertext ‖ tag of 16 bytes.
    func seal(_ plain: [UInt8], nonce: [UInt8], bound: [UInt8] = []) throws(StorageFailure) -> [UInt8] {
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(plain, using: key, nonce: nonce, authenticating: bound)
        else { throw .crypto }
        return [UInt8](box.ciphertext) + [UInt8](box.tag)
    }

    /// Seals `chunk` in place of itself. Where this fails, nothing of it is left.
    ///
    /// - Returns: The tag, which goes behind it.
    func seal(inPlace chunk: inout [UInt8], nonce: [UInt8]) throws(StorageFailure) -> [UInt8] {
        let sealed = Result { () throws(StorageFailure) in try seal(chunk, nonce: nonce) }
        Wipe.bytes(&chunk)
        chunk = try sealed.get()
        let tag = Array(chunk.suffix(16))
        chunk.removeLast(16)
        return tag
    }

    /// Opens what ``seal(inPlace:nonce:)`` gave, with its tag behind it, in place of itself; `false`, and no bytes, for
    /// anything else.
    func open(inPlace chunk: inout [UInt8], nonce: [UInt8]) -> Bool {
        guard let plain = open(chunk, nonce: nonce) else {
            Wipe.bytes(&chunk)
            return false
        }
        chunk = plain
        return true
    }

    /// What ``seal(_:nonce:bound:)`` was given; `nil` for anything else.
    func open(_ sealed: [UInt8], nonce: [UInt8], bound: [UInt8] = []) -> [UInt8]? {
        guard sealed.count >= 16, let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16)),
            var plain = try? AES.GCM.open(box, using: key, authenticating: bound)
        else { return nil }
        defer { plain.resetBytes(in: plain.startIndex..<plain.endIndex) }
        return [UInt8](plain)
    }
}
