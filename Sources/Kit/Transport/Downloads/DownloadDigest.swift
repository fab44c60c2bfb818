internal import SecurityFramework

/// A digest of the bytes of a download so far, made while they come.
///
/// SHA-256 over blocks of 1 MiB, each with the digest of those before it in front; the last block may be shorter. So it
/// can be told after each byte, and what it needs does not grow with the file.
struct DownloadDigest {
    /// The bytes of one block.
    static let blockSize = 1 << 20

    private var before: [UInt8] = []
    private var block: [UInt8] = []
    /// How many bytes went in.
    private(set) var count = 0

    /// Takes the next bytes.
    mutating func add(_ bytes: [UInt8]) {
        count += bytes.count
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.blockSize - block.count)
            block += piece
            rest = rest.dropFirst(piece.count)
            guard block.count == Self.blockSize else { continue }
            before = value
            block.removeAll(keepingCapacity: true)
        }
    }

    /// 32 bytes.
    var value: [UInt8] { MessageDigest.sha256(before + block) }
}
