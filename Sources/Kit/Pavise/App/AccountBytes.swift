internal import PaviseSession
internal import PaviseTransport

/// The body of an answer, piece by piece, as fast as it is asked for: at most 1 MiB waits, and a reader that waits
/// makes the server
/// wait.
///
/// ```swift
/// for try await bytes in account.stream("/files/1") { take(bytes) }
/// ```
///
/// Nothing is sent before the first piece is asked for. Cancelling the task, or letting go of the sequence, ends the
/// transfer; so does
/// the app lock, with the next piece. Each iteration is a request of its own.
public struct AccountBytes: AsyncSequence, Sendable {
    /// A piece, never empty.
    public typealias Element = [UInt8]
    /// Why no more pieces come. What was given out before is a part then.
    public typealias Failure = PaviseError

    let open: @Sendable () async throws(PaviseError) -> BodyStream
    let isOpen: @Sendable () -> Bool
    /// Writes down what ended the body, and gives it its number.
    let told: @Sendable (any Error) -> PaviseError
    let limit: Int

    /// A request of its own, sent with the first piece that is asked for.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }

    /// Reads one piece after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let sequence: AccountBytes
        private var body: BodyStream.Iterator?
        private var count = 0
        private var isOver = false

        init(sequence: AccountBytes) { self.sequence = sequence }

        /// The next piece; `nil` at the end of a whole body.
        public mutating func next() async throws -> [UInt8]? { try await next(isolation: #isolation) }

        /// The next piece; `nil` at the end of a whole body.
        ///
        /// - Throws: ``PaviseError``: the body is cut, late, larger than the limit; or the app lock was closed.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(PaviseError) -> [UInt8]? {
            guard !isOver else { return nil }
            do {
                return try await piece(actor)
            } catch {
                isOver = true
                body = nil
                throw sequence.told(error)
            }
        }

        private mutating func piece(_ actor: isolated (any Actor)?) async throws -> [UInt8]? {
            guard sequence.isOpen() else { throw SessionFailure.locked }
            var body = if let body { body } else { try await sequence.open().makeAsyncIterator() }
            let piece = try await body.next(isolation: actor)
            self.body = body
            // It may have waited long.
            guard sequence.isOpen() else { throw SessionFailure.locked }
            guard let piece else {
                isOver = true
                self.body = nil
                return nil
            }
            count += piece.count
            guard count <= sequence.limit else { throw TransportFailure.bodyTooLarge(limit: sequence.limit) }
            return piece
        }
    }
}
