internal import PavisePrimitives
internal import SecurityFramework

/// A tag of the bytes of a download so far, made while they come: whether those that lie there later are the same.
///
/// AES-256-GMAC (SP 800-38D §3) over blocks of 1 MiB, each with the tag of those before it in front; the last block may
/// be shorter. The nonce of a block is the number of bytes up to its end, behind a 0 where the block is full and more
/// may come, and a 1 where the tag is told. So it can be told after each byte, and what it needs does not grow with the
/// file. Where the processor has no instructions for SHA-256, that would be slower than the download.
///
/// The key is made anew with each beginning and lies in the ticket: it keeps no secret, and whoever may write the
/// ticket may vouch for other bytes.
struct DownloadDigest {
    /// The bytes of one block.
    static let blockSize = 1 << 20

    /// 32 bytes.
    let key: [UInt8]
    private var block: [UInt8] = []
    private var isWhole = true
    /// How many bytes went in.
    private(set) var count = 0

    init(key: [UInt8]) { self.key = key }

    /// Under a fresh key. Without one no tag is told, and the download begins anew the next time.
    init() { self.init(key: (try? Entropy.kernel.bytes(32)) ?? []) }

    /// Takes the next bytes.
    mutating func add(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.blockSize - block.count)
            block += piece
            count += piece.count
            rest = rest.dropFirst(piece.count)
            guard block.count == Self.blockSize else { continue }
            let tag = tag(kind: 0)
            isWhole = tag != nil
            block.removeAll(keepingCapacity: true)
            block += tag ?? []
        }
    }

    /// 16 bytes; `nil` where there is no key, or the library refused once.
    var value: [UInt8]? { tag(kind: 1) }

    private func tag(kind: UInt8) -> [UInt8]? {
        guard isWhole, key.count == 32 else { return nil }
        let nonce = [0, 0, 0, kind] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
        // pavise:ignore CONST-IV The number of bytes, under a key that is made anew with each beginning.
        return BoxBridge.tag(of: block, key: SecretBytes(copying: key), nonce: nonce)
    }
}
