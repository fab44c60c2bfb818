internal import PavisePrimitives

/// One block of a text with DER inside (RFC 7468), whatever its label.
package struct PEMSection: Sendable {
    /// The word after BEGIN.
    package let label: String
    /// The block with both of its lines, where it ``isEncrypted``; else empty.
    package let text: [UInt8]
    /// What the base64 says; empty for a block that ``isEncrypted``.
    package private(set) var der: [UInt8]
    /// Whether its head says that it is encrypted (RFC 1421 §4.6.1.1), as older programs of OpenSSL wrote keys.
    package let isEncrypted: Bool

    /// Overwrites what the base64 said, which may be a key in clear.
    package mutating func wipe() { Wipe.bytes(&der) }

    /// Whether a line of the text begins a block.
    package static func isThere(in text: [UInt8]) -> Bool {
        lines(of: text).contains { label($0, begin) != nil }
    }

    /// All blocks; text around them does not count.
    ///
    /// - Throws: A block that begins and does not end, or ends as another one; base64 that is wrong; more than `limit`.
    package static func all(in text: [UInt8], limit: Int) throws(KeyFileFailure) -> [PEMSection] {
        var sections: [PEMSection] = []
        var open: (label: String, lines: [ArraySlice<UInt8>])?
        for line in lines(of: text) {
            if let started = label(line, begin) {
                guard open == nil else { throw .malformed }
                open = (started, [])
            } else if let ended = label(line, end) {
                guard let block = open, block.label == ended else { throw .malformed }
                guard sections.count < limit else { throw .excessive }
                sections.append(try section(block.label, block.lines))
                open = nil
            } else {
                open?.lines.append(line)
            }
        }
        guard open == nil else { throw .malformed }
        return sections
    }

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let tail = Array("-----".utf8)

    private static func section(
        _ label: String, _ lines: [ArraySlice<UInt8>]
    ) throws(KeyFileFailure) -> PEMSection {
        let head = lines.prefix { $0.contains(UInt8(ascii: ":")) }
        let isEncrypted = head.contains { $0.starts(with: Array("Proc-Type: 4,ENCRYPTED".utf8)) }
        guard !isEncrypted else {
            // OpenSSL says of wrong base64 what it says of a wrong passphrase.
            let body = Array(lines.dropFirst(head.count).joined())
            guard lines.dropFirst(head.count).first?.isEmpty == true, !body.isEmpty,
                Base64.decode(utf8: body[...]) != nil
            else { throw .malformed }
            let name = Array(label.utf8)
            let inside: [[UInt8]] = lines.map { Array($0) + [0x0A] }
            let text: [UInt8] = begin + name + tail + [0x0A] + inside.joined() + end + name + tail + [0x0A]
            return PEMSection(label: label, text: text, der: [], isEncrypted: true)
        }
        // It may be a key in clear: in one place, which is overwritten.
        var body: [UInt8] = []
        body.reserveCapacity(lines.reduce(0) { $0 + $1.count })
        defer { Wipe.bytes(&body) }
        for line in lines { body += line }
        guard head.isEmpty, let der = Base64.decode(utf8: body[...]) else { throw .malformed }
        return PEMSection(label: label, text: [], der: der, isEncrypted: false)
    }

    private static func label(_ line: ArraySlice<UInt8>, _ start: [UInt8]) -> String? {
        guard line.count > start.count + tail.count, line.starts(with: start), line.suffix(5) == tail[...] else {
            return nil
        }
        let name = line.dropFirst(start.count).dropLast(tail.count)
        guard name.count <= 64, name.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    // Without the blanks around them.
    private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        let pieces = text.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
        // Between CR and LF is no line: an empty one would end the head of an encrypted block.
        let isLine = { (piece: ArraySlice<UInt8>) in
            !piece.isEmpty || piece.startIndex == 0 || piece.endIndex == text.count || text[piece.startIndex] != 0x0A
                || text[piece.startIndex - 1] != 0x0D
        }
        return pieces.filter(isLine).map { piece in
            var line = piece
            while let first = line.first, first == 0x20 || first == 0x09 { line.removeFirst() }
            while let last = line.last, last == 0x20 || last == 0x09 { line.removeLast() }
            return line
        }
    }
}
