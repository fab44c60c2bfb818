internal import CPaviseCurl
internal import Glibc

/// The field lines of one request in libcurl's list form: one block of memory, used again by the next request and wiped
/// between the two, because one of the lines may hold a credential.
@safe
struct FieldBuffer: ~Copyable {
    private var text: UnsafeMutableBufferPointer<CChar>
    private var nodes: UnsafeMutableBufferPointer<curl_slist>
    private var textCount = 0
    private var nodeCount = 0

    init() {
        unsafe text = .allocate(capacity: 1024)
        unsafe nodes = .allocate(capacity: 24)
    }

    deinit {
        unsafe wipe(text.count)
        unsafe text.deallocate()
        unsafe nodes.deallocate()
    }

    /// Makes room for `lines` lines of together `bytes` bytes. Call it first: lines do not move afterwards.
    mutating func reserve(bytes: Int, lines: Int) {
        clear()
        if unsafe bytes + lines > text.count {
            unsafe text.deallocate()
            unsafe text = .allocate(capacity: (bytes + lines) * 2)
        }
        if unsafe lines > nodes.count {
            unsafe nodes.deallocate()
            unsafe nodes = .allocate(capacity: lines * 2)
        }
    }

    mutating func append(_ line: Span<UInt8>) {
        guard unsafe nodeCount < nodes.count, unsafe textCount + line.count < text.count else { return }
        let start = textCount
        for index in line.indices { unsafe text[start + index] = CChar(bitPattern: line[index]) }
        unsafe text[start + line.count] = 0
        textCount += line.count + 1
        unsafe nodes[nodeCount] = curl_slist(data: text.baseAddress?.advanced(by: start), next: nil)
        if nodeCount > 0 { unsafe nodes[nodeCount - 1].next = nodes.baseAddress?.advanced(by: nodeCount) }
        nodeCount += 1
    }

    mutating func append(_ line: String) { append(line.utf8Span.span) }

    private func wipe(_ count: Int) {
        if count > 0, let start = unsafe text.baseAddress { unsafe explicit_bzero(start, count) }
    }

    /// Lends the list; it is valid until the next change.
    var list: UnsafeMutablePointer<curl_slist>? { unsafe nodeCount == 0 ? nil : nodes.baseAddress }

    mutating func clear() {
        wipe(textCount)
        textCount = 0
        nodeCount = 0
    }
}
