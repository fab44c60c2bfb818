/// A picture as its first bytes tell it; the name and type that a document gives it are not asked.
struct Picture: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case png, jpeg, gif, webp
        var type: String { "image/\(rawValue)" }
    }
    let kind: Kind
    let width: Int
    let height: Int

    /// `nil` for anything but PNG, JPEG, GIF and WebP with a size in pixels.
    init?(_ bytes: ArraySlice<UInt8>) {
        // A camera's JPEG has its facts, colours and a small picture before its size, in segments of 64 KiB.
        let b = Array(bytes.prefix(1 << 20))
        func big(_ at: Int, _ count: Int) -> Int? {
            guard at >= 0, at + count <= b.count else { return nil }
            return b[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
        }
        func little(_ at: Int, _ count: Int) -> Int? {
            guard at >= 0, at + count <= b.count else { return nil }
            return b[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let size: (Kind, Int?, Int?)
        if b.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), big(12, 4) == 0x4948_4452 {
            size = (.png, big(16, 4), big(20, 4))
        } else if b.starts(with: Array("GIF87a".utf8)) || b.starts(with: Array("GIF89a".utf8)) {
            size = (.gif, little(6, 2), little(8, 2))
        } else if b.starts(with: [0xFF, 0xD8, 0xFF]) {
            let found = Self.jpeg(b)
            size = (.jpeg, found?.0, found?.1)
        } else if b.starts(with: Array("RIFF".utf8)), b.dropFirst(8).starts(with: Array("WEBPVP8".utf8)), b.count > 30 {
            switch b[15] {
            case 0x20: size = (.webp, little(26, 2).map { $0 & 0x3FFF }, little(28, 2).map { $0 & 0x3FFF })
            case 0x4C:
                let bits = little(21, 4)
                size = (.webp, bits.map { ($0 & 0x3FFF) + 1 }, bits.map { ($0 >> 14 & 0x3FFF) + 1 })
            case 0x58: size = (.webp, little(24, 3).map { $0 + 1 }, little(27, 3).map { $0 + 1 })
            default: return nil
            }
        } else {
            return nil
        }
        guard let width = size.1, let height = size.2 else { return nil }
        (kind, self.width, self.height) = (size.0, width, height)
    }

    // ITU T.81, B.2.2: the frame header holds the size. Segments before it are stepped over.
    private static func jpeg(_ b: [UInt8]) -> (Int, Int)? {
        var at = 2
        while at + 9 < b.count, b[at] == 0xFF {
            let marker = b[at + 1]
            if marker == 0xFF {
                at += 1
                continue
            }
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return (Int(b[at + 7]) << 8 | Int(b[at + 8]), Int(b[at + 5]) << 8 | Int(b[at + 6]))
            }
            let length = Int(b[at + 2]) << 8 | Int(b[at + 3])
            guard length >= 2 else { return nil }
            at += 2 + length
        }
        return nil
    }
}

/// Base64 of RFC 4648 as documents have it: with line ends in between.
enum PictureCoding {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (index, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(index) }
        return values
    }()

    static func append(_ bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
        result.reserveCapacity(result.count + bytes.count / 3 * 4 + 4)
        var held = 0
        var count = 0
        for byte in bytes {
            held = held << 8 | Int(byte)
            count += 1
            if count == 3 {
                for shift in [18, 12, 6, 0] { result.append(alphabet[held >> shift & 63]) }
                (held, count) = (0, 0)
            }
        }
        guard count > 0 else { return }
        held <<= 8 * (3 - count)
        result.append(alphabet[held >> 18 & 63])
        result.append(alphabet[held >> 12 & 63])
        result.append(count == 2 ? alphabet[held >> 6 & 63] : 0x3D)
        result.append(0x3D)
    }

    /// Decodes, over blanks, up to the first `=`. `nil` for other characters, and beyond `limit` bytes.
    static func decode(_ bytes: some Sequence<UInt8>, limit: Int) -> [UInt8]? {
        var result: [UInt8] = []
        var held = 0
        var bits = 0
        for byte in bytes {
            if byte <= 0x20 { continue }
            if byte == 0x3D { break }
            let value = values[Int(byte)]
            guard value != 0xFF, result.count < limit else { return nil }
            held = (held << 6 | Int(value)) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                result.append(UInt8(truncatingIfNeeded: held >> bits))
            }
        }
        return result
    }
}
