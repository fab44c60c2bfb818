/// Finds texts in bytes, without making strings of them.
enum ByteSearch {
    /// The places of `text`, in order.
    static func places(of text: StaticString, in bytes: [UInt8]) -> [Int] {
        let wanted = Array("\(text)".utf8)
        guard let first = wanted.first, bytes.count >= wanted.count else { return [] }
        var result: [Int] = []
        let last = bytes.count - wanted.count
        // Lent as a span: the checks of an array's accesses are most of the time here.
        let span = bytes.span
        for index in 0...last where span[index] == first {
            var length = 1
            while length < wanted.count, span[index + length] == wanted[length] { length += 1 }
            if length == wanted.count { result.append(index) }
        }
        return result
    }

    /// Calls `body` with each run of letters, digits and `_` that starts with none of the digits.
    static func words(in bytes: [UInt8], _ body: (Range<Int>) -> Void) {
        let span = bytes.span
        var start = -1
        for index in 0..<span.count {
            let byte = span[index]
            let isLetter = (byte | 32) &- 97 < 26 || byte == 95
            if isLetter || (start >= 0 && byte &- 48 < 10) {
                if start < 0 { start = index }
            } else if start >= 0 {
                body(start..<index)
                start = -1
            }
        }
        if start >= 0 { body(start..<span.count) }
    }
}
