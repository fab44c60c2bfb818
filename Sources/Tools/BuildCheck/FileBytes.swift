/// The bytes of a program's file. Every read is bounded: what lies outside is `nil`, and never a trap.
struct FileBytes: Sendable {
    let bytes: [UInt8]
    /// Whether numbers of more than a byte begin with the greatest.
    var isBigEndian = false

    /// The unsigned number of `size` bytes (1, 2, 4 or 8) at `offset`.
    func number(_ offset: Int, _ size: Int) -> UInt64? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for index in 0..<size {
            value = value << 8 | UInt64(bytes[offset + (isBigEndian ? index : size - 1 - index)])
        }
        return value
    }

    /// The same as an offset or a size; `nil` where it is beyond the file.
    func offset(_ at: Int, _ size: Int) -> Int? {
        guard let value = number(at, size), value <= UInt64(bytes.count) else { return nil }
        return Int(value)
    }

    /// The bytes up to the next zero, at most `limit`.
    func text(_ offset: Int, limit: Int = 4096) -> String? {
        guard offset >= 0, offset < bytes.count else { return nil }
        let rest = bytes[offset..<min(bytes.count, offset + limit)]
        guard let end = rest.firstIndex(of: 0) else { return nil }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    /// A part; `nil` where it is not whole.
    func part(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        return bytes[offset..<offset + count]
    }

    /// Whether `word` stands at `offset`.
    func has(_ word: [UInt8], at offset: Int) -> Bool {
        part(offset, word.count).map { $0.elementsEqual(word) } ?? false
    }
}
