internal import Dispatch

/// Work on the elements of a long list, of which every processor does a part.
package enum ConcurrentMap {
    /// What `body` makes of each element, in their order.
    ///
    /// - Parameters:
    ///   - elements: A list of fewer than 512 stays on the caller's thread.
    ///   - body: Runs on several threads at once, so it may change only what is made for that.
    /// - Throws: What `body` threw, of several failures the one of the earliest element.
    package static func map<Element, Made>(
        _ elements: [Element], _ body: (Element) throws -> Made
    ) throws -> [Made] {
        guard elements.count >= 2 * pieceCount else { return try elements.map(body) }
        return try withoutActuallyEscaping(body) { body in
            let work = Work(elements, body)
            DispatchQueue.concurrentPerform(iterations: work.count) { work.perform($0) }
            return try work.results()
        }
    }
}

/// How many elements a processor takes at a time: to wake it for fewer takes longer than the work.
private let pieceCount = 256

// Safe to share: elements are only read, and each piece is written once, by one thread, and read after all have ended.
@safe
private final class Work<Element, Made>: @unchecked Sendable {
    let count: Int
    private let elements: [Element]
    private let body: (Element) throws -> Made
    private let pieces: UnsafeMutableBufferPointer<Result<[Made], any Error>?>

    init(_ elements: [Element], _ body: @escaping (Element) throws -> Made) {
        self.elements = elements
        self.body = body
        count = (elements.count + pieceCount - 1) / pieceCount
        unsafe pieces = .allocate(capacity: count)
        unsafe pieces.initialize(repeating: nil)
    }

    deinit {
        unsafe pieces.deinitialize()
        unsafe pieces.deallocate()
    }

    func perform(_ piece: Int) {
        let start = piece * pieceCount
        let part = elements[start..<min(start + pieceCount, elements.count)]
        unsafe pieces[piece] = Result { try part.map(body) }
    }

    func results() throws -> [Made] {
        var made: [Made] = []
        made.reserveCapacity(elements.count)
        for piece in 0..<count { made += try unsafe pieces[piece]?.get() ?? [] }
        return made
    }
}
