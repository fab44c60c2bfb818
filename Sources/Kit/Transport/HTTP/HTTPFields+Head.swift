extension HTTPFields {
    /// The most field lines of one answer.
    static let lineLimit = 200

    /// Reads the lines of an answer's head, the status line first, each with its line end.
    ///
    /// - Throws: ``TransportFailure/malformed(_:)`` for a name that is no token, a control character in a value, a folded
    ///   line, more than 200 lines, or two lengths that differ (RFC 9112 §5, §6.3).
    package init(head bytes: [UInt8]) throws(TransportFailure) {
        self.init()
        var isStatusLine = true
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            let line = bytes[start..<end]
            start = end + 1
            guard !line.isEmpty else { continue }
            if isStatusLine {
                isStatusLine = false
                continue
            }
            let text = line.last == 0x0D ? line.dropLast() : line
            guard fields.count < Self.lineLimit else {
                throw .malformed("The answer has more than \(Self.lineLimit) fields.")
            }
            guard let colon = text.firstIndex(of: 0x3A), colon > text.startIndex else {
                throw .malformed("A field has no name.")
            }
            guard append(text[..<colon], text[(colon + 1)...].trimmingBlanks) else {
                throw .malformed("A field holds a forbidden character.")
            }
        }
        let lengths = all("Content-Length")
        guard lengths.dropFirst().allSatisfy({ $0 == lengths[0] }) else {
            throw .malformed("The answer states two lengths.")
        }
        guard lengths.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } && Int64($0) != nil }) else {
            throw .malformed("The answer's length is no number.")
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmingBlanks: ArraySlice<UInt8> {
        let start = firstIndex { $0 != 0x20 && $0 != 0x09 } ?? endIndex
        let end = lastIndex { $0 != 0x20 && $0 != 0x09 } ?? startIndex
        return start <= end && start < endIndex ? self[start...end] : []
    }
}
