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
        var isInside = false
        var rest = text[...]
        while let line = nextLine(&rest) {
            let isMark = line.first == UInt8(ascii: "-")
            if isMark, line == begin {
                guard !isInside else { return nil }
                isInside = true
                body.removeAll(keepingCapacity: true)
            } else if isMark, line == end {
                guard isInside, let bytes = Base64.decode(utf8: body[...]) else { return nil }
                blocks.append(bytes)
                isInside = false
            } else if isInside {
                body += line
            }
        }
        return isInside ? nil : blocks
    }

    // Without the blanks around it. An empty one may come for each line's end of two characters.
    private static func nextLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
        let line = trimmed(rest[rest.startIndex..<end])
        rest = rest[min(end + 1, rest.endIndex)...]
        return line
    }

    /// The block of `der` with lines of 64 characters.
    package static func text(_ label: String, _ der: [UInt8]) -> String {
        let letters = Array(Base64.encode(der))
        let lines = stride(from: 0, to: letters.count, by: 64).map { String(letters[$0..<min($0 + 64, letters.count)]) }
        return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = line.drop { $0 == 0x20 || $0 == 0x09 }
        while rest.last == 0x20 || rest.last == 0x09 { rest.removeLast() }
        return rest
    }
}
