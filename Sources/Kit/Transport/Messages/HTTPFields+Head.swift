extension HTTPFields {
    /// The most field lines of one answer.
    static let lineLimit = 200

    /// Reads the lines of an answer's head, the status line first, each with its line end.
    ///
    /// - Throws: ``TransportFailure/malformed(_:)`` for a name that is no token, a control character in a value, a
    ///   folded line, more than 200 lines, or two lengths that differ (RFC 9112 §5, §6.3).
    package init(head bytes: [UInt8]) throws(TransportFailure) {
        self.init()
        reserve(8)
        let status = bytes.firstIndex { $0 != 0x0A } ?? 0
        var start = Self.end(ofLineAt: status, in: bytes) + 1
        while start < bytes.count {
            let end = Self.end(ofLineAt: start, in: bytes)
            defer { start = end + 1 }
            guard end > start else { continue }
            guard fields.count < Self.lineLimit else {
                throw .malformed("The answer has more than \(Self.lineLimit) fields.")
            }
            guard let colon = bytes[start..<end].firstIndex(of: 0x3A), colon > start else {
                throw .malformed("A field has no name.")
            }
            guard append(bytes[start..<colon], Self.value(in: bytes, from: colon + 1, to: end)) else {
                throw .malformed("A field holds a forbidden character.")
            }
        }
        try checkLengths()
    }

    private static func end(ofLineAt start: Int, in bytes: [UInt8]) -> Int {
        var end = start
        while end < bytes.count && bytes[end] != 0x0A { end += 1 }
        return end
    }

    // Without the blanks around it, and without the line's end.
    private static func value(in bytes: [UInt8], from start: Int, to end: Int) -> ArraySlice<UInt8> {
        var (start, end) = (start, end)
        if end > start && bytes[end - 1] == 0x0D { end -= 1 }
        while start < end && isBlank(bytes[start]) { start += 1 }
        while end > start && isBlank(bytes[end - 1]) { end -= 1 }
        return bytes[start..<end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private func checkLengths() throws(TransportFailure) {
        let lengths = all("Content-Length")
        guard lengths.dropFirst().allSatisfy({ $0 == lengths[0] }) else {
            throw .malformed("The answer states two lengths.")
        }
        guard lengths.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } && Int64($0) != nil }) else {
            throw .malformed("The answer's length is no number.")
        }
    }
}
