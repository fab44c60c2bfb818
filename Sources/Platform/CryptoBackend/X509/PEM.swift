internal import PavisePrimitives

/// The text form of DER (RFC 7468).
package enum PEM {
    /// The DER of every block with `label`; text around the blocks does not count.
    ///
    /// - Returns: `nil` when a block begins and does not end, or its base64 is wrong.
    package static func blocks(_ label: String, in text: String) -> [[UInt8]]? {
        blocks(label, in: Array(text.utf8))
    }

    /// The same for the bytes of a text.
    package static func blocks(_ label: String, in text: [UInt8]) -> [[UInt8]]? {
        let begin = Array("-----BEGIN \(label)-----".utf8)[...]
        let end = Array("-----END \(label)-----".utf8)[...]
        var blocks: [[UInt8]] = []
        var body: [UInt8] = []
        body.reserveCapacity(min(text.count, 4_096))
        var isInside = false
        var start = 0
        while start < text.count {
            let line = line(at: start, of: text.span)
            start = line.next
            if !line.range.isEmpty, text[line.range.lowerBound] == UInt8(ascii: "-") {
                if text[line.range] == begin {
                    guard !isInside else { return nil }
                    isInside = true
                    body.removeAll(keepingCapacity: true)
                    continue
                }
                if text[line.range] == end {
                    guard isInside, let bytes = Base64.decode(utf8: body[...]) else { return nil }
                    blocks.append(bytes)
                    isInside = false
                    continue
                }
            }
            if isInside { body += text[line.range] }
        }
        return isInside ? nil : blocks
    }

    // Without the blanks around it, and where the next one begins. Between the two characters of a line's end is one
    // more.
    private static func line(at start: Int, of text: Span<UInt8>) -> (range: Range<Int>, next: Int) {
        var (first, end) = (start, start)
        while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
        let next = end + 1
        while first < end, text[first] == 0x20 || text[first] == 0x09 { first += 1 }
        while first < end, text[end - 1] == 0x20 || text[end - 1] == 0x09 { end -= 1 }
        return (first..<end, next)
    }

    /// The block of `der` with lines of 64 characters.
    package static func text(_ label: String, _ der: [UInt8]) -> String {
        String(decoding: bytes(label, der), as: UTF8.self)
    }

    /// The same as bytes, in one place: they may be a key in clear, which the caller overwrites.
    package static func bytes(_ label: String, _ der: [UInt8]) -> [UInt8] {
        let letters = Base64.encode(secret: SecretBytes(copying: der))
        let (begin, end) = (Array("-----BEGIN \(label)-----\n".utf8), Array("-----END \(label)-----\n".utf8))
        var text: [UInt8] = []
        text.reserveCapacity(begin.count + letters.count + (letters.count + 63) / 64 + end.count)
        text += begin
        letters.withBytes { letters in
            for index in letters.indices {
                text.append(letters[index])
                if index % 64 == 63 || index == letters.count - 1 { text.append(0x0A) }
            }
        }
        text += end
        return text
    }
}
