internal import CPaviseSQLite

/// Sealed pages that were read together: a scan, which wants page after page, asks the system once for eight of them.
///
/// What is kept is from one transaction and holds for it: a page that a reader may still take from the file is not
/// written over by any process until the reader gives its lock back (sqlite.org/walformat.html, "WAL Locks"). So it is
/// dropped at each lock of the index, and when this connection itself writes.
@safe
final class ReadAhead {
    private static let pages = 8
    // How far a page may lie behind the one before, for a scan to be one: pages of an index lie between those of a
    // table.
    private static let stride: UInt64 = 4
    private static let steps = 4

    private let count: Int
    private let head: Int64
    private lazy var bytes = Scratch(Self.pages * count)
    private var kept: Range<UInt64> = 0..<0
    private var last: UInt64 = 0
    private var inOrder = 0

    /// - Parameters:
    ///   - count: The size of a page in bytes.
    ///   - head: The bytes of the file in front of page 1.
    init(ofPages count: Int, behind head: Int64) {
        self.count = count
        self.head = head
    }

    /// Nothing that was read before holds any more.
    func drop() { kept = 0..<0 }

    /// The sealed bytes of `page`, where they came with one before or come now with those behind it. `nil`: the page is
    /// to be read alone.
    func page(_ page: UInt64, of raw: RawFile) -> UnsafeRawBufferPointer? {
        inOrder = page > last && page - last <= Self.stride ? inOrder + 1 : 0
        last = page
        if !kept.contains(page) {
            guard inOrder >= Self.steps else { return nil }
            kept = 0..<0
            // Too near to the end for so many is as good as an error: whatever it is shows with the page alone.
            let offset = head + Int64(page - 1) * Int64(count)
            guard unsafe raw.read(bytes.bytes, at: offset) == SQLITE_OK else { return nil }
            kept = page..<page + UInt64(Self.pages)
        }
        let start = Int(page - kept.lowerBound) * count
        return unsafe UnsafeRawBufferPointer(bytes[start..<start + count])
    }
}
