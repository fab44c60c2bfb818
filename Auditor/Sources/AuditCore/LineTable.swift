internal import SwiftSyntax

/// Lines and columns of positions, from the line breaks of the bytes: the library's converter reads all tokens for it.
struct LineTable {
    /// The offset of each line's first byte.
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        var starts = [0]
        starts.reserveCapacity(bytes.count / 24)
        for (index, byte) in bytes.enumerated() where byte == 10 { starts.append(index + 1) }
        self.starts = starts
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

    /// Line and column, both from 1; columns count bytes.
    func place(_ offset: Int) -> (line: Int, column: Int) {
        let line = line(offset)
        return (line, offset - starts[line - 1] + 1)
    }

    /// The first byte of a line, or the end for a line that is not there.
    func start(ofLine line: Int, end: Int) -> Int { line <= starts.count ? starts[line - 1] : end }
}
