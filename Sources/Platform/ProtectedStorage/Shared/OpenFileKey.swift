internal import PavisePrimitives
internal import Synchronization

/// The keys of a file that is read or written, in memory for as long as the file's class allows.
///
/// At the lock they are dropped, and unwrapped anew at the first use after the unlock. Class B keeps what is open, as
/// Apple has it: a file of it is written while locked. Source: data-at-rest/DR9.
final class OpenFileKey: ForgettableKey {
    /// The cipher of the chunks. Who is at a chunk keeps it until that chunk is done.
    final class Content: Sendable {
        let cipher: FileCipher
        init(_ file: borrowing SecretBytes, _ head: SealedFileHead) throws(StorageFailure) {
            cipher = try FileCipher(file, head, .content)
        }
    }

    private struct Keys: Sendable {
        let file: SharedSecretBytes
        let content: Content
    }

    /// The head as far as keys depend on it: class, file, container and wrapped key.
    private let head: SealedFileHead
    private let container: StorageContainer
    // Of an erasable file that is written: the container's database does not have it yet.
    private let half: SharedSecretBytes?
    private let keys: Mutex<Keys?>
    private let number: UInt64?

    /// Holds the keys that follow from `file`, the whole key of the file.
    init(
        _ file: consuming SecretBytes, _ head: SealedFileHead, in container: StorageContainer,
        half: SharedSecretBytes? = nil
    ) throws(StorageFailure) {
        self.head = head
        self.container = container
        self.half = half
        let file = SharedSecretBytes(file)
        keys = Mutex(Keys(file: file, content: try Content(file.bytes, head)))
        number = head.protection == .completeUnlessOpen ? nil : container.openFiles.withLock { $0.nextNumber() }
        if let number { container.openFiles.withLock { $0.add(self, number) } }
    }

    deinit {
        if let number { container.openFiles.withLock { $0.remove(number) } }
    }

    /// The cipher of the chunks.
    ///
    /// - Throws: ``StorageFailure/locked``: then no key is left here.
    func content() throws(StorageFailure) -> Content {
        try check()
        return try current().content
    }

    /// The same for who has called ``check()`` just now, which costs some microseconds.
    func contentAfterCheck() throws(StorageFailure) -> Content { try current().content }

    /// The whole key of the file.
    func file() throws(StorageFailure) -> SharedSecretBytes {
        try check()
        return try current().file
    }

    var isHeld: Bool { keys.withLock { $0 != nil } }

    func forget() { keys.withLock { $0 = nil } }

    var protection: ProtectionClass { head.protection }

    /// - Throws: ``StorageFailure/locked`` where the file may not be used now.
    func check() throws(StorageFailure) {
        guard head.protection != .completeUnlessOpen else { return }
        do throws(StorageFailure) { try container.check(head.protection) } catch {
            forget()
            throw error
        }
    }

    private func current() throws(StorageFailure) -> Keys {
        if let known = keys.withLock({ $0 }) { return known }
        let file = SharedSecretBytes(try unwrapped())
        let fresh = Keys(file: file, content: try Content(file.bytes, head))
        keys.withLock { $0 = fresh }
        // A lock in between found nothing to drop.
        try check()
        return fresh
    }

    private func unwrapped() throws(StorageFailure) -> SecretBytes {
        guard let half else { return try container.fileKey(of: head) }
        return ErasableHalves.joined(try container.unwrap(head.wrappedKey, for: head.protection), half.bytes)
    }
}
