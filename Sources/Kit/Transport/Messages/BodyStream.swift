/// The body of a response, piece by piece, at the speed of its reader: at most 1 MiB is buffered, and while the reader
/// pauses, nothing more is read from the server.
///
/// ```swift
/// let (answer, body) = try await client.open(HTTPRequest("GET", url))
/// for try await piece in body { take(piece) }
/// ```
///
/// One reader only. Cancelling its task, or letting go of the stream, ends the transfer.
public struct BodyStream: AsyncSequence, Sendable {
    /// A piece, never empty.
    public typealias Element = [UInt8]
    /// Why no more pieces come.
    public typealias Failure = TransportFailure

    let pieces: any BodyPieces

    /// Reads from the current place on.
    public func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces) }

    /// Reads one piece after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let pieces: any BodyPieces
        private var isOver = false

        init(pieces: any BodyPieces) { self.pieces = pieces }

        /// The next piece; `nil` at the end of a whole body.
        public mutating func next() async throws -> [UInt8]? { try await next(isolation: #isolation) }

        /// The next piece; `nil` at the end of a whole body.
        ///
        /// - Throws: ``TransportFailure`` when the body is cut, late or cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportFailure) -> [UInt8]? {
            guard !isOver else { return nil }
            do throws(TransportFailure) {
                guard let piece = try await pieces.next() else {
                    isOver = true
                    return nil
                }
                return piece
            } catch {
                isOver = true
                throw error
            }
        }
    }
}

/// Where the pieces of a body come from. The transfer ends with the last owner.
protocol BodyPieces: AnyObject, Sendable {
    /// The next piece, never empty; `nil` at the end of a whole body. One caller at a time; cancelling its task ends
    /// the transfer.
    func next() async throws(TransportFailure) -> [UInt8]?
}
