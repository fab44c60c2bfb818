internal import SwiftSyntax

/// Lines and columns of positions, from the line breaks of the bytes: the library's converter reads all tokens for it.
/// A line ends where the compiler ends it: at a line feed, a carriage return, or both in this order.
struct LineTable {
    /// The offset of each line's first byte.
    private let starts: [Int]
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        var starts = [0]
        starts.reserveCapacity(bytes.count / 24)
        for (index, byte) in bytes.enumerated() where byte == 10 || byte == 13 {
            if byte == 13, index + 1 < bytes.count, bytes[index + 1] == 10 { continue }
            starts.append(index + 1)
        }
        self.starts = starts
        self.bytes = bytes
    }

    var count: Int { starts.count }

    /// The line, counted from 1, of a byte.
    func line(_ offset: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// Line and column, both from 1; columns count units of UTF-16, as SARIF and editors do. A mark of the byte order
    /// before the first line is in no column.
    func place(_ offset: Int) -> (line: Int, column: Int) {
        let line = line(offset)
        let first = starts[line - 1]
        let skipped = first == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : first
        var column = 1
        // A sequence of bytes is one unit, and two where it has four of them.
        for byte in bytes[skipped..<min(max(offset, skipped), bytes.count)] where byte & 0xC0 != 0x80 {
            column += byte >= 0xF0 ? 2 : 1
        }
        return (line, column)
    }

    /// Where `node` begins and ends, without the spaces and comments around it; the end is the column after its last
    /// one.
    func region(_ node: some SyntaxProtocol) -> Region {
        let begin = place(node.positionAfterSkippingLeadingTrivia.utf8Offset)
        let end = place(node.endPositionBeforeTrailingTrivia.utf8Offset)
        return Region(line: begin.line, column: begin.column, endLine: end.line, endColumn: end.column)
    }

    /// The first byte of a line, or the end for a line that is not there.
    func start(ofLine line: Int, end: Int) -> Int { line <= starts.count ? starts[line - 1] : end }
}
