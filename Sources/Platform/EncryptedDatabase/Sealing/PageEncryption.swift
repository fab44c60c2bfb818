internal import PaviseCrypto
internal import PavisePrimitives

/// What a sealed block is. It is part of the associated data, so a block of one kind never opens as another.
enum BlockKind: UInt8 {
    case page = 1
    case frame = 2
    case anchor = 3
    case mark = 4
    case position = 5
    /// The record that names the valid list of tags.
    case tags = 6
    /// The list itself.
    case tagList = 7
}

/// Which of a file's keys seals a block. Each key sees far fewer than 2^32 random nonces (NIST SP 800-38D §8.3).
enum KeyName: Hashable {
    /// Pages of the database file; a new key every 65,536 generations of the log.
    case pages(epoch: UInt32)
    /// The small records in the heads of both files; a new key every 65,536 generations of the log.
    case records(epoch: UInt32)
    /// Frames of one generation of the log.
    case log([UInt8])

    fileprivate var info: [UInt8] {
        var writer = ByteWriter()
        writer.raw(Array("Pavise database 1 ".utf8))
        switch self {
        case .pages(let epoch):
            writer.raw(Array("pages".utf8))
            writer.integer(epoch)
        case .records(let epoch):
            writer.raw(Array("records".utf8))
            writer.integer(epoch)
        case .log(let identifier):
            writer.raw(Array("log".utf8))
            writer.raw(identifier)
        }
        return writer.bytes
    }
}

/// Seals and opens the blocks of one database file.
///
/// Keys come from the caller's key by HKDF over the file's random identifier. The associated data is kind, file
/// identifier and block number: a block that was altered, moved or taken from another file does not open.
@safe
final class PageEncryption {
    /// Bytes of a nonce and a tag, as they stand together before or behind a block.
    static let sealCount = 28
    private static let nonceCount = 12
    private static let keptKeys = 16

    private let file: [UInt8]
    private let root: SecretBytes
    private var keys: [KeyName: PageSealingKey] = [:]
    // The key of one block is mostly that of the block before; a checkpoint takes turns between the log and the pages.
    private var last: (name: KeyName, key: PageSealingKey)?
    private var lastButOne: (name: KeyName, key: PageSealingKey)?
    // Made once and written over for each block: a block is sealed without an allocation.
    private var nonce = [UInt8](repeating: 0, count: nonceCount)
    private var associated: [UInt8]

    /// - Parameters:
    ///   - key: The caller's key, 32 bytes.
    ///   - file: The file's random identifier, 16 bytes.
    init(key: borrowing SecretBytes, file: [UInt8]) throws(CryptoFailure) {
        self.file = file
        associated = [0] + file + [UInt8](repeating: 0, count: 8)
        root = try key.withBytes { key throws(CryptoFailure) in
            try KDF.hkdf(key, salt: file, info: Array("Pavise database 1".utf8), count: 32)
        }
    }

    /// Encrypts `plain` into `target`, which may be the same memory, and writes nonce and tag to `seal`.
    ///
    /// - Returns: Whether it succeeded. Otherwise `target` must not be written anywhere.
    func seal(
        _ plain: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
        seal: UnsafeMutableRawBufferPointer, _ name: KeyName, _ kind: BlockKind, _ number: UInt64
    ) -> Bool {
        guard let key = key(name), drawNonce() else { return false }
        unsafe seal.copyBytes(from: nonce)
        let tag = unsafe UnsafeMutableRawBufferPointer(rebasing: seal[Self.nonceCount..<Self.sealCount])
        let data = associatedData(kind, number)
        // pavise:ignore CONST-IV Filled by drawNonce() from the kernel's generator before each page.
        return unsafe (try? key.cipher.sealPage(plain, into: target, tag: tag, nonce: nonce, associatedData: data))
            != nil
    }

    /// Checks and decrypts `sealed` into `target`.
    ///
    /// - Returns: Whether it is authentic. Otherwise `target` holds zeros.
    func open(
        _ sealed: UnsafeRawBufferPointer, seal: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
        _ name: KeyName, _ kind: BlockKind, _ number: UInt64
    ) -> Bool {
        guard let key = key(name) else { return false }
        unsafe nonce.withUnsafeMutableBytes {
            unsafe $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: seal[..<Self.nonceCount]))
        }
        let tag = unsafe UnsafeRawBufferPointer(rebasing: seal[Self.nonceCount..<Self.sealCount])
        let data = associatedData(kind, number)
        return unsafe (try? key.cipher.openPage(sealed, tag: tag, into: target, nonce: nonce, associatedData: data))
            != nil
    }

    // Kind ‖ file identifier ‖ block number (8, big-endian).
    private func associatedData(_ kind: BlockKind, _ number: UInt64) -> [UInt8] {
        associated[0] = kind.rawValue
        let place = 1 + file.count
        unsafe associated.withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: number.bigEndian, toByteOffset: place, as: UInt64.self)
        }
        return associated
    }

    // Fresh from the kernel for each block: a supply would come twice after a fork or in a copy of a machine.
    private func drawNonce() -> Bool {
        unsafe nonce.withUnsafeMutableBufferPointer { nonce in
            var span = unsafe nonce.mutableSpan
            return (try? Entropy.kernel.fill(&span)) != nil
        }
    }

    private func key(_ name: KeyName) -> PageSealingKey? {
        if let last, last.name == name { return last.key }
        if let lastButOne, lastButOne.name == name { return lastButOne.key }
        let key = keptKey(name)
        lastButOne = last
        last = key.map { (name, $0) }
        return key
    }

    private func keptKey(_ name: KeyName) -> PageSealingKey? {
        if let known = keys[name] { return known }
        // A damaged file may name any epoch; the cache stays small all the same.
        if keys.count >= Self.keptKeys { keys = [:] }
        let made = try? root.withBytes { root throws(CryptoFailure) in
            let secret = try KDF.hkdf(root, salt: file, info: name.info, count: 32)
            return try secret.withBytes { secret throws(CryptoFailure) in PageSealingKey(try AESGCM(key: secret)) }
        }
        keys[name] = made
        return made
    }
}

/// A cipher that a dictionary can hold.
private final class PageSealingKey {
    let cipher: AESGCM
    init(_ cipher: consuming AESGCM) { self.cipher = cipher }
}
