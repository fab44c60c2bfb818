internal import PavisePrimitives

/// Writes a sealed file once, from its beginning to its end, under a fresh key; it appears, or replaces the older one,
/// with ``finish()``. It cannot seek, so that no nonce ever comes twice. One that goes away unfinished leaves nothing.
struct SealedFileWriter: ~Copyable {
    private var file: UnfinishedFile
    private let path: String
    private var head: SealedFileHead
    private let key: OpenFileKey
    // Of an erasable file: what goes into the database.
    private let half: SharedSecretBytes?
    // Not private: a test begins shortly before the end of what a file may have.
    var attributes: StoredFileAttributes
    // Not private: a test looks at it when the writer is gone.
    let pending = PendingChunk()
    private var number = 0
    // A step that failed half-way leaves a chunk that is sealed already, and a file of unknown length: nothing follows.
    private var failure: StorageFailure?
    private let container: StorageContainer

    init(
        _ path: String, file identifier: [UInt8], _ attributes: StoredFileAttributes, _ protection: ProtectionClass,
        chunkExponent: UInt8 = 16, erasable: Bool = false, in container: StorageContainer
    ) throws(StorageFailure) {
        guard SealedFileHead.exponents.contains(chunkExponent) else { throw .unusable(.chunk) }
        // Its database opens while unlocked only, also in class B.
        if erasable { try container.check(protection) }
        let wrapping = try StorageCrypto.freshKey(.none)
        let wrapped = try container.wrap(wrapping, for: protection)
        let half = erasable ? SharedSecretBytes(try StorageCrypto.freshKey(.none)) : nil
        // Only the length is not known yet, and its form has always the same size: the head's own size stands.
        let room = [UInt8](repeating: 0, count: attributes.encoded().count + SealedFileHead.tagCount)
        let head = SealedFileHead(
            protection: protection, chunkExponent: chunkExponent, file: identifier, container: container.identifier,
            wrappedKey: wrapped, sealedAttributes: room, isErasable: erasable)
        let key = try OpenFileKey(Self.whole(wrapping, half), head, in: container, half: half)
        let file = try StorageContainer.attempt { () throws(SystemFailure) in try UnfinishedFile(path) }
        try FileProtection.protect(file, protection)
        self.file = file
        self.path = path
        self.head = head
        self.key = key
        self.half = half
        self.attributes = attributes
        self.container = container
        self.attributes.length = 0
        pending.bytes.reserveCapacity(head.chunkCount)
    }

    deinit { pending.wipe() }

    /// Appends content.
    ///
    /// - Throws: ``StorageFailure/locked`` from the lock on, but for class B. After any other failure the file is given
    ///   up: each later call throws the same one.
    mutating func append(_ bytes: [UInt8]) throws(StorageFailure) {
        try check()
        guard attributes.length + bytes.count <= StoredFileAttributes.lengthLimit else { throw .unusable(.size) }
        attributes.length += bytes.count
        do throws(StorageFailure) {
            try take(bytes)
        } catch {
            failure = error
            throw error
        }
    }

    private func check() throws(StorageFailure) {
        try key.check()
        if let failure { throw failure }
    }

    private mutating func take(_ bytes: [UInt8]) throws(StorageFailure) {
        var start = 0
        while start < bytes.count {
            // A full chunk waits until something follows it: the last one is marked.
            if pending.bytes.count == head.chunkCount { try seal(isLast: false) }
            // A whole chunk is taken as it is: copying it would cost half of sealing it.
            if start == 0, pending.bytes.isEmpty, bytes.count == head.chunkCount {
                pending.bytes = bytes
                return
            }
            let end = min(bytes.count, start + head.chunkCount - pending.bytes.count)
            pending.bytes += bytes[start..<end]
            start = end
        }
    }

    /// Seals the last chunk and the head, and makes the file appear; when this returns, it is on the disk.
    mutating func finish() throws(StorageFailure) {
        try check()
        do throws(StorageFailure) {
            try close()
        } catch {
            failure = error
            throw error
        }
    }

    private mutating func close() throws(StorageFailure) {
        try seal(isLast: true)
        let whole = try key.file()
        let sealer = try FileCipher(whole.bytes, head, .attributes)
        head.sealedAttributes = try sealer.seal(attributes.encoded(), nonce: ChunkNonce.single, bound: head.bound)
        let tagger = try FileCipher(whole.bytes, head, .head)
        let bytes = head.tagged + (try tagger.seal([], nonce: ChunkNonce.single, bound: head.tagged))
        guard let half else { return try place(bytes) }
        let lock = try container.lockHalves()
        try container.storeHalf(half.bytes, for: head)
        do throws(StorageFailure) {
            try place(bytes)
        } catch {
            container.dropHalf(of: head)
            throw error
        }
        try ErasableHalves.Step.placed.reached()
        // A new file has no older writing: what fails from here on would be an error for a file that is there.
        if attributes.generation > 1 {
            try container.eraseHalves(of: head.file, but: head, lastClass: head.protection)
        }
        try ErasableHalves.Step.olderErased.reached()
        _ = consume lock
    }

    private mutating func place(_ start: [UInt8]) throws(StorageFailure) {
        // A renewal of the keys may have ended since this began: the file would be in nobody's container.
        guard container.isInPlace else { throw .absent }
        // Nothing of class A appears while locked.
        try key.check()
        do throws(SystemFailure) {
            try writeStart(start)
            try file.finish()
        } catch {
            throw .system(error)
        }
        try FileProtection.check(path, head.protection)
    }

    private borrowing func writeStart(_ start: [UInt8]) throws(SystemFailure) {
        if number > 1 { try file.overwriteStart(start) } else { try file.write(start + pending.bytes) }
    }

    private static func whole(_ key: consuming SecretBytes, _ half: SharedSecretBytes?) -> SecretBytes {
        guard let half else { return key }
        return ErasableHalves.joined(key, half.bytes)
    }

    private mutating func seal(isLast: Bool) throws(StorageFailure) {
        // In its own memory, which is used again: what was in clear there is written over.
        let content = try key.contentAfterCheck()
        let tag = try content.cipher.seal(inPlace: &pending.bytes, nonce: ChunkNonce.of(number, isLast: isLast))
        number += 1
        // A file of one chunk is written in one piece, head and all, once its head is known.
        guard !isLast || number > 1 else {
            pending.bytes += tag
            return
        }
        do throws(SystemFailure) {
            // The head is written last; its room comes first.
            if number == 1 { try file.write([UInt8](repeating: 0, count: head.count)) }
            try file.write(pending.bytes)
            try file.write(tag)
        } catch {
            throw .system(error)
        }
        pending.bytes.removeAll(keepingCapacity: true)
    }
}

/// What of a file is not sealed yet: at most one chunk, in clear.
final class PendingChunk {
    var bytes: [UInt8] = []

    /// Overwrites it: of a file that is given up, or that a lock stopped, it would stay in memory.
    func wipe() { Wipe.bytes(&bytes) }
}
