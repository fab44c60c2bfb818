/// The nonce of a chunk: its number (11 bytes, big-endian) ‖ 1 for the last one, else 0, as STREAM (Hoang,
/// Reyhanitabar, Rogaway, Vizár 2015) and age have it.
enum ChunkNonce {
    /// For what is sealed once under a key of its own: the head's tag and the attributes.
    static let single = [UInt8](repeating: 0, count: 12)

    static func of(_ number: Int, isLast: Bool) -> [UInt8] {
        var nonce = single
        var rest = UInt64(number)
        for place in stride(from: 10, through: 3, by: -1) {
            nonce[place] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
        }
        nonce[11] = isLast ? 1 : 0
        return nonce
    }
}
