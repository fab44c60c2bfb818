internal import SecurityFramework

/// SHA-256 of a file's content (FIPS 180-4): two contents are the same when their digests are.
public struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
    // Four words and no array: 100,000 of them are compared in a plan.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The digest of `content`.
    public init(of content: [UInt8]) { self.init(checked: MessageDigest.sha256(content)) }

    /// Reads 32 bytes; `nil` for any other count.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(checked: bytes)
    }

    private init(checked bytes: [UInt8]) {
        func word(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        words = (word(0), word(8), word(16), word(24))
    }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - $0 * 8)) }
        }
    }

    /// 64 hexadecimal digits.
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Word by word.
    public static func == (one: ContentDigest, other: ContentDigest) -> Bool { one.words == other.words }

    /// The first word is as random as all of them.
    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
