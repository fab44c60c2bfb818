internal import PavisePrimitives
internal import SecurityFramework

extension ContentDigest {
    /// The digest of an open file from its beginning on, and how many bytes it has; memory for one piece.
    static func of(
        _ file: borrowing FileDescriptor
    ) throws(SystemFailure) -> (digest: ContentDigest, count: Int) {
        var stream = MessageDigest.Stream()
        var count = 0
        while true {
            let piece = try file.readChunk(at: count, upTo: 1 << 18)
            guard !piece.isEmpty else { break }
            count += piece.count
            stream.add(piece)
        }
        // Always 32 bytes.
        return (ContentDigest(bytes: stream.finish()) ?? ContentDigest(of: []), count)
    }
}
