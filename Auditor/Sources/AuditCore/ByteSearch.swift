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
}
