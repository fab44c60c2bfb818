internal import Synchronization

extension BodyStream {
    /// A body that is there already.
    package init(collected body: [UInt8]) { self.init(pieces: CollectedBody(body)) }
}

/// A body in one piece.
private final class CollectedBody: BodyPieces {
    private let piece: Mutex<[UInt8]>

    init(_ body: [UInt8]) { piece = Mutex(body) }

    func next() async throws(TransportFailure) -> [UInt8]? {
        piece.withLock { piece in
            defer { piece = [] }
            return piece.isEmpty ? nil : piece
        }
    }
}
