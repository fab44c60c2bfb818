/// Joins characters that a chunk boundary cut.
struct TextDecoder {
    private var pending: [UInt8] = []

    /// The whole characters so far. What is no UTF-8 becomes U+FFFD.
    mutating func take(_ bytes: [UInt8]) -> String {
        pending += bytes
        // At most three bytes wait for the end of their character.
        var end = pending.count
        for back in 1...3 where back <= pending.count {
            let byte = pending[pending.count - back]
            guard byte & 0xc0 != 0x80 else { continue }
            let length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
            if length > back { end = pending.count - back }
            break
        }
        defer { pending = Array(pending[end...]) }
        return String(decoding: pending[..<end], as: UTF8.self)
    }

    /// What is left of a character that nothing completes.
    mutating func finish() -> String {
        defer { pending = [] }
        return String(decoding: pending, as: UTF8.self)
    }
}
